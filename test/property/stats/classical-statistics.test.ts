import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from '../../../src/core/stats/bootstrap.ts';
import { binomialTest, chiSquareTest } from '../../../src/core/stats/count-tests.ts';
import { hodgesLehmann, hodgesLehmannInterval, kthDifference } from '../../../src/core/stats/hodges-lehmann.ts';
import { cliffsDelta, mannWhitneyU } from '../../../src/core/stats/mann-whitney.ts';
import { benjaminiHochberg, benjaminiYekutieli, holm } from '../../../src/core/stats/multiple-testing.ts';
import { median } from '../../../src/core/stats/quantile.ts';
import { wilcoxonSignedRank } from '../../../src/core/stats/wilcoxon-signed-rank.ts';
import { kolmogorovSmirnovUniform } from '../../support/stats/kolmogorov-smirnov.ts';
import { welchOnLogs } from '../../support/stats/welch-on-logs.ts';

/** Small integers tie often and add exactly; doubles hardly ever tie. */
const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -1000, max: 1000 }));
const sample = fc.array(value, { minLength: 1, maxLength: 25 });
const doubles = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 25 });
const positive = fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 20 });
const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });
const alternative = fc.constantFrom('two-sided' as const, 'less' as const, 'greater' as const);
const method = fc.constantFrom('auto' as const, 'asymptotic' as const);

function expectChance(p: number): void {
  expect(p).toBeGreaterThanOrEqual(0);
  expect(p).toBeLessThanOrEqual(1);
}

describe('mannWhitneyU', () => {
  it('shares the n m pairs between both samples, and judges alike from either side', () => {
    fc.assert(
      fc.property(sample, sample, method, (a, b, how) => {
        const one = mannWhitneyU(a, b, { method: how });
        const other = mannWhitneyU(b, a, { method: how });
        expect(one.u + other.u).toBe(a.length * b.length);
        expect(one.p).toBeCloseTo(other.p, 12);
        const less = mannWhitneyU(a, b, { method: how, alternative: 'less' });
        expect(less.p).toBeCloseTo(mannWhitneyU(b, a, { method: how, alternative: 'greater' }).p, 12);
      }),
    );
  });

  it('has chances for p, and asks nothing but order', () => {
    fc.assert(
      fc.property(doubles, doubles, alternative, method, (a, b, against, how) => {
        const found = mannWhitneyU(a, b, { alternative: against, method: how });
        expectChance(found.p);
        const cubed = (values: readonly number[]) => values.map((x) => 8 * x);
        expect(mannWhitneyU(cubed(a), cubed(b), { alternative: against, method: how })).toEqual(found);
      }),
    );
  });

  it('counts as one does by hand', () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const won = a.flatMap((x) => b.map((y) => (x > y ? 1 : x === y ? 0.5 : 0) as number)).reduce((sum, each) => sum + each, 0);
        expect(mannWhitneyU(a, b).u).toBe(won);
        expect(cliffsDelta(a, b)).toBeCloseTo((2 * won) / (a.length * b.length) - 1, 12);
        expect(cliffsDelta(b, a)).toBeCloseTo(-cliffsDelta(a, b), 12);
      }),
    );
  });
});

describe('wilcoxonSignedRank', () => {
  it('is the same from either side, and a chance', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 60 }), fc.boolean(), (pairs, correction) => {
        const a = pairs.map(([x]) => x);
        const b = pairs.map(([, y]) => y);
        const found = wilcoxonSignedRank(a, b, { correction });
        expectChance(found.p);
        expect(found).toEqual(wilcoxonSignedRank(b, a, { correction }));
        expect(found.w).toBeLessThanOrEqual((a.length * (a.length + 1)) / 4);
      }),
    );
  });
});

describe('hodgesLehmann', () => {
  it('is the median of all differences, and every order statistic of them is found', () => {
    fc.assert(
      fc.property(doubles, doubles, fc.nat(), (a, b, seed) => {
        const all = a.flatMap((x) => b.map((y) => x - y));
        const sorted = Float64Array.from(all).sort();
        const k = (seed % sorted.length) + 1;
        expect(kthDifference(Float64Array.from(a).sort(), Float64Array.from(b).sort(), k) - (sorted[k - 1] ?? Number.NaN)).toBe(0);
        expect(hodgesLehmann(a, b)).toBeCloseTo(median(all) ?? Number.NaN, 6);
      }),
    );
  });

  it('moves with a shift, a factor and the order of the samples', () => {
    fc.assert(
      fc.property(sample, sample, fc.integer({ min: -100, max: 100 }), fc.constantFrom(-4, -1, 0.5, 8), (a, b, shift, factor) => {
        const found = hodgesLehmann(a, b);
        expect(hodgesLehmann(b, a)).toBeCloseTo(-found, 12);
        expect(
          hodgesLehmann(
            a.map((x) => x + shift),
            b,
          ),
        ).toBe(found + shift);
        const scaled = (values: readonly number[]) => values.map((x) => factor * x);
        expect(hodgesLehmann(scaled(a), scaled(b))).toBeCloseTo(factor * found, 9);
      }),
    );
  });

  it('lies in its interval, which narrows as alpha grows and agrees with the test', () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const wide = hodgesLehmannInterval(a, b, { alpha: 0.05 });
        const narrow = hodgesLehmannInterval(a, b, { alpha: 0.3 });
        const shift = hodgesLehmann(a, b);
        if (wide === undefined || narrow === undefined) return;
        expect(wide.low).toBeLessThanOrEqual(narrow.low);
        expect(narrow.low).toBeLessThanOrEqual(shift);
        expect(shift).toBeLessThanOrEqual(narrow.high);
        expect(narrow.high).toBeLessThanOrEqual(wide.high);
        expect(wide.coverage).toBeGreaterThanOrEqual(0.95);
        // A shift beyond the interval is one that the exact test, which needs values without ties, rejects.
        const moved = a.map((x, i) => x - wide.high - 0.3 - i * 1e-9);
        const apart = b.map((x, i) => x + i * 1e-6);
        if (new Set([...moved, ...apart]).size === a.length + b.length) {
          expect(mannWhitneyU(moved, apart, { method: 'exact' }).p).toBeLessThanOrEqual(0.05 + 1e-12);
        }
      }),
    );
  });
});

