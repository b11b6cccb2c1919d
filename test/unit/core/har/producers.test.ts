/** One small file in the form of each producer; what is expected was worked out from the file by hand. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PageRequest } from '../../../../src/core/graph/page-graph.ts';
import { pageFromHar } from '../../../../src/core/har/page-from-har.ts';

const har = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../../fixtures/har/${name}.har`, import.meta.url), 'utf8'));

const brief = ({ id, bytes, serverMs = 0, after }: PageRequest) => [id, bytes, serverMs, after];
const counts = (name: string, field: string) =>
  pageFromHar(har(name))
    .inferred.filter((each) => each.field === field)
    .map(({ requests, rule }) => `${requests} ${rule.slice(0, 30)}`);

describe('Firefox', () => {
  const { page } = pageFromHar(har('firefox'));

  it('gives sizes, delays and discovery', () => {
    // Handshakes of 40 and 42 ms: the link's round trip is 40, at which 4 of 7 requests are. The document arrives from 160 to 180 ms.
    expect(page.requests.map(brief)).toEqual([
      ['1 www.example.test', 8300, 26, undefined],
      ['2 site.css', 5300, 5, { id: '1 www.example.test', bytes: 4150 }],
      ['3 app.js', 30300, 10, { id: '1 www.example.test', bytes: 4980 }],
      ['4 logo.png', 1500, 4, { id: '1 www.example.test', bytes: 6225 }],
      ['5 text.woff2', 15300, 8, { id: '2 site.css', delayMs: 10 }],
      // Without status and times: 700 bytes of contents, headers of 65 as text (with the lines' ends), server as the sheet's and the logo's.
      ['6 tile.png', 710, 4.5, { id: '2 site.css', delayMs: 11 }],
      // app.js began at 172 and took 5 + 42 + 46 + 50 + 40 = 183 ms.
      ['7 items', 700, 50, { id: '3 app.js', delayMs: 65 }],
    ]);
  });

  it('gives servers; a Location without a redirect is none', () => {
    expect(page.origins).toEqual({
      'https://www.example.test': { protocol: 'http/2', tls: '1.3', dnsMs: 8 },
      'https://static.example.test': { protocol: 'http/2', tls: '1.3', dnsMs: 5 },
      'https://api.example.test': { protocol: 'http/3', tls: '1.3' },
    });
    expect(counts('firefox', 'redirects')).toEqual([]);
  });

  it('says what is left out', () => {
    expect(counts('firefox', 'left-out')).toEqual(['1 Excluded: requests without a r', '1 Excluded: responses from the b']);
  });
});

describe('Chrome', () => {
  const { page } = pageFromHar(har('chrome'));

  it('gives sizes, delays and discovery', () => {
    // Handshakes without TLS take 30.75, 30.4 and 32 ms; half of the 7 requests are at servers no farther than 30.4.
    expect(page.requests.map(brief)).toEqual([
      ['1 shop.test', 12400, 65.2, undefined],
      // The document is asked for at 2 ms and arrives from 176 to 236.5: 14 of 60.5 ms at 190.
      ['2 main.css', 6900, 3.3, { id: '1 shop.test', bytes: 2869 }],
      ['3 app.js', 52100, 10.9, { id: '1 shop.test', bytes: 3074 }],
      ['4 extra.js', 7300, 8.7, { id: '1 shop.test', bytes: 3279 }],
      ['5 hero.avif', 64300, 5.6, { id: '1 shop.test', bytes: 3894 }],
      ['6 cart', 410, 41.6, [{ id: '3 app.js', delayMs: 21.4 }, { id: '1 shop.test' }]],
      ['7 item.avif', 9300, 4.6, [{ id: '6 cart', delayMs: 10.8 }, { id: '3 app.js' }]],
    ]);
  });

  it('takes what blocks from the priority', () => {
    expect(page.requests.map(({ blocking }) => blocking)).toEqual([undefined, true, true, false, undefined, undefined, undefined]);
  });

  it('says what is left out', () => {
    expect(counts('chrome', 'left-out')).toEqual([
      '1 Excluded: data:, blob:, about:',
      '1 Excluded: WebSockets, which st',
      '1 Excluded: requests without a r',
      '2 Excluded: responses from the b',
      '1 Excluded: requests that began ',
    ]);
  });

  it('holds one protocol per server, that of most requests, and says so', () => {
    expect(page.origins?.['https://cdn.shop.test']?.protocol).toBe('http/2');
    expect(counts('chrome', 'protocols')).toContain('1 Most requests to its server us');
  });
});

describe('WebPageTest', () => {
  const { page } = pageFromHar(har('webpagetest'));

  it('gives sizes, delays and discovery, by its own members', () => {
    // The document is complete at 723 + 186 + 40 = 949 ms after the page's start. The round trip is 176 ms; the link, where 103 kB came in
    // 911 ms, does 905 kbit/s, so a segment of 1,460 bytes takes 12.9 ms: more than what the first waits are longer than the round trip.
    expect(page.requests.map(brief)).toEqual([
      ['1 www.example.test', 9000, 0, undefined],
      ['2 style.css', 4000, 0, { id: '1 www.example.test', delayMs: 6 }],
      // 195 - 176 - 12.9 = 6.1, in which the sheet's last 40 bytes came.
      ['3 app.js', 30000, 5.75, { id: '1 www.example.test', delayMs: 7 }],
      // `_bytesIn` is the body alone here, so the headers' 350 are added; asked for at 957, sent only at 1502.
      ['4 a.jpg', 60350, 0, { id: '1 www.example.test', delayMs: 8 }],
      // 230 - 176 - 700 bytes at 113 a ms.
      ['5 late.json', 700, 47.81, { id: '3 app.js', delayMs: 54 }],
    ]);
  });

  it('gives TLS, streams and lookup', () => {
    expect(page.origins).toEqual({
      'https://www.example.test': { protocol: 'http/2', tls: '1.2', dnsMs: 179, maxStreams: 128 },
      'https://img.example.test': { protocol: 'http/2', tls: '1.2', resumed: true, dnsMs: 3, maxStreams: 128 },
    });
  });
});

describe('WebPageTest up to 3.0', () => {
  const entry = (path: string, { connected, sent, first, end }: { connected: boolean; sent: number; first: number; end: number }) => ({
    pageref: 'page_1_0',
    startedDateTime: new Date(Date.UTC(2016, 4, 29) + sent).toISOString(),
    request: { method: 'GET', url: `http://old.test/${path}`, headers: [] },
    response: {
      status: 200,
      headersSize: 300,
      bodySize: 9700,
      content: { size: 9700, mimeType: path.endsWith('css') ? 'text/css' : 'text/html' },
    },
    // As 2.19 writes them: numbers as text, and 0 and 0 for a lookup or a connection that there was not.
    ...{ _dns_start: '0', _dns_end: '0', _connect_start: connected ? '10' : '0', _connect_end: connected ? '50' : '0' },
    ...{ _load_start: String(sent), _ttfb_ms: String(first - sent), _load_end: end, _bytesIn: '10000' },
  });

  it('takes 0 and 0 for no lookup and no connection, not for the start of the page', () => {
    const { page } = pageFromHar({
      log: {
        creator: { name: 'WebPagetest', version: '2.19' },
        pages: [{ id: 'page_1_0', startedDateTime: '2016-05-29T00:00:00.000Z', pageTimings: { onLoad: 1000 } }],
        entries: [
          entry('', { connected: true, sent: 50, first: 100, end: 110 }),
          entry('site.css', { connected: false, sent: 500, first: 545, end: 550 }),
        ],
      },
    });
    // The document begins with its connection at 10 ms and is complete at 110; the sheet is asked for at 500, 390 ms later. Round trip 40 ms.
    expect(page.requests.map(brief)).toEqual([
      ['1 old.test', 10000, 10, undefined],
      ['2 site.css', 10000, 5, { id: '1 old.test', delayMs: 390 }],
    ]);
    expect(page.origins).toEqual({ 'http://old.test': { protocol: 'http/1.1', tls: 'none' } });
  });
});

describe('browsertime', () => {
  it('gives the first of several pages, and says so', () => {
    const { page, inferred } = pageFromHar(har('browsertime'));
    // A body longer than its Content-Length holds the headers. The image had been queued for 520 ms when it was sent at 900.
    expect(page.requests.map(brief)).toEqual([
      ['1 blog.example.test', 4140, 20, undefined],
      ['2 site.css', 2140, 10, { id: '1 blog.example.test', delayMs: 15 }],
      ['3 blog.js', 11040, 10, { id: '1 blog.example.test', delayMs: 20 }],
      ['4 1.png', 5250, 10, { id: '1 blog.example.test', delayMs: 105 }],
    ]);
    expect(inferred).toContainEqual({
      field: 'left-out',
      requests: 4,
      rule: 'The file has 2 pages; only "page_1" is used, and requests of the others are excluded',
    });
    expect(counts('browsertime', 'server-delays')).toContain('1 Was pushed by its server; brow');
  });

  it('gives the page that is asked for', () => {
    const { page } = pageFromHar(har('browsertime'), { pageId: 'page_2' });
    // Its handshake takes 140 ms without TLS, longer than the wait of 90.
    expect(page.requests[0]?.serverMs).toBeUndefined();
    expect(() => pageFromHar(har('browsertime'), { pageId: 'page_3' })).toThrow(
      'The HAR has no page "page_3" with requests; it has "page_1", "page_2"',
    );
  });
});
