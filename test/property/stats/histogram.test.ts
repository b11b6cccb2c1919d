import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exponentialBounds,
  type Histogram,
  type HistogramBounds,
  histogramOf,
  mergeHistograms,
} from '../../../src/core/stats/histogram.ts';
import { histogramMeanBelow, histogramQuantile } from '../../../src/core/stats/histogram-quantile.ts';

const BOUNDS = exponentialBounds({ min: 2, max: 5000, bucketCount: 30 });
const REAL: HistogramBounds = { ...BOUNDS, values: 'real' };
/** Some overflow. */
const whole = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 5100 })), { minLength: 1, maxLength: 60 });
const real = fc.array(fc.double({ min: 0, max: 5100, noNaN: true }), { minLength: 1, maxLength: 60 });
const sample = fc.oneof(
  whole.map((values) => ({ values, histogram: histogramOf(BOUNDS, values) })),
  real.map((values) => ({ values, histogram: histogramOf(REAL, values) })),
);
const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0.01, 0.07, 0.5, 0.9, 0.995, 1));
const SLACK = 1e-9;

/** Smallest value up to which there are at least q of all. */
function inverseOfShare(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.find((_, at) => (at + 1) / sorted.length >= q - 1e-12) ?? Number.NaN;
}

/** Mean of the lowest q of all, a value that is needed in part counting for that part. */
function meanOfLowest(values: readonly number[], q: number): number {
  const needed = q * values.length;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.reduce((sum, value, at) => sum + value * Math.min(1, Math.max(0, needed - at)), 0) / needed;
}

const atMost = (low: number, high: number | undefined) => expect(low).toBeLessThanOrEqual((high ?? Number.POSITIVE_INFINITY) * (1 + SLACK));

describe('merging', () => {
  const histograms = whole.map((values): Histogram => histogramOf(BOUNDS, values));

  it('is commutative and associative, has a neutral element, and loses nothing', () => {
    fc.assert(
      fc.property(histograms, histograms, histograms, (a, b, c) => {
        expect(mergeHistograms(a, b)).toEqual(mergeHistograms(b, a));
        expect(mergeHistograms(mergeHistograms(a, b), c)).toEqual(mergeHistograms(a, mergeHistograms(b, c)));
        expect(mergeHistograms(a, histogramOf(BOUNDS))).toEqual(a);
        expect(mergeHistograms(a, b).total).toBe(a.total + b.total);
      }),
    );
  });

  it('is as if all had been counted in one', () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        expect(mergeHistograms(histogramOf(BOUNDS, a), histogramOf(BOUNDS, b))).toEqual(histogramOf(BOUNDS, [...b, ...a]));
      }),
    );
  });
});

describe('the buckets', () => {
  it('are as many as asked for, rising, from 0 to where they overflow', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 3, max: 200 }),
        (min, width, count) => {
          fc.pre(count <= width + 2);
          const { lowerLimits } = exponentialBounds({ min, max: min + width, bucketCount: count });
          expect(lowerLimits).toHaveLength(count);
          expect(lowerLimits.slice(0, 2)).toEqual([0, min]);
          expect(lowerLimits.at(-1)).toBe(min + width);
          expect(lowerLimits.every((limit, at) => at === 0 || limit > (lowerLimits[at - 1] ?? 0))).toBe(true);
        },
      ),
    );
  });
});

describe('the quantile', () => {
  it('of the values lies in the bucket that is found, and so does the guess', () => {
    fc.assert(
      fc.property(sample, share, ({ values, histogram }, q) => {
        const found = histogramQuantile(histogram, q);
        const truth = inverseOfShare(values, q);
        expect(found?.lowest).toBeLessThanOrEqual(truth);
        atMost(truth, found?.highest);
        if (found?.value !== undefined) {
          expect(found.value).toBeGreaterThanOrEqual(found.lowest);
          atMost(found.value, found.highest);
        }
      }),
    );
  });

  it('rises with q', () => {
    fc.assert(
      fc.property(sample, share, share, ({ histogram }, p, q) => {
        const low = histogramQuantile(histogram, Math.min(p, q))?.value;
        const high = histogramQuantile(histogram, Math.max(p, q))?.value;
        if (low !== undefined) atMost(low, high);
        else expect(high).toBeUndefined();
      }),
    );
  });
});

describe('the mean', () => {
  it('of the values lies within its limits, the guess too', () => {
    fc.assert(
      fc.property(sample, ({ values, histogram }) => {
        const { min, middle, max } = histogramMeanBelow(histogram, 1) ?? { min: Number.NaN };
        const truth = values.reduce((sum, value) => sum + value, 0) / values.length;
        atMost(min, truth);
        atMost(truth, max);
        atMost(min, middle);
        if (middle !== undefined) atMost(middle, max);
      }),
    );
  });

  it('below a quantile lies within the limits that count the part of the bucket', () => {
    fc.assert(
      fc.property(sample, fc.double({ min: 0.01, max: 1, noNaN: true }), ({ values, histogram }, q) => {
        const { min, middle, max } = histogramMeanBelow(histogram, q) ?? { min: Number.NaN };
        const truth = meanOfLowest(values, q);
        atMost(min, truth);
        atMost(truth, max);
        atMost(min, middle);
        if (middle !== undefined) atMost(middle, max);
      }),
    );
  });

  it('interpolated is never above the one counted, and its own limits keep their order', () => {
    fc.assert(
      fc.property(sample, fc.double({ min: 0.01, max: 1, noNaN: true }), ({ histogram }, q) => {
        const interpolated = histogramMeanBelow(histogram, q, 'interpolated');
        const counted = histogramMeanBelow(histogram, q, 'counted');
        for (const of of ['min', 'middle', 'max'] as const) {
          const figure = interpolated?.[of];
          if (figure !== undefined) atMost(figure, counted?.[of] ?? Number.NaN);
          else expect(counted?.[of]).toBeUndefined();
        }
        if (interpolated?.middle !== undefined) {
          atMost(interpolated.min, interpolated.middle);
          atMost(interpolated.middle, interpolated.max);
        }
      }),
    );
  });
});
