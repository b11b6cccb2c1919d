import { describe, expect, it } from 'vitest';
import { chartScale } from '../../../../src/core/text/svg-axes.ts';

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
