import { describe, expect, it } from 'vitest';
import { chartScale, robustRange, timeAxis } from '../../../../src/core/text/svg-axes.ts';

describe('chartScale', () => {
  it('puts every figure within the axis, and those far out at its end', () => {
    const scale = chartScale([0.5, 2, 1000]);
    expect(scale.position(1000)).toBe(96);
    expect(scale.position(0.5)).toBeGreaterThan(4);
    expect(scale.position(0.5)).toBeLessThan(scale.position(1));
  });

  it.each([[[]], [[0.99, 1.01]], [[0.5, 1.4]], [[0.06, 16]], [[1, 3.2]]])('has round ticks with 1 among them for %j', (ratios) => {
    const { ticks } = chartScale(ratios);
    expect(ticks).toContain(1);
    expect(ticks.length).toBeLessThanOrEqual(7);
    for (const tick of ticks) expect(Math.abs(tick * 100 - Math.round(tick * 100))).toBeLessThan(1e-9);
  });
});

describe('robustRange', () => {
  const wide = { low: 0, high: 0 };

  it('leaves out a value beyond the fences that would take more than two thirds', () => {
    // Quartiles of 1, 2, 3, 4, 100 are 2 and 4: the fences stand at -1 and 7; 4 - 0 is less than a third of 100.
    expect(robustRange([100, 4, 3, 2, 1], wide)).toEqual({ low: 0, high: 4 });
    expect(robustRange([-100, -4, -3, -2, -1], wide)).toEqual({ low: -4, high: 0 });
  });

  it('keeps one that leaves the others a third, and all where nothing is beyond the fences', () => {
    expect(robustRange([12, 4, 3, 2, 1], wide)).toEqual({ low: 0, high: 12 });
    expect(robustRange([1, 50, 100], wide)).toEqual({ low: 0, high: 100 });
  });

  it('spans what it has to, also without values', () => {
    expect(robustRange([], { low: -1, high: 2 })).toEqual({ low: -1, high: 2 });
    expect(robustRange([0.5], { low: -1, high: 2 })).toEqual({ low: -1, high: 2 });
  });
});

describe('sideOf', () => {
  it('says at which end of the axis a ratio stands', () => {
    const scale = chartScale([1, 1.02, 1.01, 0.99, 0.98, 12]);
    expect([0.5, 1.02, 12].map(scale.sideOf)).toEqual(['below', 'within', 'above']);
  });
});

describe('timeAxis', () => {
  it('is logarithmic between round times: each tenfold is as long', () => {
    const { ticks, share } = timeAxis([12, 700]);
    expect(ticks).toEqual([10, 20, 50, 100, 200, 500, 1000]);
    // From 10 to 1,000 are two tenfolds.
    for (const [ms, at] of [
      [10, 0],
      [100, 0.5],
      [1000, 1],
      [5000, 1],
      [0, 0],
    ] as const)
      expect(share(ms)).toBeCloseTo(at, 9);
  });

  it('has a length where all times are the same, or there is none', () => {
    expect(timeAxis([3, 3]).ticks).toEqual([2, 5]);
    expect(timeAxis([0]).ticks).toEqual([1, 2]);
    expect(timeAxis([]).ticks).toEqual([1, 2]);
  });
});
