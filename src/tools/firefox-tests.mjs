// @ts-check
// Runs the tests that drive Firefox or measure. A failure is run once more, alone: what passes then is flaky, and named; it counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { leftOutOf, TURNS, turnNow } from './test-turns.mjs';

/** With more flaky tests than this in one run, the run fails: the tests no longer show anything. Set by the project's owner. */
export const MAX_FLAKY = 2;

/**
 * @typedef {{ readonly file: string, readonly name: string }} NamedTest
 * `name` is empty where a file failed as a whole: it could not be loaded, or a hook of it failed.
 * @typedef {{ readonly passed: number, readonly failed: readonly NamedTest[], readonly exitCode: number }} TestRun
 * @typedef {{ readonly state: 'passed', readonly flaky: readonly NamedTest[] }
 *   | { readonly state: 'failed', readonly why: string, readonly flaky: readonly NamedTest[] }} Verdict
 */

/**
 * What Vitest's JSON report says of a run.
 * @param {{ testResults: readonly { name: string, status: string, assertionResults: readonly { fullName: string, status: string }[] }[] }} report
 * @param {{ readonly root: string, readonly exitCode: number }} context
 * @returns {TestRun}
 */
export function readRun({ testResults }, { root, exitCode }) {
  const results = testResults.map(({ name, status, assertionResults }) => ({
    file: relative(root, name),
    passed: assertionResults.filter((test) => test.status === 'passed').length,
    failed: assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName.trim()),
    brokeAsWhole: status === 'failed',
  }));
  return {
    exitCode,
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.flatMap(({ file, failed, brokeAsWhole }) =>
      failed.length > 0 ? failed.map((name) => ({ file, name })) : brokeAsWhole ? [{ file, name: '' }] : [],
    ),
  };
}

/**
 * @param {TestRun} first
 * @param {(file: string) => Promise<TestRun>} runAlone every test of that file, with nothing else running
 * @param {number} alreadyFlaky tests found flaky earlier in the same run
 * @returns {Promise<Verdict>}
 */
export async function judgeRun(first, runAlone, alreadyFlaky = 0) {
  const { failed, exitCode } = first;
  if (failed.length === 0) {
    return exitCode === 0 ? { state: 'passed', flaky: [] } : { state: 'failed', why: 'an error outside of every test', flaky: [] };
  }
  if (alreadyFlaky + failed.length > MAX_FLAKY) {
    const earlier = alreadyFlaky > 0 ? `, with ${alreadyFlaky} flaky before` : '';
    return { state: 'failed', why: `${failed.length} failed${earlier}; at most ${MAX_FLAKY} are run again`, flaky: [] };
  }
  for (const file of new Set(failed.map((test) => test.file))) {
    const again = await runAlone(file);
    const stillFailing = again.failed.map(describeTest).join('; ');
    if (again.failed.length > 0) return { state: 'failed', why: `failed again, alone: ${stillFailing}`, flaky: [] };
    if (again.exitCode !== 0 || again.passed === 0) return { state: 'failed', why: `${file} did not run to its end, alone`, flaky: [] };
  }
  return { state: 'passed', flaky: failed };
}

/** @param {NamedTest} test */
export const describeTest = ({ file, name }) => (name === '' ? `${file} (the file as a whole)` : `${file} > ${name}`);

/**
 * @param {readonly string[]} selection Vitest's own arguments
 * @param {readonly string[]} waiting files that are left out
 * @returns {Promise<TestRun>}
 */
async function runVitest(selection, waiting = []) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-tests-'));
  const report = join(folder, 'report.json');
  try {
    const args = ['run', ...selection, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const [status] = await once(
      spawn('node_modules/.bin/vitest', args, { stdio: 'inherit', env: { ...process.env, PLUMBFOX_WAITING: waiting.join(',') } }),
      'close',
    );
    // Interrupted or crashed, Vitest writes none.
    if (!existsSync(report)) return { passed: 0, failed: [], exitCode: status || 1 };
    return readRun(JSON.parse(readFileSync(report, 'utf8')), { root: process.cwd(), exitCode: status ?? 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the projects one after another, prints the list of flaky tests, and stops at a project that fails. Of long files those that have their turn.
 * @param {readonly import('./test-turns.mjs').FirefoxProject[]} projects
 * @returns {Promise<number>} exit code
 */
export async function runFirefoxTests(projects) {
  /** @type {NamedTest[]} */
  const flaky = [];
  let passed = 0;
  /** @type {string | undefined} */
  let failure;
  const turn = turnNow();
  if (turn !== undefined) console.log(`Long files of tests in Firefox: turn ${turn + 1} of ${TURNS}; PLUMBFOX_TURNS=all runs all`);
  for (const project of projects) {
    const startedMs = performance.now();
    const waiting = turn === undefined ? [] : leftOutOf(project, turn);
    const first = await runVitest(['--project', project], waiting);
    const alone = (/** @type {string} */ file) => runVitest(['--project', project, '--maxWorkers=1', file]);
    const verdict = await judgeRun(first, alone, flaky.length);
    passed += first.passed + verdict.flaky.length;
    flaky.push(...verdict.flaky);
    if (verdict.state === 'failed') {
      failure = `tests (${project}) failed: ${verdict.why}`;
      break;
    }
    console.log(`tests (${project}): ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }
  console.log(flaky.length === 0 ? 'Flaky tests: none' : `Flaky tests (failed once, passed alone): ${flaky.length}`);
  for (const test of flaky) console.log(`  ${describeTest(test)}`);
  if (failure !== undefined) console.error(failure);
  else console.log(`Tests that drive Firefox or measure: ${passed} passed`);
  return failure === undefined ? 0 : 1;
}