describe('welchOnLogs', () => {
  it('turns over with its samples, knows no unit, and excludes 1 where p is below alpha', () => {
    fc.assert(
      fc.property(positive, positive, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (a, b, alpha) => {
        const found = welchOnLogs(a, b, { alpha });
        expect(found.ratio * welchOnLogs(b, a, { alpha }).ratio).toBeCloseTo(1, 9);
        if (found.test === undefined) return;
        expectChance(found.test.p);
        expect(found.test.low).toBeLessThanOrEqual(found.ratio);
        expect(found.test.high).toBeGreaterThanOrEqual(found.ratio);
        if (Math.abs(found.test.p - alpha) > 1e-6) {
          expect(found.test.low > 1 || found.test.high < 1).toBe(found.test.p < alpha);
        }
        const twice = welchOnLogs(
          a.map((x) => 2 * x),
          b,
          { alpha },
        );
        expect(twice.ratio / found.ratio).toBeCloseTo(2, 9);
      }),
    );
  });
});

describe('adjusted p-values', () => {
  it('are no smaller than the raw ones, keep their order, and BH <= Holm, BH <= BY', () => {
    fc.assert(
      fc.property(pValues, (p) => {
        const all = { holm: holm(p), bh: benjaminiHochberg(p), by: benjaminiYekutieli(p) };
        for (const adjusted of Object.values(all)) {
          adjusted.forEach((each, i) => {
            expectChance(each);
            expect(each).toBeGreaterThanOrEqual((p[i] ?? 0) * (1 - 1e-12));
            p.forEach((other, j) => {
              if (other <= (p[i] ?? 0)) expect(adjusted[j]).toBeLessThanOrEqual(each);
            });
          });
        }
        all.bh.forEach((each, i) => {
          expect(each).toBeLessThanOrEqual((all.holm[i] ?? 0) * (1 + 1e-12));
          expect(each).toBeLessThanOrEqual((all.by[i] ?? 0) * (1 + 1e-12));
        });
      }),
    );
  });
});

describe('counts', () => {
  it('binomialTest is a chance, the same when failures are counted, and what adding up says', () => {
    const trials = fc.integer({ min: 1, max: 60 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(trials, fc.integer({ min: 1, max: 63 }), ([k, n], sixtyFourths) => {
        const p0 = sixtyFourths / 64;
        const { p } = binomialTest(k, n, p0);
        expectChance(p);
        expect(binomialTest(n - k, n, 1 - p0).p).toBeCloseTo(p, 12);
        const chances = [(1 - p0) ** n];
        for (let x = 1; x <= n; x++) chances.push(((chances[x - 1] ?? 0) * ((n - x + 1) * p0)) / (x * (1 - p0)));
        const seen = (chances[k] ?? 0) * (1 + 1e-7);
        expect(p).toBeCloseTo(
          Math.min(
            1,
            chances.filter((chance) => chance <= seen).reduce((sum, chance) => sum + chance, 0),
          ),
          9,
        );
      }),
    );
  });

  it('chiSquareTest does not care for the order of the counts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 2, maxLength: 20 }), (observed) => {
        const { statistic, p } = chiSquareTest(observed);
        expectChance(p);
        expect(chiSquareTest(observed.toReversed()).statistic).toBeCloseTo(statistic, 6);
        expect(chiSquareTest(observed, observed)).toEqual({ statistic: 0, p: 1 });
      }),
    );
  });

  it('kolmogorovSmirnovUniform is the same for 1 - x', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1024 }), { minLength: 1, maxLength: 200 }), (grid) => {
        const { statistic, p } = kolmogorovSmirnovUniform(grid.map((x) => x / 1024));
        expectChance(p);
        expect(statistic).toBeGreaterThanOrEqual(1 / (2 * grid.length));
        expect(kolmogorovSmirnovUniform(grid.map((x) => 1 - x / 1024)).p).toBeCloseTo(p, 9);
      }),
    );
  });
});

describe('resampling', () => {
  it('a bootstrapped median stays within the sample', () => {
    fc.assert(
      fc.property(sample, fc.nat(), (values, seed) => {
        const found = bootstrapInterval([values], (drawn) => median(drawn) ?? Number.NaN, { seed, resamples: 50 });
        expect(found?.low).toBeGreaterThanOrEqual(Math.min(...values));
        expect(found?.high).toBeLessThanOrEqual(Math.max(...values));
        expect(found?.low).toBeLessThanOrEqual(found?.high ?? Number.NaN);
      }),
      { numRuns: 50 },
    );
  });
});
