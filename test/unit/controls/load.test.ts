import { describe, expect, it } from 'vitest';
import { loadFindings, loadView } from '../../../src/controls/load.ts';
import type { LoadMeasures } from '../../../src/core/measure/load-measures.ts';
import { bytes, milliseconds, ratio } from '../../../src/core/units.ts';
import { lastLoad, measures, NOW, plain } from './sample-state.ts';

const view = (changed: Partial<typeof lastLoad> = {}) => plain(loadView({ ...lastLoad, ...changed }, NOW));
const without = (...keys: (keyof LoadMeasures)[]) =>
  Object.fromEntries(Object.entries(measures).filter(([key]) => !keys.includes(key as keyof LoadMeasures))) as unknown as LoadMeasures;
const findings = (changed: Partial<LoadMeasures> | LoadMeasures, rttMs: number | undefined = 300) =>
  plain(loadFindings({ ...measures, ...changed }, { rttMs }));
const textOf = (measured: LoadMeasures) => plain(loadFindings(measured, { rttMs: undefined })).map(({ text }) => text);

describe('loadView', () => {
  it('shows host, age, load time, efficiency and facts, with link figures called estimated', () => {
    expect(view()).toMatchObject({
      page: 'www.example.org:8443',
      age: '5 minutes ago',
      loadTime: '3.4 s',
      // 1 564 ms / 3 400 ms = 0.46
      efficiency: {
        value: '46 %',
        explanation: expect.stringContaining('Estimated share of the speed that this network allows. The fastest possible time is 1.56 s.'),
      },
      facts: [
        { term: 'First content shown', value: '980 ms' },
        { term: 'Largest content shown', value: '2.35 s' },
        { term: 'Received', value: '312 kB' },
        { term: 'Network (estimated)', value: 'RTT 300 ms, 2 Mbit/s' },
        { term: 'Round trip (estimated)', value: '300 ms' },
        { term: 'Download rate (estimated)', value: '2 Mbit/s' },
      ],
    });
  });

  it('never shows more of the address than the host', () => expect(JSON.stringify(view())).not.toContain('secret'));

  it.each([
    ['file:///home/me/page.html', 'a page without a host (file:)'],
    ['about:blank', 'a page without a host (about:)'],
    ['not an address', 'a page without an address'],
  ])('names a page without a host: %s', (url, page) => expect(view({ url }).page).toBe(page));

  it('says that the link figures are disproved by a load that was faster than they allow', () => {
    const { efficiency: _, ...rest } = measures;
    const fast = (loadTimeMs: number) => view({ measures: { ...rest, loadTimeMs: milliseconds(loadTimeMs) } }).efficiency;
    expect(fast(1_400)).toEqual({
      value: 'network estimate wrong',
      explanation: 'The load was faster than the 1.56 s that the estimated network allows, so the estimate is wrong for it.',
    });
    // A load that was cut short was not fast.
    expect(view({ measures: { ...rest, loadTimeMs: milliseconds(1_400), cutShort: 'page-left' } }).efficiency.value).toBe('unknown');
  });

  it('says why efficiency is unknown', () => {
    const unknown = without('efficiency', 'idealTimeMs');
    const explanation = (changed: Partial<typeof lastLoad>) => {
      const { efficiency } = view(changed);
      expect(efficiency.value).toBe('unknown');
      return efficiency.explanation;
    };
    expect(explanation({ measures: unknown, link: undefined as never })).toContain(
      'The network is not known yet. It takes a few more loads that open new connections.',
    );
    expect(explanation({ measures: without('efficiency', 'bytes') })).toContain('how many bytes');
    expect(explanation({ measures: unknown })).toContain('The fastest possible time of this load cannot be computed.');
  });

  it.each([
    ['document-failed', 'could not be fetched'],
    ['no-load-event', 'never finished loading'],
    ['page-left', 'left the page'],
    ['time-limit', 'after a minute'],
  ] as const)('calls the time of a load cut short (%s) a lower bound', (cutShort, words) => {
    const cut = view({ measures: { ...without('efficiency'), cutShort } });
    expect(cut.loadTime).toBe('at least 3.4 s');
    expect(cut.efficiency.explanation).toContain(words);
  });

  it('leaves unknown paints out and calls unknown bytes and link unknown', () => {
    const { facts } = view({ measures: without('bytes', 'firstContentfulPaintMs', 'largestContentfulPaintMs'), link: undefined as never });
    expect(facts).toEqual([
      { term: 'Received', value: 'unknown' },
      { term: 'Round trip (estimated)', value: 'not known yet' },
      { term: 'Download rate (estimated)', value: 'not known yet' },
    ]);
  });

  it('shows 0 received bytes as 0, not as unknown', () => {
    expect(view({ measures: { ...measures, bytes: bytes(0) } }).facts).toContainEqual({ term: 'Received', value: '0 B' });
  });
});

