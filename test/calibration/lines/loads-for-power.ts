/** How many loads 10 % take with blocks and pages, and how many without, in the same simulation; what predictions would save, beside it. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import { DEFAULT_LOADS_PER_SLOT } from '../../../src/core/trial/trial-defaults.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { type LoadsAtPower, loadsAtPower } from '../harness/power-curve.ts';
import type { CalibrationRow } from '../harness/row.ts';
import { counted, everydayLoads } from '../simulate/everyday-loads.ts';
import { BASELINE, judge, separated } from '../simulate/judge.ts';
import { CANDIDATE } from '../simulate/truths.ts';
import { finds } from './naive-looks.ts';
import { PLANTED } from './planted-change.ts';

/** Of each profile: around where four of five runs find the change. */
const ADJUSTED_LOADS = [160, 210, 270, 340];
const PREDICTED_LOADS = [90, 120, 150, 190];
const NAIVE_LOADS = [400, 600, 800];
/** The same loads with predictions attached. */
const PREDICTED = { spread: 0.3, slope: 0.8, predicted: true };
const POWER = 0.8;
const MOST_SHARE = 1 / 3;

interface Found {
  readonly adjusted: readonly boolean[];
  readonly predicted: readonly boolean[];
  readonly naive: readonly boolean[];
}

export const loadsForPower: CalibrationLine<Found> = {
  name: 'loads-for-power',
  what: 'loads of each profile with which four of five runs find 10 %, at one look.',
  runs: 2000,
  fewRuns: 100,
  simulate: (random) => {
    const blocks = Math.ceil(Math.max(...NAIVE_LOADS) / DEFAULT_LOADS_PER_SLOT);
    // Every load counts for both: the first slot of a turn would have to be left out of the one and not of the other.
    const loads = counted(everydayLoads({ ...PLANTED, variation: PREDICTED, slotsPerTurn: 1, blocks }, random));
    const first = (count: number) => loads.slice(0, 2 * count);
    const unpredicted = loads.map(({ prediction: _, ...load }) => load);
    return {
      adjusted: ADJUSTED_LOADS.map((count) => adjustedFinds(unpredicted.slice(0, 2 * count))),
      predicted: PREDICTED_LOADS.map((count) => adjustedFinds(first(count))),
      naive: NAIVE_LOADS.map((count) => naiveFinds(first(count))),
    };
  },
  rows: (outcomes) => {
    const adjusted = neededFor(ADJUSTED_LOADS, outcomes, ({ adjusted: found }) => found);
    const naive = neededFor(NAIVE_LOADS, outcomes, ({ naive: found }) => found);
    return [
      loadsRow('with blocks and pages', adjusted),
      loadsRow(
        'with predictions too, which the extension attaches to none',
        neededFor(PREDICTED_LOADS, outcomes, ({ predicted }) => predicted),
      ),
      loadsRow('Mann-Whitney on all loads', naive),
      ratioRow(adjusted, naive),
    ];
  },
};

function adjustedFinds(loads: readonly ComparableLoad[]): boolean {
  return judge(loads, { candidates: [CANDIDATE], estimate: 'adjusted', looks: 'once' }).some(separated);
}

function naiveFinds(loads: readonly ComparableLoad[]): boolean {
  const of = (id: string) => loads.filter(({ profileId }) => profileId === id).flatMap(({ efficiency = Number.NaN }) => efficiency);
  return finds(of(CANDIDATE), of(BASELINE));
}

function neededFor(
  counts: readonly number[],
  outcomes: readonly Found[],
  of: (outcome: Found) => readonly boolean[],
): LoadsAtPower | undefined {
  const points = counts.map((loads, at) => ({ loads, runs: outcomes.length, found: outcomes.filter((outcome) => of(outcome)[at]).length }));
  return loadsAtPower(points, POWER);
}

function loadsRow(what: string, needed: LoadsAtPower | undefined): CalibrationRow {
  return { what, unit: 'loads', found: needed?.loads, error: needed?.error };
}

function ratioRow(adjusted: LoadsAtPower | undefined, naive: LoadsAtPower | undefined): CalibrationRow {
  const row = { what: 'the one over the other', unit: 'ratio', bar: { high: MOST_SHARE } } as const;
  if (adjusted === undefined || naive === undefined) return { ...row, found: undefined };
  const found = adjusted.loads / naive.loads;
  return { ...row, found, error: found * Math.hypot(adjusted.error / adjusted.loads, naive.error / naive.loads) };
}
