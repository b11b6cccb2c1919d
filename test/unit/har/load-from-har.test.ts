import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { loadFromHar } from '../../../src/core/har/load-from-har.ts';
import { entry, harOf } from './har-of.ts';

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
        rule: 'data:, blob:, about: and extension addresses are left out: nothing of them is on the network',
      },
      { field: 'left-out', requests: 2, rule: 'WebSockets are left out: they are open for as long as the page likes' },
      { field: 'left-out', requests: 1, rule: 'Entries without a readable http or https address are left out' },
    ]);
  });

  it('says of the requests of other pages first', () => {
    const load = loadFromHar(harOf([image(0), entry('x'), { ...image(0), pageref: 'page_2' }]), undefined);
    expect(load.inferred.map(({ requests, rule }) => `${requests} ${rule.slice(0, 24)}`)).toEqual([
      '1 The file has 2 pages; on',
      '1 Entries without a readab',
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
