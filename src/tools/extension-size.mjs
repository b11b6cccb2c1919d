// @ts-check
// What the bytes of the extension's packages are of: by part of the source, by package from npm, by file. The build writes it to
// dist/extension-size.json; run by itself (node src/tools/extension-size.mjs), this renews the tables of docs/extension-size.md from it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deterministicZip } from './deterministic-zip.mjs';

/**
 * @typedef {{ part: string, bytes: number, packed: number }} Part
 * @typedef {{ entry: string, bytes: number, parts: Record<string, number> }} Entry
 * @typedef {{ packages: Record<string, number>, parts: Part[], entries: Entry[] }} Sizes
 * @typedef {{ fileName: string, entry: string | undefined, imports: readonly string[], sources: readonly { source: string, length: number }[] }} Script
 *   A bundled script: what it imports at once, and its sources with their length before it was minified
 */

/** What each part is there for; a part that is not here has no place in the package. */
export const WHAT_FOR = new Map([
  ['chart.js', 'axes and points of the comparison, without what they never reach'],
  ['core/simulate', 'predictions: the simulation of each page'],
  ['core/predict', 'what is made of the predictions of several pages'],
  ['core/graph', 'pages told from loads: what asks for what, and when'],
  ['controls', 'the page behind "More": records, applying, trials, gateway, comparison'],
  ['popup', 'the card of the popup'],
  ['background', 'recording, applying, trials, the helper and the gateway'],
  ['core/trial', 'trials: plan, turns, checks, verdict'],
  ['core/compare', 'comparing profiles, modes of load times, loads needed'],
  ['adapters', 'one outside thing of the browser each: store, messages, appliers'],
  ['core/profiles', 'the catalogue of preferences, profiles, policies.json and steps by hand'],
  ['core/measure', 'figures of a load, links told from loads'],
  ['protocol', 'schemas of messages, stored records and the report'],
  ['valibot', 'the schemas at run time'],
  ['runtime.js', 'how Rolldown reads a package that is CommonJS, as the polyfill is'],
  ['webextension-polyfill', 'the extension APIs by one name in every browser; its licence is with pages and styles'],
  ['core/field', 'everyday loads: links, comparison, report, prediction'],
  ['views', 'what popup, controls and dashboard share'],
  ['core/stats', 'intervals and tests'],
  ['core/answer', 'the one answer, and its words'],
  ['core/text', 'figures and tables in words'],
  ['core/report', 'the report that is exported, or looked at'],
  ['core/har', 'loads as a HAR'],
  ['core/search', 'the settings that a search found fastest on everyday pages'],
  ['dashboard', 'the list of loads, settings of one’s own, a pasted list'],
  ['core/audit', 'what a pasted list of preferences does'],
  ['welcome', 'what is recorded, access, three sites loaded twice'],
  ['content', 'the content script'],
  ['idb', 'promises for IndexedDB'],
  ['core', 'units, errors and other small files'],
  ['_locales/en', 'every text of scripts, and what the manifest says'],
  ['_locales/de', 'the same, and the texts of the pages, in German'],
  ['experiment-api', 'setting preferences while Firefox runs; lab only'],
  ['pages and styles', 'HTML, CSS, icon, manifest'],
]);

/** @type {(source: string) => string} Part that a source belongs to. */
function partOf(source) {
  const [top, first = '', second = ''] = source.split('/');
  if (top === 'node_modules') return first === '@kurkle' ? 'chart.js' : first;
  if (first !== 'core') return first;
  return second.endsWith('.ts') ? 'core' : `core/${second}`;
}

/** @type {(name: string) => string} Part that a file of the package belongs to, but for scripts. */
function partOfFile(name) {
  if (name.startsWith('_locales/')) return name.slice(0, '_locales/en'.length);
  return name.startsWith('experiment-api/') ? 'experiment-api' : 'pages and styles';
}

/**
 * A file's bytes, minified and packed, are shared out among its sources by their length in it before. `entries`: what each script reads when it
 * starts, without what it loads later.
 * @param {Record<string, ReadonlyMap<string, Buffer>>} variants
 * @param {readonly Script[]} scripts
 * @param {import('./deterministic-zip.mjs').Deflate} deflate
 * @returns {Sizes}
 */
