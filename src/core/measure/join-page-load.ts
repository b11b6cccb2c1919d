/**
 * Joins the two halves of one load: the document's timing and the webRequest events that belong to it.
 * Which events belong is decided by `selectLoadEvents`; this file pairs them with the timing entries.
 */
import { groupBy } from '../group-by.ts';
import type { AppliedProfile } from '../profiles/profile.ts';
import { median } from '../stats/quantile.ts';
import { bytes, milliseconds } from '../units.ts';
import {
  type PageLoad,
  type RawRequestEvent,
  type RequestOutcome,
  type RequestRecord,
  type RequestTiming,
  type RequestType,
  type WireInfo,
  withinMaxRequests,
} from './page-load.ts';
import type { RawEntry, RawPageTiming } from './page-timing.ts';
import { withoutFragment } from './stored-url.ts';

export interface JoinOptions {
  /** The profile in effect when the load began. */
  readonly applied?: AppliedProfile | undefined;
  /** scheme://host:port of a URL, `null` for data: and blob:. Passed in: core parses no URLs. */
  readonly originOf: (url: string) => string | null;
  /** How far webRequest's clock is ahead of the document's, ms; found from what both saw unless said. */
  readonly eventsAheadMs?: number | undefined;
}

/** All events of one request id, in order of time: hops of a redirect, then the end. */
interface Chain {
  readonly requestId: string;
  readonly events: readonly RawRequestEvent[];
}

interface Placed {
  readonly record: RequestRecord;
  /** ms after the time origin; orders the records. */
  readonly at: number;
}

/**
 * One `PageLoad`, without a mark, out of a document's timing and its events.
 * The document's own request comes first, the others in order of their start (of their end, where no start is known).
 */
export function joinPageLoad(timing: RawPageTiming, events: readonly RawRequestEvent[], options: JoinOptions): PageLoad<never> {
  const chains = chainsOf(events);
  const main = chains.find((chain) => chain.events.some((event) => event.type === 'main_frame'));
  const others = chains.filter((chain) => chain !== main);
  const pairs = pairByUrl(timing, others);
  const paired = new Set(pairs.values());
  const ahead = options.eventsAheadMs ?? eventsAhead(timing, [...pairs, ...(main ? [[timing.navigation, main] as const] : [])]);
  const eventOrigin = timing.timeOrigin + (ahead ?? 0);
  const make = (entry: RawEntry | undefined, chain: Chain | undefined) =>
    recordsOf(entry, chain, { eventOrigin, originOf: options.originOf });
  const documentRecords = make({ ...timing.navigation, name: timing.url }, main);
  const rest = [
    ...timing.resources.flatMap((entry) => make(entry, pairs.get(entry))),
    ...others.filter((chain) => !paired.has(chain)).flatMap((chain) => make(undefined, chain)),
  ].sort((a, b) => a.at - b.at);
  const requests = [...documentFirst(documentRecords), ...rest].map((placed) => placed.record);
  return withinMaxRequests({
    format: 1,
    id: `${main?.requestId ?? 'unseen'}-${Math.round(timing.timeOrigin)}`,
    url: timing.url,
    startedAt: milliseconds(timing.timeOrigin),
    observation: {
      ended: timing.ended,
      quietMs: milliseconds(timing.quietMs),
      ...(ahead !== undefined && { eventsAheadMs: milliseconds(ahead) }),
    },
    ...(timing.loadEventEnd > 0 && { loadEventEnd: milliseconds(timing.loadEventEnd) }),
    ...(timing.domContentLoadedEventEnd > 0 && { domContentLoadedEventEnd: milliseconds(timing.domContentLoadedEventEnd) }),
    ...(timing.firstContentfulPaint !== undefined && { firstContentfulPaint: milliseconds(timing.firstContentfulPaint) }),
    ...(timing.largestContentfulPaint !== undefined && { largestContentfulPaint: milliseconds(timing.largestContentfulPaint) }),
    requests,
    ...(options.applied !== undefined && { applied: options.applied }),
  });
}

/** The document itself, then the redirects that led to it: readers take `requests[0]` for the document. */
function documentFirst(records: readonly Placed[]): readonly Placed[] {
  const last = records.at(-1);
  return last === undefined ? [] : [last, ...records.slice(0, -1)];
}

function chainsOf(events: readonly RawRequestEvent[]): readonly Chain[] {
  const byId = groupBy(events, (event) => event.requestId);
  return [...byId].map(([requestId, own]) => ({ requestId, events: own.toSorted((a, b) => a.at - b.at) }));
}

