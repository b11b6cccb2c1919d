import { describe, expect, it } from 'vitest';
import { normalCdf, truncatedMean } from '../../../src/core/stats/distributions.ts';

const MEDIAN = { chance: 0.5, most: 10 };

describe('the mean of a truncated normal variable', () => {
  it('is 0 where the value lies in the middle of its limits', () => {
    expect(truncatedMean({ value: 0, limit: 2, sd: 1 }, MEDIAN)).toBeCloseTo(0, 9);
  });

  it('is the value itself where the limits are far', () => {
    expect(truncatedMean({ value: 1.5, limit: 40, sd: 1 }, MEDIAN)).toBeCloseTo(1.5, 9);
  });

  it('gives the value seen the chance asked for', () => {
    // At the mean of 2 and the limit of 2 half of the mass within (-2, 2) lies below the x with Phi(x - 2) = (Phi(0) + Phi(-4)) / 2.
    const value = 2 - 0.67444;
    expect(normalCdf(value - 2)).toBeCloseTo((0.5 + normalCdf(-4)) / 2, 4);
    expect(truncatedMean({ value, limit: 2, sd: 1 }, MEDIAN)).toBeCloseTo(2, 3);
  });

  it('has the unit of what was seen', () => {
    const unit = { value: 0.9, limit: 1.2, sd: 1 };
    const mean = truncatedMean(unit, MEDIAN);
    expect(mean).toBeGreaterThan(0.9);
    expect(truncatedMean({ value: 4.5, limit: 6, sd: 5 }, { chance: 0.5, most: 50 })).toBeCloseTo(5 * mean, 9);
  });

  it('is the less the larger the chance that is asked for', () => {
    // Far from the limits a value is 1.2816 above the mean at which 90 % are below it.
    expect(truncatedMean({ value: 3, limit: 40, sd: 1 }, { chance: 0.9, most: 10 })).toBeCloseTo(3 - 1.2815515655446004, 9);
  });

  it('is the most that is allowed where the value lies at its limit', () => {
    expect(truncatedMean({ value: 2, limit: 2, sd: 1 }, { chance: 0.5, most: 2.6 })).toBeCloseTo(2.6, 9);
  });
});
