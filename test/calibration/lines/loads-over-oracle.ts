/**
 * The loads that `tune`'s own path takes to find a change in four of five runs, over those of an oracle that knows spread and change: Student's t
 * test of all pairs, looked at once, at the number of pairs that suffices.
 */
import { compareProfiles } from '../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import { studentTQuantile } from '../../../src/core/stats/distributions.ts';
import { meanAndVariance } from '../../../src/core/stats/mean.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { type LoadsAtPower, loadsAtPower } from '../harness/power-curve.ts';
import type { CalibrationRow } from '../harness/row.ts';
import { BASELINE } from '../simulate/judge.ts';
import { plantedTruth, SPREADS, tuneBlock, tuneVerdicts } from '../simulate/tune-runs.ts';
import { ALPHA } from './equal-rows.ts';

interface Change {
  readonly change: number;
  /** Numbers of blocks around where four of five runs find it: by the oracle, in a run of so many planned, and in one that plans nothing. */
  readonly oracle: readonly number[];
  readonly planned: readonly number[];
  readonly unplanned: readonly number[];
}

interface Found {
  readonly oracle: readonly boolean[];
  readonly planned: readonly boolean[];
  readonly unplanned: readonly boolean[];
}

const POWER = 0.8;
/** Asked of a run that plans its end, as `tune` does; one that plans nothing is shown beside it. */
const MOST_TIMES = 1.8;

/** Any change at all is found, as the oracle has no rule of 3 %; a person stops at the first look that does. */
function firstFound(looks: readonly number[], found: (blocks: number) => boolean): number {
  return looks.find(found) ?? Number.POSITIVE_INFINITY;
}

function loadsOverOracle({ change, oracle, planned, unplanned }: Change): CalibrationLine<Found> {
  const truth = plantedTruth({ profiles: 2, gains: SPREADS.map(() => change) });
  const perBlock = SPREADS.length;
  const most = Math.max(...oracle, ...planned, ...unplanned);
  return {
    name: `loads-over-oracle-${change * 100}`,
    what: `${change * 100} % better on four pages, two profiles: loads with which four of five runs find it.`,
    runs: 2000,
    fewRuns: 60,
    simulate: (random) => {
      const blocks = Array.from({ length: most }, (_, block) => tuneBlock(truth, block, random));
      const first = (count: number) => blocks.slice(0, count).flat();
      const plannedFinds = (end: number) => {
        const looks = Array.from({ length: end }, (_, at) => at + 1);
        return firstFound(looks, (count) => tuneVerdicts(first(count), end)[0]?.verdict === 'better') <= end;
      };
      const anyLooks = Array.from({ length: Math.max(...unplanned) }, (_, at) => at + 1);
      const anyFirst = firstFound(anyLooks, (count) => unplannedVerdict(first(count)) === 'better');
      return {
        oracle: oracle.map((count) => oracleFinds(first(count))),
        planned: planned.map(plannedFinds),
        unplanned: unplanned.map((count) => anyFirst <= count),
      };
    },
    rows: (outcomes) => {
      const needed = (counts: readonly number[], of: (outcome: Found) => readonly boolean[]) =>
        loadsAtPower(
          counts.map((count, at) => ({
            loads: count * perBlock,
            runs: outcomes.length,
            found: outcomes.filter((one) => of(one)[at]).length,
          })),
          POWER,
        );
      const oracles = needed(oracle, (one) => one.oracle);
      const rows = [
        { what: 'in a run planned for them', needed: needed(planned, (one) => one.planned), mostTimes: MOST_TIMES },
        { what: 'in a run that plans nothing', needed: needed(unplanned, (one) => one.unplanned), mostTimes: undefined },
      ];
      return [
        loadsRow("Student's t of all pairs, looked at once", oracles),
        ...rows.flatMap((row) => [loadsRow(row.what, row.needed), ratioRow(row.needed, oracles, row.mostTimes)]),
      ];
    },
  };
}

const unplannedVerdict = (loads: readonly ComparableLoad[]) =>
  compareProfiles(loads, { baseline: BASELINE }).profiles[1]?.versusBaseline.verdict;

/** Log ratios of pairs of the same page and block. */
function oracleFinds(loads: readonly ComparableLoad[]): boolean {
  const logs = loads.map(({ efficiency = Number.NaN }) => Math.log(efficiency));
  const ratios = logs.flatMap((log, at) => (at % 2 === 1 ? [log - (logs[at - 1] ?? Number.NaN)] : []));
  const { mean, variance = Number.NaN } = meanAndVariance(ratios);
  return mean > studentTQuantile(1 - ALPHA / 2, ratios.length - 1) * Math.sqrt(variance / ratios.length);
}

function loadsRow(what: string, needed: LoadsAtPower | undefined): CalibrationRow {
  return { what, unit: 'loads', found: needed?.loads, error: needed?.error };
}

function ratioRow(own: LoadsAtPower | undefined, oracle: LoadsAtPower | undefined, mostTimes: number | undefined): CalibrationRow {
  const row = { what: 'over the oracle', unit: 'ratio', ...(mostTimes !== undefined && { bar: { high: mostTimes } }) } as const;
  if (own === undefined || oracle === undefined) return { ...row, found: undefined };
  const found = own.loads / oracle.loads;
  return { ...row, found, error: found * Math.hypot(own.error / own.loads, oracle.error / oracle.loads) };
}

export const LOADS_OVER_ORACLE = [
  loadsOverOracle({ change: 0.1, oracle: [2, 3], planned: [3, 4, 5], unplanned: [3, 4, 5, 6, 8, 10] }),
  loadsOverOracle({ change: 0.05, oracle: [6, 8, 10], planned: [7, 9, 11], unplanned: [12, 15, 18, 22] }),
];
