import { groupBy } from '../group-by.ts';
import { type Ratio, ratio } from '../units.ts';
import type { HttpVersion, RequestRecord } from './page-load.ts';
import { networkRequests } from './requests.ts';

/**
 * Share of the network's requests by HTTP version, each in (0, 1], summing to 1 over those whose version is known; empty: it is known of
 * none. A preference that only touches HTTP/1.1 can only move that share. Source: the status line webRequest reports.
 */
export function httpVersionShares(requests: readonly RequestRecord[]): Readonly<Partial<Record<HttpVersion, Ratio>>> {
  const versions = networkRequests(requests).flatMap(({ wire }) => wire?.httpVersion ?? []);
  const counted = [...groupBy(versions, (version) => version)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(counted.map(([version, same]) => [version, ratio(same.length / versions.length)]));
}
