/**
 * Which webRequest events belong to the load that a document's timing describes, out of all events of its tab.
 * Firefox 153 names the document in both; before that, the navigation is found by its URL and its clock.
 */
import { groupBy } from '../group-by.ts';
import type { RawPageTiming, RawRequestEvent } from './raw-observation.ts';

/**
 * The two clocks differ: the time origin is Firefox's start plus a monotonic clock, rounded with jitter, and webRequest's is the wall
 * clock when the event was made. Where they have parted by a second or more the content script goes by the wall clock; 5 s also cover one
 * that is set right during a load. Our own choice.
 */
export const CLOCK_TOLERANCE_MS = 5_000;

/** `mainRequestId`: of the document itself; `undefined`: none of the events is its own. */
export interface LoadEvents {
  readonly mainRequestId: string | undefined;
  readonly events: readonly RawRequestEvent[];
}

/** The events of the load. `tabEvents`: all stored events of the tab, of any load. */
export function selectLoadEvents(timing: RawPageTiming, tabEvents: readonly RawRequestEvent[]): LoadEvents {
  const mainRequestId = mainRequestOf(timing, tabEvents);
  const navigations = navigationsOf(tabEvents);
  const at = navigations.findIndex((navigation) => navigation.requestId === mainRequestId);
  const from = navigations[at]?.startedAt ?? timing.timeOrigin;
  const next = at === -1 ? navigations.find((navigation) => navigation.startedAt > from) : navigations[at + 1];
  const until = next?.startedAt ?? Number.POSITIVE_INFINITY;
  const previousRequestId = navigations[at - 1]?.requestId;
  const window = { from, until, previousUrl: urlOf(tabEvents, previousRequestId) };
  const events = tabEvents.filter((event) =>
    event.type === 'main_frame' ? event.requestId === mainRequestId : belongs(event, timing, window),
  );
  return { mainRequestId, events };
}

const withoutFragment = (url: string) => url.split('#', 1)[0] ?? '';

/** The main request: the document's own, by identity if both sides name it, else the nearest in time that ended at this URL. */
function mainRequestOf(timing: RawPageTiming, tabEvents: readonly RawRequestEvent[]): string | undefined {
  const main = tabEvents.filter((event) => event.type === 'main_frame');
  const named = timing.documentId && main.find((event) => event.documentId === timing.documentId && event.phase === 'completed');
  if (named) return named.requestId;
  const candidates = [...groupBy(main, (event) => event.requestId)].flatMap(([requestId, own]) => {
    const ordered = own.toSorted((a, b) => a.at - b.at);
    const [first, last] = [ordered[0], ordered.at(-1)];
    if (!first || !last || withoutFragment(last.url) !== withoutFragment(timing.url)) return [];
    const distance = Math.abs(first.at - timing.timeOrigin);
    return distance <= CLOCK_TOLERANCE_MS ? [{ requestId, distance }] : [];
  });
  return candidates.sort((a, b) => a.distance - b.distance)[0]?.requestId;
}

function navigationsOf(tabEvents: readonly RawRequestEvent[]) {
  const main = groupBy(
    tabEvents.filter((event) => event.type === 'main_frame'),
    (event) => event.requestId,
  );
  return [...main]
    .map(([requestId, own]) => ({ requestId, startedAt: Math.min(...own.map((event) => event.at)) }))
    .sort((a, b) => a.startedAt - b.startedAt);
}

function urlOf(tabEvents: readonly RawRequestEvent[], requestId: string | undefined): string | undefined {
  const url = tabEvents.findLast((event) => event.type === 'main_frame' && event.requestId === requestId)?.url;
  return url === undefined ? undefined : withoutFragment(url);
}

interface Window {
  readonly from: number;
  readonly until: number;
  readonly previousUrl: string | undefined;
}

/**
 * Whether a sub-resource event is this document's.
 * Without identities: the old document still asks (and is cut off) after the next navigation has begun, so within the window its
 * URL tells the two apart, and after the window only events that name this document's URL are taken.
 */
function belongs(event: RawRequestEvent, timing: RawPageTiming, window: Window): boolean {
  const topLevel = event.frameId === 0;
  if (topLevel && event.documentId !== undefined && timing.documentId !== undefined) return event.documentId === timing.documentId;
  const url = withoutFragment(timing.url);
  const asking = event.documentUrl === undefined ? undefined : withoutFragment(event.documentUrl);
  if (event.at < window.from) return false;
  if (!topLevel || asking === undefined) return event.at < window.until;
  if (asking === url) return event.at < window.until || window.previousUrl !== url;
  return event.at < window.until && asking !== window.previousUrl;
}
