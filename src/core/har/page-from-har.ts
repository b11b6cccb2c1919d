/** A page graph, and the link it was loaded over, from a HAR 1.2 of Firefox, Chrome, WebPageTest, browsertime or any other producer. */
import { PlumbfoxError } from '../errors.ts';
import { inferPage } from '../graph/infer-page.ts';
import { type Inference, type InferredPage, inferenceOf, roundedMs } from '../graph/inference.ts';
import { inferLink, inferRoundTrips, type RoundTrips } from '../graph/link-of-load.ts';
import type { ObservedLoad, ObservedRequest } from '../graph/observed-load.ts';
import { type ContentClass, MAX_REQUESTS } from '../graph/page-graph.ts';
import { placeLoad } from '../graph/place-requests.ts';
import { inferSizes } from '../graph/response-sizes.ts';
import { type DuplicateMeasures, duplicateMeasures, duplicatesAmong } from '../measure/duplicate-fetches.ts';
import type { SimulatedLink } from '../simulate/link.ts';
import { requestOfEntry, type Unreadable } from './entry.ts';
import { type Fields, numberOf } from './fields.ts';
import { pageOfHar } from './page.ts';

interface PageFromHarOptions {
  /** Which page of a file with several; by default the first that has requests. */
  readonly pageId?: string;
}

/**
 * The page as it was recorded: what it fetched, from where, and what had to be there before each request. The HAR may lie, contradict
 * itself or leave anything out; `inferred` says what was assumed instead. The rules are in docs/page-graphs.md.
 *
 * Ids of requests are their number and the end of their path, origins are `scheme://host:port`: the graph is no more private than the HAR.
 *
 * @param har the file's contents, parsed.
 * @throws PlumbfoxError `bad-input`, one line, where no page can be made of it: no HAR, no such page, nothing that was answered.
 */
export function pageFromHar(har: unknown, { pageId }: PageFromHarOptions = {}): InferredPage {
  return inferPage(loadFromHar(har, pageId), {
    id: ({ label = '' }, number) => (label === '' ? `${number}` : `${number} ${label}`),
    origin: (origin) => origin,
  });
}

/**
 * How long the load took, ms: from the first request that led to the document to the last response that belongs to the load, as load time is
 * measured everywhere. `undefined`: no response's end is recorded.
 * @throws PlumbfoxError `bad-input` as `pageFromHar`.
 */
export function recordedLoadTimeMs(har: unknown, { pageId }: PageFromHarOptions = {}): number | undefined {
  const ends = placeLoad(loadFromHar(har, pageId)).requests.flatMap(({ endMs }) => endMs ?? []);
  return ends.length === 0 ? undefined : ends.reduce((last, end) => Math.max(last, end), 0);
}

/** Classes whose content is the same each time. What scripts fetch may have changed since, and fetching it again may be the point. */
const FETCHED_ONCE: ReadonlySet<ContentClass> = new Set(['document', 'stylesheet', 'script', 'image', 'font', 'media']);

/**
 * The resources that the load fetched over the network more than once. Sizes count where the file states them.
 * @throws PlumbfoxError `bad-input` as `pageFromHar`.
 */
export function duplicatesFromHar(har: unknown, { pageId }: PageFromHarOptions = {}): DuplicateMeasures {
  const placed = placeLoad(loadFromHar(har, pageId));
  const { bytes, stated } = inferSizes(placed);
  const fetched = placed.requests.flatMap(({ observed }, at) =>
    observed.outcome === 'answered' && !observed.fromCache && observed.isWholeGet && FETCHED_ONCE.has(observed.class)
      ? [{ url: observed.url, bytes: stated[at] ? bytes[at] : undefined, isImage: observed.class === 'image' }]
      : [],
  );
  return duplicateMeasures(duplicatesAmong(fetched, placed.requests[placed.document]?.observed.url));
}

