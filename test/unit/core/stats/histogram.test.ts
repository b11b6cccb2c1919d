import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  bucketRange,
  exponentialBounds,
  type Histogram,
  type HistogramBounds,
  histogramFaults,
  histogramOf,
  mergeHistograms,
  requireSound,
} from '../../../../src/core/stats/histogram.ts';

const POWERS = exponentialBounds({ min: 1, max: 64, bucketCount: 8 });

describe('exponentialBounds', () => {
  // Both from ExponentialRangesTest of Chromium's base/metrics/histogram_unittest.cc.
  it('doubles where there is room', () => {
    expect(POWERS.lowerLimits).toEqual([0, 1, 2, 4, 8, 16, 32, 64]);
  });

  it('begins in steps of 1 where there is not', () => {
    const { lowerLimits } = exponentialBounds({ min: 1, max: 32, bucketCount: 15 });
    expect(lowerLimits).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 14, 17, 21, 26, 32]);
  });

  it('has the limits that Chromium prints for 1 ms to 10 min in 100 buckets', () => {
    // As chrome://histograms lists Net.Transaction_Connected and Net.Transaction_Latency_Total.
    const { lowerLimits } = exponentialBounds({ min: 1, max: 600_000, bucketCount: 100 });
    expect(lowerLimits).toHaveLength(100);
    expect(lowerLimits.filter((limit) => limit >= 26 && limit <= 271)).toEqual([
      ...[26, 29, 33, 37, 42, 48, 54, 61, 69, 78, 88, 100, 113, 128, 145, 164, 186, 211, 239, 271],
    ]);
    expect(lowerLimits.at(-1)).toBe(600_000);
  });

  it.each([
    [{ min: 0, max: 10, bucketCount: 5 }, 'whole limits'],
    [{ min: 1.5, max: 10, bucketCount: 5 }, 'whole limits'],
    [{ min: 10, max: 10, bucketCount: 3 }, 'whole limits'],
    [{ min: 1, max: Number.POSITIVE_INFINITY, bucketCount: 3 }, 'whole limits'],
    [{ min: 1, max: 10, bucketCount: 2 }, '3 to 11 buckets'],
    [{ min: 1, max: 10, bucketCount: 12 }, '3 to 11 buckets'],
    [{ min: 1, max: 10, bucketCount: 4.5 }, '3 to 11 buckets'],
  ])('refuses %j', (buckets, words) => {
    expect(() => exponentialBounds(buckets)).toThrow(
      expect.objectContaining({ kind: 'bad-input', message: expect.stringContaining(words) }),
    );
  });
});

describe('a bucket', () => {
  it.each([
    [0, 0],
    [1, 1],
    [3, 2],
    [4, 3],
    [63, 6],
    [64, 7],
    [1e9, 7],
  ])('takes %d: bucket %d', (value, bucket) => {
    expect(bucketOf(POWERS, value)).toBe(bucket);
  });

  it('of whole numbers ends 1 below the next, of real ones at the next, and the overflow bucket nowhere', () => {
    expect(bucketRange(POWERS, 3)).toEqual({ lowest: 4, highest: 7 });
    expect(bucketRange({ ...POWERS, values: 'real' }, 3)).toEqual({ lowest: 4, highest: 8 });
    expect(bucketRange(POWERS, 7)).toEqual({ lowest: 64, highest: undefined });
    const message = 'There is no bucket 8 among 8';
    expect(() => bucketRange(POWERS, 8)).toThrow(expect.objectContaining({ kind: 'bad-input', message }));
  });
});

describe('histogramOf', () => {
  it('counts, and is plain data', () => {
    const histogram = histogramOf(POWERS, [0, 1, 5, 7, 64, 1000]);
    expect(histogram).toEqual({ bounds: POWERS, counts: [1, 1, 0, 2, 0, 0, 0, 2], total: 6 });
    expect(JSON.parse(JSON.stringify(histogram))).toEqual(histogram);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, -0.001])('refuses %d', (value) => {
    const message = `A histogram takes finite values from 0 up, not ${value}`;
    expect(() => histogramOf(POWERS, [1, value])).toThrow(expect.objectContaining({ kind: 'bad-input', message }));
  });

  it('refuses fractions where it holds whole numbers only', () => {
    const message = 'This histogram takes whole numbers: round 1.5 before it is added';
    expect(() => histogramOf(POWERS, [1.5])).toThrow(expect.objectContaining({ kind: 'bad-input', message }));
    expect(histogramOf({ ...POWERS, values: 'real' }, [1.5]).counts[1]).toBe(1);
  });
});

