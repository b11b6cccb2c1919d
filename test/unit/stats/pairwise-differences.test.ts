import { describe, expect, it } from 'vitest';
import { kthDifference } from '../../../src/core/stats/hodges-lehmann.ts';

describe('kthDifference', () => {
  it('ends where the differences are the smallest numbers, next to each other', () => {
    const least = Number.MIN_VALUE;
    const found = (...values: readonly number[]) =>
      [1, 2].map((k) => kthDifference(Float64Array.from(values), Float64Array.of(0), k) / least);
    expect(found(3 * least, 4 * least)).toEqual([3, 4]);
    expect(found(-4 * least, -3 * least)).toEqual([-4, -3]);
  });
});
