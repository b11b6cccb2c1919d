import { describe, expect, it } from 'vitest';
import { CHANGES, type ChartedChange, intervalChartSvg } from '../../../../src/core/report/interval-chart-svg.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const chart = (rows: readonly ChartedChange[]) => intervalChartSvg({ title: 'A & B', subtitle: 'two', rows });
const row: ChartedChange = { label: '16 connections', id: 'c16-d1', ratio: 1.21, low: 1.1, high: 1.331, isShown: true };

/** Where the picture has the ends of its first interval, its dot, and no change. */
const placesIn = (svg: string) => ({
  ends: [...(/class="interval" x1="([\d.]+)" x2="([\d.]+)"/.exec(svg) ?? [])].slice(1).map(Number),
  dot: Number(/<circle cx="([\d.]+)"/.exec(svg)?.[1]),
  none: Number(/<line x1="([\d.]+)"[^>]* stroke="#1d1b20"/.exec(svg)?.[1]),
});

describe('an interval chart', () => {
  it('draws ratios to scale on a logarithmic axis, faster to the right of no change', () => {
    const { ends, dot, none } = placesIn(chart([row]));
    // 1.1, 1.1 squared and 1.1 cubed are equally far from each other and from 1.
    const step = (ends[0] ?? 0) - none;
    expect(step).toBeGreaterThan(0);
    expect(dot).toBeCloseTo(none + 2 * step, 0);
    expect(ends[1]).toBeCloseTo(none + 3 * step, 0);
  });

  it('has the best row on top, with the change, its interval and its ground beside it', () => {
    const svg = chart([
      { ...row, label: 'slow', ratio: 0.9, low: 0.8, high: 1.01 },
      { ...row, grounds: '48 pairs of loads' },
    ]);
    const text = [...svg.matchAll(/<(?:tspan|text) [^>]*>([^<]+)</g)].map(([, each]) => each?.replaceAll('\u00a0', ' '));
    expect(text.indexOf('16 connections')).toBeLessThan(text.indexOf('slow'));
    expect(text).toEqual(expect.arrayContaining(['c16-d1', '+21 %', '+10 % to +33 %', '48 pairs of loads', '−20 % to +1 %']));
  });

  it('fills the dot of what is shown to differ alone, and draws a diamond only where something is predicted', () => {
    expect(chart([row])).toMatch(/<circle [^>]*fill="#103668"/);
    expect(chart([{ ...row, isShown: false }])).toMatch(/<circle [^>]*fill="#fff"/);
    expect(chart([row])).not.toContain('Diamond');
    expect(chart([{ ...row, predicted: 1.25 }])).toContain('Diamond: predicted by simulation');
  });

  it('lets no outlier take the axis: its interval ends in an arrow, and its number stands beside it', () => {
    const near = Array.from({ length: 6 }, (_, at) => ({ ...row, label: `near ${at}`, ratio: 1 + at / 100, low: 0.97, high: 1.07 }));
    const far = { ...row, label: 'far', ratio: 12, low: 10, high: 14 };
    const svg = chart([...near, far]);
    // Both ends and the estimate lie beyond the axis.
    expect(svg.match(/ l7 6 l-7 6 Z"| l-7 6 l7 6 Z"/g)).toHaveLength(3);
    expect(svg).toContain('Arrow: it goes on beyond the axis.');
    expect(svg.replaceAll('\u00a0', ' ')).toContain('+1100 %');
    // The outlier is on top, the others have most of the axis.
    const widths = [...svg.matchAll(/class="interval" x1="([\d.]+)" x2="([\d.]+)"/g)].map(([, low, high]) => Number(high) - Number(low));
    expect(widths[0]).toBe(0);
    for (const width of widths.slice(1)) expect(width).toBeGreaterThan(90);
    expect(chart([row])).not.toContain('Arrow');
  });

  it('spans no more than what a small margin needs, and labels no tick that touches another', () => {
    const kind = { ...CHANGES, margin: 0.006 };
    const close = { ...row, ratio: 1.001, low: 0.99, high: 1.01 };
    const texts = (svg: string) =>
      [...svg.matchAll(/text-anchor="middle"[^>]*>([^<]+)</g)].map(([, each]) => each?.replaceAll('\u00a0', ' '));
    // At least 10 / 3 times .6 %, that is 2 %, and 2 % further: from 1 / 1.0404 to 1.0404.
    expect(texts(intervalChartSvg({ title: 'A', subtitle: 'b', rows: [close], kind }))).toEqual(['−2 %', '0 %', '+2 %', '+4 %']);
    expect(texts(chart([close]))).toEqual(['−10 %', '−5 %', '0 %', '+5 %', '+10 %']);
    const far = texts(chart([{ ...row, low: 0.61, high: 1.98 }]));
    expect(far).toContain('0 %');
    expect(far[0]).toBe('−25 %');
  });

  it('draws an estimate without an interval, and nothing at all', () => {
    const alone = chart([{ label: 'one', ratio: 0.9, isShown: false }]);
    expect(placesIn(alone).ends).toEqual([]);
    expect(alone).toContain('no interval');
    for (const svg of [chart([]), alone]) {
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect(xmlFault(svg)).toBeUndefined();
    }
  });
});
