import { expect, it } from 'vitest';
import type { CalibrationLine } from './line.ts';
import { outcomesOf, runLine } from './run-line.ts';
import { tasksOf } from './worker-pool.ts';

const LINE: CalibrationLine<number> = {
  name: 'draws',
  what: 'one number.',
  runs: 100,
  fewRuns: 10,
  simulate: (random) => random.next(),
  rows: (outcomes, { full }) => [{ what: full ? 'full' : 'few', unit: 'ratio', found: outcomes.length }],
};

it('draws the same in every run, however the runs are shared out', () => {
  const all = outcomesOf(LINE, { seed: 1, from: 0, to: 83 });
  const shared = tasksOf('draws', { seed: 1, runs: 83 }).flatMap((task) => outcomesOf(LINE, task));
  expect(shared).toEqual(all);
});

it('draws anew in every run, line and seed', () => {
  const all = outcomesOf(LINE, { seed: 1, from: 0, to: 50 });
  const others = [outcomesOf(LINE, { seed: 2, from: 0, to: 50 }), outcomesOf({ ...LINE, name: 'other' }, { seed: 1, from: 0, to: 50 })];
  expect(new Set([all, ...others].flat()).size).toBe(150);
});

it('says whether the count was full', () => {
  expect(runLine(LINE, { seed: 1, runs: 99 })).toEqual([{ what: 'few', unit: 'ratio', found: 99 }]);
  expect(runLine(LINE, { seed: 1, runs: 100 })).toEqual([{ what: 'full', unit: 'ratio', found: 100 }]);
});
