/** The measures of one load (design: measures), all derived by `measureLoad`. Unknown is `undefined`. */
import type { Bytes, Milliseconds, Ratio } from '../units.ts';
import type { HttpVersion } from './page-load.ts';

/** Why the end of a load cannot be measured; `document-failed`: the browser showed an error page. */
export const CUT_SHORTS = ['document-failed', 'no-load-event', 'page-left', 'time-limit', 'too-many-requests'] as const;
export type CutShort = (typeof CUT_SHORTS)[number];

/** The measures of one page load. */
export interface LoadMeasures {
  readonly loadTimeMs: Milliseconds;
  /** Present: the load was not seen to its end, so `loadTimeMs` is at best a lower bound and efficiency is unknown. */
  readonly cutShort?: CutShort;
  readonly bytes?: Bytes;
  readonly idealTimeMs?: Milliseconds;
  /** idealTime / loadTime, in (0, 1]. */
  readonly efficiency?: Ratio;
  readonly utilisation?: Ratio;
  readonly firstContentfulPaintMs?: Milliseconds;
  readonly largestContentfulPaintMs?: Milliseconds;
  readonly queueWait?: { readonly medianMs: Milliseconds; readonly maxMs: Milliseconds; readonly totalMs: Milliseconds };
  /** Highest number of requests outstanding at once, all origins. */
  readonly peakOutstanding: number;
  readonly peakOutstandingByOrigin: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly failedRequests: number;
  readonly coldConnections?: number;
  readonly reusedConnections?: number;
  readonly duplicateFetches: number;
  /** Their bytes on the wire; absent: there are none, or those of one are unknown. */
  readonly duplicateBytes?: Bytes;
  /** How many of them are the page itself, fetched again for an empty `src`; absent: none. */
  readonly emptySources?: number;
  readonly renderBlockingEndMs?: Milliseconds;
  /** Share of requests by HTTP version; sums to 1 over the requests whose version is known. */
  readonly httpVersions: Readonly<Partial<Record<HttpVersion, Ratio>>>;
}
