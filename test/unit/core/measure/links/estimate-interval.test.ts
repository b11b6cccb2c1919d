import { describe, expect, it } from 'vitest';
import { floorInterval, LINK_CONFIDENCE, quantileInterval } from '../../../../../src/core/measure/links/estimate-interval.ts';
import { seededRandom } from '../../../../../src/core/random.ts';

const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);

describe('the floor of samples that lie above it', () => {
  it('is at most nine times the lowest gap below the lowest', () => {
    // c / (1 - c) = 0.9 / 0.1 = 9: 300 - 9 x 7.
    expect(floorInterval([300, 307, 500], LINK_CONFIDENCE)).toEqual({ low: expect.closeTo(237, 9), high: 300 });
  });
  it('is not below 0, and open to there with one sample', () => {
    expect(floorInterval([300, 400], LINK_CONFIDENCE)).toEqual({ low: 0, high: 300 });
    expect(floorInterval([300], LINK_CONFIDENCE)).toEqual({ low: 0, high: 300 });
  });
  it('holds as often as it says, where the density at the floor is even', () => {
    const random = seededRandom(7);
    let held = 0;
    for (let trial = 0; trial < 4000; trial++) {
      const [first = 0, ...rest] = ascending(Array.from({ length: 10 }, () => 50 + 100 * random.next()));
      if (floorInterval([first, ...rest], LINK_CONFIDENCE).low <= 50) held++;
    }
    // 4 standard errors: 4 sqrt(0.9 x 0.1 / 4000) = 0.019.
    expect(held / 4000).toBeGreaterThan(0.881);
    expect(held / 4000).toBeLessThan(0.919);
  });
});

describe('the bounds of a quantile', () => {
  it('are those order statistics that the binomial law allows', () => {
    // Median of 10: P(B <= 2) = 0.0547, P(B <= 3) = 0.1719; so the third lowest and, by symmetry, the third highest (index 7).
    expect(quantileInterval([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 0.5)).toEqual({ low: 2, high: 7 });
  });
  it('are open where there are too few', () => {
    // P(B <= 0) = 0.125 of three, and the highest of them exceeds the median by no more than 0.875.
    expect(quantileInterval([1, 2, 3], 0.5)).toEqual({ low: undefined, high: undefined });
    // Above the 0.9 quantile lies the highest of n by 1 - 0.9^n: from 22 on that is 0.9.
    expect(
      quantileInterval(
        Array.from({ length: 21 }, (_, at) => at),
        0.9,
      ).high,
    ).toBeUndefined();
    expect(
      quantileInterval(
        Array.from({ length: 22 }, (_, at) => at),
        0.9,
      ).high,
    ).toBe(21);
    expect(quantileInterval([], 0.9)).toEqual({ low: undefined, high: undefined });
  });
  it('counts a chance that is exactly the confidence', () => {
    // One sample lies below the 0.9 quantile by 0.9, and above the 0.1 quantile by 0.9.
    expect(quantileInterval([5], 0.9)).toEqual({ low: 5, high: undefined });
    expect(quantileInterval([5], 0.1)).toEqual({ low: undefined, high: 5 });
  });
  it('hold at least as often as they say', () => {
    const random = seededRandom(11);
    const held = { low: 0, high: 0 };
    for (let trial = 0; trial < 4000; trial++) {
      const { low = 0, high = 1 } = quantileInterval(ascending(Array.from({ length: 60 }, () => random.next())), 0.9);
      if (low <= 0.9) held.low++;
      if (high >= 0.9) held.high++;
    }
    expect(held.low / 4000).toBeGreaterThan(0.881);
    expect(held.high / 4000).toBeGreaterThan(0.881);
  });
});
