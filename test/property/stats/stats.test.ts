import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { additiveResidual } from '../../../src/core/stats/additive-residual.ts';
import { sequentialTCritical, sequentialTLogEvidence } from '../../../src/core/stats/confidence-sequence.ts';
import { studentTQuantile, studentTTwoSided } from '../../../src/core/stats/distributions.ts';
import { quantile } from '../../../src/core/stats/quantile.ts';
import { incompleteBeta } from '../../../src/core/stats/special-functions.ts';
import { stratifiedMean } from '../../../src/core/stats/stratified-mean.ts';

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const design = fc.record({
  effectiveCount: fc.double({ min: 2, max: 1e5, noNaN: true }),
  degreesOfFreedom: fc.double({ min: 0.5, max: 1e5, noNaN: true }),
  precision: fc.double({ min: 0.01, max: 10, noNaN: true }),
});

describe('quantile', () => {
  it('rises with q, from the lowest value to the highest', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1 }), share, share, (values, p, q) => {
        const sorted = [...values].sort((a, b) => a - b);
        const low = quantile(sorted, Math.min(p, q));
        const high = quantile(sorted, Math.max(p, q));
        expect(low).toBeLessThanOrEqual(high + 1e-9);
        expect(low).toBeGreaterThanOrEqual(quantile(sorted, 0));
        expect(high).toBeLessThanOrEqual(quantile(sorted, 1));
      }),
    );
  });
});

describe('Student’s t', () => {
  it('is undone by its quantile', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 0.4999, noNaN: true }), fc.double({ min: 1, max: 500, noNaN: true }), (p, df) => {
        expect(studentTTwoSided(studentTQuantile(p, df), df) / 2).toBeCloseTo(p, 9);
      }),
    );
  });

  it('stands on an incomplete beta function that is symmetric', () => {
    const parameter = fc.double({ min: 0.1, max: 300, noNaN: true });
    fc.assert(
      // Multiples of 1/1024, whose difference from 1 is exact.
      fc.property(fc.integer({ min: 0, max: 1024 }), parameter, parameter, (k, a, b) => {
        const x = k / 1024;
        expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 9);
      }),
    );
  });
});

describe('the sequential t', () => {
  it('has its critical value where the evidence is 1 / alpha, if anywhere', () => {
    fc.assert(
      fc.property(design, fc.double({ min: 1e-5, max: 0.9, noNaN: true }), (of, alpha) => {
        const critical = sequentialTCritical(alpha, of);
        if (critical === undefined) expect(sequentialTLogEvidence(1e9, of)).toBeLessThanOrEqual(-Math.log(alpha) + 1e-6);
        else expect(sequentialTLogEvidence(critical, of)).toBeCloseTo(-Math.log(alpha), 5);
      }),
    );
  });

  it('is stricter than the t-test that is looked at once', () => {
    fc.assert(
      fc.property(design, fc.double({ min: 0.001, max: 0.2, noNaN: true }), (of, alpha) => {
        const critical = sequentialTCritical(alpha, of);
        if (critical !== undefined) expect(critical).toBeGreaterThan(studentTQuantile(1 - alpha / 2, of.degreesOfFreedom) * 0.999);
      }),
    );
  });
});

describe('additiveResidual', () => {
  const value = fc.option(fc.double({ min: -10, max: 10, noNaN: true }), { nil: undefined });
  const tables = fc.array(fc.array(value, { maxLength: 6 }), { maxLength: 6 });
  const tableOf = (cells: readonly (readonly (number | undefined)[])[]) =>
    cells.map((row) => {
      const held = row.flatMap((cell, column) => (cell === undefined ? [] : [{ cell, column }]));
      return { columns: held.map(({ column }) => column), values: held.map(({ cell }) => cell) };
    });

  it('does not see rows and columns, in whatever order, with whatever missing', () => {
    fc.assert(
      fc.property(tables, (cells) => {
        const before = additiveResidual(tableOf(cells));
        const moved = cells.map((row, at) => row.map((cell, column) => (cell === undefined ? undefined : cell + 3 * at - column ** 2)));
        const after = additiveResidual(tableOf(moved.reverse()));
        expect(after.degreesOfFreedom).toBe(before.degreesOfFreedom);
        expect(after.squares).toBeCloseTo(before.squares, 6);
      }),
    );
  });

  it('never leaves less than a part of the table does', () => {
    // The rest is what the comparison counts as lent by the other profiles: never negative, in squares and in freedom.
    fc.assert(
      fc.property(tables, (cells) => {
        const whole = additiveResidual(tableOf(cells));
        const part = additiveResidual(tableOf(cells.slice(0, 2)));
        expect(whole.squares).toBeGreaterThanOrEqual(part.squares - 1e-9);
        expect(whole.degreesOfFreedom).toBeGreaterThanOrEqual(part.degreesOfFreedom);
      }),
    );
  });

  it('is the least: no other rows and columns leave less', () => {
    const effects = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(tables, effects, (cells, guess) => {
        let other = 0;
        for (const [row, values] of cells.entries()) {
          for (const [column, cell] of values.entries()) {
            if (cell !== undefined) other += (cell - (guess[row] ?? 0) - (guess[6 + column] ?? 0)) ** 2;
          }
        }
        expect(additiveResidual(tableOf(cells)).squares).toBeLessThanOrEqual(other + 1e-9);
      }),
    );
  });
});

describe('stratifiedMean', () => {
  const samples = fc.array(fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 2, maxLength: 6 }), {
    minLength: 1,
    maxLength: 5,
  });

  it('moves with a shift of all values and keeps its spread', () => {
    fc.assert(
      fc.property(samples, fc.double({ min: -10, max: 10, noNaN: true }), (strata, shift) => {
        const before = stratifiedMean(strata);
        const after = stratifiedMean(strata.map((stratum) => stratum.map((value) => value + shift)));
        expect(after?.mean).toBeCloseTo((before?.mean ?? 0) + shift, 8);
        expect(after?.separate?.standardError).toBeCloseTo(before?.separate?.standardError ?? Number.NaN, 8);
      }),
    );
  });

  it('has degrees of freedom between the smallest stratum’s and all', () => {
    fc.assert(
      fc.property(samples, (strata) => {
        const summary = stratifiedMean(strata);
        const fewest = Math.min(...strata.map(({ length }) => length - 1));
        const all = (summary?.count ?? 0) - strata.length;
        expect(summary?.separate?.degreesOfFreedom).toBeGreaterThanOrEqual(fewest - 1e-9);
        expect(summary?.separate?.degreesOfFreedom).toBeLessThanOrEqual(all + 1e-9);
      }),
    );
  });
});
