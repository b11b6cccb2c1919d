/** Quantiles of a histogram, and means of what lies below them: what is certain, and the usual guess within it. */
import { PlumbfoxError } from '../errors.ts';
import { bucketRange, type Histogram, requireSound } from './histogram.ts';

/** A quantile, in the unit of the values. */
interface HistogramQuantile {
  /** Smallest and largest value of its bucket: the quantile of the values themselves lies between. */
  readonly lowest: number;
  /** `undefined` in the overflow bucket, which has no end. */
  readonly highest: number | undefined;
  /**
   * Assumes the bucket's values to be spread evenly from its lowest to its highest: linear in the count. `undefined` in the overflow bucket.
   */
  readonly value: number | undefined;
}

/** The place where a share of the values, counted from the smallest, ends. */
interface QuantilePlace {
  readonly bucket: number;
  /** Values in the buckets below. */
  readonly below: number;
  /** The part of this bucket's values that is still needed, in [0, 1]. */
  readonly part: number;
  /** Values in total; not whole in general. */
  readonly rank: number;
}

/**
 * The q-quantile: the smallest value up to which there are at least q of all values (type 1 of Hyndman & Fan, "Sample Quantiles
 * in Statistical Packages", The American Statistician 50, 1996). `undefined` for an empty histogram.
 *
 * @param q in [0, 1].
 * @throws PlumbfoxError bad-input for another q, and for a corrupt histogram.
 */
export function histogramQuantile(histogram: Histogram, q: number): HistogramQuantile | undefined {
  const place = quantilePlace(histogram, q);
  if (place === undefined) return undefined;
  const { lowest, highest } = bucketRange(histogram.bounds, place.bucket);
  return { lowest, highest, value: highest === undefined ? undefined : lowest + (highest - lowest) * place.part };
}

/** The place of the quantile ({@link histogramQuantile}), which is never a bucket without values. */
function quantilePlace(histogram: Histogram, q: number): QuantilePlace | undefined {
  if (!(q >= 0 && q <= 1)) throw new PlumbfoxError('bad-input', `A quantile is asked for in [0, 1], not at ${q}`);
  requireSound(histogram);
  const rank = wholeWhereMeant(q * histogram.total);
  let below = 0;
  for (const [bucket, count] of histogram.counts.entries()) {
    if (count > 0 && below + count >= rank) return { bucket, below, part: (rank - below) / count, rank };
    below += count;
  }
  return undefined;
}

/** 0.07 of 100 is 7, not 7.000000000000001, which would be the next bucket. Relative; some hundred times the rounding of a product. */
const SAME_RANK = 1e-13;

function wholeWhereMeant(rank: number): number {
  const whole = Math.round(rank);
  return Math.abs(rank - whole) <= SAME_RANK * whole ? whole : rank;
}

/** Bounds of a mean, in the unit of the values; `min` <= `middle` <= `max`. */
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
