/** Exhaustive measurement compared with the searches: whether what each picked is within 3 % of the best. */
import { compareProfiles } from '../../src/core/compare/compare-profiles.ts';
import { MEANINGFUL_CHANGE } from '../../src/core/compare/thresholds.ts';
import { BASELINE_ID, type Profile } from '../../src/core/profiles/profile.ts';
import { comparableLoads } from '../../src/core/report/comparable-loads.ts';
import type { MeasuredLoad } from '../../src/core/report/report.ts';
import { signedPercent } from '../../src/core/text/figures.ts';
import { CHECK_BLOCKS } from './scenarios.ts';

const speedOver = (loads: readonly MeasuredLoad[], id: string, baseline: string) =>
  compareProfiles(comparableLoads(loads.filter(({ profileId }) => profileId === id || profileId === baseline)), {
    baseline,
    looks: 'once',
  }).profiles.find((profile) => profile.id === id)?.versusBaseline;

/** The fastest of all sets by the geometric mean of its pairs; chosen after the fact, so its lead is not what it looks like. */
export function bestOf(loads: readonly MeasuredLoad[], sets: readonly Profile[]): Profile {
  const rated = sets.map((profile) => ({
    profile,
    ratio: profile.id === BASELINE_ID ? 1 : (speedOver(loads, profile.id, BASELINE_ID)?.ratio ?? 0),
  }));
  const [best] = rated.toSorted((a, b) => b.ratio - a.ratio);
  if (best === undefined) throw new RangeError('There are no sets');
  return best.profile;
}

export interface PickResult {
  readonly scenario: string;
  readonly best: string;
  /** Speed of the best over Firefox's own settings in the exhaustive loads. */
  readonly bestGain: number;
  readonly pick: string;
  /** Speed of the pick over the best on fresh loads; 1 where they are the same. */
  readonly ratio: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly searchLoads: number;
}

/** By point estimate, against the best of noisy loads: `isSurelyWithin` says how much of it is proven. */
export const isWithin = ({ ratio }: PickResult): boolean => ratio !== undefined && ratio >= 1 - MEANINGFUL_CHANGE;
const isSurelyWithin = ({ low }: PickResult): boolean => low !== undefined && low >= 1 - MEANINGFUL_CHANGE;

interface PickInput {
  readonly scenario: string;
  readonly exhaustive: readonly MeasuredLoad[];
  readonly check: readonly MeasuredLoad[];
  readonly best: Profile;
  readonly pick: Profile;
  readonly searchLoads: number;
}

export function pickResult({ scenario, exhaustive, check, best, pick, searchLoads }: PickInput): PickResult {
  const bestGain = best.id === BASELINE_ID ? 1 : (speedOver(exhaustive, best.id, BASELINE_ID)?.ratio ?? 1);
  const named = { scenario, best: best.id, bestGain, pick: pick.id, searchLoads };
  if (best.id === pick.id) return { ...named, ratio: 1, low: undefined, high: undefined };
  const { ratio, low, high } = speedOver(check, pick.id, best.id) ?? {};
  return { ...named, ratio, low, high };
}

/** A line for each scenario, and in how many the pick is as good. */
export function resultText(results: readonly PickResult[]): string {
  const lines = results.map((result) => {
    const { scenario, best, bestGain, pick, ratio, low, high, searchLoads } = result;
    const range =
      low === undefined || high === undefined ? '' : ` (${signedPercent(low - 1)} to ${signedPercent(high - 1)}, ${CHECK_BLOCKS} pairs)`;
    const against = ratio === undefined ? 'not compared yet' : best === pick ? 'the same' : `${signedPercent(ratio - 1)}${range}`;
    return `${scenario}: best ${best} (${signedPercent(bestGain - 1)}); picked ${pick} with ${searchLoads} loads: ${against}`;
  });
  const compared = results.filter(({ low }) => low !== undefined);
  const within = `${results.filter(isWithin).length} of ${results.length}; by the whole interval: ${compared.filter(isSurelyWithin).length} of ${compared.length} compared`;
  return `${[...lines, `Within 3 % of the best by point estimate: ${within}.`].join('\n')}\n`;
}
