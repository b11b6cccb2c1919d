// @ts-check
// One process that tries mutants of a module and notes what became of each, a line each: what was tried is not tried again.
// Arguments: module, share drawn, number of this process, number of processes, files to try (all where none is named).
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { instrumented } from './instrumented.mjs';
import { MODULES } from './modules.mjs';
import { testsInMemory, testsOf } from './tests-in-memory.mjs';
import { hashOf, knownOf, linesOf, noteOf } from './tried.mjs';

/**
 * @typedef {import('./instrumented.mjs').Mutant} Mutant
 * @typedef {import('./tests-in-memory.mjs').Test} Test
 */

const [name = '', share = '1', part = '0', parts = '1', ...only] = process.argv.slice(2);
const HOME = '.cache/mutation';
const SEED = 20_261_123;
/** Of a hash, enough to draw from. */
const DIGITS = 8;
/** A mutant that a test passes so many times as often as the code is in a loop without end: as Stryker has it, which adds up all tests. */
const MOST_HITS = 100;
/** Passed less often, it is in none. */
const FEW_HITS = 100_000;
/** Processor time that a mutant may take, for loops in which no mutant is passed, as Stryker has it: that of its tests so many times, and seconds. */
const [MOST_TIMES, AND_SECONDS] = [1.5, 5];
/** Tests that take longer than these are run after those that do not: a mutant that is killed is mostly killed by a quick one. */
const SLOW_MS = [30, 300];

const module = MODULES.find((each) => each.name === name);
if (module === undefined) throw new Error(`no module ${name}`);
const files = only.length > 0 ? only : module.files;
const tests = await testsOf(files, module.tests);
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const { code, mutants } = await instrumented(sources);
const inMemory = await testsInMemory(tests, code);
const stryker = /** @type {any} */ (globalThis);
stryker.__stryker__ = {};
const ns = stryker.__stryker__;

