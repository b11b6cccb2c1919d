/** Which HTTP version a page of a report was loaded over. */
import type { LoadProtocol } from '../compare/comparison.ts';
import type { HttpVersion } from '../measure/page-load.ts';
import type { MeasuredLoad, ReportPage } from './report.ts';

/** `mixed`: several, as on the real network, where each server has its own. `undefined`: no load says. */
export type PageProtocol = LoadProtocol | undefined;

/** A load in which one version has at least this share of the requests is that version's: one request may have fallen back. Our own choice. */
const NEARLY_ALL = 0.95;

/** As the lab noted it (`served`); else as every load of the page with known versions shows. HTTP/1.0 counts as HTTP/1.1. */
export function protocolOfPage(
  { name, served }: Pick<ReportPage, 'name' | 'served'>,
  loads: readonly Pick<MeasuredLoad, 'page' | 'measures' | 'validity'>[],
): PageProtocol {
  if (served !== undefined) return served.protocol;
  const own = loads.filter(({ page }) => page === name);
  const counted = own.filter(({ validity }) => validity.state === 'valid');
  // A load may be void for having come by another version.
  const telling = counted.length > 0 ? counted : own;
  const seen = new Set(telling.flatMap(({ measures }) => (measures ? (versionOf(measures.httpVersions) ?? []) : [])));
  const [only] = seen;
  return seen.size > 1 ? 'mixed' : only;
}

function versionOf(shares: Readonly<Partial<Record<HttpVersion, number>>>): PageProtocol {
  const http1 = (shares['http/1.0'] ?? 0) + (shares['http/1.1'] ?? 0);
  const [http2, http3] = [shares['http/2'] ?? 0, shares['http/3'] ?? 0];
  const known = http1 + http2 + http3;
  if (known <= 0) return undefined;
  if (http1 / known >= NEARLY_ALL) return 'http/1.1';
  if (http2 / known >= NEARLY_ALL) return 'http/2';
  return http3 / known >= NEARLY_ALL ? 'http/3' : 'mixed';
}
