/** Which HTTP version a page was loaded over. */
import type { LoadProtocol } from '../compare/comparison.ts';
import type { HttpVersion } from '../measure/page-load.ts';

/** `mixed`: several, as on the real network, where each server has its own. `undefined`: no load says. */
export type PageProtocol = LoadProtocol | undefined;

/** A load in which one version has at least this share of the requests is that version's: one request may have fallen back. Our own choice. */
const NEARLY_ALL = 0.95;

/** The protocol of one load, by the shares of its requests whose version is known. HTTP/1.0 counts as HTTP/1.1. */
export function protocolOfLoad(shares: Readonly<Partial<Record<HttpVersion, number>>>): PageProtocol {
  const http1 = (shares['http/1.0'] ?? 0) + (shares['http/1.1'] ?? 0);
  const [http2, http3] = [shares['http/2'] ?? 0, shares['http/3'] ?? 0];
  const known = http1 + http2 + http3;
  if (known <= 0) return undefined;
  if (http1 / known >= NEARLY_ALL) return 'http/1.1';
  if (http2 / known >= NEARLY_ALL) return 'http/2';
  return http3 / known >= NEARLY_ALL ? 'http/3' : 'mixed';
}

export interface PageProtocols<Page> {
  /** `counts`: the load is compared. One that is not may be excluded for having come by another version. */
  readonly add: (page: Page, protocol: PageProtocol, counts: boolean) => void;
  /** As every load that counts says; where none does, as the others say. */
  readonly of: (page: Page) => PageProtocol;
}

/** What the loads of each page say, in one pass over them. */
export function pageProtocols<Page>(): PageProtocols<Page> {
  const counted = new Map<Page, PageProtocol>();
  const excluded = new Map<Page, PageProtocol>();
  return {
    add: (page, protocol, counts) => {
      const own = counts ? counted : excluded;
      const before = own.get(page);
      if (before === undefined || protocol === undefined) own.set(page, before ?? protocol);
      else if (before !== protocol) own.set(page, 'mixed');
    },
    of: (page) => (counted.has(page) ? counted.get(page) : excluded.get(page)),
  };
}
