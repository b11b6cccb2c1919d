// @ts-check
// What a test file finds under the name `vitest` when Stryker runs it: tests are collected, and `expect` is Vitest's own.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {{ hooks: Record<Hook, (() => unknown)[]>, parent: Suite | undefined }} Suite
 * @typedef {'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach'} Hook
 * @typedef {{ id: string, suite: Suite, run: () => unknown }} Test
 * @typedef {{ file: string, tests: Test[], suite: Suite, names: string[], hasHooksForAll: boolean }} Collected
 */

/** @type {(parent?: Suite) => Suite} */
export const newSuite = (parent) => ({ hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] }, parent });

/**
 * @param {() => Collected} current where what is declared belongs
 */
export async function standIn(current) {
  const require = createRequire(join(process.cwd(), 'package.json'));
  const load = (/** @type {string} */ name) => import(pathToFileURL(require.resolve(name)).href);
  const it = declarer(addTest(current));
  const describe = declarer(addSuite(current));
  const hook = (/** @type {Hook} */ kind) => (/** @type {() => unknown} */ run) => {
    current().suite.hooks[kind].push(run);
    if (kind.endsWith('All')) current().hasHooksForAll = true;
  };
  const hooks = Object.fromEntries(
    /** @type {const} */ (['beforeAll', 'afterAll', 'beforeEach', 'afterEach']).map((kind) => [kind, hook(kind)]),
  );
  return {
    ...hooks,
    it,
    test: it,
    describe,
    expect: newExpect(await load('@vitest/expect'), await load('chai')),
    vi: await load('@vitest/spy'),
  };
}

/** @type {(current: () => Collected) => (name: string, body: () => unknown) => void} */
const addTest = (current) => (name, run) => {
  const { file, tests, suite, names } = current();
  tests.push({ id: `${file}#${tests.length} ${[...names, name].join(' ')}`, suite, run });
};

/** @type {(current: () => Collected) => (name: string, body: () => unknown) => void} */
const addSuite = (current) => (name, body) => {
  const collected = current();
  const outer = collected.suite;
  collected.suite = newSuite(outer);
  collected.names.push(name);
  body();
  collected.names.pop();
  collected.suite = outer;
};

/**
 * `it` and `describe` take the same forms: plain, with options, of a table, under a condition.
 * @param {(name: string, body: () => unknown) => void} add
 */
function declarer(add) {
  const declare = (/** @type {unknown} */ name, /** @type {unknown[]} */ ...rest) => {
    const body = /** @type {(() => unknown) | undefined} */ (rest.find((one) => typeof one === 'function'));
    if (body !== undefined) add(String(name), body);
  };
  const skip = () => undefined;
  const each =
    (/** @type {readonly unknown[]} */ table) =>
    (/** @type {unknown} */ name, /** @type {unknown[]} */ ...rest) => {
      const body = /** @type {((...row: unknown[]) => unknown) | undefined} */ (rest.find((one) => typeof one === 'function'));
      for (const row of table) declare(name, () => body?.(...(Array.isArray(row) ? row : [row])));
    };
  const under = (/** @type {boolean} */ held) => (held ? declare : Object.assign(skip, { each: () => skip }));
  return Object.assign(declare, { each, skip, skipIf: (/** @type {boolean} */ held) => under(!held), runIf: under });
}

/** As Vitest puts it together. */
function newExpect(/** @type {any} */ own, /** @type {any} */ chai) {
  for (const plugin of [own.JestExtend, own.JestChaiExpect, own.JestAsymmetricMatchers]) chai.use(plugin);
  const expect = Object.assign(
    (/** @type {unknown} */ value, /** @type {string | undefined} */ message) => chai.expect(value, message),
    chai.expect,
  );
  Object.assign(expect, Reflect.get(globalThis, own.ASYMMETRIC_MATCHERS_OBJECT));
  Reflect.set(globalThis, own.GLOBAL_EXPECT, expect);
  own.setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect);
  return expect;
}
