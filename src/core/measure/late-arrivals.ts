/** Events and timing entries that come after a load was joined and stored: which load it belongs to, and how it is added. */
import { groupBy } from '../group-by.ts';
import { milliseconds } from '../units.ts';
import { type JoinOptions, joinPageLoad } from './join-page-load.ts';
import { cutOff, type PageLoad, type RawRequestEvent, type RequestRecord, withinMaxRequests } from './page-load.ts';
import type { RawEntry, RawPageTiming } from './page-timing.ts';
import { CLOCK_TOLERANCE_MS } from './select-load-events.ts';
import { withoutFragment } from './stored-url.ts';

/**
 * The load with its late events: a request that was open gets its end and its wire facts; one that was not known is added at the end.
 * Events are idempotent: the same one twice changes nothing.
 */
export function addLateEvents<Mark>(
  load: PageLoad<Mark>,
  events: readonly RawRequestEvent[],
  originOf: (url: string) => string | null,
): PageLoad<Mark> {
  const joined = joinedAlone(load, events, originOf);
  const late = joined.requests;
  const byId = groupBy(late, (record) => record.requestId);
  const eventOrigin = load.startedAt + (load.observation.eventsAheadMs ?? 0);
  const endOf = endTimes(events);
  const kept = load.requests.map((record): RequestRecord => {
    const end = byId.get(record.requestId)?.find((candidate) => candidate.outcome.state !== 'redirected');
    if (record.requestId === undefined || end === undefined || record.outcome.state === 'redirected') return record;
    if (record.wire !== undefined) return record;
    const { beganAt, ...known } = record;
    const endAt = endOf.get(record.requestId);
    return {
      ...known,
      ...(beganAt !== undefined && endAt === undefined && { beganAt }),
      ...(beganAt !== undefined &&
        endAt !== undefined && { timing: { fetchStart: beganAt, responseEnd: milliseconds(endAt - eventOrigin) } }),
      ...(end.wire && { wire: end.wire }),
      outcome: record.outcome.state === 'unfinished' ? end.outcome : record.outcome,
    };
  });
  const known = new Set(load.requests.map((record) => record.requestId));
  const isPending = (record: RequestRecord) => record.requestId !== undefined && !known.has(record.requestId);
  const [own, ...others] = kept;
  const document = lateDocument(own, late);
  const requests = document === undefined ? kept : [...document, ...others];
  const pending = late.filter((record) => isPending(record) && record.requestId !== document?.[0].requestId);
  const waitingByUrl = groupBy(
    [...requests.keys()].filter((at) => requests[at]?.requestId === undefined && requests[at]?.wire === undefined),
    (at) => requests[at]?.url,
  );
  for (const record of pending) {
    // A timing entry without a channel so far: this event is the channel it waited for, and has the id and the wire facts that are missing.
    const at = waitingByUrl.get(record.url)?.shift();
    const waiting = at === undefined ? undefined : requests[at];
    if (at === undefined || waiting === undefined) requests.push(record);
    else requests[at] = { ...record, ...waiting, type: record.type };
  }
  return withinMaxRequests({ ...(joined.observation.tooManyRequests ? cutOff(load) : load), requests });
}

/**
 * The document's own record with the channel that was not known when the load was joined, then the redirects that led to it. `undefined`: it
 * was known, or is not among these.
 */
function lateDocument(
  own: RequestRecord | undefined,
  [channel, ...others]: readonly RequestRecord[],
): readonly [RequestRecord, ...RequestRecord[]] | undefined {
  if (own === undefined || own.requestId !== undefined) return undefined;
  // A load that was joined has its document first, here with the channel that came, if one did.
  if (channel?.requestId === undefined) return undefined;
  const { requestId, wire, outcome } = channel;
  const hops = others.filter((record) => record.requestId === requestId);
  return [{ ...own, requestId, ...(wire && { wire }), outcome }, ...hops];
}

/** When each request was complete, wall clock. */
function endTimes(events: readonly RawRequestEvent[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { requestId, phase, at } of events) if (phase === 'completed' && !times.has(requestId)) times.set(requestId, at);
  return times;
}