describe('mergeHistograms', () => {
  it('adds bucket by bucket', () => {
    expect(mergeHistograms(histogramOf(POWERS, [1, 5]), histogramOf(POWERS, [5, 99]))).toEqual(histogramOf(POWERS, [1, 5, 5, 99]));
  });

  it.each<[string, HistogramBounds]>([
    ['other limits', exponentialBounds({ min: 1, max: 65, bucketCount: 8 })],
    ['fewer buckets', exponentialBounds({ min: 1, max: 64, bucketCount: 7 })],
    ['the same and one more', { ...POWERS, lowerLimits: [...POWERS.lowerLimits, 128] }],
    ['the same but one', { ...POWERS, lowerLimits: POWERS.lowerLimits.slice(0, -1) }],
    ['other values', { ...POWERS, values: 'real' }],
  ])('refuses %s', (_, bounds) => {
    const message = 'Histograms with different buckets cannot be merged: record both with the same bounds';
    expect(() => mergeHistograms(histogramOf(POWERS), histogramOf(bounds))).toThrow(
      expect.objectContaining({ kind: 'bad-input', message }),
    );
  });
});

describe('histogramFaults', () => {
  const sound = histogramOf(POWERS, [1, 5, 9]);
  const bounded = (...lowerLimits: readonly number[]): Histogram => ({ ...sound, bounds: { ...POWERS, lowerLimits } });

  it.each<[string, Histogram]>([
    ['bucket 2 begins at 1', bounded(0, 2, 1, 4, 8, 16, 32, 64)],
    ['bucket 2 begins at 1', bounded(0, 1, 1, 4, 8, 16, 32, 64)],
    ['bucket 0 begins at 1', bounded(1, 2, 3, 4, 8, 16, 32, 64)],
    ['bucket 7 begins at Infinity', bounded(0, 1, 2, 4, 8, 16, 32, Number.POSITIVE_INFINITY)],
    ['1 buckets; there are at least 2', { bounds: { ...POWERS, lowerLimits: [0] }, counts: [3], total: 3 }],
    ['7 counts for 8 buckets', { ...sound, counts: sound.counts.slice(0, -1) }],
    ['bucket 0 counts -1', { ...sound, counts: [-1, 1, 0, 1, 2, 0, 0, 0] }],
    ['bucket 0 counts 0.5', { ...sound, counts: [0.5, 0.5, 0, 1, 1, 0, 0, 0] }],
    ['the buckets add up to 3, declared are 4', { ...sound, total: 4 }],
  ])('say %s, and nothing else', (detail, histogram) => {
    const [{ fault } = { fault: '' }, ...more] = histogramFaults(histogram);
    expect(histogramFaults(histogram)).toEqual([{ fault, detail }]);
    expect(more).toEqual([]);
    const message = `This histogram is corrupt (${fault}): ${detail}`;
    expect(() => requireSound(histogram)).toThrow(expect.objectContaining({ kind: 'bad-input', message }));
  });

  it('are none in one of two buckets', () => {
    expect(histogramFaults({ bounds: { lowerLimits: [0, 5], values: 'whole' }, counts: [2, 0], total: 2 })).toEqual([]);
  });

  it('are none in a sound one', () => {
    expect(histogramFaults(sound)).toEqual([]);
  });

  it.each<[string, Histogram, string]>([
    ['limits out of order', { ...sound, bounds: { ...POWERS, lowerLimits: [0, 2, 1, 4, 8, 16, 32, 64] } }, 'broken-limits'],
    ['limits that do not begin at 0', { ...sound, bounds: { ...POWERS, lowerLimits: [1, 2, 3, 4, 8, 16, 32, 64] } }, 'broken-limits'],
    ['limits without end', { ...sound, bounds: { ...POWERS, lowerLimits: [0, 1, 2, 4, 8, 16, 32, Number.NaN] } }, 'broken-limits'],
    ['one bucket', { bounds: { ...POWERS, lowerLimits: [0] }, counts: [3], total: 3 }, 'broken-limits'],
    ['a count too few', { ...sound, counts: sound.counts.slice(0, -1) }, 'broken-limits'],
    ['a negative count', { ...sound, counts: [-1, 1, 0, 1, 2, 0, 0, 0] }, 'negative-count'],
    ['a fraction', { ...sound, counts: [0, 0.5, 0.5, 1, 1, 0, 0, 0] }, 'fractional-count'],
    ['NaN', { ...sound, counts: [0, Number.NaN, 0, 1, 1, 0, 0, 0] }, 'fractional-count'],
    ['a total that is another', { ...sound, total: 4 }, 'total-disagrees'],
  ])('names %s, and nothing is computed from it', (_, histogram, fault) => {
    expect(histogramFaults(histogram)[0]?.fault).toBe(fault);
    expect(() => requireSound(histogram)).toThrow(fault);
    expect(() => mergeHistograms(sound, histogram)).toThrow(fault);
  });
});
