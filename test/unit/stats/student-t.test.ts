import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { studentTQuantile, studentTTwoSided } from '../../../src/core/stats/distributions.ts';
import { incompleteBeta, logGamma, stirlingError } from '../../../src/core/stats/special-functions.ts';

interface SciPyValues {
  readonly quantiles: readonly { readonly df: number; readonly p: number; readonly t: number }[];
  readonly tails: readonly { readonly df: number; readonly t: number; readonly p: number }[];
  readonly betas: readonly { readonly a: number; readonly b: number; readonly x: number; readonly value: number }[];
  readonly gammas: readonly { readonly x: number; readonly value: number }[];
}

/** Made by student-t.py beside it. */
const scipy: SciPyValues = JSON.parse(readFileSync(new URL('../../fixtures/student-t.json', import.meta.url), 'utf8'));

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