/** The events as a separate load, by the same rules as a load's own: joined against a document without entries. */
function joinedAlone(load: PageLoad, events: readonly RawRequestEvent[], originOf: (url: string) => string | null): PageLoad {
  const none = { name: '', initiatorType: '', fetchStart: 0, domainLookupStart: 0, domainLookupEnd: 0, connectStart: 0, connectEnd: 0 };
  const entry = { ...none, secureConnectionStart: 0, requestStart: 0, responseStart: 0, responseEnd: 0 };
  const timing = {
    url: load.url,
    timeOrigin: load.startedAt,
    navigation: entry,
    domContentLoadedEventEnd: 0,
    loadEventEnd: 0,
    resources: [],
    ended: load.observation.ended,
    quietMs: load.observation.quietMs,
    endedAt: 0,
  };
  return joinPageLoad(timing, events, { originOf, eventsAheadMs: load.observation.eventsAheadMs ?? 0 });
}

interface LateEntries extends Pick<JoinOptions, 'originOf'> {
  readonly timing: RawPageTiming;
  /** Only the entries that the load does not have yet. */
  readonly late: readonly RawEntry[];
}

/**
 * The load with the timing entries of requests that were still outstanding when its observation ended. An entry whose channel is known gives
 * it its timing; any other is a separate request.
 */
export function addLateEntries<Mark>(load: PageLoad<Mark>, { timing, late, originOf }: LateEntries): PageLoad<Mark> {
  const alone = joinPageLoad({ ...timing, resources: late }, [], { originOf });
  const requests = [...load.requests];
  const channels = channelsByUrl(load.requests);
  for (const record of alone.requests.slice(1)) {
    const at = channels.get(withoutFragment(record.url))?.shift();
    const channel = at === undefined ? undefined : requests[at];
    if (at === undefined || channel === undefined) requests.push(record);
    else requests[at] = { ...channel, ...timingOf(record) };
  }
  return withinMaxRequests({ ...(alone.observation.tooManyRequests ? cutOff(load) : load), requests });
}

/** Positions of the requests without an entry, by the URL that an entry has: Resource Timing names a redirected request by that of its first hop. */
function channelsByUrl(requests: readonly RequestRecord[]): Map<string | undefined, number[]> {
  const firstUrl = new Map<string | undefined, string>();
  for (const { requestId, url } of requests) if (!firstUrl.has(requestId)) firstUrl.set(requestId, url);
  const open = [...requests.keys()].filter((at) => {
    const request = requests[at];
    // A frame's own time, as webRequest saw it, carries no initiator.
    return (
      request?.requestId !== undefined &&
      request.type !== 'main_frame' &&
      request.outcome.state !== 'redirected' &&
      request.initiatorType === undefined
    );
  });
  return groupBy(open, (at) => withoutFragment(firstUrl.get(requests[at]?.requestId) ?? ''));
}

function timingOf({ timing, initiatorType, renderBlocking }: RequestRecord): Partial<RequestRecord> {
  return {
    ...(timing && { timing }),
    ...(initiatorType !== undefined && { initiatorType }),
    ...(renderBlocking !== undefined && { renderBlocking }),
  };
}

// Which stored load a late event belongs to: only the rules, without the store.

/** A document is observed for 60 s at most; an event this long after that end is of none; see `ORPHAN_AFTER_MS`. */
const AFTER_END_MS = 180_000;
/** Events that end so soon after the observation are the document's, such as the requests that leaving it has cut off. Chosen, not measured. */
const JUST_AFTER_END_MS = 1_000;
/** A sign of a navigation among the waiting events: one of its document's own. */
export interface WaitingNavigation {
  readonly at: number;
  readonly requestId: string;
}

