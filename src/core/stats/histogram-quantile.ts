/** Quantiles of a histogram: what is certain, and the usual guess within it. */
import { PlumbfoxError } from '../errors.ts';
import { type Histogram, requireSound } from './histogram.ts';
import { bucketRange } from './histogram-bounds.ts';

/** In the unit of the values. */
export interface HistogramQuantile {
  /** Smallest and largest value of its bucket: the quantile of the values themselves lies between. */
  readonly lowest: number;
  /** `undefined` in the overflow bucket, which has no end. */
  readonly highest: number | undefined;
  /**
   * As if the bucket's values were spread evenly from its lowest to its highest: linear in the count. `undefined` in the overflow
   * bucket.
   */
  readonly value: number | undefined;
}

/** Where a share of the values, counted from the smallest, ends. */
export interface QuantilePlace {
  readonly bucket: number;
  /** Values in the buckets below. */
  readonly below: number;
  /** Of this bucket's values, how large a part is still needed: in [0, 1]. */
  readonly part: number;
  /** Values in all; not whole in general. */
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

/** As {@link histogramQuantile}. A bucket without values is never the place. */
export function quantilePlace(histogram: Histogram, q: number): QuantilePlace | undefined {
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

/**
 * 0.07 of 100 is 7, not 7.000000000000001, which would be the next bucket. Relative; some hundred times the rounding of a
 * product.
 */
const SAME_RANK = 1e-13;

function wholeWhereMeant(rank: number): number {
  const whole = Math.round(rank);
  return Math.abs(rank - whole) <= SAME_RANK * whole ? whole : rank;
}