/**
 * The link a HAR was recorded over, as far as it shows.
 *
 * Round trip: the least of each server's handshakes (of its first bytes where no handshake is recorded at all), of which the one that half
 * of the requests go no farther than. Downlink: the best goodput kept up for 250 ms and four round trips. Both are bounds: queues only
 * lengthen a round trip, and pages only use less than there is. The same round trip is taken off waits in `pageFromHar`.
 *
 * `undefined`: no round trip is recorded, or nothing kept the link busy for long enough, as with a page that came from the cache.
 * @throws PlumbfoxError `bad-input` as `pageFromHar`.
 */
export function linkFromHar(
  har: unknown,
  { pageId }: PageFromHarOptions = {},
): { readonly link: SimulatedLink; readonly inferred: readonly Inference[] } | undefined {
  const placed = placeLoad(loadFromHar(har, pageId));
  const trips = inferRoundTrips(placed.requests);
  const found = inferLink(placed.requests, inferSizes(placed), trips.linkMs);
  if (found === undefined) return undefined;
  return {
    link: { rttMs: roundedMs(found.rttMs), downKbps: Math.max(1, Math.round(found.downKbps)) },
    inferred: notesOf(trips, placed.requests.length, found.sized),
  };
}

function notesOf({ fromHandshakes, fromFirstBytes }: RoundTrips, requests: number, sized: number): readonly Inference[] {
  const servers = (count: number) => (count === 1 ? '1 server' : `${count} servers`);
  const roundTrip =
    fromHandshakes > 0
      ? `The round trip is estimated from the handshakes with ${servers(fromHandshakes)}: half of their requests went no farther`
      : `No handshake is recorded: the round trip is estimated from the shortest first bytes of ${servers(fromFirstBytes)}, and may be too long`;
  return [
    ...inferenceOf('link', requests, roundTrip),
    ...inferenceOf('link', sized, 'The downlink is estimated: the best rate at which responses arrived for a while; it may do more'),
    ...inferenceOf('link', requests, 'A HAR does not show the uplink: taken to be as fast as the downlink; nor loss: none'),
  ];
}

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  'no-http': 'Excluded: data:, blob:, about: and extension addresses, which never reach the network',
  websocket: 'Excluded: WebSockets, which stay open as long as the page likes',
  'no-address': 'Excluded: entries without a readable http or https address',
};

/**
 * A page of a HAR as an observed load. Times are ms since the epoch.
 * @throws PlumbfoxError `bad-input`: no HAR, no requests, no such page, or more requests than a page can have.
 */
export function loadFromHar(har: unknown, pageId: string | undefined): ObservedLoad {
  const page = pageOfHar(har, pageId);
  if (page.entries.length > MAX_REQUESTS) {
    throw new PlumbfoxError('bad-input', `The HAR's page has ${page.entries.length} requests; at most ${MAX_REQUESTS} can be simulated`);
  }
  const context = { pageStartMs: page.startMs, byFirefox: page.byFirefox };
  const requests: ObservedRequest[] = [];
  const unreadable = new Map<Unreadable, number>();
  let document: number | undefined;
  for (const entry of page.entries) {
    const request = requestOfEntry(entry, context);
    if (typeof request === 'string') unreadable.set(request, (unreadable.get(request) ?? 0) + 1);
    else {
      if (document === undefined && isDocument(entry)) document = requests.length;
      requests.push(request);
    }
  }
  return {
    requests,
    ...(page.loadEventMs !== undefined && { loadEventMs: page.loadEventMs }),
    ...(document !== undefined && { document }),
    inferred: [...page.inferred, ...[...unreadable].flatMap(([reason, count]) => inferenceOf('left-out', count, UNREADABLE[reason]))],
  };
}

/** WebPageTest marks the document at the end of the redirects. */
const isDocument = (entry: Fields): boolean => entry._final_base_page === true || (numberOf(entry._final_base_page) ?? 0) > 0;
