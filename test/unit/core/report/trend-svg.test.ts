import { describe, expect, it } from 'vitest';
import type { TrendDay } from '../../../../src/core/field/load-trend.ts';
import { trendSvg } from '../../../../src/core/report/trend-svg.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const DAY = 86_400_000;
const day = (number: number, median: number, more: Partial<TrendDay> & { readonly sure?: boolean } = {}): TrendDay => {
  const { sure = false, ...rest } = more;
  const loadTimeMs = { median, loads: sure ? 9 : 2, ...(sure && { low: median / 2, high: median * 1.5 }) };
  return { day: number * DAY, loadTimeMs, profiles: ['firefox-default'], isTrial: false, ...rest };
};
const draw = (days: readonly TrendDay[], width = 600, title = 'news.test') =>
  trendSvg({
    title,
    subtitle: 'all networks',
    width,
    days,
    labels: {
      time: (ms) => `${ms / 1_000} s`,
      day: (at) => `day ${at / DAY}`,
      settings: (profiles) => profiles.join('+'),
      trial: 'trial',
      key: 'Dot: median.',
    },
  });
const places = (svg: string, name: 'cx' | 'cy') =>
  [...svg.matchAll(new RegExp(`${name}="([\\d.-]+)"`, 'g'))].map(([, place]) => Number(place));

describe('the picture of a trend', () => {
  it('is well-formed, whatever a site is called', () => {
    for (const days of [[day(1, 500)], [day(1, 500), day(2, 900, { sure: true }), day(9, 700, { isTrial: true })]])
      for (const width of [300, 900]) expect(xmlFault(draw(days, width, '<img onerror="x">&\u202e'))).toBeUndefined();
  });

  it('has a dot for each day, full with an interval, in order of time and higher where slower', () => {
    const svg = draw([day(1, 500), day(2, 1_000, { sure: true }), day(4, 750)]);
    const [[first = 0, second = 0, third = 0], [slowest = 0, slow = 0]] = [places(svg, 'cx'), places(svg, 'cy').toSorted((a, b) => a - b)];
    // Days 1, 2 and 4: the second a third of the way.
    expect((second - first) / (third - first)).toBeCloseTo(1 / 3, 1);
    expect(slowest).toBeLessThan(slow);
    expect(places(svg, 'cy')[1]).toBe(slowest);
    expect(svg.match(/class="interval"/g)).toHaveLength(1);
    expect(svg).toContain('>n 9<');
  });

  it('marks other settings and a trial, and neither where there was none', () => {
    const plain = draw([day(1, 500), day(2, 500)]);
    expect(plain).not.toMatch(/class="(settings|trial)"/);
    const svg = draw([day(1, 500), day(2, 500, { profiles: ['c8-d1'] }), day(3, 500, { isTrial: true, profiles: [] })]);
    expect(svg.match(/class="settings"/g)).toHaveLength(1);
    expect(svg).toContain('>c8-d1<');
    expect(svg.match(/class="trial"/g)).toHaveLength(1);
  });

  it('stays within its width, and one stray day does not flatten the rest', () => {
    const days = Array.from({ length: 40 }, (_, at) => day(at, at === 20 ? 60_000 : 500 + (at % 3) * 10));
    const svg = draw(days, 300);
    for (const x of places(svg, 'cx')) expect(x > 0 && x < 300).toBe(true);
    const heights = places(svg, 'cy');
    expect(heights).toHaveLength(39);
    expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(2);
    // As many labels of days as do not touch: none of `n`.
    expect(svg).not.toContain('>n 2<');
  });
});
