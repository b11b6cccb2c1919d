import { describe, expect, it } from 'vitest';
import { pageFromLoad } from '../../../../src/core/graph/page-from-load.ts';
import { isoTime, pointInTime } from '../../../../src/core/har/fields.ts';
import { loadFromHar, pageFromHar, recordedLoadTimeMs } from '../../../../src/core/har/page-from-har.ts';
import { type Har, writeHar } from '../../../../src/core/har/write-har.ts';
import { loadWindow } from '../../../../src/core/measure/load-window.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';
import { harFaults } from '../../../support/har-schema.ts';

const START = Date.UTC(2026, 10, 23, 20, 30, 0, 250);

const LOAD = {
  ...waterfall(`
  load        event=1000
  a.test/     main_frame     fetch=0 dns=0-20 connect=25-165 tls=65 send=170 first=280 end=300 bytes=10000 h1
  a.test/s    stylesheet     fetch=290 reused send=290 first=400 end=420 bytes=4000 blocking h1
  b.test/j    script         fetch=295 dns=295-300 connect=300-400 send=400 first=520 end=560 bytes=8000 h2
  a.test/i    image          fetch=600 reused send=650 first=760 end=770 bytes=500 h1
  c.test/n    image          fetch=605 end=700 bytes=700
  a.test/c    image          fetch=610 end=610 cached
  a.test/x    image          fetch=620 end=625 failed
  a.test/late image          fetch=9000 reused send=9000 first=9110 end=9120 bytes=500 h1
  `),
  startedAt: milliseconds(START),
};

/** As a file holds it. */
const written = (loads = [LOAD]): Har => JSON.parse(JSON.stringify(writeHar(loads, { plumbfox: '0.1.0', firefox: '153.7' })));
const har = written();

