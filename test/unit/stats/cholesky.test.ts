import { describe, expect, it } from 'vitest';
import { cholesky, solve } from '../../../src/core/stats/least-squares.ts';

const factorOf = (matrix: readonly (readonly number[])[], scale = matrix.map((row, at) => row[at] ?? 0)) =>
  cholesky(
    matrix.map((row) => Float64Array.from(row)),
    scale,
  );

describe('cholesky', () => {
  it('is the lower triangle whose square the matrix is', () => {
    // Rows 2, 1 2, 1 1 2: 4, 2 2; 2, 1 + 4, 1 + 2; 2, 3, 1 + 1 + 4.
    const { rows, empty } = factorOf([
      [4, 2, 2],
      [2, 5, 3],
      [2, 3, 6],
    ]);
    expect(rows.map((row, at) => [...row.slice(0, at + 1)])).toEqual([[2], [1, 2], [1, 1, 2]]);
    expect(empty).toEqual([false, false, false]);
  });

  it('leaves the matrix as it was', () => {
    const matrix = [Float64Array.of(9)];
    expect(cholesky(matrix, [9]).rows[0]?.[0]).toBe(3);
    expect(matrix[0]?.[0]).toBe(9);
  });

  it.each([
    [1e-7, 1, true],
    [2e-7, 1, false],
    [0.5e-7, 1, true],
    [2e-7, 100, true],
    [-1, 1, true],
  ])('a pivot of %d, where the variable’s square was %d, is empty: %j', (pivot, scale, expected) => {
    expect(factorOf([[pivot]], [scale]).empty).toEqual([expected]);
  });
});

describe('solve', () => {
  it('undoes the matrix', () => {
    // 4 + 4 + 6, 2 + 10 + 9, 2 + 6 + 18 from x = 1, 2, 3.
    const factor = factorOf([
      [4, 2, 2],
      [2, 5, 3],
      [2, 3, 6],
    ]);
    expect([...solve(factor, [14, 21, 26])]).toEqual([1, 2, 3]);
  });

  it('is 0 for a variable of which the earlier ones say everything', () => {
    // The second is the first again. 4 + 2 x 2 = 8 and 2 + 10 x 2 = 22 from x = 1, 0, 2.
    const factor = factorOf([
      [4, 4, 2],
      [4, 4, 2],
      [2, 2, 10],
    ]);
    expect(factor.empty).toEqual([false, true, false]);
    expect([...solve(factor, [8, 8, 22])]).toEqual([1, 0, 2]);
  });

  it('leaves the right-hand side as it was', () => {
    const right = [18];
    expect([...solve(factorOf([[9]]), right)]).toEqual([2]);
    expect(right).toEqual([18]);
  });
});
