/**
 * Modes of a sample of load times or efficiencies: loads that fall into groups (a cache that is sometimes missed, a server
 * that sometimes stalls) are named as such, because their mean and their median describe loads that never happened.
 */
import { PlumbfoxError } from '../errors.ts';
import { mean } from '../stats/mean.ts';
import { positiveLog } from '../stats/positive-log.ts';
import { quantile } from '../stats/quantile.ts';
import type { ModePeak, SeveralModes } from './comparison.ts';
import { isSplitAt, lastSplit, onGrid } from './critical-bandwidth.ts';
import { dipOf } from './dip-test.ts';

/** `too-few-values`: too few, or too few different ones. */
export type Modes = { readonly modes: 'too-few-values' | 'one' } | SeveralModes;

/** With fewer, two groups four standard deviations apart are found in less than 60 % of samples (our simulation). */
export const MIN_FOR_MODES = 20;
/** With fewer different values the sample shows how it was rounded rather than its shape. */
const MIN_DISTINCT = 10;
/** The smallest group that the bandwidth test finds: smaller ones are stray loads. The calibration checks this choice. */
const SMALLEST_GROUP = { values: 4, share: 0.05 };
/**
 * Critical bandwidth over standard deviation above which there are two groups: that of two equal groups 3 standard deviations
 * apart, as sqrt((d^2/4 - 1) / (d^2/4 + 1)) of the population is 0.62 at d = 3. Our simulation of 20 to 200 values, 1,000 samples each:
 * of samples whose logarithms are normal 1.7 % of 20 values are taken for several groups and 0.6 % of 40; Gumbel, Laplace or Student's t with
 * 5 degrees of freedom less than 2 %; exponential beyond half its mean, the worst, 4.9 % of 20; and 83 % of samples of 40 values in two halves four standard deviations apart.
 */
const SPLIT_BANDWIDTH = 0.625;
/**
 * Below 40 values the critical ratio rises with 1 / n: small samples of one mode split more easily. With half of the slope 6.3 % of 8,000 samples of 20
 * exponential beyond half their mean were taken for groups (line `modes-skewed` of the calibration).
 */
const SPLIT_BANDWIDTH_SMALL = { below: 40, slope: 2 };
/** Larger samples are examined by this many quantiles: the dip differs by at most 1 / MAX_EXAMINED, and time stays short. */
const MAX_EXAMINED = 20_000;

/**
 * Two tests on the logarithms, either of which finds groups:
 * - the dip test at 5 % against the uniform distribution, the hardest of all with one mode; it finds small groups in
 *   large samples, but at n = 40 only a third of equal groups four standard deviations apart;
 * - the critical bandwidth (see `lastSplit`) relative to the spread, for small samples. A flat sample without tails may pass for two
 *   groups: of 40 uniform values 1 in 6, of 200 1 in 10. So few values cannot tell the two apart: even the likelihood ratio of
 *   just these two shapes takes 1 in 9 flat samples of 40 for groups when it finds 80 % of groups (our simulation).
 *
 * Each group is examined again, so three can be named. No group is looked for in less than 20 values.
 *
 * @param values positive; times, rates or ratios, in any order.
 * @throws PlumbfoxError bad-input when one is not positive and finite.
 */
export function findModes(values: readonly number[]): Modes {
  if (values.length < MIN_FOR_MODES) {
    for (const value of values) positiveLog(value);
    return { modes: 'too-few-values' };
  }
  const sorted = Float64Array.from(values).sort();
  if (!((sorted[0] ?? 0) > 0 && (sorted.at(-1) ?? 0) < Number.POSITIVE_INFINITY)) {
    throw new PlumbfoxError('bad-input', 'Modes are found in positive finite values only');
  }
  const spread = spreadTies(sorted);
  if (spread.distinct < MIN_DISTINCT) return { modes: 'too-few-values' };
  const logs = thinned(spread.values).map(Math.log);
  const groups = groupsOf(logs);
  if (groups.length === 1) return { modes: 'one' };
  const cuts = groups.slice(1).map((group) => Math.exp(group[0] ?? 0));
  return { modes: 'several', peaks: peaksBetween(sorted, cuts), separation: closest(groups) };
}

function thinned(sorted: Float64Array): Float64Array {
  if (sorted.length <= MAX_EXAMINED) return sorted;
  return Float64Array.from({ length: MAX_EXAMINED }, (_, at) => sorted[Math.floor(((at + 0.5) * sorted.length) / MAX_EXAMINED)] ?? 0);
}

/** @param sorted ascending. @param cuts ascending, within the sample: where the second group begins, and each further one. */
function peaksBetween(sorted: Float64Array, cuts: readonly number[]): readonly ModePeak[] {
  // The exponential of a logarithm may be a rounding error off.
  const starts = cuts.map((cut) => sorted.findIndex((value) => value >= cut * (1 - 1e-9)));
  return [0, ...starts].map((start, at) => {
    const own = sorted.subarray(start, starts[at] ?? sorted.length);
    return { at: quantile(own, 0.5), share: own.length / sorted.length, low: own[0] ?? 0, high: own.at(-1) ?? 0 };
  });
}

