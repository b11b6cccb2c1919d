/**
 * Histograms: counts in buckets, as plain data that can be stored, sent and added up, and so may come from a file. Chromium looks for the
 * same faults in what its renderers send (base/metrics/histogram.cc, `FindCorruption`: order of the buckets, counts too high or too low), but
 * lets a count be off by a few because it is copied while others write; ours are copied whole, so every difference counts.
 */
import { PlumbfoxError } from '../errors.ts';

/** The buckets: where each begins, and what values it can hold. Two histograms can be merged or compared only where these are equal. */
export interface HistogramBounds {
  /**
   * The smallest value of each bucket, rising. The first is 0 and begins the underflow bucket; the last begins the overflow
   * bucket, which has no end.
   */
  readonly lowerLimits: readonly number[];
  /** Whole numbers, as a clock of whole milliseconds gives: a bucket then ends 1 below the next. Real numbers fill it up to the next. */
  readonly values: 'whole' | 'real';
}

interface ExponentialBuckets {
  /** Where the underflow bucket ends; a whole number, at least 1. */
  readonly min: number;
  /** Where the overflow bucket begins; a whole number. */
  readonly max: number;
  /** With the underflow and overflow bucket: 3 to max - min + 2, so that none is empty by construction. */
  readonly bucketCount: number;
  /** Whole unless said, as Chromium records. */
  readonly values?: HistogramBounds['values'];
}

/** What a bucket can hold, both ends included; the overflow bucket's highest value is not known. */
interface BucketRange {
  readonly lowest: number;
  readonly highest: number | undefined;
}

/**
 * Buckets each of which is wider than the one before by the ratio that would fill the rest evenly on a log scale, rounded to whole numbers,
 * and by at least 1: the rule of Chromium's UMA histograms (base/metrics/histogram.h and histogram.cc, `InitializeBucketRanges`).
 *
 * @throws PlumbfoxError bad-input for limits between which there are no such buckets.
 */
export function exponentialBounds({ min, max, bucketCount, values = 'whole' }: ExponentialBuckets): HistogramBounds {
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || min < 1 || max <= min) {
    throw new PlumbfoxError(
      'bad-input',
      `Exponential buckets need whole limits from 1 up, the second above the first, not ${min} and ${max}`,
    );
  }
  if (!Number.isSafeInteger(bucketCount) || bucketCount < 3 || bucketCount > max - min + 2) {
    throw new PlumbfoxError('bad-input', `From ${min} to ${max} there can be 3 to ${max - min + 2} buckets, not ${bucketCount}`);
  }
  const lowerLimits = [0, min];
  let last = min;
  for (let index = 2; index < bucketCount; index++) {
    const logRatio = (Math.log(max) - Math.log(last)) / (bucketCount - index);
    last = Math.max(last + 1, Math.round(Math.exp(Math.log(last) + logRatio)));
    lowerLimits.push(last);
  }
  return { lowerLimits, values };
}

/** Counts may be added only where this holds. */
export function sameBounds(a: HistogramBounds, b: HistogramBounds): boolean {
  return (
    a.values === b.values &&
    a.lowerLimits.length === b.lowerLimits.length &&
    a.lowerLimits.every((limit, bucket) => limit === b.lowerLimits[bucket])
  );
}

/** @throws PlumbfoxError bad-input where there is no such bucket. */
export function bucketRange({ lowerLimits, values }: HistogramBounds, bucket: number): BucketRange {
  const lowest = lowerLimits[bucket];
  if (lowest === undefined) throw new PlumbfoxError('bad-input', `There is no bucket ${bucket} among ${lowerLimits.length}`);
  const next = lowerLimits[bucket + 1];
  return { lowest, highest: next === undefined || values === 'real' ? next : next - 1 };
}

/**
 * The bucket that takes a value.
 *
 * @throws PlumbfoxError bad-input for a value that is negative or not finite, or not whole where only whole ones are held.
 */
export function bucketOf({ lowerLimits, values }: HistogramBounds, value: number): number {
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw new PlumbfoxError('bad-input', `A histogram takes finite values from 0 up, not ${value}`);
  }
  if (values === 'whole' && !Number.isInteger(value)) {
    throw new PlumbfoxError('bad-input', `This histogram takes whole numbers: round ${value} before it is added`);
  }
  let low = 0;
  let high = lowerLimits.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (value >= (lowerLimits[middle] ?? Number.POSITIVE_INFINITY)) low = middle;
    else high = middle;
  }
  return low;
}

/** Counts in buckets, never changed once made. */
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
  const counts = bounds.lowerLimits.map(() => 0);
  requireSound({ bounds, counts, total: 0 });
  for (const value of values) {
    const bucket = bucketOf(bounds, value);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return { bounds, counts, total: values.length };
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

/** The faults that a histogram can have: a closed set, so that each can be explained. */
export const HISTOGRAM_FAULTS = [
  /** Limits that do not rise from 0, or not a count for each. */
  'broken-limits',
  'negative-count',
  'fractional-count',
  /** The buckets do not add up to the total that is declared. */
  'total-disagrees',
] as const;
type HistogramFault = (typeof HISTOGRAM_FAULTS)[number];

interface FoundFault {
  readonly fault: HistogramFault;
  /** A sentence part with the figures. */
  readonly detail: string;
}

/** The faults of a histogram; none for a sound one. */
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
