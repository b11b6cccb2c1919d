// @ts-check
// The tests of a module and the mutated code, all mutants in it, as one script in one process: each run evaluates it afresh.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { studiesForEsbuild } from '../studies-module.mjs';
import { newSuite, standIn } from './stand-in.mjs';

/**
 * @typedef {import('./stand-in.mjs').Collected} Collected
 * @typedef {import('./stand-in.mjs').Suite} Suite
 * @typedef {import('./stand-in.mjs').Test & { of: Collected }} Test
 * @typedef {{ id: string, timeMs: number, error?: unknown }} Result
 */

/** Stryker's own way asks for the test and for each mutant by its name, and takes ten times as long as the tests do. */
const COVER = 'function cover() {';
const COUNT = 'const { hits } = globalThis.__stryker__; for (let i = 0; i < arguments.length; i++) hits[arguments[i]] += 1; return;';
const COVERED = /(?<=stryCov_\w+\()(?:"\d+"(?:, )?)+(?=\))/g;
const SETUP = 'test/support/property-seed.ts';
/** A promise that nothing settles. */
const LONGEST_TEST_MS = 120_000;

/**
 * @param {readonly string[]} tests
 * @param {ReadonlyMap<string, string>} mutated code by path
 */
export async function testsInMemory(tests, mutated) {
  /** @type {Collected | undefined} */
  let current;
  const stands = await standIn(() => current ?? raise('a test was declared while no file was read'));
  const require = createRequire(resolve('package.json'));
  const found = (/** @type {string} */ name) => (name === 'vitest' ? stands : require(name));
  const code = await bundle([SETUP, ...tests], mutated);
  /** How often each mutant is passed is counted in the first run only: it takes longer than most tests do. */
  const counting = scriptOf(code.replaceAll(COVER, `${COVER} ${COUNT}`).replaceAll(COVERED, (ids) => ids.replaceAll('"', '')));
  const quick = scriptOf(code.replaceAll(COVER, `${COVER} return;`));
  return {
    code,
    run,
    /** @param {{ wanted?: ReadonlySet<string>, counts?: boolean }} options the files of which tests are wanted; all where left out */
    collect({ wanted, counts = false }) {
      const module = { exports: /** @type {Record<string, () => unknown>} */ ({}) };
      (counts ? counting : quick).runInThisContext()(found, module);
      const files = Object.entries(module.exports).filter(([file]) => file === SETUP || wanted === undefined || wanted.has(file));
      return files.flatMap(([file, evaluate]) => {
        /** @type {Collected} */
        const collected = { file, tests: [], suite: newSuite(), names: [], hasHooksForAll: false };
        current = collected;
        evaluate();
        return collected.tests.map((test) => ({ ...test, of: collected }));
      });
    },
  };
}

/**
 * Those that import one of the files, however far off.
 * @type {(files: readonly string[], tests: readonly string[]) => Promise<readonly string[]>}
 */
export async function testsOf(files, tests) {
  const { metafile } = await build({
    entryPoints: [...tests],
    ...{
      bundle: true,
      write: false,
      metafile: true,
      outdir: '.',
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    },
    plugins: [studiesForEsbuild],
  });
  const uses = Object.values(metafile.outputs).flatMap(({ entryPoint, inputs }) =>
    entryPoint !== undefined && files.some((file) => file in inputs) ? [entryPoint] : [],
  );
  return tests.filter((test) => uses.includes(test));
}

const scriptOf = (/** @type {string} */ code) => new Script(`(require, module) => {${code}\n}`, { filename: 'tests.cjs' });

const raise = (/** @type {string} */ message) => {
  throw new Error(message);
};

/** @type {(tests: readonly string[], mutated: ReadonlyMap<string, string>) => Promise<string>} */
async function bundle(tests, mutated) {
  const contents = `module.exports = {${tests.map((file) => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./${file}`)})`).join(',')}}`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'js' },
    ...{ bundle: true, write: false, format: 'cjs', platform: 'node', packages: 'external', target: 'node20', logLevel: 'error' },
    plugins: [studiesForEsbuild, sourcesOf(new Map([...mutated].map(([path, text]) => [resolve(path), text])))],
  });
  return outputFiles[0]?.text ?? '';
}

/** Mutated where there is such, and with its own address: a test looks for its fixtures beside itself. */
const sourcesOf = (/** @type {ReadonlyMap<string, string>} */ mutated) => ({
  name: 'sources',
  setup(/** @type {import('esbuild').PluginBuild} */ { onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = mutated.get(path) ?? readFileSync(path, 'utf8');
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
    });
  },
});

/**
 * Until one fails.
 * @param {readonly Test[]} tests
 * @param {(id: string | undefined) => void} runs
 */
async function run(tests, runs = () => {}) {
  /** @type {Result[]} */
  const results = [];
  /** @type {Set<Suite>} */
  const open = new Set();
  let rejected;
  const onRejected = (/** @type {unknown} */ reason) => {
    rejected = reason ?? 'rejected';
  };
  process.on('unhandledRejection', onRejected);
  for (const [at, { id, suite, run: body, of }] of tests.entries()) {
    const startedMs = performance.now();
    const suites = outermostFirst(suite);
    let error;
    try {
      for (const one of suites.filter((each) => !open.has(each))) {
        open.add(one);
        for (const hook of one.hooks.beforeAll) await hook();
      }
      runs(id);
      await inTime(async () => {
        for (const one of suites) for (const hook of one.hooks.beforeEach) await hook();
        await body();
        for (const one of suites.toReversed()) for (const hook of one.hooks.afterEach) await hook();
      });
      error = rejected;
    } catch (thrown) {
      error = thrown ?? 'threw nothing';
    }
    runs(undefined);
    results.push({ id, timeMs: performance.now() - startedMs, ...(error !== undefined && { error }) });
    if (error !== undefined || tests[at + 1]?.of !== of) {
      for (const one of [...open].toReversed()) for (const hook of one.hooks.afterAll) await quietly(hook);
      open.clear();
    }
    if (error !== undefined) break;
  }
  process.off('unhandledRejection', onRejected);
  return results;
}

/** @type {(suite: Suite | undefined) => readonly Suite[]} */
const outermostFirst = (suite) => (suite === undefined ? [] : [...outermostFirst(suite.parent), suite]);

/** What tidies up after a test that failed may fail as well. */
async function quietly(/** @type {() => unknown} */ work) {
  try {
    await work();
  } catch {}
}

/** @param {() => Promise<void>} work */
async function inTime(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('not settled in time')), LONGEST_TEST_MS);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
