/**
 * Which stretch of time, and which requests, belong to a load: from the navigation's fetchStart to the last responseEnd of a request
 * that began before the network had been quiet for 2 s after the load event, and at most 60 s. Our own definition: the load event
 * by itself misses what scripts fetch after it, and a fixed wait counts whatever a page polls for afterwards.
 */
import { type Milliseconds, milliseconds } from '../units.ts';
import type { CutShort } from './load-measures.ts';
import type { PageLoad, RequestRecord } from './page-load.ts';

/** How long the network is quiet before a load is over. A recorder that looked for less is measured by what it looked for. */
export const QUIET_MS = milliseconds(2000);
/** Longest load time; beyond it a page counts as never ending. */
export const MAX_LOAD_MS = milliseconds(60_000);

export interface LoadWindow {
  /** The navigation's fetchStart, ms after the time origin. */
  readonly start: Milliseconds;
  /** The last responseEnd that counts, ms after the time origin, or where the time for the load was up; never before `start`. */
  readonly end: Milliseconds;
  /**
   * The requests that belong to the load, in the record's order, the document first; those whose timing is unknown are among them, but not
   * those of a frame that had no end when the observation ended: nothing is known of the page's own such requests either.
   */
  readonly requests: readonly RequestRecord[];
  /** The load was not seen to its end: `end` is too early, by how much is unknown. */
  readonly cutShort?: CutShort;
}

/** `undefined`: the document's own timing is unknown, so nothing of this load can be measured. */
export function loadWindow(load: PageLoad): LoadWindow | undefined {
  const start = load.requests[0]?.timing?.fetchStart;
  if (start === undefined) return undefined;
  const { loadEventEnd, observation } = load;
  const timings = load.requests.flatMap(({ timing }) => timing ?? []);
  const began = beganBeforeQuiet({ loadEventEnd, quietMs: observation.quietMs, timings });
  const requests = load.requests.filter(
    ({ timing, beganAt }, index) => index === 0 || (timing === undefined ? beganAt === undefined : began(timing.fetchStart)),
  );
  const lastEnd = Math.max(start, ...requests.map(({ timing }) => timing?.responseEnd ?? start));
  const cut = start + MAX_LOAD_MS;
  const cutShort = cutShortBy(load) ?? (cut < lastEnd ? 'time-limit' : undefined);
  // What was still awaited when the time was up has no end, however early the last response came.
  const end = cutShort === 'time-limit' ? cut : Math.min(lastEnd, cut);
  return { start, end: milliseconds(end), requests, ...(cutShort === undefined ? {} : { cutShort }) };
}

interface QuietRule {
  /** End of the load event, ms after the time origin; `undefined`: every request belongs to the load. */
  readonly loadEventEnd: number | undefined;
  /** How long the recorder saw the network quiet; more than {@link QUIET_MS} counts as that. */
  readonly quietMs: number;
  /** Spans of the requests whose timing is known, the document first, in ms after the time origin. */
  readonly timings: readonly { readonly fetchStart: number; readonly responseEnd: number }[];
}

/** Whether a request that began at a time (ms after the time origin) belongs to the load. */
export function beganBeforeQuiet({ loadEventEnd, quietMs, timings }: QuietRule): (fetchStart: number) => boolean {
  if (loadEventEnd === undefined) return () => true;
  const quiet = Math.min(QUIET_MS, quietMs);
  let busyUntil = Math.max(loadEventEnd, timings[0]?.responseEnd ?? loadEventEnd);
  const began = (fetchStart: number) => fetchStart <= loadEventEnd || fetchStart < busyUntil + quiet;
  for (const { fetchStart, responseEnd } of timings.toSorted((a, b) => a.fetchStart - b.fetchStart)) {
    if (!began(fetchStart)) break;
    busyUntil = Math.max(busyUntil, responseEnd);
  }
  return began;
}

function cutShortBy({ observation, loadEventEnd, requests }: PageLoad): CutShort | undefined {
  // An error page is soon there; it must never pass for a fast load.
  if (requests[0]?.outcome.state === 'failed') return 'document-failed';
  if (observation.tooManyRequests) return 'too-many-requests';
  if (observation.ended !== 'quiet') return observation.ended;
  return loadEventEnd === undefined ? 'no-load-event' : undefined;
}
