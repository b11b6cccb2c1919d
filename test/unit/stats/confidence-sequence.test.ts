import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { seededRandom } from '../../../src/core/random.ts';
import { confidenceSequence, sequentialTCritical } from '../../../src/core/stats/confidence-sequence.ts';
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
