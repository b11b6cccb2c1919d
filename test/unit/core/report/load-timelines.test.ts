import { expect, it } from 'vitest';
import { type LoadTimeline, loadTimeline } from '../../../../src/core/measure/load-timeline.ts';
import { measuredBars } from '../../../../src/core/report/load-timelines.ts';
import { timelinesSvg } from '../../../../src/core/report/timelines-svg.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const timeline = loadTimeline(
  waterfall(`
    load event=500
    a.test/    main_frame fetch=0 connect=0-100 send=100 first=200 end=300 h1
    a.test/p.png image    fetch=310 reused send=350 first=400 end=1000 h1`),
);

function drawn(loads: readonly (readonly [label: string, timeline: LoadTimeline | undefined])[], width?: number): string {
  const panels = loads.map(([heading, one]) => {
    if (one === undefined) throw new Error('The load has no times');
    return { heading, loadTimeMs: one.loadTimeMs, bars: measuredBars(one) };
  });
  const title = loads.map(([label]) => label).join(' and ');
  return timelinesSvg({ title, subtitle: 'Measured once', label: title, panels, ...(width !== undefined && { width }) });
}
const draw = (labels: readonly string[]): string => drawn(labels.map((label) => [label, timeline]));

it('two loads have one axis of time, and every request its name and connection', () => {
  const svg = draw(['morning', 'evening']);
  expect(xmlFault(svg)).toBeUndefined();
  expect(svg.match(/>1\.00 s</g)).toHaveLength(2);
  expect(svg.match(/p\.png/g)).toHaveLength(2);
  expect(svg).toContain('connecting');
});

it('a request without times between its begin and its end is one outline, and the legend says so only then', () => {
  const one = loadTimeline(
    waterfall(`
    load event=500
    a.test/            main_frame fetch=0 connect=0-100 send=100 first=200 end=500 h1
    a.test/favicon.ico image      fetch=500 end=1000 h1`),
  );
  const svg = drawn([['once', one]]);
  expect(xmlFault(svg)).toBeUndefined();
  // The plot is 785 px wide from 345 px on, and 1000 ms long: the second half, in the second row.
  expect(svg).toContain('<path d="M737.5 63.5h392.5v10h-392.5z" fill="none" stroke="#1f6fd1"/>');
  expect(svg.match(/M737\.5 63\.5/g)).toHaveLength(1);
  // No part of it is waiting, asking or receiving: the only bar that is an image's colour is the outline, besides the legend's.
  expect(svg.match(/<path[^>]* fill="#1f6fd1"/g)).toBeNull();
  expect(svg).toContain('>phases unknown</text>');
  expect(draw(['morning'])).not.toContain('phases unknown');
});

it('a request of which only the first byte is known, or only the sending, is an outline too', () => {
  for (const known of ['first=700', 'send=700']) {
    const one = loadTimeline(
      waterfall(`
    load event=500
    a.test/      main_frame fetch=0 connect=0-100 send=100 first=200 end=500 h1
    a.test/p.png image      fetch=500 ${known} end=1000 h1`),
    );
    const svg = drawn([['once', one]]);
    expect(svg).toContain('<path d="M737.5 63.5h392.5v10h-392.5z" fill="none" stroke="#1f6fd1"/>');
  }
});

it('a legend that is too long for one line goes on below, and the panels give way', () => {
  const types = ['main_frame', 'stylesheet', 'script', 'font', 'xmlhttprequest', 'image', 'media', 'other'];
  const one = loadTimeline(
    waterfall(['load event=500', ...types.map((type, at) => `a.test/${at === 0 ? '' : at} ${type} fetch=${at} end=1000 h1`)].join('\n')),
  );
  const svg = drawn([['once', one]]);
  expect(svg).toMatch(/<text x="42" y="92">/);
  expect(svg).toContain('translate(0 114)');
  expect(draw(['morning'])).toContain('translate(0 96)');
});

it('hostile names are text', () => {
  const svg = draw(['<img src=x onerror=alert(1)>\u202e']);
  expect(xmlFault(svg)).toBeUndefined();
  expect(svg).not.toContain('<img');
});

it('on a narrow page the names stand above their bars, and nothing is drawn beyond its edge', () => {
  const long = `/${'a-long-name/'.repeat(300)}`;
  const one = loadTimeline(
    waterfall(`
    load event=500
    a.test/         main_frame fetch=0 connect=0-100 send=100 first=200 end=500 h1
    a.test${long} image fetch=500 reused send=600 first=700 end=1000 h1`),
  );
  const svg = drawn([[`a.test${long}, 10:14, 6 connections`, one]], 360);
  expect(xmlFault(svg)).toBeUndefined();
  expect(svg).toContain('width="360"');
  // The plot runs from 16 to 344 px and is 1000 ms long: 600 to 700 ms is 32.8 px wide, from 212.8 px on.
  expect(svg).toMatch(/M212\.8 [\d.]+h32\.8v10h-32\.8z/);
  expect(svg).toContain('>connection 1 · 0.50 s</text>');
  const rights = [...svg.matchAll(/M([\d.]+) [\d.]+h([\d.]+)v/g)].map(([, x, width]) => Number(x) + Number(width));
  expect(Math.max(...rights)).toBeLessThanOrEqual(360);
  // At 12 px a character takes 7.2 px at most.
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
  expect(texts.filter((text) => text.length > 328 / 6.6)).toEqual([]);
});

it('the words and the times are those of the language given', () => {
  const one = timeline as LoadTimeline;
  const svg = timelinesSvg({
    title: 't',
    subtitle: 's',
    label: 't',
    panels: [{ heading: 'h', loadTimeMs: one.loadTimeMs, bars: measuredBars(one) }],
    language: { word: (english) => `«${english}»`, time: (ms) => `${ms} Tausendstel`, tick: ({ ms }) => `${ms} T` },
  });
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
  expect(texts.filter((text) => /[a-z]{3}/.test(text) && !/^«.*»$|Tausendstel$|^(a\.test|p\.png)$/.test(text))).toEqual([]);
  expect(texts).toContain('«request»');
});

it('a row for each connection has its requests, and how many, the unknown one last; nothing waits on it', () => {
  const one = loadTimeline(
    waterfall(`
    load event=500
    a.test/      main_frame fetch=0 connect=0-100 send=100 first=200 end=300 h1
    a.test/p.png image      fetch=310 reused send=350 first=400 end=1000 h1
    a.test/q.png image      fetch=310 connect=310-400 send=400 first=500 end=900 h1
    a.test/r.png image      fetch=500 end=800 h1`),
  );
  if (one === undefined) throw new Error('The load has no times');
  const draw = (width: number) =>
    timelinesSvg({
      ...{ title: 't', subtitle: 's', label: 't', width, rowPer: 'connection' },
      panels: [{ heading: 'h', loadTimeMs: one.loadTimeMs, bars: measuredBars(one) }],
    });
  const svg = draw(1200);
  expect(xmlFault(svg)).toBeUndefined();
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
  expect(texts.slice(texts.indexOf('connection 1'))).toEqual(
    // Names, then how many requests each has, then when the last of them ended.
    ['connection 1', 'connection 2', 'connection unknown', '2', '1', '1', '1.00 s', '0.90 s', '0.80 s'],
  );
  expect(texts).not.toContain('waiting to be sent');
  // The second image is received from 400 to 1000 ms of 1000 on 785 px from 345 px on, in the first of the rows, as the document is.
  expect(svg).toMatch(/M659 48\.5h471v10/);
  expect(draw(360)).toContain('>requests 2 · 1.00 s</text>');
});
