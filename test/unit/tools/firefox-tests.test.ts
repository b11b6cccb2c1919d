import { expect, test } from 'vitest';
// @ts-expect-error A build script, checked by its own comments.
import { judgeRun, readRun } from '../../../src/tools/firefox-tests.mjs';

interface Named {
  file: string;
  name: string;
}
interface Run {
  passed: number;
  failed: Named[];
  exitCode: number;
}

const popup: Named = { file: 'test/browser/popup.test.ts', name: 'shows the last load' };
const link: Named = { file: 'test/browser/lab-link.test.ts', name: 'keeps its rate' };
const relay: Named = { file: 'test/browser/lab-far-link.test.ts', name: 'is far' };
const green: Run = { passed: 3, failed: [], exitCode: 0 };
const failing = (...failed: Named[]): Run => ({ passed: 1, failed, exitCode: 1 });
const never = async (): Promise<Run> => {
  throw new Error('nothing is run again');
};

test('a run without a failure passes, and nothing is run again', async () => {
  expect(await judgeRun(green, never)).toEqual({ state: 'passed', flaky: [] });
});

test('a failure that passes alone is flaky, by name', async () => {
  const again: string[] = [];
  const verdict = await judgeRun(failing(popup), (file: string) => {
    again.push(file);
    return green;
  });
  expect(verdict).toEqual({ state: 'passed', flaky: [popup] });
  expect(again).toEqual([popup.file]);
});

test('a file with two failures is run again once', async () => {
  let runs = 0;
  const other: Named = { ...popup, name: 'exports' };
  const verdict = await judgeRun(failing(popup, other), () => {
    runs += 1;
    return green;
  });
  expect([verdict, runs]).toEqual([{ state: 'passed', flaky: [popup, other] }, 1]);
});

test('the same failure twice fails the run', async () => {
  expect(await judgeRun(failing(popup), () => failing(popup))).toMatchObject({ state: 'failed', flaky: [] });
});

test('so does another test of the file that fails when it is run alone', async () => {
  expect(await judgeRun(failing(popup), () => failing({ ...popup, name: 'another' }))).toMatchObject({ state: 'failed' });
});

test('a second run in which nothing passed proves nothing', async () => {
  expect(await judgeRun(failing(popup), () => ({ passed: 0, failed: [], exitCode: 0 }))).toMatchObject({ state: 'failed' });
  expect(await judgeRun(failing(popup), () => ({ passed: 5, failed: [], exitCode: 1 }))).toMatchObject({ state: 'failed' });
});

test('more than two in a run fail it, those found flaky before included, and nothing is run again', async () => {
  expect(await judgeRun(failing(popup, link, relay), never)).toMatchObject({ state: 'failed' });
  expect(await judgeRun(failing(link), never, 2)).toMatchObject({ state: 'failed' });
  expect(await judgeRun(failing(link), () => green, 1)).toEqual({ state: 'passed', flaky: [link] });
});

test('an error outside of every test fails the run', async () => {
  expect(await judgeRun({ passed: 9, failed: [], exitCode: 1 }, never)).toMatchObject({ state: 'failed' });
});

test('tests and files that failed as a whole are read out of the report of Vitest', () => {
  const report = {
    testResults: [
      {
        name: '/clone/test/browser/popup.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: ' shows the last load', status: 'failed' },
          { fullName: 'exports', status: 'passed' },
        ],
      },
      // A hook failed: its tests were passed over.
      { name: '/clone/test/browser/tune.test.ts', status: 'failed', assertionResults: [{ fullName: 'tunes', status: 'skipped' }] },
      { name: '/clone/test/browser/lab-run.test.ts', status: 'passed', assertionResults: [{ fullName: 'runs', status: 'passed' }] },
    ],
  };
  expect(readRun(report, { root: '/clone', exitCode: 1 })).toEqual({
    exitCode: 1,
    passed: 2,
    failed: [popup, { file: 'test/browser/tune.test.ts', name: '' }],
  });
});
