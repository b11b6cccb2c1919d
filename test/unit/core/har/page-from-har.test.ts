import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { linkFromHar, loadFromHar } from '../../../../src/core/har/page-from-har.ts';
import { type EntryOptions, entry, harOf } from './har-of.ts';

const START = Date.UTC(2026, 0, 5, 10, 0, 0);
const image = (at: number, more: Readonly<Record<string, unknown>> = {}) => entry('https://a.test/i.png', { at, more });

describe('a load', () => {
  it('is the requests of its page, in their order', () => {
    const { requests, ...others } = loadFromHar(harOf([entry('https://a.test/', { at: 5 }), image(3)]), undefined);
    expect(requests.map(({ url, timing }) => [url, timing.startMs])).toEqual([
      ['https://a.test/', START + 5],
      ['https://a.test/i.png', START + 3],
    ]);
    expect(others).toStrictEqual({ loadEventMs: START + 5000, inferred: [] });
  });

  it('has no load event where none is told', () => {
    expect(loadFromHar(harOf([image(0)], { onLoad: -1 }), undefined)).not.toHaveProperty('loadEventMs');
  });

  it('says what of it is no request by HTTP, and how many', () => {
    const urls = ['data:,1', 'wss://a.test/', 'x', 'blob:y', 'about:blank', 'ws://a.test/'];
    const load = loadFromHar(harOf([...urls.map((url) => entry(url)), image(0)]), undefined);
    expect(load.requests).toHaveLength(1);
    expect(load.inferred).toEqual([
      {
        ...{ field: 'left-out', requests: 3 },
        rule: 'Excluded: data:, blob:, about: and extension addresses, which never reach the network',
      },
      { field: 'left-out', requests: 2, rule: 'Excluded: WebSockets, which stay open as long as the page likes' },
      { field: 'left-out', requests: 1, rule: 'Excluded: entries without a readable http or https address' },
    ]);
  });

  it('says of the requests of other pages first', () => {
    const load = loadFromHar(harOf([image(0), entry('x'), { ...image(0), pageref: 'page_2' }]), undefined);
    expect(load.inferred.map(({ requests, rule }) => `${requests} ${rule.slice(0, 24)}`)).toEqual([
      '1 The file has 2 pages; on',
      '1 Excluded: entries withou',
    ]);
  });

  it('knows the document where WebPageTest marks it: the first that is marked', () => {
    const documentOf = (...marks: readonly unknown[]) =>
      loadFromHar(harOf([entry('x'), ...marks.map((_final_base_page) => image(0, { _final_base_page }))]), undefined).document;
    expect(documentOf(false, true, true)).toBe(1);
    expect(documentOf(0, '1')).toBe(1);
    expect(documentOf(1)).toBe(0);
    expect(documentOf(0, false, undefined, '0', -1)).toBeUndefined();
    expect(loadFromHar(harOf([image(0)]), undefined)).not.toHaveProperty('document');
  });

  it("is read with its page's start and its producer's habits", () => {
    const sent = { _load_start: 300, _ttfb_ms: 40, _load_end: 400, startedDateTime: 'soon' };
    expect(loadFromHar(harOf([image(0, sent)]), undefined).requests[0]?.timing.startMs).toBe(START + 300);
    const opened = { timings: { blocked: 0, connect: 60, ssl: 30, wait: 10, receive: 0 }, time: undefined };
    const handshake = (creator: string) => loadFromHar(harOf([image(0, opened)], { creator }), undefined).requests[0]?.timing.handshakeMs;
    expect([handshake('Firefox'), handshake('WebInspector')]).toEqual([60, 30]);
  });

  it('has at most as many requests as can be simulated, of any kind', () => {
    const har = (count: number) => harOf(Array.from({ length: count }, () => ({ request: { url: 'data:,' } })));
    expect(loadFromHar(har(20_000), undefined).inferred[0]?.requests).toBe(20_000);
    expect(() => loadFromHar(har(20_001), undefined)).toThrow(
      new PlumbfoxError('bad-input', "The HAR's page has 20001 requests; at most 20000 can be simulated"),
    );
  });
});

