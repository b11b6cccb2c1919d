import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { seededRandom } from '../../../../src/core/random.ts';
import { confidenceSequence, sequentialTCritical, sequentialTLogEvidence } from '../../../../src/core/stats/confidence-sequence.ts';
import { studentTTwoSided } from '../../../../src/core/stats/distributions.ts';
import { stratifiedMean } from '../../../../src/core/stats/stratified-mean.ts';
import { sequentialTInterval } from '../../../support/stats/sequential-t-interval.ts';
import { gaussian } from '../compare/simulated-run.ts';

describe('confidenceSequence', () => {
  it('is the one of Robbins where the standard deviation is as good as known', () => {
    // 10,000 values of mean 0.5 and standard deviation 1; half the width of Waudby-Smith et al. (2024), eq. 5:
    // sqrt(2 (n r^2 + 1) / (n^2 r^2) ln(sqrt(n r^2 + 1) / alpha)) with r = 0.1 and n = 10,000 is 0.03273.
    const sequence = confidenceSequence({ alpha: 0.05, rho: 0.1 });
    const one = Math.sqrt(9_999 / 10_000);
    for (let at = 0; at < 10_000; at++) sequence.add(0.5 + (at % 2 === 0 ? one : -one));
    const { low, high } = sequence.interval() ?? { low: Number.NaN, high: Number.NaN };
    expect((low + high) / 2).toBeCloseTo(0.5, 12);
    expect((high - low) / 2).toBeCloseTo(0.03273, 4);
  });

  it('reaches critical standard errors either side of the mean, with a degree of freedom less than values', () => {
    const sequence = confidenceSequence({ alpha: 0.05 });
    for (let at = 0; at < 12; at++) sequence.add(at % 2 === 0 ? 0 : 2);
    // Squares 12, variance 12/11, standard error sqrt(1/11); rho = 0.4 is a precision of 6.25.
    const critical = sequentialTCritical(0.05, { effectiveCount: 12, degreesOfFreedom: 11, precision: 6.25 }) ?? Number.NaN;
    expect(sequence.interval()?.low).toBeCloseTo(1 - critical / Math.sqrt(11), 10);
    expect(sequence.interval()?.high).toBeCloseTo(1 + critical / Math.sqrt(11), 10);
    // Two values can be enough: variance 2, standard error 1, and the evidence goes up to (6.25 / 8.25)^(-1/2) = 1.149 > 1 / 0.9.
    const two = sequentialTCritical(0.9, { effectiveCount: 2, degreesOfFreedom: 1, precision: 6.25 }) ?? Number.NaN;
    expect(confidenceSequence({ alpha: 0.9 }).add(0).interval()).toBeUndefined();
    expect(confidenceSequence({ alpha: 0.9 }).add(0).add(2).interval()?.high).toBeCloseTo(1 + two, 10);
  });

  it('has no interval before it can be bounded, and then always has one', () => {
    const sequence = confidenceSequence({ alpha: 0.05 });
    const bounded = [3, 5, 4, 6, 4, 5, 3, 5, 4, 6, 5, 4].map((value) => sequence.add(value).interval() !== undefined);
    expect(bounded[0]).toBe(false);
    expect(bounded.at(-1)).toBe(true);
    expect(bounded.toSorted()).toEqual(bounded);
  });

  it('moves with the values, and stretches with them', () => {
    const [plain, moved] = [confidenceSequence({ alpha: 0.1 }), confidenceSequence({ alpha: 0.1 })];
    const random = seededRandom(4);
    for (let at = 0; at < 30; at++) {
      const value = gaussian(random);
      plain.add(value);
      moved.add(7 - 3 * value);
    }
    const [one, other] = [plain.interval(), moved.interval()];
    expect(other?.low).toBeCloseTo(7 - 3 * (one?.high ?? Number.NaN), 9);
    expect(other?.high).toBeCloseTo(7 - 3 * (one?.low ?? Number.NaN), 9);
  });

  it('misses the mean at any of 200 looks in at most 5 % of runs', () => {
    const random = seededRandom(20_260_103);
    const runs = 600;
    let missed = 0;
    for (let run = 0; run < runs; run++) {
      const sequence = confidenceSequence({ alpha: 0.05 });
      for (let look = 0; look < 200; look++) {
        const interval = sequence.add(0.2 + gaussian(random)).interval();
        if (interval === undefined || (interval.low <= 0.2 && interval.high >= 0.2)) continue;
        missed += 1;
        break;
      }
    }
    // Three Monte-Carlo standard errors; that it is not endless is held by the first test.
    expect(missed / runs).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs));
  });

  it('refuses what is no value and no chance', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => confidenceSequence({ alpha: 0.05 }).add(value)).toThrow(PlumbfoxError);
    }
    // The sum of squares would not be finite; the sequence goes on as if the value had not come.
    const sequence = confidenceSequence({ alpha: 0.05 });
    for (let at = 0; at < 40; at++) sequence.add(at % 2);
    const before = sequence.interval();
    expect(() => sequence.add(1e200)).toThrow(PlumbfoxError);
    expect(before).toBeDefined();
    expect(sequence.interval()).toEqual(before);
    for (const alpha of [0, 1, Number.NaN]) expect(() => confidenceSequence({ alpha })).toThrow(PlumbfoxError);
    for (const rho of [0, -1, Number.POSITIVE_INFINITY]) expect(() => confidenceSequence({ alpha: 0.05, rho })).toThrow(PlumbfoxError);
  });
});

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