describe('writeHar', () => {
  it('is valid by the public schema', () => {
    expect(harFaults(har)).toEqual([]);
    expect(harFaults({ log: { ...har.log, entries: [{ ...har.log.entries[0], request: {} }] } })).not.toEqual([]);
  });

  it('gives phases that sum to the total, none below 0 but -1 for what does not apply', () => {
    expect(har.log.entries.map(({ time }) => time)).toEqual([300, 130, 265, 170, 95, 0, 5, 120]);
    for (const { timings, time } of har.log.entries) {
      const { blocked, dns, connect, send, wait, receive } = timings;
      expect([blocked, dns, connect].every((phase) => phase >= 0 || phase === -1)).toBe(true);
      expect([send, wait, receive].every((phase) => phase >= 0)).toBe(true);
      expect([blocked, dns, connect, send, wait, receive].reduce((sum, phase) => sum + Math.max(0, phase), 0)).toBe(time);
      expect(timings.ssl).toBeLessThanOrEqual(connect);
    }
    // 170 until it was sent, of which 20 are the lookup and 140 the handshakes, 100 of them TLS; 110 to the first byte, 20 to the last.
    expect(har.log.entries[0]?.timings).toEqual({ blocked: 10, dns: 20, connect: 140, ssl: 100, send: 0, wait: 110, receive: 20 });
    // Fetched at 600, sent at 650 over an open connection.
    expect(har.log.entries[3]?.timings).toMatchObject({ blocked: 50, connect: 0, wait: 110, receive: 10 });
  });

  it('dates every entry by its fetch', () => {
    expect(har.log.pages[0]?.startedDateTime).toBe('2026-11-23T20:30:00.250000Z');
    expect(har.log.entries[1]?.startedDateTime).toBe('2026-11-23T20:30:00.540000Z');
    expect(har.log.pages[0]?.pageTimings.onLoad).toBe(1000);
  });

  it('is read again as the same page and the same load time', () => {
    const window = loadWindow(LOAD);
    expect(recordedLoadTimeMs(har)).toBe(window && window.end - window.start);
    const [before, after] = [pageFromLoad(LOAD).page, pageFromHar(har).page];
    const numbers = new Map(after.requests.map(({ id }, at) => [id, String(at + 1)]));
    const origins = new Map(Object.keys(after.origins ?? {}).map((origin, at) => [origin, `origin-${at + 1}`]));
    const renamed = after.requests.map(({ id, origin, after: cause, ...rest }) => ({
      ...rest,
      id: numbers.get(id),
      origin: origins.get(origin ?? ''),
      ...(cause && 'id' in cause && { after: { ...cause, id: numbers.get(cause.id) } }),
    }));
    expect(renamed).toEqual(before.requests);
    expect(Object.values(after.origins ?? {})).toEqual(Object.values(before.origins ?? {}));
  });

  it('invents no times where none were recorded', () => {
    const { requests } = loadFromHar(har, undefined);
    const timing = (at: number) => requests[at]?.timing;
    expect(timing(4)).toEqual({ startMs: START + 605, endMs: START + 700 });
    const bare = waterfall('a.test/ main_frame fetch=0 send=1 first=2 end=2 bytes=100\na.test/b image no-wire redirected');
    const [document, redirect] = loadFromHar(written([bare as typeof LOAD]), undefined).requests;
    expect(document?.timing).toMatchObject({ startMs: 0, firstByteMs: 2, waitMs: 1 });
    expect(document?.timing.endMs).toBeUndefined();
    expect(redirect?.timing).toEqual({});
  });

  it('writes a page for each load, which can be read alone', () => {
    const second = { ...LOAD, startedAt: milliseconds(START + 60_000), requests: LOAD.requests.slice(0, 2) };
    const both = written([LOAD, second]);
    expect(harFaults(both)).toEqual([]);
    expect(loadFromHar(both, 'page_2').requests).toHaveLength(2);
    expect(recordedLoadTimeMs(both, { pageId: 'page_2' })).toBe(420);
  });

  it('leaves out what never reached the network, and keeps hostile texts as text', () => {
    const url = 'https://a.test/<img src=x onerror=alert(1)>\u202E\uD800"';
    const [first] = LOAD.requests;
    if (first === undefined) throw new Error('There is no request');
    const hostile = {
      ...LOAD,
      url,
      requests: [
        { ...first, url },
        { ...first, url: 'data:,x', origin: null },
      ],
    };
    const { log } = written([hostile]);
    expect(log.entries).toHaveLength(1);
    expect(harFaults({ log })).toEqual([]);
    expect(log.entries[0]?.request.url).toBe(url);
  });

  it('has the members that the importer of Firefox reads (devtools/client/netmonitor/src/har/har-importer.js, 153)', () => {
    for (const { startedDateTime, request, response, timings, cache, pageref } of har.log.entries) {
      expect(Number.isNaN(Date.parse(startedDateTime))).toBe(false);
      expect(request).toMatchObject({ method: 'GET', headers: [], cookies: [], headersSize: -1, httpVersion: expect.any(String) });
      expect(response).toMatchObject({
        headers: [],
        cookies: [],
        content: { size: -1, mimeType: '' },
        status: expect.any(Number),
        statusText: '',
      });
      expect(Object.keys(timings).sort()).toEqual(['blocked', 'connect', 'dns', 'receive', 'send', 'ssl', 'wait']);
      expect(cache).toEqual({});
      expect(har.log.pages.map(({ id }) => id)).toContain(pageref);
    }
    // As transferred, headers included.
    expect(har.log.entries[0]?.response.bodySize).toBe(10_000);
  });
});

describe('isoTime', () => {
  it.each([0, START, -1, Date.UTC(2000, 1, 29, 23, 59, 59, 999), Date.UTC(2100, 2, 1), Date.UTC(1900, 11, 31)])(
    'agrees with Date at %i',
    (at) => {
      expect(isoTime(at)).toBe(new Date(at).toISOString().replace('Z', '000Z'));
      expect(pointInTime(isoTime(at))).toBe(at);
    },
  );

  it('keeps microseconds, and stays within four digits of a year', () => {
    expect(isoTime(0.125)).toBe('1970-01-01T00:00:00.000125Z');
    expect(isoTime(1e300)).toBe('9999-12-31T23:59:59.999000Z');
  });
});
