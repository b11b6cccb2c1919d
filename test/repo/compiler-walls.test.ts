/** What must not compile does not: each folder's own tsconfig.json, applied to files that reach over its wall. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from './support/source-tree.ts';

/** Name of a global that is not there. */
const NO_NAME = /^TS(2304|2552|2580|2584|2591|2868)$/;
/** A file of another project: outside rootDir, or not in this project's list. */
const OTHER_PROJECT = /^TS(6059|6307)$/;
/** A module that cannot be found. */
const NO_MODULE = /^TS(2307|2591)$/;

interface Wall {
  readonly code: string;
  /** Absent: it compiles. Where nothing is refused, a wall proves nothing. */
  readonly refused?: RegExp;
}

const imports = (from: string): string => `import { stub } from '${from}';\nexport const value = stub;`;
const uses = (expression: string): string => `export const value: unknown = ${expression};`;

const WALLS: Readonly<Record<string, Readonly<Record<string, Wall>>>> = {
  core: {
    plain: { code: uses('[1, 2].toSorted().map((each) => Math.sqrt(each))') },
    neighbour: { code: imports('./stub.ts') },
    document: { code: uses('document.title'), refused: NO_NAME },
    window: { code: uses('window'), refused: NO_NAME },
    performance: { code: uses('performance.now()'), refused: NO_NAME },
    browser: { code: uses('browser.runtime.id'), refused: NO_NAME },
    process: { code: uses('process.pid'), refused: NO_NAME },
    buffer: { code: uses("Buffer.from('')"), refused: NO_NAME },
    timer: { code: uses('setTimeout(() => {}, 1)'), refused: NO_NAME },
    url: { code: uses("new URL('http://example.org/')"), refused: NO_NAME },
    console: { code: "console.log('');\nexport {};", refused: NO_NAME },
    fetch: { code: uses("fetch('')"), refused: NO_NAME },
    crypto: { code: uses('crypto.randomUUID()'), refused: NO_NAME },
    node: { code: "import { readFile } from 'node:fs/promises';\nexport const value = readFile;", refused: NO_MODULE },
    protocol: { code: imports('../protocol/stub.ts'), refused: OTHER_PROJECT },
    adapters: { code: imports('../adapters/stub.ts'), refused: OTHER_PROJECT },
  },
  protocol: {
    plain: { code: uses('new Map()') },
    document: { code: uses('document.title'), refused: NO_NAME },
    process: { code: uses('process.pid'), refused: NO_NAME },
    adapters: { code: imports('../adapters/stub.ts'), refused: OTHER_PROJECT },
  },
  adapters: {
    plain: { code: uses('document.title') },
    process: { code: uses('process.pid'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
    popup: { code: imports('../popup/stub.ts'), refused: OTHER_PROJECT },
  },
  background: {
    plain: { code: uses('indexedDB') },
    process: { code: uses('process.pid'), refused: NO_NAME },
    popup: { code: imports('../popup/stub.ts'), refused: OTHER_PROJECT },
    lab: { code: imports('../lab/stub.ts'), refused: OTHER_PROJECT },
  },
  content: {
    plain: { code: uses('document.title') },
    process: { code: uses('process.pid'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
  },
  popup: {
    plain: { code: uses('document.title') },
    process: { code: uses('process.pid'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
    controls: { code: imports('../controls/stub.ts'), refused: OTHER_PROJECT },
    dashboard: { code: imports('../dashboard/stub.ts'), refused: OTHER_PROJECT },
  },
  controls: {
    plain: { code: uses('document.title') },
    process: { code: uses('process.pid'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
    popup: { code: imports('../popup/stub.ts'), refused: OTHER_PROJECT },
  },
  dashboard: {
    plain: { code: uses('document.title') },
    process: { code: uses('process.pid'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
    popup: { code: imports('../popup/stub.ts'), refused: OTHER_PROJECT },
  },
  welcome: {
    plain: { code: uses('document.title') },
    process: { code: uses('process.pid'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
    popup: { code: imports('../popup/stub.ts'), refused: OTHER_PROJECT },
  },
  views: {
    plain: { code: uses('document.title') },
    process: { code: uses('process.pid'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
    popup: { code: imports('../popup/stub.ts'), refused: OTHER_PROJECT },
  },
  gateway: {
    plain: { code: uses('process.pid') },
    document: { code: uses('document.title'), refused: NO_NAME },
    lab: { code: imports('../lab/stub.ts'), refused: OTHER_PROJECT },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
  },
  helper: {
    plain: { code: uses('process.pid') },
    document: { code: uses('document.title'), refused: NO_NAME },
    lab: { code: imports('../lab/stub.ts'), refused: OTHER_PROJECT },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
  },
  lab: {
    plain: { code: uses('process.pid') },
    document: { code: uses('document.title'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
    adapters: { code: imports('../adapters/stub.ts'), refused: OTHER_PROJECT },
  },
  cli: {
    plain: { code: uses('process.pid') },
    document: { code: uses('document.title'), refused: NO_NAME },
    background: { code: imports('../background/stub.ts'), refused: OTHER_PROJECT },
    popup: { code: imports('../popup/stub.ts'), refused: OTHER_PROJECT },
  },
};

/** Not below any node_modules: the compiler asks less of what lies there. */
const directory = mkdtempSync(join(tmpdir(), 'plumbfox-walls-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const target = join(directory, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${text}\n`);
}

// A folder of its own with links in it, so that what the compiler writes there stays there.
mkdirSync(join(directory, 'node_modules'));
for (const name of ['@types', 'undici-types']) symlinkSync(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name));
copyFileSync(join(ROOT, 'tsconfig.base.json'), join(directory, 'tsconfig.base.json'));
for (const [folder, walls] of Object.entries(WALLS)) {
  write(`src/${folder}/stub.ts`, 'export const stub = 1;');
  for (const [name, { code }] of Object.entries(walls)) write(`src/${folder}/wall-${name}.ts`, code);
  copyFileSync(join(ROOT, `src/${folder}/tsconfig.json`), join(directory, `src/${folder}/tsconfig.json`));
}

/** Codes of the diagnostics of each wall file, such as `TS2304`. */
function diagnose(folder: string): ReadonlyMap<string, readonly string[]> {
  const { stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', `src/${folder}`, '--noEmit', '--pretty', 'false'], {
    cwd: directory,
    encoding: 'utf8',
  });
  const codes = new Map<string, string[]>();
  for (const line of `${stdout}${stderr}`.split('\n')) {
    const [, name, code] = /^src\/\w+\/wall-(\w+)\.ts\(\d+,\d+\): error (TS\d+):/.exec(line) ?? [];
    if (name !== undefined && code !== undefined) codes.set(name, [...(codes.get(name) ?? []), code]);
  }
  return codes;
}

describe.each(Object.keys(WALLS))('src/%s', (folder) => {
  const found = diagnose(folder);
  it.each(Object.entries(WALLS[folder] ?? {}))('%s', (name, { refused }) => {
    const codes = found.get(name) ?? [];
    if (refused === undefined) expect(codes).toEqual([]);
    else
      expect(
        codes.filter((code) => refused.test(code)),
        `${codes.join(' ') || 'it compiles'}`,
      ).not.toEqual([]);
  });
});
