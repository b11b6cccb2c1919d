/**
 * The two raw halves of a load, before they are joined: what the document's own timing says, and what webRequest saw.
 * `src/protocol` holds the schemas of both.
 */
import type { HttpVersion, ObservationEnd, RequestType } from './page-load.ts';

/** One Navigation or Resource Timing entry; times in ms after the time origin, where 0 means "not known". */
export interface RawEntry {
  readonly name: string;
  readonly initiatorType: string;
  readonly renderBlocking?: boolean | undefined;
  readonly fetchStart: number;
  readonly domainLookupStart: number;
  readonly domainLookupEnd: number;
  readonly connectStart: number;
  readonly connectEnd: number;
  readonly secureConnectionStart: number;
  readonly requestStart: number;
  readonly responseStart: number;
  readonly responseEnd: number;
  /** 0 when the response came from a cache; `undefined`: not told. */
  readonly transferSize?: number | undefined;
}

export interface RawPageTiming {
  readonly url: string;
  /** Wall clock of the time origin, ms since the epoch. */
  readonly timeOrigin: number;
  readonly navigation: RawEntry;
  readonly domContentLoadedEventEnd: number;
  readonly loadEventEnd: number;
  readonly firstContentfulPaint?: number | undefined;
  readonly largestContentfulPaint?: number | undefined;
  readonly resources: readonly RawEntry[];
  readonly ended: ObservationEnd;
  readonly quietMs: number;
  /** Clock of the document when the observation ended, ms after the time origin. */
  readonly endedAt: number;
  /** Firefox's own identity of the document, where it tells it (since 153). */
  readonly documentId?: string | undefined;
}

/** Which of webRequest's events it was. */
export type RawPhase = 'started' | 'redirected' | 'completed' | 'failed';

/** One webRequest event. `at` is the wall clock in ms since the epoch, taken by Firefox when the event happened. */
export interface RawRequestEvent {
  readonly phase: RawPhase;
  readonly at: number;
  readonly requestId: string;
  readonly tabId: number;
  readonly frameId: number;
  readonly type: RequestType;
  readonly url: string;
  /** The document that asked; of a document's own request, the document it becomes. */
  readonly documentId?: string | undefined;
  readonly documentUrl?: string | undefined;
  readonly responseBytes?: number | undefined;
  readonly requestBytes?: number | undefined;
  readonly fromCache?: boolean | undefined;
  readonly httpVersion?: HttpVersion | undefined;
  readonly address?: string | undefined;
  readonly status?: number | undefined;
  readonly proxied?: boolean | undefined;
  readonly error?: string | undefined;
}
