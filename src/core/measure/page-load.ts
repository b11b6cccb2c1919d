/**
 * The record of one top-level navigation, and the two raw halves it is joined from: the page's own timing, and what webRequest saw.
 * Times of `timing` are milliseconds after the navigation's time origin. Unknown is `undefined`, never 0.
 */
import type { AppliedProfile } from '../profiles/profile.ts';
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
export interface WireInfo {
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
  readonly wire?: WireInfo;
  readonly outcome: RequestOutcome;
}

/** Why the observation ended. */
export type ObservationEnd = 'quiet' | 'page-left' | 'time-limit';

/** A load's place in a trial. The mark is the trial's own: nothing that measures a load looks into it. */
export interface TrialPlace<Mark = unknown> {
  readonly mark: Mark;
  /** Why the load is excluded there, in words; absent: the mark says whether it counts. */
  readonly void?: string;
}

/** One page load as it was recorded; `Mark` is what a trial ties it to its slot by. */
export interface PageLoad<Mark = unknown> {
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
  readonly trial?: TrialPlace<Mark>;
}

/** Requests of one load: a page that asks without end must not fill the disk. Our own choice, several times what the busiest everyday pages make. */
export const MAX_REQUESTS = 2_000;

/** The load without what is above the bound; one that reached it is measured as cut short. */
export function withinMaxRequests<Mark>(load: PageLoad<Mark>): PageLoad<Mark> {
  if (load.requests.length <= MAX_REQUESTS) return load;
  return cutOff({ ...load, requests: load.requests.slice(0, MAX_REQUESTS) });
}

/** Says of a load that more was asked for than is recorded. */
export const cutOff = <Mark>(load: PageLoad<Mark>): PageLoad<Mark> =>
  load.observation.tooManyRequests ? load : { ...load, observation: { ...load.observation, tooManyRequests: true } };

// The two raw halves of a load, before they are joined. `src/protocol` holds the schemas of both.

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
  /** 0 when the response came from a cache; `undefined`: not reported. */
  readonly transferSize?: number | undefined;
}

/** What the document's own timing says, when the observation ended. */
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
  /** Firefox's own identity of the document, where it reports it (since 153). */
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

/** An entry of the history of what was in effect when. */
export interface InEffectSince {
  /** Wall clock, ms since the epoch. */
  readonly since: number;
  /** `null`: nothing applied by Plumbfox. */
  readonly applied: AppliedProfile | null;
}

/**
 * Which profile a load ran under: the one in effect when it began; `undefined`: none of ours.
 * A load during which another profile came into effect ran under neither: its record keeps the first and names every preference in which
 * the two differ as a mismatch, so that nothing counts it.
 */
export function appliedDuring(history: readonly InEffectSince[], startedAt: number, endedAt: number): AppliedProfile | undefined {
  const ordered = history.toSorted((a, b) => a.since - b.since);
  const atStart = ordered.findLast((entry) => entry.since <= startedAt)?.applied ?? undefined;
  const changes = ordered.filter((entry) => entry.since > startedAt && entry.since <= endedAt);
  const start = atStart ?? changes.find(({ applied }) => applied !== null)?.applied;
  if (!start) return undefined;
  const changed = changes.flatMap((change) => differing(start.intended, change.applied?.intended ?? {}));
  return { ...start, mismatches: [...new Set([...start.mismatches, ...changed, ...(atStart ? [] : Object.keys(start.intended))])] };
}

function differing(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}
