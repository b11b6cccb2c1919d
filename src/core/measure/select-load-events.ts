/**
 * Which webRequest events belong to the load that a document's timing describes, out of all events of its tab.
 * Firefox 153 puts a document id in both; before that, the navigation is found by its URL and its clock.
 */
import type { RawRequestEvent } from './page-load.ts';
import type { RawPageTiming } from './page-timing.ts';
import { withoutFragment } from './stored-url.ts';

/**
 * The two clocks differ: the time origin is Firefox's start plus a monotonic clock, rounded with jitter, and webRequest's is the wall
 * clock when the event was made. Where they differ by 1 s or more the content script uses the wall clock; 5 s also covers a clock
 * corrected during a load.
 */
export const CLOCK_TOLERANCE_MS = 5_000;

/**
 * The events of the load, and the id of the document's own request; `undefined`: none of the events is its own.
 * @param tabEvents - All stored events of the tab, of any load.
 */
export function selectLoadEvents(
  timing: RawPageTiming,
  tabEvents: readonly RawRequestEvent[],
): { readonly mainRequestId: string | undefined; readonly events: readonly RawRequestEvent[] } {
  const navigations = navigationsOf(tabEvents);
  const mainRequestId = mainRequestOf(timing, tabEvents, navigations);
  const at = navigations.findIndex(({ requestId }) => requestId === mainRequestId);
  const from = navigations[at]?.startedAt ?? timing.timeOrigin;
  const later = navigations.filter(({ startedAt }) => startedAt > from);
  const url = withoutFragment(timing.url);
  const window = {
    from,
    until: later[0]?.startedAt ?? Number.POSITIVE_INFINITY,
    untilSameUrl: later.find((navigation) => navigation.url === url)?.startedAt ?? Number.POSITIVE_INFINITY,
    url,
    previousUrl: navigations[at - 1]?.url,
  };
  const events = tabEvents.filter((event) =>
    event.type === 'main_frame' ? event.requestId === mainRequestId : belongs(event, timing.documentId, window),
  );
  return { mainRequestId, events };
}

interface Navigation {
  readonly requestId: string;
  readonly startedAt: number;
  /** Where it ended, as far as is known. */
  readonly url: string;
}

/** The tab's navigations in the order in which they began. */
function navigationsOf(tabEvents: readonly RawRequestEvent[]): readonly Navigation[] {
  const main = tabEvents.filter((event) => event.type === 'main_frame').sort((a, b) => a.at - b.at);
  const navigations = new Map<string, Navigation>();
  for (const { requestId, at, url } of main) {
    navigations.set(requestId, { requestId, startedAt: navigations.get(requestId)?.startedAt ?? at, url: withoutFragment(url) });
  }
  return [...navigations.values()];
}

/** The main request: the document's own, by identity if both sides name it, else the nearest in time that ended at this URL. */
function mainRequestOf(
  timing: RawPageTiming,
  tabEvents: readonly RawRequestEvent[],
  navigations: readonly Navigation[],
): string | undefined {
  const main = tabEvents.filter(({ type, phase }) => type === 'main_frame' && phase === 'completed');
  const named = timing.documentId && main.find((event) => event.documentId === timing.documentId);
  if (named) return named.requestId;
  const distance = ({ startedAt }: Navigation) => Math.abs(startedAt - timing.timeOrigin);
  return navigations
    .filter((navigation) => navigation.url === withoutFragment(timing.url) && distance(navigation) <= CLOCK_TOLERANCE_MS)
    .sort((a, b) => distance(a) - distance(b))[0]?.requestId;
}

interface Window {
  readonly from: number;
  /** When the next navigation began, and the next to the same URL. */
  readonly until: number;
  readonly untilSameUrl: number;
  readonly url: string;
  readonly previousUrl: string | undefined;
}

/**
 * Whether a sub-resource event is this document's.
 * Without identities: the old document still sends requests (which are aborted) after the next navigation has begun, so within the window its
 * URL tells the two apart, and after the window only events that name this document's URL are accepted, until that is navigated to again.
 */
function belongs(event: RawRequestEvent, documentId: string | undefined, window: Window): boolean {
  const topLevel = event.frameId === 0;
  if (topLevel && event.documentId !== undefined && documentId !== undefined) return event.documentId === documentId;
  if (event.at < window.from) return false;
  if (!topLevel || event.documentUrl === undefined) return event.at < window.until;
  const asking = withoutFragment(event.documentUrl);
  if (asking === window.url) return event.at < window.untilSameUrl;
  return event.at < window.until && asking !== window.previousUrl;
}
