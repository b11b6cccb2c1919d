/** Resources that a page fetched more than once over the network, and what that cost. */
import { groupBy } from '../group-by.ts';
import { type Bytes, bytes, kilobitsPerSecond, type Milliseconds, milliseconds, transmissionTime } from '../units.ts';
import type { LoadMeasures } from './load-measures.ts';
import type { PageLoad, RequestRecord, RequestType } from './page-load.ts';
import { loadBytes, networkRequests } from './requests.ts';
import { withoutFragment } from './stored-url.ts';

interface DuplicateFetch {
  /** The address without fragment; it stays on this machine. */
  readonly url: string;
  /** Fetches beyond the first, at least 1. */
  readonly extra: number;
  /** The bytes of these on the wire; `undefined`: unknown for one of them. */
  readonly bytes: Bytes | undefined;
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
  const document = load.requests[0];
  const fetched = networkRequests(load.requests).filter(isWholeFetch);
  return duplicatesAmong(
    fetched.map((request) => ({
      url: withoutFragment(request.url),
      bytes: loadBytes([request]),
      isImage: request.type === 'image' || request.type === 'imageset',
    })),
    document && withoutFragment(document.url),
  );
}

/** A fetch of a whole resource over the network that brings the same each time. */
interface WholeFetch {
  /** Without fragment. */
  readonly url: string;
  /** On the wire; `undefined`: not known. */
  readonly bytes: number | undefined;
  readonly isImage: boolean;
}

/** The same rule for what this extension and what others recorded. `documentUrl`: without fragment. */
export function duplicatesAmong(fetched: readonly WholeFetch[], documentUrl: string | undefined): readonly DuplicateFetch[] {
  return [...groupBy(fetched, ({ url }) => url)]
    .filter(([, fetches]) => fetches.length > 1)
    .map(([url, fetches]) => ({
      url,
      extra: fetches.length - 1,
      bytes: sumOfKnown(fetches.slice(1)),
      emptySource: url === documentUrl && fetches.some(({ isImage }) => isImage),
    }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

function sumOfKnown(fetches: readonly WholeFetch[]): Bytes | undefined {
  let sum = 0;
  for (const each of fetches) {
    if (each.bytes === undefined) return undefined;
    sum += each.bytes;
  }
  return bytes(sum);
}

const isWholeFetch = ({ type, outcome, wire }: RequestRecord): boolean =>
  FETCHED_ONCE.has(type) && outcome.state === 'completed' && wire?.status !== PARTIAL_CONTENT;

/** The cost of a load's duplicate fetches, one after the other; beside others they cost less. */
export interface DuplicateCost {
  readonly requests: number;
  /** One for each request. */
  readonly roundTrips: number;
  /** How many of the requests are the page itself, fetched again for an empty `src`. */
  readonly emptySources: number;
  /** `undefined`: unknown for one of them. */
  readonly bytes?: Bytes;
  /** roundTrips x RTT + bytes x 8 / downlink. `undefined`: the link or the bytes are not known. */
  readonly ms?: Milliseconds;
}

/** The cost of a load's duplicate fetches, from its measures. `undefined`: nothing was fetched twice. */
export function duplicateCost(
  { duplicateFetches: requests, duplicateBytes: size, emptySources = 0 }: DuplicateMeasures,
  link: { readonly rttMs: number; readonly downKbps: number } | undefined,
): DuplicateCost | undefined {
  if (requests === 0) return undefined;
  const priced = link !== undefined && link.downKbps > 0 && size !== undefined;
  return {
    requests,
    roundTrips: requests,
    emptySources,
    ...(size !== undefined && { bytes: size }),
    ...(priced && { ms: milliseconds(requests * link.rttMs + transmissionTime(size, kilobitsPerSecond(link.downKbps))) }),
  };
}

/** The share of a load's measures that is about duplicate fetches; it holds no address. */
export type DuplicateMeasures = Pick<LoadMeasures, 'duplicateFetches' | 'duplicateBytes' | 'emptySources'>;

/** The sums over all addresses. The bytes are unknown (absent) as soon as those of one address are. */
export function duplicateMeasures(duplicates: readonly DuplicateFetch[]): DuplicateMeasures {
  const sum = (of: (each: DuplicateFetch) => number) => duplicates.reduce((total, each) => total + of(each), 0);
  const known = duplicates.length > 0 && duplicates.every((each) => each.bytes !== undefined);
  const emptySources = sum(({ extra, emptySource }) => (emptySource ? extra : 0));
  return {
    duplicateFetches: sum(({ extra }) => extra),
    ...(known && { duplicateBytes: bytes(sum((each) => each.bytes ?? 0)) }),
    ...(emptySources > 0 && { emptySources }),
  };
}