const firstUrl = (chain: Chain): string => withoutFragment(chain.events[0]?.url ?? '');
const endOf = (chain: Chain): number => chain.events.at(-1)?.at ?? 0;

/**
 * Pairs entries with chains of the same URL: Resource Timing names a redirected request by the URL first requested.
 * The same URL fetched several times is paired by nearness of the two ends, each entry and chain at most once.
 */
function pairByUrl(timing: RawPageTiming, chains: readonly Chain[]): ReadonlyMap<RawEntry, Chain> {
  const entriesByUrl = groupBy(timing.resources, (entry) => withoutFragment(entry.name));
  const pairs = new Map<RawEntry, Chain>();
  for (const [url, candidates] of groupBy(chains, firstUrl)) {
    const entries = entriesByUrl.get(url) ?? [];
    const found =
      entries.length * candidates.length > MAX_DISTANCES ? inOrderOfEnd(entries, candidates) : nearest(timing, entries, candidates);
    for (const [entry, chain] of found) pairs.set(entry, chain);
  }
  return pairs;
}

/** Distances that are compared: some 300 of one URL. A page that polls one URL 2,000 times made 4 million. */
const MAX_DISTANCES = 100_000;

type Pair = readonly [RawEntry, Chain];

function nearest(timing: RawPageTiming, entries: readonly RawEntry[], chains: readonly Chain[]): readonly Pair[] {
  const distances = entries.flatMap((entry) =>
    chains.map((chain) => ({ entry, chain, distance: Math.abs(timing.timeOrigin + entry.responseEnd - endOf(chain)) })),
  );
  const pairs: Pair[] = [];
  const used = new Set<RawEntry | Chain>();
  for (const { entry, chain } of distances.sort((a, b) => a.distance - b.distance)) {
    if (used.has(entry) || used.has(chain)) continue;
    used.add(entry).add(chain);
    pairs.push([entry, chain]);
  }
  return pairs;
}

function inOrderOfEnd(entries: readonly RawEntry[], chains: readonly Chain[]): readonly Pair[] {
  const ordered = chains.toSorted((a, b) => endOf(a) - endOf(b));
  return entries
    .toSorted((a, b) => a.responseEnd - b.responseEnd)
    .flatMap((entry, at) => {
      const chain = ordered[at];
      return chain === undefined ? [] : [[entry, chain] as const];
    });
}

/**
 * The median over what both clocks saw the end of, ms: webRequest's is the wall clock and a little late, the document's has its own origin.
 * `undefined`: nothing was seen by both.
 */
function eventsAhead(timing: RawPageTiming, pairs: readonly (readonly [RawEntry, Chain])[]): number | undefined {
  return median(
    pairs.flatMap(([entry, { events }]) => {
      const end = events.findLast(({ phase }) => phase === 'completed');
      return end === undefined || entry.responseEnd <= 0 ? [] : [end.at - timing.timeOrigin - entry.responseEnd];
    }),
  );
}

/** One record per redirect hop, then one for the response that ended the request. */
function recordsOf(
  entry: RawEntry | undefined,
  chain: Chain | undefined,
  { eventOrigin, originOf }: Pick<JoinOptions, 'originOf'> & { readonly eventOrigin: number },
): readonly Placed[] {
  const hops = (chain?.events ?? []).filter((event) => event.phase === 'redirected');
  const end = chain?.events.findLast((event) => event.phase === 'completed' || event.phase === 'failed');
  const last = end ?? chain?.events.at(-1);
  const requestTiming = (entry && timingOf(entry)) ?? (chain && timingOfEvents(chain, eventOrigin));
  const at = requestTiming?.fetchStart ?? (chain ? (chain.events[0]?.at ?? 0) - eventOrigin : 0);
  const type = last?.type ?? typeByInitiator(entry?.initiatorType ?? '');
  const shared = { ...(chain && { requestId: chain.requestId }), type, ...initiatorOf(entry, type) };
  const redirects = hops.map((hop) => ({
    record: { ...shared, url: hop.url, origin: originOf(hop.url), ...wireOf(hop), outcome: { state: 'redirected' } as const },
    at,
  }));
  const url = entry && hops.length === 0 ? entry.name : (last?.url ?? entry?.name ?? '');
  const open = chain !== undefined && end === undefined;
  const final: RequestRecord = {
    ...shared,
    url,
    origin: originOf(url),
    ...(entry?.renderBlocking !== undefined && { renderBlocking: entry.renderBlocking }),
    ...(requestTiming && { timing: requestTiming }),
    ...(entry === undefined && open && type !== 'main_frame' && { beganAt: milliseconds(at) }),
    ...(end ? wireOf(end) : cachedOf(entry, chain)),
    outcome: outcomeOf(end, { open, responseEnd: entry?.responseEnd, eventOrigin }),
  };
  return [...redirects, { record: final, at }];
}

