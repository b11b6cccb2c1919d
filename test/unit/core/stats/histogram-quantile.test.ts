import { describe, expect, it } from 'vitest';
import { exponentialBounds, histogramOf } from '../../../../src/core/stats/histogram.ts';
import { histogramMeanBelow, histogramQuantile } from '../../../../src/core/stats/histogram-quantile.ts';

/** 0, 1, 2 to 3, 4 to 7, 8 to 15, 16 to 31, 32 to 63, 64 and more. */
const POWERS = exponentialBounds({ min: 1, max: 64, bucketCount: 8 });
/** Two values of 1, four in 4 to 7, two in 16 to 31. */
const EIGHT = histogramOf(POWERS, [1, 1, 4, 5, 6, 7, 20, 30]);

describe('histogramQuantile', () => {
  it.each([
    // Rank 0.5 * 8 = 4: half of the four in 4 to 7 are needed, 4 + 0.5 * 3.
    [0.5, { lowest: 4, highest: 7, value: 5.5 }],
    // Rank 2 is the end of the first bucket, rank 6 that of the second.
    [0.25, { lowest: 1, highest: 1, value: 1 }],
    [0.75, { lowest: 4, highest: 7, value: 7 }],
    [0, { lowest: 1, highest: 1, value: 1 }],
    // Rank 7: half of the two in 16 to 31.
    [0.875, { lowest: 16, highest: 31, value: 23.5 }],
    [1, { lowest: 16, highest: 31, value: 31 }],
  ])('at %d', (q, expected) => {
    expect(histogramQuantile(EIGHT, q)).toEqual(expected);
  });

  it('has no upper limit and no value in the overflow bucket', () => {
    expect(histogramQuantile(histogramOf(POWERS, [1, 99]), 0.9)).toEqual({ lowest: 64, highest: undefined, value: undefined });
  });

  it('takes 0.07 of 100 for 7, though the product is 7.000000000000001', () => {
    expect(0.07 * 100).toBeGreaterThan(7);
    const values = Array.from({ length: 100 }, (_, at) => (at < 7 ? 2 : 16));
    expect(histogramQuantile(histogramOf(POWERS, values), 0.07)?.highest).toBe(3);
    // So of a hundred million; but one in a hundred million more is another value.
    const many = { bounds: POWERS, counts: [0, 0, 7e6, 0, 0, 93e6, 0, 0], total: 1e8 };
    expect(0.07 * 1e8).toBeGreaterThan(7e6);
    expect(histogramQuantile(many, 0.07)?.highest).toBe(3);
    expect(histogramQuantile(many, 0.07 + 1e-9)?.lowest).toBe(16);
  });

  it('is unknown for nothing, and refuses q outside [0, 1] and a corrupt histogram', () => {
    expect(histogramQuantile(histogramOf(POWERS), 0.5)).toBeUndefined();
    const message = 'A quantile is asked for in [0, 1], not at 1.01';
    expect(() => histogramQuantile(EIGHT, 1.01)).toThrow(expect.objectContaining({ kind: 'bad-input', message }));
    expect(() => histogramQuantile(EIGHT, Number.NaN)).toThrow('in [0, 1]');
    expect(() => histogramQuantile({ ...EIGHT, total: 9 }, 0.5)).toThrow('total-disagrees');
  });
});

describe('histogramMeanBelow of all', () => {
  it('has every value lowest, halfway, highest', () => {
    // (2 * 1 + 4 * 4 + 2 * 16) / 8, (2 * 1 + 4 * 5.5 + 2 * 23.5) / 8, (2 * 1 + 4 * 7 + 2 * 31) / 8
    expect(histogramMeanBelow(EIGHT, 1)).toEqual({ min: 50 / 8, middle: 71 / 8, max: 92 / 8 });
  });

  it('fills buckets of real numbers to the next', () => {
    // (4 + 4), (6 + 6), (8 + 8) over 2.
    const real = histogramOf({ ...POWERS, values: 'real' }, [4.5, 7.9]);
    expect(histogramMeanBelow(real, 1)).toEqual({ min: 4, middle: 6, max: 8 });
  });

  it('has a lower limit only where a value overflowed', () => {
    expect(histogramMeanBelow(histogramOf(POWERS, [1, 99]), 1)).toEqual({ min: 32.5, middle: undefined, max: undefined });
  });

  it('is unknown for nothing', () => {
    expect(histogramMeanBelow(histogramOf(POWERS), 1)).toBeUndefined();
  });
});

describe('histogramMeanBelow', () => {
  it('counts the part of a bucket that is needed', () => {
    // Half of all: both of 1 and two of the four in 4 to 7: (2 + 2 * 4) / 4, (2 + 2 * 5.5) / 4, (2 + 2 * 7) / 4.
    expect(histogramMeanBelow(EIGHT, 0.5)).toEqual({ min: 2.5, middle: 3.25, max: 4 });
  });

  it('or interpolates between the means at its ends', () => {
    // Halfway from the mean of the two (1) to that of all six: (2 + 4 * 4) / 6 = 3, (2 + 22) / 6 = 4, (2 + 28) / 6 = 5.
    expect(histogramMeanBelow(EIGHT, 0.5, 'interpolated')).toEqual({ min: 2, middle: 2.5, max: 3 });
  });

  it.each(['counted', 'interpolated'] as const)('%s, is the same at the end of a bucket and in the first one', (rule) => {
    expect(histogramMeanBelow(EIGHT, 0.75, rule)).toEqual({ min: 3, middle: 4, max: 5 });
    expect(histogramMeanBelow(EIGHT, 0.1, rule)).toEqual({ min: 1, middle: 1, max: 1 });
  });

  it('does not see what overflowed above it', () => {
    expect(histogramMeanBelow(histogramOf(POWERS, [2, 99]), 0.5)).toEqual({ min: 2, middle: 2.5, max: 3 });
    expect(histogramMeanBelow(histogramOf(POWERS, [2, 99]), 0.6)?.max).toBeUndefined();
  });

  it('is unknown below the lowest value, and for nothing', () => {
    expect(histogramMeanBelow(EIGHT, 0)).toBeUndefined();
    expect(histogramMeanBelow(histogramOf(POWERS), 0.5)).toBeUndefined();
    expect(() => histogramMeanBelow(EIGHT, -0.1)).toThrow('in [0, 1]');
  });
});