function groupsOf(logs: Float64Array): readonly Float64Array[] {
  const valley = logs.length < MIN_FOR_MODES ? undefined : valleyOf(logs);
  if (valley === undefined) return [logs];
  const upper = logs.findIndex((value) => value >= valley);
  // Binning may put the valley beyond the outermost value.
  if (upper <= 0) return [logs];
  return [...groupsOf(logs.subarray(0, upper)), ...groupsOf(logs.subarray(upper))];
}

/** Where a sample parts into two groups; `undefined`: it has one mode. */
function valleyOf(logs: Float64Array): number | undefined {
  const inner = withinFences(logs);
  if (inner[0] === inner.at(-1)) return undefined;
  const grid = onGrid(inner);
  const share = Math.max(SMALLEST_GROUP.share, SMALLEST_GROUP.values / logs.length);
  const isSplit = isSplitAt(grid, criticalBandwidth(logs.length) * Math.sqrt(variance(inner)), share);
  const valley = isSplit ? lastSplit(grid, share)?.valley : undefined;
  if (valley !== undefined && !isTail(logs, valley)) return valley;
  const dip = dipOf(logs);
  if (dip <= criticalDip(logs.length)) return undefined;
  // Twice the dip is the share that must go to leave one mode: no smaller group was found.
  return lastSplit(grid, Math.min(share, dip))?.valley;
}

/**
 * A small group by the bandwidth test must lie further off than the end of a tail does. Without this 8 to 13 % of 40 to 100 values whose logarithms are
 * log-normal (log-sd .8) were taken for several groups, the group being a tenth of them and in four of five cases less than 5.5 off.
 */
const TAIL = { share: 0.15, separation: 5.5 };

function isTail(logs: Float64Array, valley: number): boolean {
  const upper = logs.findIndex((value) => value >= valley);
  const smaller = Math.min(upper, logs.length - upper) / logs.length;
  return smaller < TAIL.share && closest([logs.subarray(0, upper), logs.subarray(upper)]) < TAIL.separation;
}

function criticalBandwidth(count: number): number {
  const { below, slope } = SPLIT_BANDWIDTH_SMALL;
  return SPLIT_BANDWIDTH + slope * Math.max(0, 1 / count - 1 / below);
}

/**
 * 95 % quantile of the dip of n uniform values: fitted to the table of R's diptest (M. Maechler; a million samples per n), from which
 * it is off by at most 0.4 % for n from 20 to 72,000.
 */
function criticalDip(count: number): number {
  return (0.5455 - 0.342 / Math.sqrt(count)) / Math.sqrt(count);
}

/**
 * Values beyond J. Tukey's outer fences (three times the distance of the quartiles) are set on the fence: a single load
 * that hung must neither stretch the grid nor count as spread.
 */
function withinFences(sorted: Float64Array): Float64Array {
  const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const reach = 3 * (upper - lower);
  if (reach === 0) return sorted;
  return sorted.map((value) => Math.min(Math.max(value, lower - reach), upper + reach));
}

function variance(values: Float64Array): number {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / Math.max(1, values.length - 1);
}

function closest(groups: readonly Float64Array[]): number {
  const apart = groups.slice(1).map((group, at) => {
    const before = groups[at] ?? group;
    return (mean(group) - mean(before)) / Math.sqrt((variance(group) + variance(before)) / 2);
  });
  return Math.min(...apart);
}

interface SpreadValues {
  /** Ascending; as many as before. */
  readonly values: Float64Array;
  readonly distinct: number;
}

/**
 * A rounded value must not look like a mode: equal values are spread evenly over the width of the rounding, taken to be the smallest distance of
 * two different values, or of one from 0. A sample that was not rounded has at most chance ties, with neighbours so close that nothing moves.
 *
 * @param sorted ascending, positive.
 */
export function spreadTies(sorted: Float64Array): SpreadValues {
  let distinct = sorted.length === 0 ? 0 : 1;
  // No rounding is wider than the smallest value is large, or it would be 0.
  let width = sorted[0] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i < sorted.length; i++) {
    const distance = (sorted[i] ?? 0) - (sorted[i - 1] ?? 0);
    if (distance === 0) continue;
    distinct += 1;
    width = Math.min(width, distance);
  }
  if (distinct === sorted.length || distinct < 2) return { values: sorted, distinct };
  const values = Float64Array.from(sorted);
  for (let from = 0; from < sorted.length; ) {
    const value = sorted[from] ?? 0;
    let to = from + 1;
    while (to < sorted.length && sorted[to] === value) to += 1;
    for (let i = from; i < to; i++) values[i] = value + width * ((i - from + 0.5) / (to - from) - 0.5);
    from = to;
  }
  return { values, distinct };
}
