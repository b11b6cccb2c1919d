import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../../../../src/core/stats/distributions.ts';
import { lookLevels } from '../../../../src/core/stats/group-sequential.ts';

const bounds = (fractions: readonly number[], alpha: number) => lookLevels(fractions, alpha).map((level) => normalQuantile(1 - level / 2));

describe('lookLevels', () => {
  it('are the bounds of ldbounds (R), two-sided, O’Brien-Fleming spending', () => {
    expect(bounds([1], 0.05)).toEqual([expect.closeTo(1.96, 4)]);
    const two = bounds([0.5, 1], 0.05);
    [2.9626, 1.9686].forEach((bound, at) => {
      expect(two[at]).toBeCloseTo(bound, 3);
    });
    const five = bounds([0.2, 0.4, 0.6, 0.8, 1], 0.05);
    [4.8769, 3.357, 2.6803, 2.2898, 2.031].forEach((bound, at) => {
      expect(five[at]).toBeCloseTo(bound, 3);
    });
  });
});
