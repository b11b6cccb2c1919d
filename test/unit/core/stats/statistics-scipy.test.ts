/** Every classical statistic against SciPy and statsmodels, to 1e-9 of the value unless said otherwise. */
import { afterAll, describe, expect, it } from 'vitest';
import { binomialTest } from '../../../../src/core/stats/count-tests.ts';
import { normalCdf, normalQuantile, normalUpperTail } from '../../../../src/core/stats/distributions.ts';
import { holm } from '../../../../src/core/stats/multiple-testing.ts';
import { quantile } from '../../../../src/core/stats/quantile.ts';
import { upperIncompleteGamma } from '../../../../src/core/stats/special-functions.ts';
import { countBar } from '../../../support/bar-count.ts';
import { kolmogorovMatrixCdf, kolmogorovSmirnovUniform, kolmogorovUpperTail } from '../../../support/stats/kolmogorov-smirnov.ts';
import { welchOnLogs } from '../../../support/stats/welch-on-logs.ts';
import { expectClose, foundClose, scipy } from './statistics-fixture.ts';

afterAll(() => countBar(30, 'values within 1e-9 of SciPy and statsmodels', foundClose(), foundClose()));

it('has at least 200 cases of each', () => {
  for (const [name, cases] of Object.entries(scipy)) if (Array.isArray(cases)) expect(cases.length, name).toBeGreaterThanOrEqual(200);
});

it('welchOnLogs is the t test of logarithms', () => {
  for (const [index, { a, b, alpha, ratio, test }] of scipy.welch.entries()) {
    const found = welchOnLogs(a, b, { alpha });
    expectClose(found.ratio, ratio, `${index}`);
    if (test === null) {
      expect(found.test).toBeUndefined();
      continue;
    }
    const values = [found.test?.low, found.test?.high, found.test?.t, found.test?.df, found.test?.p];
    test.forEach((expected, which) => {
      expectClose(values[which], expected, `${index} ${which}`);
    });
  }
});
it('has the quantiles', () => {
  scipy.quantiles.forEach(({ values, quantiles }, index) => {
    const sorted = values.toSorted((x, y) => x - y);
    [0.05, 0.25, 0.5, 0.8, 0.99].forEach((q, which) => {
      expectClose(quantile(sorted, q), quantiles[which] ?? Number.NaN, `${index} ${q}`);
    });
  });
});

it('adjusts as Holm does', () => {
  scipy.adjusted.forEach((each, index) => {
    const found = holm(each.p);
    expect(found).toHaveLength(each.holm.length);
    each.holm.forEach((value, place) => {
      expectClose(found[place], value, `${index} ${place}`);
    });
  });
});

it('binomialTest', () => {
  for (const [k, n, p0, p] of scipy.binomial) expectClose(binomialTest(k, n, p0).p, p, `${k} of ${n} at ${p0}`);
});

describe('Kolmogorov and Smirnov', () => {
  it('has statistic and p', () => {
    scipy.uniform.forEach(({ values, statistic, p }, index) => {
      // SciPy takes these as the nearer end; here they are an error of whoever asks.
      if (values.some((value) => value < 0 || value > 1)) {
        expect(() => kolmogorovSmirnovUniform(values)).toThrow(/lie in \[0, 1\]/);
        return;
      }
      const found = kolmogorovSmirnovUniform(values);
      expectClose(found.statistic, statistic, `${index}`);
      expectClose(found.p, p, `${index}`);
    });
  });

  it('has the closed forms at the ends', () => {
    // n! (2 d - 1/n)^n for 1/2 < n d <= 1: 2 x (3/4 - 1/2)^2 = 1/8. Above n d = n - 1 each side has (1 - d)^n. Below 1/(2 n) there is no D.
    expectClose(kolmogorovUpperTail(2, 0.375), 7 / 8, 'lower end');
    expectClose(kolmogorovUpperTail(3, 0.999), 2 * 0.001 ** 3, 'upper end');
    expect([kolmogorovUpperTail(10, 0.01), kolmogorovUpperTail(10, 1)]).toEqual([1, 0]);
  });

  it('is counted on both sides up to 140 values', () => {
    // Beyond, each side for itself is taken, which counts 2 e^(-8 n d^2) = 4e-9 twice.
    const d = Math.sqrt(2.5 / 140);
    expectClose(kolmogorovUpperTail(140, d), 1 - kolmogorovMatrixCdf(140, d), '140');
  });

  it.each<[string, (n: number, d: number) => boolean]>([
    ['140 values', (n) => n <= 140],
    ['a million values, where they are likely', (n, d) => n > 140 && n * d ** 2 <= 2.2],
    ['a million values, far out', (n, d) => n > 140 && n * d ** 2 > 2.2],
  ])('has the tail of up to %s', (_, among) => {
    for (const [n, d, p] of scipy.kolmogorov.filter(([n, d]) => among(n, d))) expectClose(kolmogorovUpperTail(n, d), p, `${n} ${d}`);
  });
});

describe('distributions', () => {
  it('has the incomplete gamma function', () => {
    for (const [a, x, upper] of scipy.gamma) expectClose(upperIncompleteGamma(a, x), upper, `Q(${a}, ${x})`);
  });

  it('has the incomplete gamma function of a hundred million', () => {
    // Q(a, a) = 1/2 - 1 / (3 sqrt(2 pi a)) and terms of a^(-3/2): DLMF 8.11.12.
    expectClose(upperIncompleteGamma(1e8, 1e8), 0.5 - 1 / (3 * Math.sqrt(2 * Math.PI * 1e8)), 'Q(1e8, 1e8)');
  });

  it('ends where the distribution ends', () => {
    for (const a of [0.5, 1, 10, 1e6])
      expect([upperIncompleteGamma(a, 0), upperIncompleteGamma(a, Number.POSITIVE_INFINITY)]).toEqual([1, 0]);
    expect([normalUpperTail(Number.NEGATIVE_INFINITY), normalUpperTail(0), normalUpperTail(Number.POSITIVE_INFINITY)]).toEqual([1, 0.5, 0]);
  });

  it('has the normal tail and its quantiles', () => {
    for (const [z, upper] of scipy.normal) {
      expectClose(normalUpperTail(z), upper, `z ${z}`);
      expectClose(normalCdf(-z), upper, `z ${z}`);
    }
    for (const [p, z] of scipy.normalQuantile) expectClose(normalQuantile(p), z, `p ${p}`);
  });
});
