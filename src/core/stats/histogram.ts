/** Histograms: counts in buckets, as plain data that can be stored, sent and added up. */
import { PlumbfoxError } from '../errors.ts';
import { bucketOf, type HistogramBounds, sameBounds } from './histogram-bounds.ts';
import { requireSound } from './histogram-faults.ts';

/** Never changed: what adds to it returns another. */
export interface Histogram {
  readonly bounds: HistogramBounds;
  /** One for each bucket, the underflow bucket first, the overflow bucket last. */
  readonly counts: readonly number[];
  /** Declared beside the counts, so that lost counts show. */
  readonly total: number;
}

/**
 * The histogram of some values, in any order; of none, an empty one.
 *
 * @throws PlumbfoxError bad-input for bounds that are broken, and for a value that is NaN, infinite, negative, or not whole
 * where only whole ones are held.
 */
export function histogramOf(bounds: HistogramBounds, values: readonly number[] = []): Histogram {
  return addValues({ bounds, counts: bounds.lowerLimits.map(() => 0), total: 0 }, values);
}

/** As {@link histogramOf}, on top of what is counted already. */
export function addValues(histogram: Histogram, values: readonly number[]): Histogram {
  requireSound(histogram);
  const counts = [...histogram.counts];
  for (const value of values) {
    const bucket = bucketOf(histogram.bounds, value);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return { bounds: histogram.bounds, counts, total: histogram.total + values.length };
}

/**
 * Both together, bucket by bucket: in any order, in any grouping, with nothing lost.
 *
 * @throws PlumbfoxError bad-input where the buckets are not the same, or one histogram is corrupt.
 */
export function mergeHistograms(a: Histogram, b: Histogram): Histogram {
  requireSound(a);
  requireSound(b);
  if (!sameBounds(a.bounds, b.bounds)) {
    throw new PlumbfoxError('bad-input', 'Histograms with different buckets cannot be merged: record both with the same bounds');
  }
  return { bounds: a.bounds, counts: a.counts.map((count, bucket) => count + (b.counts[bucket] ?? 0)), total: a.total + b.total };
}
