/** Which stored load an event belongs to that came after the load was stored: the rules alone, without the store. */
import type { RawRequestEvent } from './page-load.ts';
import { CLOCK_TOLERANCE_MS } from './select-load-events.ts';
import { withoutFragment } from './stored-url.ts';

/** A document is observed for 60 s at most; an event this long after that end is of none. Our own choice; see `ORPHAN_AFTER_MS`. */
const AFTER_END_MS = 180_000;
/** Events that end so soon after the observation are the document's, such as the requests that leaving it has cut off. Our own choice. */
const JUST_AFTER_END_MS = 1_000;
/** A sign of a navigation among the waiting events: one of its document's own. */
export interface WaitingNavigation {
  readonly at: number;
  readonly requestId: string;
}

/** What is known of the tab's waiting events. */
export interface TabEvents {
  /** When this run of Firefox began, wall clock: request and tab ids begin anew with every start. */
  readonly since: number;
  /** When navigations began whose load is not stored yet; ascending. */
  readonly navigations: readonly WaitingNavigation[];
  readonly firstUrls: ReadonlyMap<string, string>;
  /** Events of documents' own requests, by request; ascending. */
  readonly documents: ReadonlyMap<string, readonly RawRequestEvent[]>;
}

/** What is known of a stored load. */
export interface KnownLoad {
  readonly stored: { readonly startedAt: number; readonly endedAt: number; readonly url: string; readonly documentId?: string };
  readonly requestIds: Set<string | undefined>;
  /** Nothing of its document's own request had come when it was stored. */
  readonly lacksDocument: boolean;
  /** The end of that request, where it has come since. */
  document: RawRequestEvent | undefined;
  /** Addresses of requests that the document has reported and whose channel is not known yet. */
  readonly awaited: ReadonlySet<string | undefined>;
  /** It says already that more was asked for than is recorded: a further request changes nothing, and it need not be written again. */
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
