/** Values that can be worked out by hand, or are well known. */
import { describe, expect, it } from 'vitest';
import { binomialTest } from '../../../../src/core/stats/count-tests.ts';
import { holm } from '../../../../src/core/stats/multiple-testing.ts';
import { kolmogorovSmirnovUniform } from '../../../support/stats/kolmogorov-smirnov.ts';
import { welchOnLogs } from '../../../support/stats/welch-on-logs.ts';

describe('welchOnLogs', () => {
  it('is the ratio of geometric means', () => {
    const { ratio, test } = welchOnLogs([2, 8], [1, 4]);
    expect(ratio).toBeCloseTo(2, 12);
    // Both log variances are 2 ln(2)^2, the standard error sqrt(2) ln 2: t = 1 / sqrt(2), with 2 degrees of freedom.
    expect(test?.t).toBeCloseTo(Math.SQRT1_2, 12);
    expect(test?.df).toBeCloseTo(2, 12);
  });

  it.each([
    [[3], [1, 2]],
    [[1, 2], [3]],
    [
      [3, 3],
      [2, 2],
    ],
  ])('knows no spread of %j and %j', (a, b) => {
    expect(welchOnLogs(a, b).test).toBeUndefined();
  });
});

describe('holm', () => {
  // The first 18 of the 25 of Benjamini and Hochberg's well-known example; expected values from statsmodels 0.15.0.
  const p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216, 0.222, 0.251, 0.269, 0.275, 0.34, 0.341, 0.384, 0.569];

  it('has what statsmodels has', () => {
    const first = holm(p)
      .slice(0, 7)
      .map((value) => Number(value.toFixed(9)));
    expect(first).toEqual([0.018, 0.136, 0.624, 0.624, 0.624, 0.78, 0.888]);
  });

  it('keeps the order of the input', () => {
    expect(holm([0.5, 0.01, 0.02])).toEqual([0.5, 0.03, 0.04]);
  });
});

describe('binomialTest', () => {
  it('adds what is at most as likely', () => {
    // 0 and 10 heads of 10: 2 / 1024. 3 of 15 at 1/10, from SciPy's documentation, one-sided because none below is as unlikely.
    expect(binomialTest(0, 10, 0.5).p).toBeCloseTo(2 / 1024, 15);
    expect(binomialTest(3, 15, 0.1).p).toBeCloseTo(0.18406106910639, 13);
    expect(binomialTest(5, 10, 0.5).p).toBe(1);
    expect(binomialTest(0, 3, 0).p).toBe(1);
    expect(binomialTest(1, 3, 0).p).toBe(0);
    expect(binomialTest(2, 3, 1).p).toBe(0);
    expect(binomialTest(3, 3, 0).p).toBe(0);
    expect(binomialTest(0, 3, 1).p).toBe(0);
    expect(binomialTest(3, 3, 1).p).toBe(1);
  });

  it('takes counts for equally likely that rounding tells apart', () => {
    // With the chance (k + 1) / (n + 1), k and k + 1 are the two likeliest counts, so that nothing is likelier.
    for (let n = 2; n < 60; n++)
      for (let k = 0; k < n; k++) expect(binomialTest(k, n, (k + 1) / (n + 1)).p, `${k} of ${n}`).toBeCloseTo(1, 9);
  });

  it('is Poisson’s for rare chances, at either end', () => {
    // 3 expected of 3e12: e^-3 times 1, 3, 4.5, 4.5, 3.375, 2.025, 1.0125 for 0 to 6. 0 is as unlikely as 7 and more: 1 - (19.4125 - 1)
    // e^-3. 6 and more is as unlikely as 0: 1 - (18.4 - 1) e^-3.
    expect(binomialTest(0, 3e12, 1e-12).p).toBeCloseTo(1 - 18.4125 * Math.exp(-3), 10);
    expect(binomialTest(6, 3e12, 1e-12).p).toBeCloseTo(1 - 17.4 * Math.exp(-3), 10);
    expect(binomialTest(2, 2, 1e-12).p / 1e-24).toBeCloseTo(1, 12);
  });

  it('takes a million', () => {
    // SciPy 1.17.1.
    expect(binomialTest(500_500, 1_000_000, 0.5).p).toBeCloseTo(0.3177946913633297, 12);
  });
});

it('kolmogorovSmirnovUniform measures the largest step', () => {
  // 0.3 alone: 1 - 0.3 above it; P(D >= 0.7) = 2 (1 - 0.7).
  expect(kolmogorovSmirnovUniform([0.3]).statistic).toBeCloseTo(0.7, 15);
  expect(kolmogorovSmirnovUniform([0.3]).p).toBeCloseTo(0.6, 12);
  expect(kolmogorovSmirnovUniform([0.5])).toEqual({ statistic: 0.5, p: 1 });
  expect(kolmogorovSmirnovUniform([0, 1]).statistic).toBe(0.5);
  expect(kolmogorovSmirnovUniform([0])).toEqual({ statistic: 1, p: 0 });
  for (const outside of [1.1, -3]) expect(() => kolmogorovSmirnovUniform([0.2, outside])).toThrow(/lie in \[0, 1\], not at/);
});