export function sizesOf(variants, scripts, deflate) {
  /** @type {Map<string, Part>} */
  const parts = new Map();
  /** @type {(part: string, bytes: number, packed: number) => void} */
  const add = (part, bytes, packed) => {
    const known = parts.get(part) ?? { part, bytes: 0, packed: 0 };
    parts.set(part, { part, bytes: known.bytes + bytes, packed: known.packed + packed });
  };
  const files = new Map(Object.values(variants).flatMap((all) => [...all]));
  const byName = new Map(scripts.map((script) => [script.fileName, { ...script, bytes: files.get(script.fileName)?.length ?? 0 }]));
  for (const [name, content] of files) {
    const packed = Math.min(content.length, deflate(content).length);
    const script = byName.get(name);
    if (script === undefined) add(partOfFile(name), content.length, packed);
    else for (const [part, bytes] of partsOf(script)) add(part, bytes, (packed * bytes) / content.length);
  }
  return {
    packages: Object.fromEntries(Object.entries(variants).map(([variant, all]) => [variant, deterministicZip(all, deflate).length])),
    parts: [...parts.values()]
      .sort((a, b) => b.packed - a.packed)
      .map((one) => ({ ...one, bytes: Math.round(one.bytes), packed: Math.round(one.packed) })),
    entries: entriesOf(byName),
  };
}

/** @typedef {Script & { bytes: number }} Sized */

/** @type {(script: Sized) => [string, number][]} Bytes by part; one part may come several times. */
function partsOf({ sources, bytes }) {
  const all = sources.reduce((total, { length }) => total + length, 0);
  return sources.flatMap(({ source, length }) =>
    length > 0 ? [/** @type {[string, number]} */ ([partOf(source), (bytes * length) / all])] : [],
  );
}

/** @type {(scripts: ReadonlyMap<string, Sized>) => Entry[]} The largest first. */
function entriesOf(scripts) {
  const entries = [...scripts.values()].flatMap((script) => {
    if (script.entry === undefined) return [];
    const read = readAtOnce(script, scripts);
    /** @type {Record<string, number>} */
    const parts = {};
    for (const [part, bytes] of read.flatMap(partsOf)) parts[part] = (parts[part] ?? 0) + bytes;
    return [{ entry: script.entry, bytes: read.reduce((total, { bytes }) => total + bytes, 0), parts }];
  });
  return entries.sort((a, b) => b.bytes - a.bytes);
}

/** @type {(script: Sized, scripts: ReadonlyMap<string, Sized>) => Sized[]} The script, and what it imports at once. */
function readAtOnce(script, scripts) {
  const read = new Set([script]);
  for (const { imports } of read) {
    for (const name of imports) {
      const imported = scripts.get(name);
      if (imported !== undefined) read.add(imported);
    }
  }
  return [...read];
}

/** @type {(bytes: number) => string} */
const kB = (bytes) => (bytes / 1000).toFixed(1);

/** @type {(sizes: Sizes) => string} The tables, in Markdown. */
export function sizeTables({ packages, parts, entries }) {
  return [
    '| package | kB |',
    '| --- | --: |',
    ...Object.entries(packages).map(([variant, bytes]) => `| ${variant} | ${kB(bytes)} |`),
    '',
    '## Parts',
    '',
    '| part | minified, kB | packed, kB | what for |',
    '| --- | --: | --: | --- |',
    ...parts.map(({ part, bytes, packed }) => `| \`${part}\` | ${kB(bytes)} | ${kB(packed)} | ${WHAT_FOR.get(part) ?? ''} |`),
    '',
    '## Read at the start',
    '',
    '| script | minified, kB | largest parts, kB |',
    '| --- | --: | --- |',
    ...entries.map((one) => `| \`${one.entry}\` | ${kB(one.bytes)} | ${largestParts(one)} |`),
  ].join('\n');
}

/** @type {(entry: Entry) => string} */
const largestParts = ({ parts }) =>
  Object.entries(parts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([part, bytes]) => `${part} ${kB(bytes)}`)
    .join(', ');

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
