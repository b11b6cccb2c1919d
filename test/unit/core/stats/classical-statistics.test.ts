/** Values that can be worked out by hand, or are well known. */
import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from '../../../../src/core/stats/bootstrap.ts';
import { binomialTest, chiSquareTest } from '../../../../src/core/stats/count-tests.ts';
import { hodgesLehmann, hodgesLehmannInterval, kthDifference } from '../../../../src/core/stats/hodges-lehmann.ts';
import { cliffsDelta, mannWhitneyUpperTail } from '../../../../src/core/stats/mann-whitney.ts';
import { mean } from '../../../../src/core/stats/mean.ts';
import { benjaminiHochberg, benjaminiYekutieli, holm } from '../../../../src/core/stats/multiple-testing.ts';
import { kolmogorovSmirnovUniform } from '../../../support/stats/kolmogorov-smirnov.ts';
import { welchOnLogs } from '../../../support/stats/welch-on-logs.ts';

describe('hodgesLehmann', () => {
  it('is positive when the first sample is the larger', () => {
    // Differences 9, 8, 19, 18: median 13.5.
    expect(hodgesLehmann([10, 20], [1, 2])).toBe(13.5);
    expect(hodgesLehmann([1, 2], [10, 20])).toBe(-13.5);
    expect(hodgesLehmann([7], [4])).toBe(3);
  });

  it('does not form the 25 million differences of 5,000 against 5,000', () => {
    // i and 3 i / 2 from 0 to 4,999: by symmetry about the middles 2499.5 and 3749.25.
    const a = Array.from({ length: 5000 }, (_, i) => i);
    const b = a.map((value) => 1.5 * value);
    expect(hodgesLehmann(a, b)).toBeCloseTo(2499.5 - 3749.25, 9);
    const interval = hodgesLehmannInterval(a, b);
    expect(interval?.low).toBeGreaterThan(-1350);
    expect(interval?.high).toBeLessThan(-1150);
  });

  it('survives values of very different size', () => {
    expect(hodgesLehmann([1e300, 5e-324, -1e300], [0])).toBe(5e-324);
  });

  it('never has the middle difference alone for an interval, however large alpha', () => {
    // 100 i - j of 3 and 7 values: the 11th of the 21 differences is 97. The chances of the lower half of the orderings add up to 1/2 less a rounding.
    const [a, b] = [
      [0, 100, 200],
      [0, 1, 2, 3, 4, 5, 6],
    ] as const;
    expect(hodgesLehmannInterval(a, b, { alpha: 1 - 2 ** -53 })).toMatchObject({ low: 96, high: 98 });
  });

  it('counts up to 200 against 1,000 values', () => {
    const values = (n: number) => Array.from({ length: n }, (_, i) => i);
    // 200 x 200 x 1,000 / 2 steps are 2e7. What is counted covers a little more than is asked for.
    const counted = hodgesLehmannInterval(values(200), values(1000))?.coverage;
    expect(counted).toBeGreaterThan(0.95);
    expect(counted).toBeLessThan(0.951);
    expect(hodgesLehmannInterval(values(200), values(1001))?.coverage).toBe(0.95);
  });

  it('has no interval where no ordering is unlikely enough', () => {
    // 2 of the 20 orderings are the least that can be left out on both sides: 10 %.
    expect(hodgesLehmannInterval([1, 2, 3], [4, 5, 6])).toBeUndefined();
    expect(hodgesLehmannInterval([1, 2, 3], [4, 5, 6], { alpha: 0.1 })).toEqual({ low: -5, high: -1, coverage: 0.9 });
  });

  it('counts the bounds of moderate samples and approximates those of large ones', () => {
    // 350 i - j takes every whole number from -349 to 349 * 350 once: the k-th smallest difference is k - 350.
    const grid = (n: number, step: number) => Array.from({ length: n }, (_, i) => step * i);
    const rankOf = (n: number) => (hodgesLehmannInterval(grid(n, n), grid(n, 1))?.low ?? Number.NaN) + n;
    // 61250.5 - 1.95996 * sqrt(350 * 350 * 701 / 12) = 56007.4.
    expect(rankOf(350)).toBe(56_007);
    expect(hodgesLehmannInterval(grid(350, 350), grid(350, 1))?.coverage).toBe(0.95);
    // Counted, it is the largest rank whose chance below it, the same of rank - 1 orderings and fewer, stays within 2.5 %.
    const below = (rank: number) => mannWhitneyUpperTail(120 * 120 - (rank - 1), 120, 120);
    expect(below(rankOf(120))).toBeLessThanOrEqual(0.025);
    expect(below(rankOf(120) + 1)).toBeGreaterThan(0.025);
  });
});

it('cliffsDelta weighs the pairs won', () => {
  // Of 6 pairs 4 are won, 1 is lost, 1 is equal.
  expect(cliffsDelta([2, 4], [1, 2, 3])).toBe(0.5);
  expect(cliffsDelta([5], [5])).toBe(0);
});

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

