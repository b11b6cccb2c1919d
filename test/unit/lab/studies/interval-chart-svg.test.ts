import { expect, it } from 'vitest';
import { intervalChartSvg } from '../../../../src/lab/studies/interval-chart-svg.ts';

const chart = (rows: Parameters<typeof intervalChartSvg>[0]['rows']) => intervalChartSvg({ title: 'A & B', subtitle: 'two', rows });
const row = { label: 'c16-d1', ratio: 1.2, low: 1.1, high: 1.3, isShown: true };

/** Where the picture has the ends of an interval, and its dot. */
const placesIn = (svg: string) => ({
  ends: [...(/<line x1="([\d.]+)" x2="([\d.]+)" y1="\d+" y2="\d+" stroke="#103668"/.exec(svg) ?? [])].slice(1).map(Number),
  dot: Number(/<circle cx="([\d.]+)"/.exec(svg)?.[1]),
  none: Number(/<line x1="([\d.]+)"[^>]* stroke="#1d1b20"/.exec(svg)?.[1]),
});

it('draws changes to scale, faster to the right of no change', () => {
  const { ends, dot, none } = placesIn(chart([row]));
  // 10, 20 and 30 % are equally far from each other and from none.
  const step = (ends[0] ?? 0) - none;
  expect(step).toBeGreaterThan(0);
  expect(dot).toBeCloseTo(none + 2 * step, 0);
  expect(ends[1]).toBeCloseTo(none + 3 * step, 0);
});

it('fills the dot of what is shown to differ alone, and draws a diamond only where something is predicted', () => {
  expect(chart([row])).toContain('fill="#103668" stroke');
  expect(chart([{ ...row, isShown: false }])).toContain('r="5.5" fill="#fff"');
  expect(chart([row])).not.toContain('Diamond');
  expect(chart([{ ...row, predicted: 1.25 }])).toContain('Diamond: predicted by simulation');
});

it('cuts off an interval that leaves the picture, with an arrow', () => {
  const wide = chart([{ ...row, low: 0.01, high: 900 }]);
  expect(wide.match(/ 6 Z"/g)).toHaveLength(2);
  expect(chart([row])).not.toMatch(/ 6 Z"/);
  expect(placesIn(wide).ends[1]).toBeLessThanOrEqual(670);
});

it('draws an estimate without an interval, and nothing at all', () => {
  expect(placesIn(chart([{ label: 'one', ratio: 0.9, isShown: false }])).ends).toEqual([]);
  expect(chart([])).toContain('A &amp; B');
  for (const svg of [chart([]), chart([{ label: 'one', ratio: 0.9, isShown: false }])]) expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});