const { times, hits, seconds } = await dryRun();
const known = knownOf(linesOf(name));
/** A test is the same where others were put before it. */
const nameOf = (/** @type {string} */ test) => test.replace(/#\d+ /, ' ');
const names = new Set(Object.keys(times).map(nameOf));
const testsHash = hashOf(...module.tests.map((test) => readFileSync(test, 'utf8')));
/** @type {Map<string, readonly string[]>} tests by file */
const users = new Map();
/** @type {Map<string, Set<string>>} tests by file */
const killers = new Map();
for (const { fileName, by } of known.values()) if (by in times && (times[by] ?? 0) <= SLOW_MS[0]) killersOf(fileName).add(by);
const watchdog = startWatchdog();
const pending = mutants.filter(isDrawn);
for (const mutant of pending.filter((_, at) => at % Number(parts) === Number(part))) {
  const source = hashOf(sources.get(mutant.fileName) ?? '');
  const before = known.get(noteOf(mutant, source));
  // A survivor is tried again when the tests have changed, and what was killed when the test that did is gone.
  if (
    before !== undefined &&
    (before.status === 'survived' ? before.tests === testsHash : before.by === '' || names.has(nameOf(before.by)))
  )
    continue;
  note(mutant, await tryMutant(mutant));
}
process.exit(0);

/**
 * @typedef {{ static: Record<string, number>, perTest: Record<string, Record<string, number>> }} Hits how often a mutant is passed, as files load and by test
 */

/**
 * Which tests pass which mutant, how often, how long each test takes, and how much processor time all of them. Kept while tests and code stay: a process
 * that was killed in a loop without end begins where it was. The times are those of a run that counts nothing.
 * @returns {Promise<{ times: Record<string, number>, seconds: number, hits: Hits }>}
 */
async function dryRun() {
  const path = `${HOME}/${name}.${only.length > 0 ? 'some' : 'all'}.json`;
  const of = hashOf(inMemory.code);
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  if (kept?.of === of) return kept;
  const counted = await countHits();
  const before = process.cpuUsage();
  const results = await unmutated(inMemory.collect({}));
  const { user, system } = process.cpuUsage(before);
  const found = {
    of,
    times: Object.fromEntries(results.map(({ id, timeMs }) => [id, timeMs])),
    seconds: (user + system) / 1e6,
    hits: counted,
  };
  writeFileSync(`${path}.${part}`, JSON.stringify(found));
  renameSync(`${path}.${part}`, path);
  return found;
}

async function countHits() {
  /** @type {Hits} */
  const counted = { static: {}, perTest: {} };
  const passed = new Float64Array(mutants.length);
  ns.hits = passed;
  /** @type {string | undefined} */
  let running;
  await unmutated(inMemory.collect({ counts: true }), (next) => {
    const into = running === undefined ? counted.static : {};
    for (const [id, count] of passed.entries()) if (count > 0) into[id] = (into[id] ?? 0) + count;
    if (running !== undefined) counted.perTest[running] = into;
    passed.fill(0);
    running = next;
  });
  return counted;
}

/** @param {readonly Test[]} collected @param {(id: string | undefined) => void} [runs] */
async function unmutated(collected, runs) {
  const results = await inMemory.run(collected, runs);
  const failed = results.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(`unmutated, ${failed.id} fails: ${failed.error}`);
  return results;
}

/**
 * A seeded share of the mutants: drawn by what a mutant is, so that a run taken up again draws the same.
 * @param {Mutant} mutant
 */
function isDrawn({ fileName, location, mutatorName, replacement }) {
  const hash = createHash('sha256').update(JSON.stringify([SEED, fileName, location, mutatorName, replacement]));
  return Number.parseInt(hash.digest('hex').slice(0, DIGITS), 16) / 16 ** DIGITS < Number(share);
}

/** @param {Mutant} mutant */
async function tryMutant(mutant) {
  const { id, fileName } = mutant;
  const passing = Object.entries(hits.perTest).flatMap(([test, passed]) => (id in passed ? [test] : []));
  const atLoad = id in hits.static;
  const wanted = atLoad ? usersOf(fileName) : passing;
  if (wanted.length === 0) return { status: 'survived', by: '' };
  const timeOf = (/** @type {readonly string[]} */ some) => some.reduce((sum, test) => sum + (times[test] ?? 0), 0);
  watchdog(mutant, AND_SECONDS + (MOST_TIMES * seconds * timeOf(wanted)) / timeOf(Object.keys(times)));
  const likely = wanted.filter((test) => killersOf(fileName).has(test));
  const by =
    (await firstToFail(id, atLoad, likely)) ??
    (await firstToFail(
      id,
      atLoad,
      wanted.filter((test) => !likely.includes(test)),
    ));
  if (ns.hitCount > ns.hitLimit) return { status: 'timeout', by: '' };
  if (by === undefined) return { status: 'survived', by: '' };
  if (by !== '' && (times[by] ?? 0) <= SLOW_MS[0]) killersOf(fileName).add(by);
  return { status: 'killed', by };
}

/** What is evaluated once, when its file is loaded, is tried by all tests that use the file. */
function usersOf(/** @type {string} */ fileName) {
  const before = users.get(fileName);
  if (before !== undefined) return before;
  const ofFile = new Set(mutants.filter((each) => each.fileName === fileName).map((each) => each.id));
  const found = Object.entries(hits.perTest).flatMap(([test, passed]) =>
    Object.keys(passed).some((one) => ofFile.has(one)) ? [test] : [],
  );
  // With the tests beside them, which may look at nothing but a constant.
  const fileOf = (/** @type {string} */ test) => test.slice(0, test.indexOf('#'));
  const beside = new Set(found.map(fileOf));
  const known = Object.keys(times).filter((test) => beside.size === 0 || beside.has(fileOf(test)));
  users.set(fileName, known);
  return known;
}

/** Quick tests that have killed mutants of the file: the next is mostly killed by one of them, and the others need not even be loaded. */
function killersOf(/** @type {string} */ fileName) {
  const known = killers.get(fileName) ?? new Set();
  killers.set(fileName, known);
  return known;
}

/**
 * @param {string} id of the mutant
 * @param {boolean} atLoad whether it is in effect while files are loaded
 * @param {readonly string[]} wanted
 * @returns {Promise<string | undefined>} the test that failed, '': none could be loaded; `undefined`: all held
 */
async function firstToFail(id, atLoad, wanted) {
  if (wanted.length === 0) return undefined;
  const countFrom = (/** @type {number | undefined} */ before) =>
    Object.assign(ns, { hitCount: 0, hitLimit: FEW_HITS + MOST_HITS * (before ?? 0) });
  countFrom(hits.static[id]);
  ns.activeMutant = atLoad ? id : undefined;
  try {
    const collected = inMemory.collect({ wanted: new Set(wanted.map((test) => test.slice(0, test.indexOf('#')))) });
    ns.activeMutant = id;
    const own = new Set(wanted);
    const results = await inMemory.run(quickFirst(collected.filter((test) => own.has(test.id))), (test) => {
      if (test !== undefined) countFrom(hits.perTest[test]?.[id]);
    });
    return results.find(({ error }) => error !== undefined)?.id;
  } catch {
    return '';
  } finally {
    ns.activeMutant = undefined;
  }
}

/** @type {(wanted: readonly Test[]) => readonly Test[]} */
function quickFirst(wanted) {
  const slowness = (/** @type {Test} */ { id, of }) =>
    of.hasHooksForAll ? SLOW_MS.length : SLOW_MS.filter((ms) => (times[id] ?? 0) > ms).length;
  return wanted.toSorted((a, b) => slowness(a) - slowness(b));
}

/** @param {Mutant} mutant @param {{ status: string, by: string }} outcome */
function note(mutant, outcome) {
  appendFileSync(`${HOME}/${name}.jsonl`, lineOf(mutant, outcome));
}

/** @param {Mutant} mutant @param {{ status: string, by: string }} outcome */
function lineOf(mutant, outcome) {
  const { fileName, location, mutatorName, replacement } = mutant;
  const source = hashOf(sources.get(fileName) ?? '');
  return `${JSON.stringify({ source, fileName, location, mutatorName, replacement, tests: testsHash, ...outcome })}\n`;
}

/** A loop that never gives way is seen from another thread, by the processor time it takes: a busy machine makes no mutant late. */
function startWatchdog() {
  const body = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { appendFileSync } = require('node:fs');
    const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
    let tried; let since = 0;
    parentPort.on('message', (next) => { tried = next; since = used(); });
    setInterval(() => {
      if (tried === undefined || used() - since < tried.seconds) return;
      appendFileSync(workerData.path, tried.line);
      process.kill(process.pid, 'SIGKILL');
    }, 500);`;
  const worker = new Worker(body, { eval: true, workerData: { path: `${HOME}/${name}.jsonl` } });
  worker.unref();
  return (/** @type {Mutant} */ mutant, /** @type {number} */ most) =>
    worker.postMessage({ line: lineOf(mutant, { status: 'timeout', by: '' }), seconds: most });
}
