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

it('hostile names are text', () => {
  const svg = draw(['<img src=x onerror=alert(1)>\u202e']);
  expect(xmlFault(svg)).toBeUndefined();
  expect(svg).not.toContain('<img');
});
