import { describe, expect, it } from 'vitest';
import { type CutoffCurve, cutoffCurvesSvg } from '../../../../src/core/report/cutoff-curves-svg.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const NEW: CutoffCurve = {
  label: 'new & slow',
  points: [
    { ms: 100, share: 0.5 },
    { ms: 1000, share: 0.9 },
    { ms: 50_000, share: 1 },
  ],
  intervals: [{ share: 0.5, low: 100, high: 1000 }],
};
const REUSED: CutoffCurve = { label: 'reused', points: [{ ms: 10, share: 0.5 }], intervals: [] };
const draw = (first = NEW, second = REUSED) =>
  cutoffCurvesSvg({
    ...{ title: 'First byte', subtitle: 'of requests', width: 376, note: 'Bars: intervals', curves: [first, second] },
    duration: (ms) => `${ms} ms`,
    share: (share) => `${100 * share} %`,
  });
/** The points of the curves, x and y. */
const curvesOf = (svg: string) =>
  [...svg.matchAll(/class="curve" d="([^"]*)"/g)].map(([, path = '']) =>
    path
      .split(/ ?[ML]/)
      .filter(Boolean)
      .map((point) => point.split(' ').map(Number)),
  );

describe('curves of two distributions', () => {
  it('have the time on a logarithmic axis, and the share upwards', () => {
    const [first = [], second = []] = curvesOf(draw());
    const [[atHundred = 0, half] = [], [atThousand = 0, most] = []] = first;
    const [[atTen = 0] = []] = second;
    // Each tenfold is as long; from 10 to 1,000 ms it is all between 52 and 344 px.
    expect([atTen, atHundred, atThousand]).toEqual([52, 198, 344]);
    // 90 % is 0.4 of 200 px above 50 %.
    expect((half ?? 0) - (most ?? 0)).toBeCloseTo(80, 1);
  });

  it('leave out the last requests, which would take the axis for themselves', () => {
    expect(curvesOf(draw())[0]).toHaveLength(2);
    expect(draw()).not.toContain('50000 ms');
  });

  it('read without colours: the second is dashed; and an interval spans what it says', () => {
    const svg = draw();
    expect([...svg.matchAll(/class="curve"[^>]*stroke-dasharray="([^"]*)"/g)].map(([, dash]) => dash)).toEqual(['', '6 4']);
    expect(svg).toMatch(/class="interval" d="M198\.0 [\d.]+ v8 M198\.0 [\d.]+ H344\.0/);
  });

  it('are well-formed, also where there is nothing to draw', () => {
    const none: CutoffCurve = { label: 'none', points: [], intervals: [] };
    for (const svg of [draw(), draw(none, none)]) {
      expect(xmlFault(svg)).toBeUndefined();
      expect(svg).not.toContain('NaN');
    }
  });
});