describe('loadFindings', () => {
  it('puts what cost time first and what is unknown last', () => {
    const tones = plain(loadFindings({ ...without('queueWait'), duplicateFetches: 2 }, { rttMs: 300 })).map(({ tone }) => tone);
    expect(tones[0]).toBe('cost');
    expect(tones.at(-1)).toBe('unknown');
    expect(tones).toEqual([...tones].sort((a, b) => 'cpu'.indexOf(a.charAt(0)) - 'cpu'.indexOf(b.charAt(0))));
  });

  it.each([
    [120, 900, 'up to 900 ms (typically 120 ms). More connections could help.', 'cost'],
    [0, 900, 'up to 900 ms (most requests did not wait).', 'cost'],
    // 3 % of 3 400 ms is 102 ms.
    [0, 101, 'up to 101 ms', 'plain'],
    [0, 102, 'up to 102 ms', 'cost'],
    [0, 0, 'No request waited for a free connection.', 'plain'],
  ] as const)('queue wait, median %d ms, longest %d ms', (median, max, text, tone) => {
    const queueWait = { medianMs: milliseconds(median), maxMs: milliseconds(max), totalMs: milliseconds(max) };
    expect(findings({ queueWait })).toContainEqual({ text: expect.stringContaining(text), tone });
  });

  it.each([
    [
      { coldConnections: 12, reusedConnections: 33 },
      '12 new connections. 33 requests reused an open one. Each new one costs at least one round trip, about 300 ms here (estimated), and one more with TLS.',
    ],
    [
      { coldConnections: 1, reusedConnections: 1 },
      '1 new connection. 1 request reused an open one. Each new one costs at least one round trip, about 300 ms here (estimated), and one more with TLS.',
    ],
    [{ coldConnections: 0, reusedConnections: 3 }, 'No new connection. 3 requests reused an open one.'],
  ])('connections %j', (changed, text) =>
    expect(
      findings(changed)
        .map((finding) => finding.text)
        .join('\n'),
    ).toContain(text),
  );

  it('does not put a figure on a round trip it does not know', () => expect(textOf(measures).join('\n')).not.toContain('estimated'));

  it('names the busiest server', () => {
    expect(textOf(measures)).toContainEqual('At most 12 of 45 requests ran at once, at most 6 to one server (b.example:80).');
    expect(textOf({ ...measures, peakOutstandingByOrigin: {} })).toContainEqual('At most 12 of 45 requests ran at once.');
  });

  it.each([
    [
      { 'http/1.1': 0.8, 'http/2': 0.2 },
      'Requests by HTTP version: 80 % HTTP/1.1, 20 % HTTP/2. Connection settings act only on the 80 % over HTTP/1.x.',
    ],
    [{ 'http/1.1': 1 }, 'Requests by HTTP version: 100 % HTTP/1.1. Connection settings act on all of them.'],
    [
      { 'http/2': 0.5, 'http/3': 0.5 },
      'Requests by HTTP version: 50 % HTTP/2, 50 % HTTP/3. Connection settings act on HTTP/1.1 only, so on none of them.',
    ],
    [
      { 'http/1.0': 0.1, 'http/1.1': 0.9 },
      'Requests by HTTP version: 10 % HTTP/1.0, 90 % HTTP/1.1. Connection settings act on all of them.',
    ],
  ])('HTTP versions %j', (shares, text) => {
    const httpVersions = Object.fromEntries(Object.entries(shares).map(([version, share]) => [version, ratio(share)]));
    expect(textOf({ ...measures, httpVersions }).join('\n')).toContain(text);
  });

  it('says what is unknown', () => {
    const text = textOf({ ...without('queueWait', 'coldConnections', 'reusedConnections'), httpVersions: {} }).join('\n');
    expect(text).toContain('How long requests waited for a free connection is unknown.');
    expect(text).toContain('Which requests opened a new connection is unknown.');
    expect(text).toContain('The HTTP versions used are unknown.');
  });

  it.each([
    [{ duplicateFetches: 1 }, '1 request fetched something the page had already fetched: of unknown size, 1 round trip.', 'cost'],
    [
      { duplicateFetches: 2, duplicateBytes: bytes(45_000), emptySources: 1 },
      '2 requests fetched something the page had already fetched: 45 kB, 2 round trips. 1 of them fetched the page itself again, for an empty src.',
      'cost',
    ],
    [{ duplicateFetches: 0 }, 'Nothing was fetched twice.', 'plain'],
    [{ failedRequests: 2 }, '2 requests of 45 failed.', 'cost'],
    [{ renderBlockingEndMs: milliseconds(850) }, 'Everything that the first paint waits for had arrived after 850 ms.', 'plain'],
  ] as const)('%j', (changed, text, tone) => expect(findings(changed)).toContainEqual({ text, tone }));

  it('prices what was fetched twice: a round trip each, and the bytes at the rate of the link', () => {
    const twice = { ...measures, duplicateFetches: 2, duplicateBytes: bytes(45_000) };
    const priced = plain(loadFindings(twice, { rttMs: 300, downKbps: 2000 })).map(({ text }) => text);
    // 2 x 300 ms + 360 kbit / 2 Mbit/s.
    expect(priced).toContain(
      '2 requests fetched something the page had already fetched: 45 kB, 2 round trips, about 780 ms on this network (estimated); less where they ran beside others.',
    );
  });

  it('has no line for failures when there were none', () => expect(textOf(measures).join('\n')).not.toContain('failed'));
});