/** The tab's waiting events. */
export interface TabEvents {
  /** When this run of Firefox began, wall clock: request and tab ids restart with every start. */
  readonly since: number;
  /** When navigations began whose load is not stored yet; ascending. */
  readonly navigations: readonly WaitingNavigation[];
  readonly firstUrls: ReadonlyMap<string, string>;
  /** Events of documents' own requests, by request; ascending. */
  readonly documents: ReadonlyMap<string, readonly RawRequestEvent[]>;
}

/** A stored load, as far as late events need it. */
export interface KnownLoad {
  readonly stored: { readonly startedAt: number; readonly endedAt: number; readonly url: string; readonly documentId?: string };
  readonly requestIds: Set<string | undefined>;
  /** Nothing of its document's own request had come when it was stored. */
  readonly lacksDocument: boolean;
  /** The end of that request, where it has come since. */
  document: RawRequestEvent | undefined;
  /** Addresses of requests that the document has reported and whose channel is not known yet. */
  readonly awaited: ReadonlySet<string | undefined>;
  /** The load is marked as having requested more than is recorded: a further request changes nothing, and it need not be written again. */
  readonly isFull: boolean;
}

/** Whether the event is of a request that the load has. */
export const changesLoad = ({ requestIds, awaited }: KnownLoad, event: RawRequestEvent, { firstUrls }: TabEvents): boolean =>
  event.type === 'main_frame' ||
  requestIds.has(event.requestId) ||
  awaited.has(withoutFragment(firstUrls.get(event.requestId) ?? event.url));

/** Whether nothing more comes of the request after an event of this phase. */
export const isEnd = (phase: RawRequestEvent['phase']): boolean => phase === 'completed' || phase === 'failed';

/**
 * Firefox keeps webRequest's events back for up to 250 ms, so as to send them together, and messages not (ConduitsParent.sys.mjs,
 * BATCH_TIMEOUT_MS); on a busy machine for longer. So a document's timing may be here before the request for the document is.
 * @returns whether the event is the end of that request: by identity if both sides name it, else by address and clock.
 */
function isDocumentOf({ stored, lacksDocument, document }: KnownLoad, event: RawRequestEvent, { documents }: TabEvents): boolean {
  if (!lacksDocument || document !== undefined || !isEnd(event.phase)) return false;
  if (event.phase === 'completed' && event.documentId !== undefined && stored.documentId !== undefined)
    return event.documentId === stored.documentId;
  const began = documents.get(event.requestId)?.[0]?.at ?? event.at;
  return withoutFragment(event.url) === withoutFragment(stored.url) && Math.abs(began - stored.startedAt) <= CLOCK_TOLERANCE_MS;
}

/** Whether the event is a late part of this load. */
export function isLatePartOf(candidate: KnownLoad, event: RawRequestEvent, among: TabEvents): boolean {
  const { stored, requestIds, awaited } = candidate;
  if (event.at - stored.endedAt > AFTER_END_MS || (stored.endedAt < among.since && event.at >= among.since)) return false;
  if (requestIds.has(event.requestId)) return true;
  if (event.type === 'main_frame') return isDocumentOf(candidate, event, among);
  // A page that goes on asking after its load would grow it for ever: what began later has no entry in it that waits for its channel.
  const first = among.firstUrls.get(event.requestId) ?? event.url;
  if (event.at > stored.endedAt + JUST_AFTER_END_MS && !awaited.has(withoutFragment(first))) return false;
  if (event.frameId === 0 && event.documentId !== undefined && stored.documentId !== undefined)
    return event.documentId === stored.documentId;
  let last = lastUpTo(among.navigations, event.at);
  while (requestIds.has(among.navigations[last]?.requestId ?? '')) last--;
  const nextHasBegun = (among.navigations[last]?.at ?? Number.NEGATIVE_INFINITY) > stored.startedAt;
  const sameUrl =
    event.documentUrl === undefined || event.frameId !== 0 || withoutFragment(event.documentUrl) === withoutFragment(stored.url);
  return sameUrl && !nextHasBegun;
}

/** Position of the last that is not above the bound, -1: none. */
function lastUpTo(ascending: readonly WaitingNavigation[], bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle]?.at ?? 0) <= bound) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