function initiatorOf(entry: RawEntry | undefined, type: RequestType): { initiatorType?: string } {
  return entry === undefined || type === 'main_frame' ? {} : { initiatorType: entry.initiatorType };
}

function outcomeOf(
  end: RawRequestEvent | undefined,
  { open, responseEnd, eventOrigin }: { open: boolean; responseEnd: number | undefined; eventOrigin: number },
): RequestOutcome {
  if (end?.phase === 'failed')
    return { state: 'failed', error: end.error ?? 'unknown', at: milliseconds(Math.max(0, end.at - eventOrigin)) };
  if (end?.phase === 'completed') return { state: 'completed' };
  return (responseEnd ?? 0) > 0 && !open ? { state: 'completed' } : { state: 'unfinished' };
}

/** A request that a timing entry reports and no channel carried came from the document's own caches. */
function cachedOf(entry: RawEntry | undefined, chain: Chain | undefined): { wire?: WireInfo } {
  return chain === undefined && entry?.transferSize === 0 ? { wire: { fromCache: true, responseBytes: bytes(0) } } : {};
}

/** The facts that webRequest reported about one response; nothing is filled in. */
export function wireOf(event: RawRequestEvent): { readonly wire?: WireInfo } {
  if (event.phase === 'started') return {};
  const fromCache = event.fromCache === true;
  return {
    wire: {
      fromCache,
      ...(event.responseBytes !== undefined && { responseBytes: bytes(event.responseBytes) }),
      ...(event.requestBytes !== undefined && { requestBytes: bytes(event.requestBytes) }),
      ...(event.httpVersion !== undefined && { httpVersion: event.httpVersion }),
      ...(event.address !== undefined && { address: event.address }),
      ...(event.status !== undefined && { status: event.status }),
      ...(event.proxied !== undefined && { proxied: event.proxied }),
    },
  };
}

/** `undefined` while the response has no end: a document left before it was complete. */
function timingOf(entry: RawEntry): RequestTiming | undefined {
  if (entry.responseEnd <= 0) return undefined;
  // 0 stands for "not known", except where the whole entry begins at the time origin itself, or before it: Firefox 153 reports a fetchStart of
  // -1 ms of most navigations within a site, and a connection that was open already then has the same -1 throughout.
  const known = (value: number) => (value !== 0 || entry.fetchStart <= 0 ? milliseconds(value) : undefined);
  const optional = {
    domainLookupStart: known(entry.domainLookupStart),
    domainLookupEnd: known(entry.domainLookupEnd),
    connectStart: known(entry.connectStart),
    connectEnd: known(entry.connectEnd),
    secureConnectionStart: entry.secureConnectionStart > 0 ? milliseconds(entry.secureConnectionStart) : undefined,
    requestStart: known(entry.requestStart),
    responseStart: known(entry.responseStart),
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { fetchStart: milliseconds(entry.fetchStart), ...present, responseEnd: milliseconds(entry.responseEnd) };
}

/** The timing of a request in a frame, whose own no content script of ours sees: start and end as webRequest saw them. */
function timingOfEvents(chain: Chain, eventOrigin: number): RequestTiming | undefined {
  const start = chain.events.findLast((event) => event.phase === 'started');
  const end = chain.events.findLast((event) => event.phase === 'completed');
  if (start === undefined || end === undefined) return undefined;
  return { fetchStart: milliseconds(start.at - eventOrigin), responseEnd: milliseconds(end.at - eventOrigin) };
}

const initiators: Readonly<Record<string, RequestType>> = {
  img: 'image',
  image: 'image',
  input: 'image',
  script: 'script',
  link: 'stylesheet',
  iframe: 'sub_frame',
  frame: 'sub_frame',
  fetch: 'xmlhttprequest',
  xmlhttprequest: 'xmlhttprequest',
  beacon: 'beacon',
  ping: 'ping',
  audio: 'media',
  video: 'media',
  track: 'media',
  object: 'object',
  embed: 'object',
  navigation: 'main_frame',
};

/** The type of a request that webRequest did not report. `css` may be a font, an image or another sheet, so it stays `other`. */
function typeByInitiator(initiatorType: string): RequestType {
  return Object.hasOwn(initiators, initiatorType) ? (initiators[initiatorType] ?? 'other') : 'other';
}
