// @ts-check
// What the bytes of the extension's packages are of: by part of the source, by package from npm, by file. The build writes it to
// dist/extension-size.json; run by itself (node src/tools/extension-size.mjs), this renews the tables of docs/extension-size.md from it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

/**
 * @typedef {{ part: string, bytes: number, packed: number, entries: string[] }} Part
 * @typedef {{ packages: Record<string, number>, parts: Part[] }} Sizes
 */

/** What each part is there for; a part that is not here has no place in the package. */
export const WHAT_FOR = new Map([
  ['chart.js', 'the bars of the comparison, with `@kurkle/color` that it needs'],
  ['core/simulate', 'predictions: pages told from loads, and the simulation of each'],
  ['popup', 'everything the popup shows and does'],
  ['background', 'recording, applying, trials, the helper and the gateway'],
  ['core/trial', 'trials: plan, turns, checks, verdict'],
  ['core/compare', 'comparing profiles, modes of load times, loads needed'],
  ['adapters', 'one outside thing of the browser each: store, messages, appliers'],
  ['core/profiles', 'the catalogue of preferences, profiles, policies.json and steps by hand'],
  ['core/measure', 'figures of a load, links told from loads'],
  ['protocol', 'schemas of messages, stored records and the report'],
  ['valibot', 'the schemas at run time'],
  ['core/field', 'everyday loads: links, comparison, report, prediction'],
  ['views', 'what popup and dashboard share'],
  ['core/stats', 'intervals and tests'],
  ['webextension-polyfill', 'one name for the extension APIs'],
  ['core/answer', 'the one answer, and its words'],
  ['core/report', 'the report that is exported'],
  ['dashboard', 'the list of loads'],
  ['content', 'the content script'],
  ['idb', 'promises for IndexedDB'],
  ['core', 'units, errors and other small files'],
  ['experiment-api', 'setting preferences while Firefox runs; lab only'],
  ['pages and styles', 'HTML, CSS, icon, manifest'],
]);

/** @type {(bytes: Buffer) => number} As the zip holds it. */
const packedBytes = (bytes) => Math.min(bytes.length, deflateRawSync(bytes, { level: 9 }).length);

/** @type {(source: string) => string} Part that a source belongs to. */
function partOf(source) {
  const [top, first = '', second = ''] = source.split('/');
  if (top === 'node_modules') return first === '@kurkle' ? 'chart.js' : first;
  if (first !== 'core') return first;
  return second.endsWith('.ts') ? 'core' : `core/${second}`;
}

/**
 * A file's packed bytes are shared out among its sources by their bytes in it. `entries`: what loads the part when it starts.
 * @param {Record<string, ReadonlyMap<string, Buffer>>} variants
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @returns {Sizes}
 */
export function sizesOf(variants, outputs) {
  const loadedBy = entriesOf(outputs);
  /** @type {Map<string, Part>} */
  const parts = new Map();
  /** @type {(part: string, bytes: number, packed: number, entries: readonly string[]) => void} */
  const add = (part, bytes, packed, entries) => {
    const known = parts.get(part) ?? { part, bytes: 0, packed: 0, entries: [] };
    parts.set(part, {
      part,
      bytes: known.bytes + bytes,
      packed: known.packed + packed,
      entries: [...new Set([...known.entries, ...entries])].sort(),
    });
  };
  for (const [name, content] of new Map(Object.values(variants).flatMap((files) => [...files]))) {
    const packed = packedBytes(content);
    const output = outputs[`dist/${name}`];
    if (output === undefined) add(name.startsWith('experiment-api/') ? 'experiment-api' : 'pages and styles', content.length, packed, []);
    for (const [source, { bytesInOutput }] of Object.entries(output?.inputs ?? {})) {
      if (bytesInOutput > 0) add(partOf(source), bytesInOutput, (packed * bytesInOutput) / content.length, loadedBy(`dist/${name}`));
    }
  }
  return {
    packages: Object.fromEntries(Object.entries(variants).map(([variant, files]) => [variant, sum([...files.values()].map(packedBytes))])),
    parts: [...parts.values()].sort((a, b) => b.packed - a.packed).map((one) => ({ ...one, packed: Math.round(one.packed) })),
  };
}

/** @type {(values: readonly number[]) => number} */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @type {(outputs: import('esbuild').Metafile['outputs']) => (path: string) => string[]} Entry points that import a file at once, not later. */
function entriesOf(outputs) {
  /** @type {Map<string, Set<string>>} */
  const loadedBy = new Map();
  /** @type {(path: string, entry: string) => void} */
  const visit = (path, entry) => {
    const known = loadedBy.get(path) ?? new Set();
    if (known.has(entry)) return;
    loadedBy.set(path, known.add(entry));
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement') visit(imported, entry);
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint?.startsWith('src/')) visit(path, (entryPoint.split('/').at(-1) ?? '').replace(/\.ts$/, ''));
  }
  return (path) => [...(loadedBy.get(path) ?? [])];
}

/** @type {(bytes: number) => string} */
const kB = (bytes) => (bytes / 1000).toFixed(1);

/** @type {(sizes: Sizes) => string} The tables, in Markdown. */
export function sizeTables({ packages, parts }) {
  const rows = parts.map(
    ({ part, bytes, packed, entries }) => `| \`${part}\` | ${kB(bytes)} | ${kB(packed)} | ${entries.join(', ') || '-'} | ${WHAT_FOR.get(part) ?? ''} |`,
  );
  return [
    '| package | kB |',
    '| --- | --: |',
    ...Object.entries(packages).map(([variant, bytes]) => `| ${variant} | ${kB(bytes)} |`),
    '',
    '| part | minified, kB | packed, kB | loaded at the start of | what for |',
    '| --- | --: | --: | --- | --- |',
    ...rows,
  ].join('\n');
}

const [BEGIN, END] = ['<!-- sizes: node src/tools/extension-size.mjs -->', '<!-- end of sizes -->'];

/** @type {(document: string, tables: string) => string} */
export const withTables = (document, tables) =>
  `${document.slice(0, document.indexOf(BEGIN) + BEGIN.length)}\n\n${tables}\n\n${document.slice(document.indexOf(END))}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const document = join(root, 'docs/extension-size.md');
  const sizes = JSON.parse(readFileSync(join(root, 'dist/extension-size.json'), 'utf8'));
  writeFileSync(document, withTables(readFileSync(document, 'utf8'), sizeTables(sizes)));
}
