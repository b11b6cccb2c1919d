import { describe, expect, it } from 'vitest';
import { minBlocks, plannedEnd } from '../../../../src/core/experiment/planned-end.ts';
import { dropSchedule, scheduledLoads } from '../../../../src/core/experiment/schedule.ts';

describe('the fewest blocks with a verdict', () => {
  it('have six pairs, and six draws of two blocks', () => {
    // One page: six draws are eleven blocks, the last draw having one. Two: three draws each. From three on the third block.
    expect([1, 2, 3, 4, 8].map(minBlocks)).toEqual([11, 5, 3, 3, 3]);
  });
});

describe('the planned end', () => {
  const endAt = (sd: number, intervals = 1) =>
    plannedEnd({ spread: { squares: 100 * sd ** 2, degreesOfFreedom: 100 }, scenarios: 4, intervals });

  it('is where 10 % is found in four of five runs: by hand', () => {
    // Pairs vary by .2 * sqrt(2) = .283. With 4 intervals and 18 blocks, 72 pairs: level .05 * .9 * .845 / 4 = .0095, t of 68 degrees 2.67, and .84:
    // 3.51 * .283 = .993 against ln 1.1 * sqrt(n) = .0953 * 10.42 at n = 108.6, so 28 blocks of 4 (2.64 + .84 = 3.48 there).
    expect(endAt(0.2, 4)).toBeGreaterThanOrEqual(26);
    expect(endAt(0.2, 4)).toBeLessThanOrEqual(32);
    expect(endAt(0.2, 1)).toBeLessThan(endAt(0.2, 4));
  });

  it('is later where a few more pairs show that there is no real difference', () => {
    // At .02, 10 % takes the fewest blocks; 3 % either way takes more of them, and still few.
    expect(endAt(0.02)).toBeGreaterThan(3);
    expect(endAt(0.02)).toBeLessThanOrEqual(12);
    expect(endAt(0.001)).toBe(3);
  });
});

describe('the schedule', () => {
  it('halves the candidates until one is left, and depends on nothing but their number and the end', () => {
    expect(dropSchedule(4, 40).map(({ keep }) => keep)).toEqual([2, 1]);
    expect(dropSchedule(7, 40).map(({ keep }) => keep)).toEqual([4, 2, 1]);
    expect(dropSchedule(1, 40)).toEqual([]);
    const after = dropSchedule(7, 5).map((drop) => drop.after);
    expect(after).toEqual([...new Set(after)].toSorted((a, b) => a - b));
    expect(after[0]).toBeGreaterThanOrEqual(2);
  });

  it('comes to fewer loads than if all went on', () => {
    expect(scheduledLoads(1, 10)).toBe(20);
    expect(scheduledLoads(4, 20)).toBeLessThan(0.7 * 5 * 20);
  });
});
