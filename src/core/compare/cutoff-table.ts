/**
 * Two histograms compared at cut-offs, as in the results of Chromium's AsyncSlowStart experiment (chromium-dev, December 2009,
 * http://www.mail-archive.com/chromium-dev@googlegroups.com/msg11441.html): the value at each cut-off, the mean of what lies
 * below it, and how the two arms differ. The mail gives no formulas. These are the ones that give all 936 figures of its ten
 * weeks (test/unit/core/compare):
 *
 * - differences are first minus second, and relative to the second;
 * - a bucket's largest value is the next limit less 1 ms, and ~mean lies halfway between the smallest and largest value;
 * - the mean at a cut-off within a bucket is interpolated (`MeanRule` says how): with `counted` no histogram gives the printed
 *   means at 98, 99 and 99.5 %, which lie in one bucket.
 */
import { PlumbfoxError } from '../errors.ts';
import { type Histogram, sameBounds } from '../stats/histogram.ts';
import { histogramMeanBelow, histogramQuantile } from '../stats/histogram-quantile.ts';

/** In the unit of the values; `undefined` where the overflow bucket, which has no end, takes part. */
export interface CutoffSide {
  readonly value: number | undefined;
  /** The mean of what lies below the cut-off, each value being its bucket's smallest, middle or largest: {@link MeanBounds}, interpolated. */
  readonly minMean: number;
  readonly mean: number | undefined;
  readonly maxMean: number | undefined;
}

export interface CutoffDelta {
  /** First minus second, in the unit of the values. `undefined` where either is. */
  readonly absolute: number | undefined;
  /** Relative to the second: 0.05 where the first is 5 % larger. `undefined` also where the second is 0. */
  readonly relative: number | undefined;
}

export interface CutoffRow {
  readonly cutoffPercent: number;
  readonly first: CutoffSide;
  readonly second: CutoffSide;
  readonly valueDelta: CutoffDelta;
  readonly meanDelta: CutoffDelta;
}

/** Two histograms side by side at each cut-off. */
export interface CutoffTable {
  readonly rows: readonly CutoffRow[];
  readonly samples: { readonly first: number; readonly second: number };
}

/** The cut-offs of the mail's later weeks, in per cent. */
export const MAIL_CUTOFFS: readonly number[] = [50, 60, 70, 80, 90, 95, 98, 99, 99.5];

/**
 * @param first without what is tried, as in the mail. @param second with it.
 * @param cutoffs in per cent, each in [1, 100], rising.
 * @throws PlumbfoxError bad-input for other cut-offs, and for histograms that are corrupt, empty, or of different buckets.
 */
export function cutoffTable(first: Histogram, second: Histogram, cutoffs: readonly number[]): CutoffTable {
  const wrong = cutoffs.findIndex((percent, at) => !(percent >= 1 && percent <= 100 && percent > (cutoffs[at - 1] ?? 0)));
  if (wrong >= 0) {
    throw new PlumbfoxError('bad-input', `Cut-offs are per cent from 1 to 100 and rise (50, not 0.5): ${cutoffs[wrong]} does not fit`);
  }
  if (cutoffs.length === 0) throw new PlumbfoxError('bad-input', 'A cut-off table needs at least one cut-off');
  if (!sameBounds(first.bounds, second.bounds)) {
    throw new PlumbfoxError('bad-input', 'Histograms with different buckets cannot be compared: record both with the same bounds');
  }
  const rows = cutoffs.map((percent) => rowOf(percent, sideOf(first, percent), sideOf(second, percent)));
  return { rows, samples: { first: first.total, second: second.total } };
}

function sideOf(histogram: Histogram, percent: number): CutoffSide {
  const quantile = histogramQuantile(histogram, percent / 100);
  const means = histogramMeanBelow(histogram, percent / 100, 'interpolated');
  if (quantile === undefined || means === undefined) {
    throw new PlumbfoxError('bad-input', 'A cut-off table needs values on both sides; one histogram is empty');
  }
  return { value: quantile.value, minMean: means.min, mean: means.middle, maxMean: means.max };
}

function rowOf(cutoffPercent: number, first: CutoffSide, second: CutoffSide): CutoffRow {
  const valueDelta = deltaOf(first.value, second.value);
  return { cutoffPercent, first, second, valueDelta, meanDelta: deltaOf(first.mean, second.mean) };
}

function deltaOf(first: number | undefined, second: number | undefined): CutoffDelta {
  if (first === undefined || second === undefined) return { absolute: undefined, relative: undefined };
  return { absolute: first - second, relative: second === 0 ? undefined : (first - second) / second };
}

/** A win is the second's: what is counted is time, so less is better. */
type CutoffOutcome = 'win' | 'loss' | 'no-change' | 'mixed';

export type CutoffSpan =
  | {
      readonly outcome: CutoffOutcome;
      /** First and last cut-off of the span, with the difference of ~mean at each, which need not be its extremes. */
      readonly from: CutoffEnd;
      readonly to: CutoffEnd;
    }
  /** No cut-off lies below the tail, or a mean is not known. */
  | { readonly outcome: 'unknown'; readonly reason: string };

interface CutoffEnd {
  readonly cutoffPercent: number;
  readonly relative: number;
}

interface SpanOptions {
  /** Values from here up have a separate cause: cut-offs at which either arm has reached them are left out. */
  readonly tailFrom?: number;
}

/**
 * The mail's "WIN - 4.90% to 3.73%". It does not say which cut-offs these are. In all ten weeks they are the first one and the
 * last one at which the value of both arms is below 50 s, where "the data has a skew which is not related to this feature": 50
 * % and, in the first week, 98 %, in the others 95 %. So `tailFrom: 50_000` gives all ten lines; that this is how the author
 * chose is our reading. Without it the span is the whole table.
 *
 * A win has a smaller ~mean of the second arm at every cut-off of the span, a loss a larger one.
 */
export function cutoffSpan({ rows }: CutoffTable, { tailFrom = Number.POSITIVE_INFINITY }: SpanOptions = {}): CutoffSpan {
  const end = rows.findIndex(({ first, second }) => [first, second].some(({ value }) => value === undefined || value >= tailFrom));
  const ends: CutoffEnd[] = [];
  for (const row of end < 0 ? rows : rows.slice(0, end)) {
    const relative = row.meanDelta.relative;
    if (relative === undefined) return { outcome: 'unknown', reason: `the means below ${row.cutoffPercent} % cannot be compared` };
    ends.push({ cutoffPercent: row.cutoffPercent, relative });
  }
  const [from] = ends;
  const to = ends.at(-1);
  if (from === undefined || to === undefined) return { outcome: 'unknown', reason: 'every cut-off lies in the tail' };
  return { outcome: outcomeOf(ends), from, to };
}

function outcomeOf(ends: readonly CutoffEnd[]): CutoffOutcome {
  if (ends.every(({ relative }) => relative > 0)) return 'win';
  if (ends.every(({ relative }) => relative < 0)) return 'loss';
  return ends.every(({ relative }) => relative === 0) ? 'no-change' : 'mixed';
}
