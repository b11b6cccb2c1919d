/** Things a page fetched more than once over the network. */
import { groupBy } from '../group-by.ts';
import { networkRequests } from './network-requests.ts';
import type { PageLoad, RequestRecord, RequestType } from './page-load.ts';

export interface DuplicateFetch {
  /** Without fragment. Stays on this machine. */
  readonly url: string;
  /** Fetches beyond the first, at least 1. */
  readonly extra: number;
  /** The document's own address fetched as an image: what an `<img src="">` asks for. */
  readonly emptySource: boolean;
}

/**
 * Types that are fetched by GET and are the same thing each time. Left out: what scripts ask for (the method is not recorded, and
 * asking again may be the point), beacons and reports, and what is open-ended.
 */
const FETCHED_ONCE: ReadonlySet<RequestType> = new Set([
  'main_frame',
  'sub_frame',
  'stylesheet',
  'script',
  'image',
  'imageset',
  'font',
  'media',
  'object',
  'xslt',
  'web_manifest',
  'json',
]);
const PARTIAL_CONTENT = 206;

/** One entry per URL, in order of URL. Fetches from a cache, redirects, failures and ranges of one resource (206) are not repeats. */
export function duplicateFetches(load: Pick<PageLoad, 'requests'>): readonly DuplicateFetch[] {
  const fetched = networkRequests(load.requests).filter(isWholeFetch);
  const document = load.requests[0];
  const documentUrl = document && withoutFragment(document.url);
  return [...groupBy(fetched, ({ url }) => withoutFragment(url))]
    .filter(([, fetches]) => fetches.length > 1)
    .map(([url, fetches]) => ({
      url,
      extra: fetches.length - 1,
      emptySource: url === documentUrl && fetches.some(({ type }) => type === 'image' || type === 'imageset'),
    }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

const isWholeFetch = ({ type, outcome, wire }: RequestRecord): boolean =>
  FETCHED_ONCE.has(type) && outcome.state === 'completed' && wire?.status !== PARTIAL_CONTENT;

function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
