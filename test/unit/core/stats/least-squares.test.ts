import { describe, expect, it } from 'vitest';
import { absorbEffects, cholesky, type Factor, solve } from '../../../../src/core/stats/least-squares.ts';

const factor = (...levels: readonly number[]): Factor => ({ levels: Int32Array.from(levels), count: Math.max(...levels) + 1 });

/** What is left of variables that are given row by row. */
function leftOf(rows: readonly (readonly number[])[], ...factors: readonly Factor[]): readonly number[] {
  const values = Float64Array.from(rows.flat());
  absorbEffects({ values, width: rows[0]?.length ?? 1 }, factors);
  return [...values];
}

function expectAllClose(found: readonly number[], expected: readonly number[], digits: number): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, at) => {
    expect(found[at], `value ${at}`).toBeCloseTo(value, digits);
  });
}

describe('absorbEffects', () => {
  it('takes nothing out without a factor', () => {
    expect(
      leftOf([
        [1, 10],
        [5, 20],
      ]),
    ).toEqual([1, 10, 5, 20]);
  });

  it('takes the mean of each level out of each variable', () => {
    // Level 0 has rows 1 and 3, of means 3 and 30; level 1 row 2 alone; level 2 none.
    const own: Factor = { levels: Int32Array.from([0, 1, 0]), count: 3 };
    expect(
      leftOf(
        [
          [1, 20],
          [7, 5],
          [5, 40],
        ],
        own,
      ),
    ).toEqual([-2, -10, 0, 0, 2, 10]);
  });

  it('draws the effects of a factor with a penalty towards 0', () => {
    // Level 0 has the mean 3 of two rows, of which 2 / (2 + 2) is taken out; level 1 has 1 / (1 + 2) of 6.
    expectAllClose(leftOf([[1], [5], [6]], { ...factor(0, 0, 1), penalty: 2 }), [-0.5, 3.5, 4], 12);
  });

  it('settles a factor with a penalty beside a fixed one', () => {
    // With row effects u, -u and column means 1 and 4: residuals -1 - u, 1 + u in each column; 2 (1 - u) = 2 u for the row below, so u = 1/2.
    expectAllClose(leftOf([[0], [3], [2], [5]], { ...factor(0, 0, 1, 1), penalty: 2 }, factor(0, 1, 0, 1)), [-0.5, -0.5, 0.5, 0.5], 6);
  });

  it('leaves what rows and columns leave over', () => {
    // 1 5 / 2 2 has the residuals -1, 1, 1, -1; 0 0 / 0 8 has 2, -2, -2, 2.
    const left = leftOf(
      [
        [1, 0],
        [5, 0],
        [2, 0],
        [2, 8],
      ],
      factor(0, 0, 1, 1),
      factor(0, 1, 0, 1),
    );
    expectAllClose(left, [-1, 2, 1, -2, 1, -2, -1, 2], 12);
  });

  it('leaves the least squares where cells are missing', () => {
    // 1 5 / 2 2 / - 9: the third row is fitted exactly. The first and last effects are right to 1e-7 of the spread.
    expectAllClose(leftOf([[1], [5], [2], [2], [9]], factor(0, 0, 1, 1, 2), factor(0, 1, 0, 1, 1)), [-1, 1, 1, -1, 0], 6);
  });

  it('takes three factors out', () => {
    // All combinations of three levels of two: their product is what no one of them explains.
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => [at & 1, (at >> 1) & 1, at >> 2] as const);
    const values = rows.map(([a, b, c]) => [3 * a - 5 * b + 7 * c + (a === b ? 1 : -1)]);
    const factors = [0, 1, 2].map((which) => factor(...rows.map((row) => row[which] ?? 0)));
    expectAllClose(
      leftOf(values, ...factors),
      rows.map(([a, b]) => (a === b ? 1 : -1)),
      12,
    );
  });

  describe('of values of root mean square sqrt(4/5), joined by one row', () => {
    // Cells (0, 0), (0, 1) and (1, 1) of values e + 1 and e - 1, 0, and 1 and -1: all that they share is e in the first. The first
    // factor's means are 2e/3 and 0, which leaves e/3, -2e/3, 0; then the second's e/3 and -2e/9, which leaves 0, -4e/9, 2e/9.
    const share = (e: number, ...beside: readonly number[]) => {
      const row = (value: number) => [value, ...beside.map((own) => (value / Math.max(1, Math.abs(value))) * own)];
      return leftOf([row(e + 1), row(e - 1), row(0), row(1), row(-1)], factor(0, 0, 0, 1, 1), factor(0, 0, 1, 1, 1));
    };
    const LIMIT = 1e-7 * Math.sqrt(4 / 5);

    it('effects below 1e-7 of that are taken out once', () => {
      const e = 1.5 * 0.99 * LIMIT;
      expect((share(e)[2] ?? 0) / ((-4 * e) / 9)).toBeCloseTo(1, 6);
    });

    it('of two variables each is measured by its own', () => {
      const e = 1.5 * 0.99 * LIMIT;
      const rows = [e + 1, e - 1, 0, 1, -1].map((value) => [value, 1000 * value]);
      const left = leftOf(rows, factor(0, 0, 0, 1, 1), factor(0, 0, 1, 1, 1));
      expect((left[4] ?? 0) / ((-4 * e) / 9)).toBeCloseTo(1, 6);
      expect((left[5] ?? 0) / ((-4000 * e) / 9)).toBeCloseTo(1, 6);
    });

    it('effects above it are taken out until they are below', () => {
      const e = 1.5 * 1.01 * LIMIT;
      // Once more: the first factor's means are -4e/27 and 4e/27, the second's 4e/54 ...: less than a third is left.
      expect(Math.abs(share(e)[2] ?? 1)).toBeLessThan((4 * e) / 9 / 2);
    });

    it('a variable that has none waits for one that has', () => {
      const e = 1.5 * 0.99 * LIMIT;
      const without = share(e)[2] ?? 0;
      const values = [
        [e + 1, 9],
        [e - 1, 5],
        [0, 3],
        [1, 0],
        [-1, 0],
      ];
      const beside = leftOf(values, factor(0, 0, 0, 1, 1), factor(0, 0, 1, 1, 1));
      expect(Math.abs(beside[4] ?? 1)).toBeLessThan(Math.abs(without) / 100);
    });
  });

  it('ends after 300 rounds', () => {
    // Cells of 99, 1, 1 and 99 rows; the values are the second factor's effects, 1 and -1. With r = (99 - 1) / (99 + 1) the first
    // factor's means are r and -r, then the second's 1 - r^2: after R rounds r^(2R) of the second's is left, less r^(2R-1) of the first's.
    const cells = [
      { first: 0, second: 0, rows: 99 },
      { first: 0, second: 1, rows: 1 },
      { first: 1, second: 0, rows: 1 },
      { first: 1, second: 1, rows: 99 },
    ].flatMap(({ first, second, rows }) => Array.from({ length: rows }, () => ({ first, second })));
    const sign = (level: number) => (level === 0 ? 1 : -1);
    const left = leftOf(
      cells.map(({ second }) => [sign(second)]),
      factor(...cells.map(({ first }) => first)),
      factor(...cells.map(({ second }) => second)),
    );
    const scale = 0.98 ** 599;
    expect((left[0] ?? 0) / (scale * (0.98 - 1))).toBeCloseTo(1, 6);
    expect((left[99] ?? 0) / (scale * (-0.98 - 1))).toBeCloseTo(1, 6);
  });
});

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
