/** What of a HAR is no part of the page, and what is no page at all. */
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { type EntryOptions, entry, type HarOptions, harOf } from '../har/har-of.ts';

const DOCUMENT = entry('https://a.test/');
const image = (at: number, options: EntryOptions = {}) => entry('https://a.test/i.png', { at, ...options });

function read(entries: readonly unknown[], options?: HarOptions) {
  const { page, inferred } = pageFromHar(harOf(entries, options));
  return {
    ids: page.requests.map(({ id }) => id),
    leftOut: inferred.flatMap(({ field, requests, rule }) =>
      field === 'left-out' ? [`${requests} ${rule.replace('Excluded: ', '').slice(0, 24)}`] : [],
    ),
  };
}

describe('left out is', () => {
  it('what is not on the network by HTTP', () => {
    const others = [
      'data:text/css,a',
      'blob:https://a.test/1',
      'about:blank',
      'chrome-extension://x/y.js',
      'ws://a.test/',
      'wss://a.test/',
    ];
    expect(read([DOCUMENT, ...others.map((url) => entry(url)), { request: { url: 7 } }, null, 'x'])).toEqual({
      ids: ['1 a.test'],
      leftOut: ['4 data:, blob:, about: and', '2 WebSockets, which stay o', '3 entries without a readab'],
    });
  });

  it('what came from the cache', () => {
    const cached = [
      image(300, { more: { _fromCache: 'memory' } }),
      image(300, { more: { _fetchType: 'Disk Cache' } }),
      image(301, { more: { cache: { afterRequest: null }, timings: { blocked: 0, wait: 0, receive: 0 } } }),
      image(302, { more: { response: { status: 200, content: { size: 9 }, bodySize: 0, _transferSize: 0 } } }),
      image(303, { more: { response: { status: 200, bodySize: -1, _fetchedViaServiceWorker: true } } }),
    ];
    expect(read([DOCUMENT, ...cached]).leftOut).toEqual(['5 responses from the brows']);
    expect(read([DOCUMENT, image(300, { status: 304, more: { _fromCache: 'disk' } })]).ids).toHaveLength(2);
    expect(read([DOCUMENT, image(300, { more: { _fromCache: 'disk', response: { status: 200, _transferSize: 700 } } })]).ids).toHaveLength(
      2,
    );
  });

  it('what got no answer', () => {
    const aborted = image(300, { status: 0, body: -1, more: { response: { status: 0, bodySize: -1, content: { size: 0 } } } });
    expect(read([DOCUMENT, aborted])).toEqual({ ids: ['1 a.test'], leftOut: ['1 requests without a respo'] });
    // Bytes that came are counted, whatever the status.
    expect(read([DOCUMENT, image(300, { status: 0, body: 500 })]).ids).toHaveLength(2);
  });

  it('what began before the document', () => {
    expect(read([entry('https://old.test/b.png', { at: 0, wait: 500 }), entry('https://a.test/', { at: 10 })])).toEqual({
      ids: ['1 a.test'],
      leftOut: ['1 requests from before the'],
    });
  });

  it('what began after 2 s of quiet, as in the measure of load time', () => {
    // The load event at 1,000; the image ends at 2,800 and keeps the network busy until then.
    const busy = image(900, { wait: 1900, receive: 0 });
    expect(read([DOCUMENT, busy, image(4799), image(6950)], { onLoad: 1000 })).toEqual({
      ids: ['1 a.test', '2 i.png', '3 i.png'],
      leftOut: ['1 requests that began afte'],
    });
    expect(read([DOCUMENT, image(2999)], { onLoad: 1000 }).ids).toHaveLength(2);
    expect(read([DOCUMENT, image(3000)], { onLoad: 1000 }).ids).toHaveLength(1);
  });

  it('what began after 60 s', () => {
    expect(read([DOCUMENT, image(60_000), image(60_001)], { onLoad: 90_000 }).ids).toHaveLength(2);
  });

  it('counted from the document where the load event is not recorded, which is said', () => {
    // The document is complete at 110.
    expect(read([DOCUMENT, image(2109), image(4300)], { onLoad: -1 })).toEqual({
      ids: ['1 a.test', '2 i.png'],
      leftOut: ['1 The load event is not re'],
    });
  });
});

