/**
 * The record of one top-level navigation: the raw facts, joined from the page's own timing and from webRequest.
 * Times of `timing` are milliseconds after the navigation's time origin. Unknown is `undefined`, never 0.
 */
import type { AppliedProfile } from '../profiles/profile.ts';
import type { TrialMark } from '../trial/trial-mark.ts';
import type { Bytes, Milliseconds } from '../units.ts';

/** Type of request as webRequest names it; see `webRequest.ResourceType` on MDN. */
export type RequestType =
  | 'main_frame'
  | 'sub_frame'
  | 'stylesheet'
  | 'script'
  | 'image'
  | 'imageset'
  | 'font'
  | 'media'
  | 'object'
  | 'xmlhttprequest'
  | 'ping'
  | 'beacon'
  | 'websocket'
  | 'csp_report'
  | 'xslt'
  | 'xml_dtd'
  | 'web_manifest'
  | 'speculative'
  | 'json'
  | 'other';

/** Resource Timing's own names (W3C Resource Timing 2). */
export interface RequestTiming {
  readonly fetchStart: Milliseconds;
  readonly domainLookupStart?: Milliseconds;
  readonly domainLookupEnd?: Milliseconds;
  readonly connectStart?: Milliseconds;
  readonly connectEnd?: Milliseconds;
  /** Present only on TLS. */
  readonly secureConnectionStart?: Milliseconds;
  readonly requestStart?: Milliseconds;
  readonly responseStart?: Milliseconds;
  readonly responseEnd: Milliseconds;
}

/** What a request was answered in, by the status line of the answer. */
export type HttpVersion = 'http/1.0' | 'http/1.1' | 'http/2' | 'http/3';

/** What only webRequest knows. */
export interface WireFacts {
  /** Response bytes on the wire with headers; 0 when it came from cache. */
  readonly responseBytes?: Bytes;
  readonly requestBytes?: Bytes;
  readonly fromCache: boolean;
  readonly httpVersion?: HttpVersion;
  readonly address?: string;
  readonly status?: number;
  /** The request went through a proxy. */
  readonly proxied?: boolean;
}

export type RequestOutcome =
  | { readonly state: 'completed' }
  | { readonly state: 'redirected' }
  /** `at`: when webRequest saw it fail, ms after the time origin; absent: not known. */
  | { readonly state: 'failed'; readonly error: string; readonly at?: Milliseconds }
  /** Still open when the observation ended. */
  | { readonly state: 'unfinished' };

export interface RequestRecord {
  readonly requestId?: string;
  readonly url: string;
  /** scheme://host:port, or `null` for data: and blob:. */
  readonly origin: string | null;
  readonly type: RequestType;
  /** Resource Timing's initiatorType, where the page reported the request. */
  readonly initiatorType?: string;
  readonly renderBlocking?: boolean;
  readonly timing?: RequestTiming;
  /** When webRequest saw it begin, ms after the time origin; of a request in a frame that had no end when the load was joined. */
  readonly beganAt?: Milliseconds;
  readonly wire?: WireFacts;
  readonly outcome: RequestOutcome;
}

/** Why the observation ended. */
export type ObservationEnd = 'quiet' | 'page-left' | 'time-limit';

/** A load's place in a trial. */
export interface TrialPlace {
  readonly mark: TrialMark;
  /** Why it does not count there, in words; absent: the mark says whether it counts. */
  readonly void?: string;
}

/** One page load as it was recorded. */
export interface PageLoad {
  readonly format: 1;
  /** Unique: main request id and start time. */
  readonly id: string;
  /** Stays on this machine; no export holds it. */
  readonly url: string;
  /** Wall clock of the navigation's time origin, ms since the epoch. */
  readonly startedAt: Milliseconds;
  readonly observation: {
    readonly ended: ObservationEnd;
    readonly quietMs: Milliseconds;
    /** By how much webRequest's clock is ahead of the document's, its delay included; absent: nothing was seen by both. */
    readonly eventsAheadMs?: Milliseconds;
    /** The page asked for more than is recorded; see `MAX_REQUESTS`. */
    readonly tooManyRequests?: true;
  };
  readonly loadEventEnd?: Milliseconds;
  readonly domContentLoadedEventEnd?: Milliseconds;
  readonly firstContentfulPaint?: Milliseconds;
  readonly largestContentfulPaint?: Milliseconds;
  /** The document's own request comes first. */
  readonly requests: readonly RequestRecord[];
  /** The profile in effect when the load began; `undefined`: nothing was applied by Plumbfox. */
  readonly applied?: AppliedProfile;
  /** Absent: no trial was under way when it began. */
  readonly trial?: TrialPlace;
}
