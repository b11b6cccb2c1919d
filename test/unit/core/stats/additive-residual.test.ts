import { describe, expect, it } from 'vitest';
import { additiveResidual, type TableRow } from '../../../../src/core/stats/additive-residual.ts';

function row(...cells: readonly (number | undefined)[]): TableRow {
  const held = cells.flatMap((value, column) => (value === undefined ? [] : [{ column, value }]));
  return { columns: held.map(({ column }) => column), values: held.map(({ value }) => value) };
}

describe('additiveResidual', () => {
  it('is what rows and columns leave over', () => {
    // Rows 1 5 / 2 2: row means 3 and 2, column means 1.5 and 3.5, mean 2.5; residuals -1, 1, 1, -1.
    const { squares, degreesOfFreedom } = additiveResidual([row(1, 5), row(2, 2)]);
    expect(squares).toBeCloseTo(4, 12);
    expect(degreesOfFreedom).toBe(1);
  });

  it('is the error sum of squares of a randomised complete block design', () => {
    // Rows 8 4 6 / 9 7 5 / 4 4 1, mean 16/3, rows 6, 7, 3, columns 7, 5, 4. All squares 304 - 256 = 48; rows 3 (36 + 49 + 9) / 3 =
    // 94 * 3 - 256 = 26; columns 3 (49 + 25 + 16) - 256 = 14; left 8, with (3 - 1)(3 - 1) degrees of freedom.
    const { squares, degreesOfFreedom } = additiveResidual([row(8, 4, 6), row(9, 7, 5), row(4, 4, 1)]);
    expect(squares).toBeCloseTo(8, 12);
    expect(degreesOfFreedom).toBe(4);
  });

  it('is nothing where all is row and column, whatever is missing', () => {
    const rows = [1, 7, -3];
    const columns = [0, 10, 40, 5];
    const missing = new Set(['0,1', '1,3', '2,0']);
    const table = rows.map((own, at) => row(...columns.map((column, block) => (missing.has(`${at},${block}`) ? undefined : own + column))));
    const { squares, degreesOfFreedom } = additiveResidual(table);
    expect(squares).toBeCloseTo(0, 20);
    // 9 cells, 3 + 4 - 1 parameters.
    expect(degreesOfFreedom).toBe(3);
  });

  it('is least squares where cells are missing', () => {
    // Row 3 shares column 2 alone and is fitted exactly; rows 1 and 2 leave (d - mean d)^2 / 2 of their differences -1 and 3: 4.
    const { squares, degreesOfFreedom } = additiveResidual([row(1, 5), row(2, 2), row(undefined, 9)]);
    expect(squares).toBeCloseTo(4, 12);
    expect(degreesOfFreedom).toBe(1);
  });

  it('counts parts that have nothing in common on their own', () => {
    // Two tables of the first example side by side: 8 cells, 4 rows + 4 columns - 2.
    const { squares, degreesOfFreedom } = additiveResidual([
      row(1, 5),
      row(undefined, undefined, 1, 5),
      row(2, 2),
      row(undefined, undefined, 2, 2),
    ]);
    expect(squares).toBeCloseTo(8, 12);
    expect(degreesOfFreedom).toBe(2);
  });

  it('does not see rows without cells', () => {
    const { squares, degreesOfFreedom } = additiveResidual([row(), row(1, 5), row(), row(2, 2), row()]);
    expect(squares).toBeCloseTo(4, 12);
    expect(degreesOfFreedom).toBe(1);
  });

  it('has no degrees of freedom in a single row, a single column, or nothing', () => {
    for (const table of [[row(1, 2, 3)], [row(1), row(2)], [row(), row()], []]) {
      expect(additiveResidual(table)).toEqual({ squares: 0, degreesOfFreedom: 0 });
    }
  });
});