describe('the document', () => {
  it('is not that of a frame that comes late', () => {
    const scripts = [0, 10, 20].map((at) => entry('https://a.test/s.js', { at }));
    expect(read([...scripts, entry('https://ads.test/frame', { at: 30 })])).toEqual({
      ids: ['1 s.js', '2 s.js', '3 s.js', '4 frame'],
      leftOut: [],
    });
    expect(read([...scripts.slice(0, 1), entry('https://a.test/', { at: 30 }), image(40)]).ids).toEqual(['1 a.test', '2 i.png']);
  });

  it('is looked for on the first page that has requests', () => {
    const pages = ['empty', 'page_1'].map((id) => ({ id, startedDateTime: '2026-01-05T10:00:00Z', pageTimings: {} }));
    const { log } = harOf([DOCUMENT]);
    expect(pageFromHar({ log: { ...log, pages } }).page.requests).toHaveLength(1);
  });

  it('is told apart by pages whose names are numbers', () => {
    const pages = [1, 2].map((id) => ({ id, startedDateTime: '2026-01-05T10:00:00Z', pageTimings: {} }));
    const { log } = harOf([1, 2, 2].map((pageref) => ({ ...DOCUMENT, pageref })));
    const requests = (pageId?: string) => pageFromHar({ log: { ...log, pages } }, pageId === undefined ? {} : { pageId }).page.requests;
    expect([requests().length, requests('2').length]).toEqual([1, 2]);
    expect(() => requests('3')).toThrow('The HAR has no page "3" with requests; it has "1", "2"');
    expect(() => pageFromHar({ log: { ...log, pages } }, { pageId: 3 as never })).toThrow('The HAR has no page "3" with requests');
  });

  it('is found where entries name no page, or one that is not there', () => {
    const { log } = harOf([{ ...DOCUMENT, pageref: undefined }]);
    expect(pageFromHar({ log }).page.requests).toHaveLength(1);
    expect(pageFromHar({ log: { entries: [{ ...DOCUMENT, pageref: 'gone' }] } }).page.requests).toHaveLength(1);
  });
});

describe('times that cannot be', () => {
  it('are taken with those of the one before', () => {
    const blind = image(0, { more: { startedDateTime: 'soon', timings: {}, time: -4 } });
    const { page, inferred } = pageFromHar(harOf([DOCUMENT, image(150), blind]));
    expect(page.requests[2]?.after).toEqual({ id: '1 a.test', delayMs: 40 });
    expect(inferred.find(({ rule }) => rule.startsWith('When they were asked for'))?.requests).toBe(1);
  });

  it('that are negative do not turn time back', () => {
    const negative = image(150, { blocked: -5, dns: -1, wait: -30, receive: -10, more: { time: -45 } });
    const { page } = pageFromHar(harOf([DOCUMENT, negative, image(160)]));
    for (const { serverMs = 0 } of page.requests) expect(serverMs).toBeGreaterThanOrEqual(0);
    expect(page.requests).toHaveLength(3);
  });
});

describe('no page', () => {
  const refusal = (har: unknown): string => {
    try {
      pageFromHar(har);
    } catch (error) {
      if (error instanceof PlumbfoxError && error.kind === 'bad-input') return error.message;
    }
    return 'not refused';
  };

  it('is in what is no HAR', () => {
    for (const none of [undefined, null, 7, 'har', [], {}, { log: null }, { log: { entries: {} } }]) {
      expect(refusal(none)).toMatch(/^This is not a HAR: it has no log.entries; record a page load/);
    }
  });

  it('is in a HAR without requests, or without answers', () => {
    expect(refusal(harOf([]))).toMatch(/^The HAR has no requests; record a page load/);
    expect(refusal(harOf([entry('data:,x'), entry('https://a.test/', { more: { response: {} } })]))).toMatch(
      /^None of the 2 recorded requests was answered over http or https, so/,
    );
  });

  it('is in more requests than can be simulated', () => {
    const one = entry('https://a.test/');
    expect(refusal(harOf(Array.from({ length: 20_001 }, () => one)))).toBe(
      "The HAR's page has 20001 requests; at most 20000 can be simulated",
    );
  });
});
