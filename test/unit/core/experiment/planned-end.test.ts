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

  it('is where 10 % is found in 85 of 100 runs: by hand', () => {
    // Pairs vary by .2 * sqrt(2) = .283. With 4 intervals and 18 blocks, 72 pairs: level .05 * .9 * .845 / 4 = .0095, t of 68 degrees 2.67, and 1.04:
    // 3.71 * .283 = 1.049 against ln 1.1 * sqrt(n) = .0953 * 11.0 at n = 121, so 30 blocks of 4 (2.64 + 1.04 = 3.68 there).
    expect(endAt(0.2, 4)).toBeGreaterThanOrEqual(29);
    expect(endAt(0.2, 4)).toBeLessThanOrEqual(31);
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
    // One is left by .3 of the end, the others at equal parts of that, and nobody goes before the second block.
    expect(dropSchedule(7, 40).map(({ after }) => after)).toEqual([4, 8, 12]);
    expect(dropSchedule(7, 5).map(({ after }) => after)).toEqual([2, 2, 2]);
  });

  it('comes to fewer loads than if all went on', () => {
    expect(scheduledLoads(1, 10)).toBe(20);
    expect(scheduledLoads(4, 20)).toBeLessThan(0.7 * 5 * 20);
  });
});
