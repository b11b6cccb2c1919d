import { expect, it } from 'vitest';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';
import { HTTP2_ENABLED, HTTP2_PULL_ALLOWANCE, HTTP3_ENABLED, PER_SERVER } from '../../../../src/core/profiles/catalogue.ts';
import type { Settings } from '../../../../src/core/search/factorial.ts';
import { agreedProtocol, negotiatedFactorial, PROTOCOL_CHOICES, PROTOCOL_KNOBS } from '../../../../src/core/search/protocol-knobs.ts';
import { searchSpace } from '../../../../src/core/search/search-space.ts';

const page = (protocol: 'http/1.1' | 'http/2' | 'http/3'): PageGraph => ({
  requests: [{ id: 'document', origin: 'o', bytes: 1000, requestBytes: 100, class: 'document', blocking: false, serverMs: 0 }],
  origins: { o: { protocol, tls: '1.3' } },
});
const PAGES = [page('http/3'), page('http/2'), page('http/1.1')];
const negotiation = {
  visit: 'first',
  pages: (settings: Settings) => PAGES.filter(({ origins }) => origins?.o?.protocol === agreedProtocol(settings)),
} as const;
const names = (knobs: readonly { preference: string }[]) => knobs.map(({ preference }) => preference);

it('chooses each protocol by the newest that is left on', () => {
  expect(PROTOCOL_CHOICES.map(agreedProtocol)).toEqual(['http/3', 'http/2', 'http/1.1']);
  expect(agreedProtocol({ [HTTP2_ENABLED]: false })).toBe('http/3');
});

it('crosses a preference with the protocols that read it, and sets it nowhere else', () => {
  const knobs = [
    { preference: HTTP3_ENABLED, values: [false] },
    { preference: HTTP2_ENABLED, values: [false] },
    { preference: PER_SERVER, values: [8, 16] },
    { preference: HTTP2_PULL_ALLOWANCE, values: [1_048_576] },
  ];
  const without3 = { [HTTP3_ENABLED]: false };
  const without2 = { [HTTP3_ENABLED]: false, [HTTP2_ENABLED]: false };
  expect(new Set(negotiatedFactorial(knobs, negotiation))).toEqual(
    new Set([
      {},
      without3,
      { ...without3, [HTTP2_PULL_ALLOWANCE]: 1_048_576 },
      without2,
      { ...without2, [PER_SERVER]: 8 },
      { ...without2, [PER_SERVER]: 16 },
    ]),
  );
});

it('searches protocols by itself where servers speak several, and memory on a second visit alone', () => {
  const first = searchSpace(PAGES, undefined, { visit: 'first' });
  expect(names(first.modelled)).toEqual(expect.arrayContaining([HTTP3_ENABLED, HTTP2_ENABLED, PER_SERVER]));
  expect(names(first.curious)).toContain('network.dns.use_https_rr_as_altsvc');
  expect(names(first.outOfReach)).toContain('network.http.http3.enable_0rtt');
  expect(names(searchSpace(PAGES, PROTOCOL_KNOBS, { visit: 'second' }).outOfReach)).toEqual([]);
  expect(names(searchSpace(PAGES).modelled)).not.toContain(HTTP3_ENABLED);
});

it('asks nothing of HTTP/2 where HTTP/3 stays on', () => {
  const knobs = [{ preference: HTTP2_ENABLED, values: [false] }];
  expect(names(searchSpace(PAGES, knobs, { visit: 'first' }).outOfReach)).toEqual([HTTP2_ENABLED]);
});
