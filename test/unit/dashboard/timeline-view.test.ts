import { expect, it } from 'vitest';
import { timelinePicture, timelineView } from '../../../src/dashboard/timeline-view.ts';
import { plain } from '../controls/sample-state.ts';

const document = { url: 'http://a.test/', type: 'main_frame', fromCache: false } as const;
const image = { url: 'http://a.test/p.png', type: 'image', fromCache: false } as const;
const timeline = {
  loadTimeMs: 1_000,
  cutShort: false,
  withoutTimes: 1,
  requests: [
    {
      ...document,
      httpVersion: 'http/1.1',
      startMs: 0,
      queueMs: 0,
      dnsMs: 20,
      connectMs: 100,
      sentMs: 120,
      firstByteMs: 220,
      endMs: 300,
      connection: 1,
    },
    {
      ...image,
      httpVersion: 'http/2',
      startMs: 300,
      queueMs: 40,
      sentMs: 340,
      firstByteMs: 500,
      endMs: 1_000,
      connection: 2,
      headOfLineMs: 60,
    },
    { ...image, fromCache: true, startMs: 300, endMs: 310 },
  ],
} as const;

it('a load has its sums, and its requests in a table', () => {
  const { sums, groups } = timelineView({
    loads: [{ label: 'a.test, 10:14', timeline: timeline as unknown as Parameters<typeof timelineView>[0]['loads'][number]['timeline'] }],
  });
  expect(plain(sums)).toEqual([
    'a.test, 10:14: 1 s, 3 requests, 2 connections (inferred). Waiting for a free connection: up to 40 ms (typically 20 ms). Waiting behind earlier responses took up to 60 ms. 1 request has no times.',
  ]);
  expect(plain(groups[0]?.rows)).toEqual([
    { name: 'a.test', cells: ['HTTP/1.1', '1', '0 ms', '0 ms', '20 ms', '100 ms', '100 ms', '80 ms', '–'] },
    { name: 'p.png', cells: ['HTTP/2', '2', '300 ms', '40 ms', '–', '–', '160 ms', '500 ms', '60 ms'] },
    { name: 'p.png', cells: ['cache', '–', '300 ms', '–', '–', '–', '–', '–', '–'] },
  ]);
});

it('what requests waited for a connection at the same time is not added up', () => {
  const waiting = { ...image, httpVersion: 'http/1.1', startMs: 40, queueMs: 490, sentMs: 530, firstByteMs: 700, endMs: 872 } as const;
  const load = { ...timeline, loadTimeMs: 872, withoutTimes: 0, requests: Array(12).fill(waiting) };
  expect(plain(timelineView({ loads: [{ label: 'a.test', timeline: load }] }).sums)).toEqual([
    'a.test: 872 ms, 12 requests, 0 connections (inferred). Waiting for a free connection: up to 490 ms (typically 490 ms).',
  ]);
});

it('what is predicted is a panel and a part of the table, and says so', () => {
  const bar = { phases: 'known', class: 'document', discoveredMs: 0, startMs: 100, firstByteMs: 250, endMs: 400, connection: 1 } as const;
  const drawn = {
    loads: [{ label: 'a.test, 10:14', timeline: timeline as unknown as Parameters<typeof timelineView>[0]['loads'][number]['timeline'] }],
    predicted: {
      profileId: 'c6-d1',
      loadTimeMs: 400,
      band: { low: 380, high: 430 },
      connections: 1,
      bound: 'round-trips' as const,
      boundShare: 0.6,
      bars: [{ ...bar, name: 'a.test' }],
    },
  };
  const [, predicted] = plain(timelineView(drawn).groups);
  expect(predicted?.heading).toBe(
    'Predicted, not measured. 6 connections: load time ≈ 400 ms (380 ms to 430 ms), 1 connection, mostly round trips (60 %)',
  );
  expect(predicted?.rows).toEqual([{ name: 'a.test', cells: ['–', '1', '0 ms', '100 ms', '–', '–', '150 ms', '150 ms', '–'] }]);
  const svg = plain(timelinePicture(drawn, { title: 't', subtitle: 's', width: 360, rowPer: 'request' }));
  expect(svg).toContain('Measured, this page.');
  expect(svg).toContain('Predicted, not measured.');
});
