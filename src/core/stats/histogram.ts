/**
 * Histograms: counts in buckets, as plain data that can be stored, sent and added up, and so may come from a file. Chromium looks for the
 * same faults in what its renderers send (base/metrics/histogram.cc, `FindCorruption`: order of the buckets, counts too high or too low), but
 * lets a count be off by a few because it is copied while others write; ours are copied whole, so every difference counts.
 */
import { PlumbfoxError } from '../errors.ts';
import { bucketOf, type HistogramBounds, sameBounds } from './histogram-bounds.ts';

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

/** A closed set, so that each can be explained. */
export const HISTOGRAM_FAULTS = [
  /** Limits that do not rise from 0, or not a count for each. */
  'broken-limits',
  'negative-count',
  'fractional-count',
  /** The buckets do not add up to the total that is declared. */
  'total-disagrees',
] as const;
export type HistogramFault = (typeof HISTOGRAM_FAULTS)[number];

export interface FoundFault {
  readonly fault: HistogramFault;
  /** In words, with the figures. */
  readonly detail: string;
}

/** None for a sound histogram. */
export function histogramFaults({ bounds: { lowerLimits }, counts, total }: Histogram): readonly FoundFault[] {
  const found: FoundFault[] = [];
  const unordered = lowerLimits.findIndex((limit, bucket) =>
    bucket === 0 ? limit !== 0 : !(limit > (lowerLimits[bucket - 1] ?? Number.NaN) && limit < Number.POSITIVE_INFINITY),
  );
  if (lowerLimits.length < 2) found.push({ fault: 'broken-limits', detail: `${lowerLimits.length} buckets; there are at least 2` });
  if (unordered >= 0) found.push({ fault: 'broken-limits', detail: `bucket ${unordered} begins at ${lowerLimits[unordered]}` });
  if (counts.length !== lowerLimits.length) {
    found.push({ fault: 'broken-limits', detail: `${counts.length} counts for ${lowerLimits.length} buckets` });
  }
  const negative = counts.findIndex((count) => count < 0);
  if (negative >= 0) found.push({ fault: 'negative-count', detail: `bucket ${negative} counts ${counts[negative]}` });
  const fractional = counts.findIndex((count) => !Number.isSafeInteger(count));
  if (fractional >= 0) found.push({ fault: 'fractional-count', detail: `bucket ${fractional} counts ${counts[fractional]}` });
  const sum = counts.reduce((all, count) => all + count, 0);
  if (sum !== total) found.push({ fault: 'total-disagrees', detail: `the buckets add up to ${sum}, declared are ${total}` });
  return found;
}

/** @throws PlumbfoxError bad-input with the first fault. */
export function requireSound(histogram: Histogram): void {
  const [first] = histogramFaults(histogram);
  if (first !== undefined) throw new PlumbfoxError('bad-input', `This histogram is corrupt (${first.fault}): ${first.detail}`);
}
