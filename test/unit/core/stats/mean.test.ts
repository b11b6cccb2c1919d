import { describe, expect, it } from 'vitest';
import { meanAndVariance } from '../../../../src/core/stats/mean.ts';

describe('meanAndVariance', () => {
  it('has the squares over one less than there are values', () => {
    // Around 4: 9 + 1 + 0 + 16.
    expect(meanAndVariance([1, 3, 4, 8])).toEqual({ mean: 4, variance: 26 / 3 });
  });

  it('has no variance for a single value, and exactly 0 for equal ones', () => {
    expect(meanAndVariance([5])).toEqual({ mean: 5, variance: undefined });
    // Adding 0.1 three times gives 0.30000000000000004.
    expect(meanAndVariance([0.1, 0.1, 0.1])).toEqual({ mean: 0.1, variance: 0 });
  });

  it('loses no digits to a large common part', () => {
    expect(meanAndVariance([1e15 + 1, 1e15 + 2, 1e15 + 3])).toEqual({ mean: 1e15 + 2, variance: 1 });
  });
});
