import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { normalCdf, studentTQuantile, studentTTwoSided, truncatedMean } from '../../../../src/core/stats/distributions.ts';
import { incompleteBeta, logGamma, stirlingError } from '../../../../src/core/stats/special-functions.ts';

interface SciPyValues {
  readonly quantiles: readonly { readonly df: number; readonly p: number; readonly t: number }[];
  readonly tails: readonly { readonly df: number; readonly t: number; readonly p: number }[];
  readonly betas: readonly { readonly a: number; readonly b: number; readonly x: number; readonly value: number }[];
  readonly gammas: readonly { readonly x: number; readonly value: number }[];
}

/** Made by student-t.py beside it. */
const scipy: SciPyValues = JSON.parse(readFileSync(new URL('../../../fixtures/student-t.json', import.meta.url), 'utf8'));

function relativeError(found: number, expected: number): number {
  return Math.abs(found - expected) / Math.max(Math.abs(expected), 1e-12);
}

describe('Student’s t against SciPy', () => {
  it('has the quantiles', () => {
    for (const { df, p, t } of scipy.quantiles) expect(relativeError(studentTQuantile(p, df), t), `df ${df}, p ${p}`).toBeLessThan(1e-9);
  });

  it('has the tails', () => {
    for (const { df, t, p } of scipy.tails) expect(relativeError(studentTTwoSided(t, df), p), `df ${df}, t ${t}`).toBeLessThan(1e-9);
  });

  it('has the incomplete beta function below it', () => {
    for (const { a, b, x, value } of scipy.betas) {
      expect(Math.abs(incompleteBeta(x, a, b) - value), `I_${x}(${a}, ${b})`).toBeLessThan(1e-10);
    }
  });

  it('has the gamma function below that', () => {
    for (const { x, value } of scipy.gammas)
      expect(Math.abs(logGamma(x) - value), `x ${x}`).toBeLessThan(1e-12 * Math.max(1, Math.abs(value)));
  });
});

it.each([
  [-0.1, 1, 1],
  [1.1, 1, 1],
  [0.5, 0, 1],
  [0.5, 1, 0],
  [Number.NaN, 1, 1],
])('the incomplete beta function refuses x = %d, a = %d, b = %d', (x, a, b) => {
  const message = `The incomplete beta function is not defined at x=${x}, a=${a}, b=${b}`;
  expect(() => incompleteBeta(x, a, b)).toThrow(expect.objectContaining({ kind: 'bad-input', message }));
});

it('the incomplete beta function begins at 0 and ends at 1', () => {
  for (const [a, b] of [
    [1, 2],
    [0.1, 300],
    [300, 0.1],
  ] as const) {
    expect([incompleteBeta(0, a, b), incompleteBeta(1, a, b)]).toEqual([0, 1]);
  }
});

it('what Stirling lacks of ln 16! is known to 1e-13', () => {
  expect(stirlingError(16)).toBeCloseTo(Math.log(20_922_789_888_000) - 16.5 * Math.log(16) + 16 - Math.log(2 * Math.PI) / 2, 12);
});

describe('studentTQuantile', () => {
  it('is symmetric about 0', () => {
    expect(studentTQuantile(0.5, 4)).toBe(0);
    expect(studentTQuantile(0.25, 4)).toBe(-studentTQuantile(0.75, 4));
  });

  it.each([
    [0, 5],
    [1, 5],
    [Number.NaN, 5],
    [0.5, 0],
    [0.9, Number.NaN],
  ])('refuses p = %d with %d degrees of freedom', (p, df) => {
    expect(() => studentTQuantile(p, df)).toThrow(PlumbfoxError);
  });
});

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
