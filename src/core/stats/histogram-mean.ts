/**
 * The mean of what a histogram counts, of all of it or of what lies below a quantile: between which limits it is, and the usual
 * guess.
 */
import type { Histogram } from './histogram.ts';
import { type QuantilePlace, quantilePlace } from './histogram-quantile.ts';

/** In the unit of the values; `min` <= `middle` <= `max`. */
export interface MeanBounds {
  /** Every value is its bucket's lowest. */
  readonly min: number;
  /** Every value is halfway between its bucket's lowest and highest; `undefined` where the overflow bucket takes part. */
  readonly middle: number | undefined;
  /** Every value is its bucket's highest; `undefined` where the overflow bucket takes part. */
  readonly max: number | undefined;
}

/**
 * How the bucket counts in which the quantile lies.
 *
 * - `counted`: with the part of its values that is still needed. `min` and `max` are then true limits of the mean of the lowest
 *   q of all values (where a fraction of a value is needed, it counts with that weight).
 * - `interpolated`: the mean below the bucket and the mean up to its end, and between the two in proportion to that part. Never
 *   above `counted`, because the mean rises ever more slowly within a bucket, and the same at its ends. So `max` is a little
 *   less than the largest mean possible. The tables of Chromium's histograms of 2009 are made so (see `cutoffTable`).
 */
export type MeanRule = 'counted' | 'interpolated';

/**
 * `undefined` for an empty histogram.
 *
 * @throws PlumbfoxError bad-input for a corrupt histogram.
 */
export function histogramMean(histogram: Histogram): MeanBounds | undefined {
  return histogramMeanBelow(histogram, 1);
}

/**
 * The mean of the lowest q of all values; `undefined` for an empty histogram and for q = 0.
 *
 * @param q in [0, 1].
 * @throws PlumbfoxError bad-input for another q, and for a corrupt histogram.
 */
export function histogramMeanBelow(histogram: Histogram, q: number, rule: MeanRule = 'counted'): MeanBounds | undefined {
  const place = quantilePlace(histogram, q);
  if (place === undefined || place.rank === 0) return undefined;
  const mean = rule === 'counted' ? countedMean : interpolatedMean;
  const { lowerLimits, values } = histogram.bounds;
  const min = mean(histogram, place, lowerLimits);
  if (place.bucket === lowerLimits.length - 1) return { min, middle: undefined, max: undefined };
  const highest = lowerLimits.slice(1).map((next) => (values === 'real' ? next : next - 1));
  const middle = highest.map((high, bucket) => (at(lowerLimits, bucket) + high) / 2);
  return { min, middle: mean(histogram, place, middle), max: mean(histogram, place, highest) };
}

/** @param level what a value in each bucket is taken for. */
function countedMean(histogram: Histogram, { bucket, below, rank }: QuantilePlace, level: readonly number[]): number {
  return (sumBelow(histogram, bucket, level) + (rank - below) * at(level, bucket)) / rank;
}

function interpolatedMean(histogram: Histogram, { bucket, below, part }: QuantilePlace, level: readonly number[]): number {
  if (below === 0) return at(level, bucket);
  const from = sumBelow(histogram, bucket, level) / below;
  const count = at(histogram.counts, bucket);
  return from + ((at(level, bucket) - from) * count * part) / (below + count);
}

function sumBelow({ counts }: Histogram, end: number, level: readonly number[]): number {
  let sum = 0;
  for (let bucket = 0; bucket < end; bucket++) sum += at(counts, bucket) * at(level, bucket);
  return sum;
}

const at = (list: readonly number[], bucket: number): number => list[bucket] ?? Number.NaN;
