/** Round trips, delays and protocols of servers. */
import { describe, expect, it } from 'vitest';
import { pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { type EntryOptions, entry, harOf } from './har-of.ts';

const on = (host: string, at: number, options: EntryOptions = {}) => entry(`https://${host}/${at}.png`, { at, ...options });
/** TCP 40, TLS 40; begun after 5 ms of lookup. */
const OPENS = { dns: 5, connect: 80, ssl: 40 };
const DOCUMENT = entry('https://a.test/', { ...OPENS, wait: 100 });

const pageOf = (entries: readonly unknown[]) => pageFromHar(harOf(entries)).page;
const delays = (entries: readonly unknown[]) => pageOf(entries).requests.map(({ serverMs }) => serverMs ?? 0);
const rules = (entries: readonly unknown[], field: string) =>
  pageFromHar(harOf(entries)).inferred.flatMap((each) => (each.field === field ? [`${each.requests} ${each.rule.slice(0, 32)}`] : []));

describe("a server's delay", () => {
  it('is the wait less the least handshake', () => {
    expect(delays([DOCUMENT, on('a.test', 300, { wait: 45 }), on('a.test', 310, { wait: 30 })])).toEqual([60, 5, 0]);
    // A second connection at 50 ms says less than the first at 40.
    expect(delays([DOCUMENT, on('a.test', 300, { dns: 0, connect: 90, ssl: 40, wait: 45 })])).toEqual([60, 5]);
  });

  it('is not measured by a handshake that may have begun before its request', () => {
    // 10 ms of a handshake that another request began.
    expect(delays([DOCUMENT, on('a.test', 300, { connect: 10, wait: 45 })])).toEqual([60, 5]);
  });

  it('is the wait less the least first byte where no handshake is recorded', () => {
    expect(delays([entry('https://a.test/', { wait: 90 }), on('a.test', 300, { wait: 30 })])).toEqual([60, 0]);
  });

  // 200 kB in 400 ms fill the link with 4,000 kbit/s, 500 bytes a ms; complete at 700.
  const FILL = entry('https://a.test/big.js', {
    at: 200,
    wait: 40,
    receive: 400,
    body: 199_900,
    more: { startedDateTime: '2026-01-05T10:00:00.260Z' },
  });

  it('does not hold what the link needed for other responses meanwhile', () => {
    // Of a wait of 240 ms 200 are no round trip. Those from 380 on were all taken by the script; of those from 540 on, 160 were.
    const data = (at: number) => entry('https://a.test/d.json', { at, wait: 240, receive: 0, body: 0 });
    expect(delays([DOCUMENT, FILL, data(340)])[2]).toBeCloseTo(0, 0);
    expect(delays([DOCUMENT, FILL, data(500)])[2]).toBeCloseTo(40, 0);
  });

  it('does not hold the sending of the first segment, where the link shows its rate', () => {
    // 1,000 bytes at 500 a ms.
    expect(delays([DOCUMENT, FILL, on('a.test', 2000, { wait: 45 })])[2]).toBeCloseTo(5 - 2, 1);
  });

  it('is for a file no more than undisturbed ones show, where others arrived meanwhile', () => {
    const disturbed = on('a.test', 500, { wait: 240, receive: 0, body: 0 });
    const undisturbed = [5, 6, 20].map((more, n) => on('a.test', 1000 + 500 * n, { wait: 40 + more, receive: 0, body: 0 }));
    // Headers of 100 bytes take 0.2 ms: 4.8, 5.8 and 19.8 ms, and the script 0; the median is 5.3.
    expect(delays([DOCUMENT, FILL, disturbed, ...undisturbed])).toEqual([58, 0, 5.3, 4.8, 5.8, 19.8]);
    expect(rules([DOCUMENT, FILL, disturbed, ...undisturbed], 'server-delays')).toContain('1 Others arrived during the wait, ');
  });

  it('holds what a server is farther away than the link', () => {
    // Most requests go to a.test at 40 ms, so that is the link; b.test is 100 ms away, 60 more, and its first handshake 2 x 60.
    const far = on('b.test', 300, { dns: 5, connect: 200, ssl: 100, wait: 110 });
    const page = pageOf([DOCUMENT, on('a.test', 300, { wait: 45 }), far]);
    expect(page.requests.map(({ serverMs }) => serverMs)).toEqual([60, 5, 70]);
    expect(page.origins?.['https://b.test']?.dnsMs).toBe(5 + 120);
    expect(page.origins?.['https://a.test']?.dnsMs).toBe(5);
    // TLS 1.2 takes a round trip more.
    const older = pageOf([DOCUMENT, on('a.test', 300, { wait: 45 }), { ...far, _tls_version: 'TLS 1.2' }]);
    expect(older.origins?.['https://b.test']?.dnsMs).toBe(5 + 180);
  });

  it('is for a file the lower quartile of all, where none was undisturbed', () => {
    // All begin at 400, when the script takes the link until 700, and wait until after that: the rest is 20, 40, 60, 80 and 100 ms.
    const disturbed = [20, 40, 60, 80, 100].map((more) =>
      entry(`https://b.test/${more}.png`, {
        at: 400,
        wait: 300 + more,
        receive: 0,
        body: 0,
        ...(more === 20 && { dns: 5, connect: 80, ssl: 40, at: 315 }),
      }),
    );
    const found = delays([DOCUMENT, FILL, ...disturbed]).slice(2);
    const quartile = [...found].sort((a, b) => a - b)[1] ?? 0;
    expect(Math.max(...found)).toBe(quartile);
    expect(Math.min(...found)).toBeLessThan(quartile);
  });

  it('is that of its other requests where the wait is unknown, the document aside', () => {
    const unknown = on('a.test', 320, { more: { timings: {} } });
    expect(delays([DOCUMENT, on('a.test', 300, { wait: 45 }), on('a.test', 310, { wait: 47 }), unknown])).toEqual([60, 5, 7, 6]);
    expect(delays([DOCUMENT, unknown])).toEqual([60, 60]);
    expect(delays([DOCUMENT, on('a.test', 300, { wait: 45 }), on('b.test', 310, { more: { timings: {} } })])).toEqual([60, 5, 5]);
  });

  it('is none where no wait is known', () => {
    const blind = { more: { timings: {} } };
    expect(delays([entry('https://a.test/', blind), on('a.test', 300, blind)])).toEqual([0, 0]);
    expect(rules([entry('https://a.test/', blind)], 'server-delays')).toEqual(['1 No wait is recorded on the whole']);
  });

  it('is not the wait of a pushed response', () => {
    const pushed = on('a.test', 300, { wait: 0, more: { _was_pushed: 1 } });
    expect(delays([DOCUMENT, on('a.test', 310, { wait: 45 }), pushed])).toEqual([60, 5, 5]);
  });
});

describe('a protocol', () => {
  const protocols = (entries: readonly unknown[]) => Object.values(pageOf(entries).origins ?? {}).map(({ protocol }) => protocol);
  const h2 = (host: string, at: number) => on(host, at, { version: 'h2' });
  const unknown = (host: string, at: number) => on(host, at, { version: 'unknown' });

  it('is that of most requests of the server, and the others are counted', () => {
    const entries = [DOCUMENT, h2('b.test', 300), h2('b.test', 301), on('b.test', 302, { version: 'h3' })];
    expect(protocols(entries)).toEqual(['http/1.1', 'http/2']);
    expect(rules(entries, 'protocols')).toContain('1 Most requests to its server used');
  });

  it('is that of the page where the server tells none', () => {
    const entries = [entry('https://a.test/', { version: 'h3' }), unknown('b.test', 300)];
    expect(protocols(entries)).toEqual(['http/3', 'http/3']);
    expect(rules(entries, 'protocols')).toContain('1 The HTTP version is not recorded');
  });

  it('is HTTP/2 over https and HTTP/1.1 over http where nobody tells it', () => {
    const entries = [entry('https://a.test/', { version: '' }), entry('http://b.test/i.png', { at: 300, version: 'unknown' })];
    expect(protocols(entries)).toEqual(['http/2', 'http/1.1']);
  });

  it('is HTTP/1.1 over http whatever is told', () => {
    const entries = [entry('http://a.test/', { version: 'h2' })];
    expect(pageOf(entries).origins).toEqual({ 'http://a.test': { protocol: 'http/1.1', tls: 'none' } });
    expect(rules(entries, 'protocols')).toContain('1 HTTP/2 or HTTP/3 is recorded ove');
  });

  it('of 1996 keeps its connections open here, which is said', () => {
    expect(rules([entry('https://a.test/', { version: 'HTTP/1.0' })], 'protocols')).toContain('1 HTTP/1.0 is simulated as HTTP/1.');
  });
});

it('says which servers had their connections open before', () => {
  expect(rules([DOCUMENT, on('b.test', 300)], 'protocols')).toContain('1 No handshake with their server i');
});

it('keeps servers on different ports and schemes apart', () => {
  const urls = ['https://a.test/', 'https://a.test:443/1.png', 'https://a.test:8443/2.png', 'http://a.test/3.png'];
  expect(Object.keys(pageOf(urls.map((url, n) => entry(url, { at: n * 300 }))).origins ?? {})).toEqual([
    'https://a.test',
    'https://a.test:8443',
    'http://a.test',
  ]);
});

it('tells classes by what the producer, the media type and the address say, in this order', () => {
  const strange = { mimeType: 'application/octet-stream' };
  const entries = [
    entry('https://a.test/', strange),
    entry('https://a.test/x', { at: 300, mimeType: 'text/css' }),
    entry('https://a.test/y.css', { at: 301, mimeType: 'image/png' }),
    entry('https://a.test/z.css', { at: 302, mimeType: 'image/png', more: { _resourceType: 'script' } }),
    entry('https://a.test/v.woff2?x', { at: 303, ...strange }),
    entry('https://a.test/w', { at: 304, ...strange }),
  ];
  const { page, inferred } = pageFromHar(harOf(entries));
  // Nothing looks like a document: the first request stands in for it.
  expect(page.requests.map((request) => request.class)).toEqual(['document', 'stylesheet', 'image', 'script', 'font', 'other']);
  expect(inferred.filter(({ field }) => field === 'classes').map(({ requests }) => requests)).toEqual([2, 1, 1]);
});
