import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { mannWhitneyNull, mannWhitneyU, mannWhitneyUpperTail } from '../../../../src/core/stats/mann-whitney.ts';
import { wilcoxonSignedRank } from '../../../../src/core/stats/wilcoxon-signed-rank.ts';

describe('mannWhitneyU', () => {
  it('counts the pairs that the first sample wins, equal ones as half', () => {
    // 3 > 1, 3 > 2, 3 = 3; 5 beats all three: 2.5 + 3.
    expect(mannWhitneyU([3, 5], [1, 2, 3]).u).toBe(5.5);
  });

  it('counts orderings in small samples', () => {
    // Of the 20 orderings of 3 and 3 one is as far out on each side.
    expect(mannWhitneyU([4, 5, 6], [1, 2, 3])).toEqual({ u: 9, p: 2 / 20 });
    expect(mannWhitneyU([4, 5, 6], [1, 2, 3], { alternative: 'greater' }).p).toBeCloseTo(1 / 20, 15);
    expect(mannWhitneyU([4, 5, 6], [1, 2, 3], { alternative: 'less' }).p).toBeCloseTo(1, 15);
  });

  it('is exact up to 8 values in a sample, as SciPy', () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => i + 0.5);
    const eight = [1, 3, 9, 11, 12, 14, 17, 18];
    expect(mannWhitneyU(eight, many(20)).p).toBe(mannWhitneyU(eight, many(20), { method: 'exact' }).p);
    expect(mannWhitneyU([...eight, 19], many(20)).p).toBe(mannWhitneyU([...eight, 19], many(20), { method: 'asymptotic' }).p);
  });

  it('refuses a method or an alternative that is none', () => {
    expect(() => mannWhitneyU([1], [2], { method: 'none' as never })).toThrow('Unhandled case: "none"');
    expect(() => mannWhitneyU([1], [2], { alternative: 'none' as never })).toThrow('Unhandled case: "none"');
  });

  it('refuses to call a test exact that has ties', () => {
    expect(() => mannWhitneyU([1, 2], [2, 3], { method: 'exact' })).toThrow(PlumbfoxError);
    expect(mannWhitneyU([1, 2], [2, 3]).p).toBe(mannWhitneyU([1, 2], [2, 3], { method: 'asymptotic' }).p);
  });

  it.each(['two-sided', 'less', 'greater'] as const)('finds nothing in equal values (%s)', (alternative) => {
    for (const continuity of [true, false]) {
      expect(mannWhitneyU([4, 4], [4, 4, 4], { alternative, continuity, method: 'asymptotic' })).toEqual({ u: 3, p: 1 });
    }
    expect(mannWhitneyU([4], [4], { alternative })).toEqual({ u: 0.5, p: 1 });
  });
});

describe('the null distribution of U', () => {
  /** Orderings by Mann and Whitney's own recursion, in whole numbers. */
  function orderings(n: number, m: number): bigint[] {
    const table = new Map<string, bigint[]>();
    const of = (i: number, j: number): bigint[] => table.get(`${i},${j}`) ?? [1n];
    for (let i = 1; i <= n; i++) {
      for (let j = 1; j <= m; j++) {
        const first = of(i - 1, j);
        const second = of(i, j - 1);
        table.set(
          `${i},${j}`,
          Array.from({ length: i * j + 1 }, (_, u) => (first[u - j] ?? 0n) + (second[u] ?? 0n)),
        );
      }
    }
    return of(n, m);
  }

  it.each([
    [1, 1],
    [1, 9],
    [4, 4],
    [3, 27],
    [7, 12],
    [24, 31],
    [60, 60],
  ])('of %d and %d values is that of the recursion', (n, m) => {
    const counts = orderings(n, m);
    const total = counts.reduce((sum, count) => sum + count, 0n);
    const chances = mannWhitneyNull(n, m);
    expect(chances).toHaveLength(Math.floor((n * m) / 2) + 1);
    chances.forEach((chance, u) => {
      const expected = Number(counts[u]) / Number(total);
      expect(Math.abs(chance / expected - 1), `U = ${u}`).toBeLessThan(1e-12);
    });
  });

  it('has a tail on either side of the middle', () => {
    expect(mannWhitneyUpperTail(0, 4, 5)).toBe(1);
    expect(mannWhitneyUpperTail(20, 4, 5)).toBeCloseTo(1 / 126, 15);
    // P(U >= 6) + P(U <= 5), the latter mirrored.
    expect(mannWhitneyUpperTail(6, 4, 5) + mannWhitneyUpperTail(15, 4, 5)).toBeCloseTo(1, 14);
  });

  it('is there for very unequal samples', () => {
    // The one of 8 above all of 100,000: 1 in (100008 choose 8).
    const all = Array.from({ length: 8 }, (_, i) => (i + 1) / (100_001 + i)).reduce((product, factor) => product * factor, 1);
    expect(mannWhitneyUpperTail(800_000, 8, 100_000) / all).toBeCloseTo(1, 9);
    expect(mannWhitneyUpperTail(800_000, 100_000, 8) / all).toBeCloseTo(1, 9);
  });
});

describe('wilcoxonSignedRank', () => {
  it('counts signs in small samples', () => {
    // All five differences positive: one of 2^5 on each side.
    expect(wilcoxonSignedRank([2, 4, 6, 8, 10], [1, 2, 3, 4, 5])).toEqual({ w: 0, p: 2 / 32 });
  });

  it('is exact with ties, over the signs of the ranks seen', () => {
    // Differences 1, 1, -1: ranks 2, 2, 2; of the 8 signs 4 leave at most one rank negative, 4 at most one positive: p = min(1, 2 * 4/8).
    expect(wilcoxonSignedRank([2, 2, 1], [1, 1, 2])).toEqual({ w: 2, p: 1 });
    // 1, 1, 1: one sign of 8 on each side.
    expect(wilcoxonSignedRank([2, 2, 2], [1, 1, 1])).toEqual({ w: 0, p: 2 / 8 });
  });

  it('is exact up to 13 pairs where one of them does not differ, as SciPy', () => {
    const of = (pairs: number, method: 'auto' | 'exact' | 'asymptotic') => {
      const differences = Array.from({ length: pairs }, (_, i) => (i === 3 ? -i : i));
      return wilcoxonSignedRank(differences, new Array<number>(pairs).fill(0), { method }).p;
    };
    expect(of(13, 'auto')).toBe(of(13, 'exact'));
    expect(of(14, 'auto')).toBe(of(14, 'asymptotic'));
    expect(of(14, 'asymptotic')).not.toBe(of(14, 'exact'));
  });

  it('refuses a method that is none', () => {
    expect(() => wilcoxonSignedRank([1], [2], { method: 'none' as never })).toThrow('Unhandled case: "none"');
  });

  it('leaves pairs without a difference out, and finds nothing when no other is left', () => {
    expect(wilcoxonSignedRank([2, 4, 6, 7], [1, 2, 3, 7])).toEqual({ w: 0, p: 2 / 8 });
    for (const n of [1, 5, 20]) {
      expect(wilcoxonSignedRank(new Array<number>(n).fill(3), new Array<number>(n).fill(3))).toEqual({ w: 0, p: 1 });
    }
  });

  it.each([
    [[1, 2], [1]],
    [[1.7e308], [-1.7e308]],
  ])('refuses %j with %j', (a, b) => {
    expect(() => wilcoxonSignedRank(a, b)).toThrow(PlumbfoxError);
  });
});
