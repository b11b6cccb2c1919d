import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { kendallTauB, spearmanRho } from '../../../support/stats/rank-correlation.ts';

interface SciPyCase {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** `null` where SciPy says NaN: a sample is constant. */
  readonly rho: number | null;
  readonly tau: number | null;
}

/** Made by rank-correlation.py beside it. */
const { cases }: { cases: readonly SciPyCase[] } = JSON.parse(
  readFileSync(new URL('../../../fixtures/rank-correlation.json', import.meta.url), 'utf8'),
);

describe('rank correlation against SciPy', () => {
  it('has cases with and without ties, and constant samples', () => {
    const tied = cases.filter(({ x }) => new Set(x).size < x.length).length;
    expect([cases.length > 100, tied > 30, cases.length - tied > 30, cases.some(({ rho }) => rho === null)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it.each([
    ['rho', spearmanRho],
    ['tau', kendallTauB],
  ] as const)('has the same %s', (name, correlation) => {
    for (const [index, { x, y, [name]: expected }] of cases.entries()) {
      const found = correlation(x, y);
      if (expected === null || found === undefined) expect(found ?? null, `case ${index}`).toBe(expected);
      else expect(Math.abs(found - expected), `case ${index}`).toBeLessThan(1e-12);
    }
  });
});

describe('rank correlation by hand', () => {
  it('counts two of three pairs in the same order', () => {
    // Pairs of (1, 2, 3) and (1, 3, 2): two agree, one does not: tau = (2 - 1) / 3. rho = 1 - 6 (0 + 1 + 1) / (3 x 8) = 1/2.
    expect(kendallTauB([1, 2, 3], [1, 3, 2])).toBeCloseTo(1 / 3, 15);
    expect(spearmanRho([1, 2, 3], [1, 3, 2])).toBeCloseTo(1 / 2, 15);
  });

  it('takes ties out of what could agree', () => {
    // x = (1, 1, 2) ties one of 3 pairs, y none; of the other two both agree: tau-b = 2 / sqrt(2 x 3).
    expect(kendallTauB([1, 1, 2], [1, 2, 3])).toBeCloseTo(2 / Math.sqrt(6), 15);
    // Ranks (1.5, 1.5, 3) and (1, 2, 3): covariance 0.5 + 0 + 1 = 1.5, variances 1.5 and 2.
    expect(spearmanRho([1, 1, 2], [1, 2, 3])).toBeCloseTo(1.5 / Math.sqrt(3), 15);
  });

  it('is unknown where everything is equal', () => {
    for (const correlation of [spearmanRho, kendallTauB]) {
      expect(correlation([4, 4], [1, 2])).toBeUndefined();
      expect(correlation([1, 2], [4, 4])).toBeUndefined();
    }
  });

  it.each([
    ['one thing', [1], [1]],
    ['nothing', [], []],
    ['different lengths', [1, 2, 3], [1, 2]],
    ['NaN', [1, Number.NaN], [1, 2]],
    ['an infinity', [1, 2], [1, Number.POSITIVE_INFINITY]],
  ])('refuses %s', (_, x, y) => {
    expect(() => spearmanRho(x, y)).toThrow(PlumbfoxError);
    expect(() => kendallTauB(x, y)).toThrow(PlumbfoxError);
  });
});
