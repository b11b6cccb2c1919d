import { describe, expect, it } from 'vitest';
import { sequentialTCritical, sequentialTLogEvidence } from '../../../../src/core/stats/confidence-sequence.ts';
import { studentTTwoSided } from '../../../../src/core/stats/distributions.ts';
import { stratifiedMean } from '../../../../src/core/stats/stratified-mean.ts';
import { sequentialTInterval } from '../../../support/stats/sequential-t-interval.ts';

const design = { effectiveCount: 3, degreesOfFreedom: 1, precision: 1 };

describe('sequentialTLogEvidence', () => {
  it('is the ratio of the two densities of t', () => {
    // r = 1/4, nu = 1, t = 1: sqrt(1/4) * ((1 + 1) / (1 + 1/4))^1 = 0.8.
    expect(Math.exp(sequentialTLogEvidence(1, design) ?? 0)).toBeCloseTo(0.8, 14);
  });

  it('has expectation 1 under no effect', () => {
    // Integral of e(t) times the density of t, the density by differences of the tail; trapezium, out to 400.
    let expectation = 0;
    const step = 0.01;
    const nu = { effectiveCount: 12, degreesOfFreedom: 8, precision: 0.1 };
    for (let t = 0; t < 400; t += step) {
      const chance = studentTTwoSided(t, 8) - studentTTwoSided(t + step, 8);
      expectation += chance * Math.exp(sequentialTLogEvidence(t + step / 2, nu) ?? 0);
    }
    expect(expectation).toBeCloseTo(1, 4);
  });

  it('is unknown without degrees of freedom', () => {
    expect(sequentialTLogEvidence(5, { ...design, degreesOfFreedom: 0 })).toBeUndefined();
  });
});

describe('sequentialTCritical', () => {
  it('is where the evidence reaches 1 / alpha', () => {
    // (1/2) * (1 + x) / (1 + x / 4) = 1 / alpha = 1.5: 1 + x = 3 + 0.75 x, x = 8.
    expect(sequentialTCritical(1 / 1.5, design)).toBeCloseTo(Math.sqrt(8), 12);
  });

  it('is unknown while no t is evidence enough', () => {
    // The evidence stays below r^(-nu / 2) = 2.
    expect(sequentialTCritical(0.51, design)).toBeDefined();
    expect(sequentialTCritical(0.5, design)).toBeUndefined();
    expect(sequentialTCritical(0.05, { ...design, degreesOfFreedom: 0 })).toBeUndefined();
  });

  it('is stable where there are very many values', () => {
    // ln e -> ln(r)/2 + (1 - r) t^2 / 2 for many degrees of freedom: t^2 = 2 (ln 20 + ln(1e6)/2) = 19.81 at r = 1e-6.
    const critical = sequentialTCritical(0.05, { effectiveCount: 1e6, degreesOfFreedom: 1e6, precision: 1 });
    expect(critical).toBeCloseTo(Math.sqrt(2 * (Math.log(20) + Math.log(1e6) / 2)), 3);
  });
});

describe('sequentialTInterval', () => {
  it('reaches critical standard errors either side of the mean', () => {
    const sample = stratifiedMean([
      [0, 2, 4, 2],
      [10, 12, 14, 12],
    ]);
    if (sample === undefined) throw new Error('a sample');
    const critical = sequentialTCritical(0.05, { effectiveCount: 8, degreesOfFreedom: 6, precision: 0.1 }) ?? Number.NaN;
    // Both variances 8/3, over 4: 2/3 each; standard error sqrt(4/3) / 2.
    const interval = sequentialTInterval(sample, { alpha: 0.05, precision: 0.1 });
    expect(interval?.low).toBeCloseTo(7 - (critical * Math.sqrt(4 / 3)) / 2, 10);
    expect(interval?.high).toBeCloseTo(7 + (critical * Math.sqrt(4 / 3)) / 2, 10);
  });

  it('is a point where nothing varies, and not bounded with one value in a stratum', () => {
    const still = stratifiedMean([
      [3, 3, 3, 3],
      [5, 5, 5, 5],
    ]);
    const single = stratifiedMean([[3, 4, 3, 4, 3, 4], [5]]);
    const few = stratifiedMean([[0, 2]]);
    if (still === undefined || single === undefined || few === undefined) throw new Error('samples');
    // The evidence stays below (0.1 / 2.1)^(-1/2) = 4.6, and 20 is asked for.
    expect(sequentialTInterval(few, { alpha: 0.05, precision: 0.1 })).toBeUndefined();
    expect(sequentialTInterval(still, { alpha: 0.05, precision: 0.1 })).toEqual({ low: 4, high: 4 });
    expect(sequentialTInterval(single, { alpha: 0.05, precision: 0.1 })).toBeUndefined();
  });
});
