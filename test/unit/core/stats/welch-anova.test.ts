import { describe, expect, it } from 'vitest';
import { welchAnovaP } from '../../../../src/core/stats/welch-anova.ts';

const stratum = (mean: number, varianceOfMean: number, degreesOfFreedom: number) => ({ mean, varianceOfMean, degreesOfFreedom });

describe('welchAnovaP', () => {
  it('is Welch’s t test of two', () => {
    // F = 2^2 / (1 + 1) = 2; c = 2 (1/2)^2 / 1 = 1/2, so (4 - 1) / (3 / 2) = 2 degrees of freedom. Of t with 2 of them, P(|T| > sqrt 2) = 1 - sqrt(2 / 4).
    expect(welchAnovaP([stratum(0, 1, 1), stratum(2, 1, 1)])).toBeCloseTo(1 - Math.SQRT1_2, 12);
  });

  it('allows for few degrees of freedom of three', () => {
    // Between: 2 / 2. c = 3 (2/3)^2 = 4/3; F = 1 / (1 + 2 c / 8) = 3/4 with 2 and 8 / (3 c) = 2 degrees of freedom: P = 1 / (1 + F).
    expect(welchAnovaP([stratum(-1, 1, 1), stratum(0, 1, 1), stratum(1, 1, 1)])).toBeCloseTo(4 / 7, 12);
  });

  it('is 1 where the means are the same, whatever the variances', () => {
    expect(welchAnovaP([stratum(3, 1, 4), stratum(3, 100, 2), stratum(3, 0.01, 9)])).toBeCloseTo(1, 12);
  });

  it('is not known of one stratum, nor where one does not vary', () => {
    expect(welchAnovaP([stratum(1, 1, 4)])).toBeUndefined();
    expect(welchAnovaP([stratum(1, 1, 4), stratum(2, 0, 4)])).toBeUndefined();
  });
});
