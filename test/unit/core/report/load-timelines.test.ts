import { expect, it } from 'vitest';
import { loadTimeline } from '../../../../src/core/measure/load-timeline.ts';
import { loadTimelinesSvg } from '../../../../src/core/report/load-timelines.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const timeline = loadTimeline(
  waterfall(`
    load event=500
    a.test/    main_frame fetch=0 connect=0-100 send=100 first=200 end=300 h1
    a.test/p.png image    fetch=310 reused send=350 first=400 end=1000 h1`),
);

function draw(labels: readonly string[]): string {
  if (timeline === undefined) throw new Error('The load has no times');
  return loadTimelinesSvg(
    labels.map((label) => ({ label, timeline })),
    { title: labels.join(' and '), subtitle: 'Measured once' },
  );
}

it('two loads have one axis of time, and every request its name and connection', () => {
  const svg = draw(['morning', 'evening']);
  expect(xmlFault(svg)).toBeUndefined();
  expect(svg).toContain('Measured. morning: load time 1.00 s, 2 requests');
  expect(svg).toContain('Measured. evening: load time 1.00 s, 2 requests');
  expect(svg.match(/p\.png/g)).toHaveLength(2);
  expect(svg).toContain('connecting');
  expect(svg).not.toContain('Predicted');
});

it('a request without times between its begin and its end is one outline, and the legend says so only then', () => {
  const one = loadTimeline(
    waterfall(`
    load event=500
    a.test/            main_frame fetch=0 connect=0-100 send=100 first=200 end=500 h1
    a.test/favicon.ico image      fetch=500 end=1000 h1`),
  );
  if (one === undefined) throw new Error('The load has no times');
  const svg = loadTimelinesSvg([{ label: 'once', timeline: one }], { title: 'once', subtitle: 'Measured once' });
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
    if (one === undefined) throw new Error('The load has no times');
    const svg = loadTimelinesSvg([{ label: 'once', timeline: one }], { title: 'once', subtitle: 'Measured once' });
    expect(svg).toContain('<path d="M737.5 63.5h392.5v10h-392.5z" fill="none" stroke="#1f6fd1"/>');
  }
});

it('a legend that is too long for one line goes on below, and the panels give way', () => {
  const types = ['main_frame', 'stylesheet', 'script', 'font', 'xmlhttprequest', 'image', 'media', 'other'];
  const one = loadTimeline(
    waterfall(['load event=500', ...types.map((type, at) => `a.test/${at === 0 ? '' : at} ${type} fetch=${at} end=1000 h1`)].join('\n')),
  );
  if (one === undefined) throw new Error('The load has no times');
  const svg = loadTimelinesSvg([{ label: 'once', timeline: one }], { title: 'once', subtitle: 'Measured once' });
  expect(svg).toMatch(/<text x="42" y="92">/);
  expect(svg).toContain('translate(0 114)');
  expect(draw(['morning'])).toContain('translate(0 96)');
});

it('hostile names are text', () => {
  const svg = draw(['<img src=x onerror=alert(1)>\u202e']);
  expect(xmlFault(svg)).toBeUndefined();
  expect(svg).not.toContain('<img');
});
