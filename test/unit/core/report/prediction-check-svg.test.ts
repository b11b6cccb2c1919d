import { describe, expect, it } from 'vitest';
import { type CheckedRow, predictionCheckSvg } from '../../../../src/core/report/prediction-check-svg.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const ROW: CheckedRow = {
  label: '16 connections',
  predicted: { ratio: 1.21, low: 1.1, high: 1.331 },
  measured: { ratio: 1.1, low: 1, high: 1.21 },
};
const draw = (rows: readonly CheckedRow[]) =>
  predictionCheckSvg({
    ...{ title: 'Held', subtitle: 'or not', width: 376, rows, key: { predicted: 'said', measured: 'found' } },
    change: (ratio) => `${Math.round(100 * ratio - 100)} %`,
  });
const lines = (svg: string, kind: string) =>
  [...svg.matchAll(new RegExp(`class="${kind}" x1="([\\d.]+)" x2="([\\d.]+)"`, 'g'))].map(([, low, high]) => [Number(low), Number(high)]);

describe('predictions beside measurements', () => {
  it('are on one logarithmic axis, the band above the interval', () => {
    const svg = draw([ROW]);
    const [[low = 0, high = 0] = []] = lines(svg, 'predicted');
    const [[from = 0, to = 0] = []] = lines(svg, 'measured');
    // From 1 to 1.1, 1.21 and 1.331 it is one, two and three times as far.
    const step = low - from;
    expect(step).toBeGreaterThan(0);
    expect(high - low).toBeCloseTo(2 * step, 0);
    expect(to - from).toBeCloseTo(2 * step, 0);
    expect(svg.indexOf('class="predicted"')).toBeLessThan(svg.indexOf('class="measured"'));
    expect(svg).toContain('stroke-dasharray');
  });

  it('have no line without bounds, and an arrow where one goes on beyond the axis', () => {
    const { ratio } = ROW.measured;
    const open = draw([{ ...ROW, measured: { ratio } }]);
    expect(lines(open, 'measured')).toEqual([]);
    expect(open).not.toContain('class="arrow"');
    const near = Array.from({ length: 6 }, () => ROW);
    expect(draw([...near, { ...ROW, measured: { ratio: 1.2, low: 1.1, high: 15 } }]).match(/class="arrow"/g)).toHaveLength(1);
  });

  it('are well-formed whatever settings are called', () => {
    expect(xmlFault(draw([{ ...ROW, label: '<img src=x onerror=""> & \u202e\u0000' }]))).toBeUndefined();
    expect(draw([])).not.toContain('NaN');
  });
});