describe('adjusted p-values', () => {
  // The first 18 of the 25 of Benjamini and Hochberg's well-known example; expected values from statsmodels 0.15.0.
  const p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216, 0.222, 0.251, 0.269, 0.275, 0.34, 0.341, 0.384, 0.569];
  const first = (values: readonly number[]) => values.slice(0, 7).map((value) => Number(value.toFixed(9)));

  it('are those of statsmodels', () => {
    expect(first(holm(p))).toEqual([0.018, 0.136, 0.624, 0.624, 0.624, 0.78, 0.888]);
    expect(first(benjaminiHochberg(p))).toEqual([0.018, 0.072, 0.1512, 0.1512, 0.1512, 0.18, 0.190285714]);
    expect(first(benjaminiYekutieli(p))).toEqual([
      0.062911945, 0.251647782, 0.528460341, 0.528460341, 0.528460341, 0.629119454, 0.665069137,
    ]);
    expect(benjaminiHochberg(p).at(-1)).toBe(0.569);
  });

  it('keep the order of the input', () => {
    expect(holm([0.5, 0.01, 0.02])).toEqual([0.5, 0.03, 0.04]);
    expect(benjaminiHochberg([0.5, 0.01, 0.02])).toEqual([0.5, 0.03, 0.03]);
  });
});

describe('counts', () => {
  it('binomialTest adds what is at most as likely', () => {
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

  it('binomialTest takes counts for equally likely that rounding tells apart', () => {
    // With the chance (k + 1) / (n + 1), k and k + 1 are the two likeliest counts, so that nothing is likelier.
    for (let n = 2; n < 60; n++)
      for (let k = 0; k < n; k++) expect(binomialTest(k, n, (k + 1) / (n + 1)).p, `${k} of ${n}`).toBeCloseTo(1, 9);
  });

  it('binomialTest is Poisson’s for rare chances, at either end', () => {
    // 3 expected of 3e12: e^-3 times 1, 3, 4.5, 4.5, 3.375, 2.025, 1.0125 for 0 to 6. 0 is as unlikely as 7 and more: 1 - (19.4125 - 1)
    // e^-3. 6 and more is as unlikely as 0: 1 - (18.4 - 1) e^-3.
    expect(binomialTest(0, 3e12, 1e-12).p).toBeCloseTo(1 - 18.4125 * Math.exp(-3), 10);
    expect(binomialTest(6, 3e12, 1e-12).p).toBeCloseTo(1 - 17.4 * Math.exp(-3), 10);
    expect(binomialTest(2, 2, 1e-12).p / 1e-24).toBeCloseTo(1, 12);
  });

  it('binomialTest takes a million', () => {
    // SciPy 1.17.1.
    expect(binomialTest(500_500, 1_000_000, 0.5).p).toBeCloseTo(0.3177946913633297, 12);
  });

  it('chiSquareTest of a ratio of samples', () => {
    // (2^2 + 2^2) / 500 = 0.016 and 40; one degree of freedom. p from SciPy 1.17.1.
    expect(chiSquareTest([502, 498]).statistic).toBeCloseTo(0.016, 12);
    expect(chiSquareTest([502, 498]).p).toBeCloseTo(0.8993431885613663, 12);
    expect(chiSquareTest([600, 400]).p / 2.5396285894708634e-10).toBeCloseTo(1, 9);
    expect(chiSquareTest([0, 10]).statistic).toBe(10);
    // One arm of 18 with half its loads goes unnoticed: why ratios are also tested arm by arm.
    expect(chiSquareTest([30, ...new Array<number>(17).fill(60)]).p).toBeCloseTo(0.626320669505352, 12);
  });
});

it('chiSquareTest takes sums that differ by 2^-26 of the smaller for the same', () => {
  expect(chiSquareTest([2 ** 25, 2 ** 25], [2 ** 25, 2 ** 25 + 1]).p).toBeCloseTo(1, 3);
  expect(() => chiSquareTest([2 ** 24, 2 ** 24], [2 ** 24, 2 ** 24 + 0.5 + 2 ** -27])).toThrow('add up to');
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

describe('bootstrapInterval', () => {
  it('repeats with its seed', () => {
    const of = (seed: number) => bootstrapInterval([[1, 5, 2, 8, 9]], mean, { seed, resamples: 500 });
    expect(of(3)).toEqual(of(3));
    expect(of(3)?.estimate).toBe(5);
  });

  it('has no BCa interval of equal values or of one', () => {
    expect(bootstrapInterval([[4, 4, 4]], mean, { seed: 1 })).toEqual({ estimate: 4, low: 4, high: 4 });
    expect(bootstrapInterval([[4, 4, 4]], mean, { seed: 1, method: 'bca' })).toBeUndefined();
    expect(bootstrapInterval([[4], [1, 2]], (a, b) => mean(a) - mean(b), { seed: 1, method: 'bca' })).toBeUndefined();
  });

  it.each([1, -1])('has no BCa interval where every resample lies on one side of the estimate (%d)', (sign) => {
    // How many different values there are, which of 20 no resample keeps; the mean makes every one of them count.
    const different = (values: readonly number[]) => sign * (1000 * new Set(values).size + mean(values));
    const values = Array.from({ length: 20 }, (_, i) => i ** 2);
    expect(bootstrapInterval([values], different, { seed: 1, resamples: 50, method: 'bca' })).toBeUndefined();
    expect(bootstrapInterval([values], different, { seed: 1, resamples: 50 })).toBeDefined();
  });
});

describe('kthDifference', () => {
  it('ends where the differences are the smallest numbers, next to each other', () => {
    const least = Number.MIN_VALUE;
    const found = (...values: readonly number[]) =>
      [1, 2].map((k) => kthDifference(Float64Array.from(values), Float64Array.of(0), k) / least);
    expect(found(3 * least, 4 * least)).toEqual([3, 4]);
    expect(found(-4 * least, -3 * least)).toEqual([-4, -3]);
  });
});
