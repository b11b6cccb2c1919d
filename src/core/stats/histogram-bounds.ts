/** The buckets of a histogram: where each begins, and what values it can hold. */
import { PlumbfoxError } from '../errors.ts';

/** Plain data. Two histograms can be merged or compared only where these are the same. */
export interface HistogramBounds {
  /**
   * The smallest value of each bucket, rising. The first is 0 and begins the underflow bucket; the last begins the overflow
   * bucket, which has no end.
   */
  readonly lowerLimits: readonly number[];
  /**
   * Whole numbers, as a clock of whole milliseconds gives: a bucket then ends 1 below the next. Real numbers fill it up to the
   * next.
   */
  readonly values: 'whole' | 'real';
}

export interface ExponentialBuckets {
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
export interface BucketRange {
  readonly lowest: number;
  readonly highest: number | undefined;
}

/**
 * Buckets each of which is wider than the one before by the ratio that would fill the rest evenly on a log scale, rounded to
 * whole numbers, and by at least 1: the rule of Chromium's UMA histograms (base/metrics/histogram.h and histogram.cc,
 * `InitializeBucketRanges`).
 *
 * @throws PlumbfoxError bad-input for limits that cannot be had.
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