/** The link that a HAR shows. */
const OPENS = { dns: 5, connect: 80, ssl: 40 };
const DOCUMENT = entry('https://a.test/', OPENS);
/** 200,000 bytes with headers in 400 ms: 4,000 kbit/s. */
const BIG = entry('https://a.test/big.js', { at: 300, wait: 50, receive: 400, body: 199_900 });
const on = (host: string, at: number, options: EntryOptions) => entry(`https://${host}/${at}.png`, { at, ...options });

const linkOf = (entries: readonly unknown[]) => linkFromHar(harOf(entries))?.link;

describe('the link of a HAR', () => {
  it('has the round trip of handshakes and the best goodput', () => {
    expect(linkOf([DOCUMENT, BIG])).toEqual({ rttMs: 40, downKbps: 4000 });
  });

  it('has the round trip that half of the requests go no farther than', () => {
    const far = [0, 1, 2, 3].map((n) => on('far.test', 300 + n, { ...(n === 0 && { dns: 5, connect: 200, ssl: 100 }) }));
    expect(linkOf([DOCUMENT, BIG, ...far.slice(0, 2)])?.rttMs).toBe(40);
    expect(linkOf([DOCUMENT, BIG, ...far])?.rttMs).toBe(100);
  });

  it('does not take first bytes for round trips while there are handshakes', () => {
    const near = [0, 1, 2, 3, 4].map((n) => on('near.test', 800 + n, { wait: 12 }));
    expect(linkOf([DOCUMENT, BIG, ...near])?.rttMs).toBe(40);
  });

  it('has the round trip of first bytes where no handshake is recorded, which is said', () => {
    const found = linkFromHar(harOf([entry('https://a.test/', { wait: 90 }), BIG]));
    expect(found?.link.rttMs).toBe(50);
    expect(found?.inferred[0]?.rule).toBe(
      'No handshake is recorded: the round trip is estimated from the shortest first bytes of 1 server, and may be too long',
    );
  });

  it('says how many servers the round trip is of', () => {
    const said = (...others: readonly unknown[]) => linkFromHar(harOf([DOCUMENT, BIG, ...others]))?.inferred[0]?.rule;
    const rest = ': half of their requests went no farther';
    expect(said()).toBe(`The round trip is estimated from the handshakes with 1 server${rest}`);
    expect(said(on('b.test', 300, OPENS))).toBe(`The round trip is estimated from the handshakes with 2 servers${rest}`);
    // A server without one counts where no server has one.
    expect(said(on('b.test', 300, {}))).toBe(`The round trip is estimated from the handshakes with 1 server${rest}`);
    const blind = linkFromHar(harOf([entry('https://a.test/', { wait: 90 }), BIG, on('b.test', 300, {})]));
    expect(blind?.inferred[0]?.rule).toContain('the shortest first bytes of 2 servers, and');
  });

  it('is none where nothing shows the round trip', () => {
    expect(linkOf([entry('https://a.test/', { more: { timings: {} } })])).toBeUndefined();
  });

  it('is none where little was fetched', () => {
    expect(linkOf([DOCUMENT])).toBeUndefined();
  });

  it('is none where the page waited more than it fetched', () => {
    // 60 kB in twelve responses of 1 ms, half a second apart: 80 kbit/s says nothing of the link.
    const sparse = Array.from({ length: 12 }, (_, n) => on('a.test', 300 + 500 * n, { wait: 400, receive: 1, body: 4900 }));
    expect(linkOf([DOCUMENT, ...sparse])).toBeUndefined();
  });

  it('is a slow one where responses arrived all the time', () => {
    // 60 kB in 6 s without a pause: 80 kbit/s.
    const slow = Array.from({ length: 6 }, (_, n) => on('a.test', 300 + 1000 * n, { wait: 40, receive: 960, body: 9900 }));
    expect(linkOf([DOCUMENT, ...slow])?.downKbps).toBeCloseTo(80, -1);
  });

  it('says what it rests on', () => {
    expect(
      linkFromHar(harOf([DOCUMENT, BIG]))?.inferred.map(({ field, requests, rule }) => `${field} ${requests} ${rule.slice(0, 31)}`),
    ).toEqual([
      'link 2 The round trip is estimated fro',
      'link 2 The downlink is estimated: the ',
      'link 2 A HAR does not show the uplink:',
    ]);
  });
});
