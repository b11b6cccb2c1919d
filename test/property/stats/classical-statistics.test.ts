import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomialTest } from '../../../src/core/stats/count-tests.ts';
import { holm } from '../../../src/core/stats/multiple-testing.ts';
import { kolmogorovSmirnovUniform } from '../../support/stats/kolmogorov-smirnov.ts';
import { welchOnLogs } from '../../support/stats/welch-on-logs.ts';

const positive = fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 20 });
const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });

function expectChance(p: number): void {
  expect(p).toBeGreaterThanOrEqual(0);
  expect(p).toBeLessThanOrEqual(1);
}

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

describe('holm', () => {
  it('is no smaller than the raw p-value and keeps the order', () => {
    fc.assert(
      fc.property(pValues, (p) => {
        const adjusted = holm(p);
        adjusted.forEach((each, i) => {
          expectChance(each);
          expect(each).toBeGreaterThanOrEqual((p[i] ?? 0) * (1 - 1e-12));
          p.forEach((other, j) => {
            if (other <= (p[i] ?? 0)) expect(adjusted[j]).toBeLessThanOrEqual(each);
          });
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
