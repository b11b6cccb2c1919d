/**
 * Figures over the requests of a load: those of the network, their bytes, HTTP versions, connections, waits, and how many were
 * outstanding at once.
 */
import { groupBy } from '../group-by.ts';
import { median } from '../stats/quantile.ts';
import { type Bytes, bytes, type Milliseconds, milliseconds, type Ratio, ratio } from '../units.ts';
import type { LoadMeasures } from './load-measures.ts';
import type { HttpVersion, RequestRecord, WireInfo } from './page-load.ts';

/** Whether the request had to do with the network: not answered by a cache, and not data: or blob:. What is not known to be cached counts. */
const isNetworkRequest = ({ origin, wire }: VersionedRequest): boolean => origin !== null && wire?.fromCache !== true;

/** The requests that had to do with the network, in their order. */
export const networkRequests = (requests: readonly RequestRecord[]): readonly RequestRecord[] => requests.filter(isNetworkRequest);

/**
 * Response bytes on the wire, headers included, as Gecko counts them (nsIHttpChannel.transferSize, webRequest's `responseSize`).
 * What came from a cache counts 0. `undefined` as soon as one response of the network has an unknown size: a sum with a hole in it
 * would pass for a smaller page. Source: webRequest.
 */
export function loadBytes(requests: readonly RequestRecord[]): Bytes | undefined {
  let sum = 0;
  for (const request of requests) {
    const size = responseBytes(request);
    if (size === undefined) return undefined;
    sum += size;
  }
  return bytes(sum);
}

/** Response bytes of one request; `undefined`: unknown. */
function responseBytes(request: RequestRecord): number | undefined {
  if (!isNetworkRequest(request)) return 0;
  if (request.wire?.responseBytes !== undefined) return request.wire.responseBytes;
  return sendsNextToNothing(request) ? 0 : undefined;
}

/** Responses whose size Firefox does not report and which the sum can do without. */
function sendsNextToNothing({ outcome, type, wire, timing }: RequestRecord): boolean {
  // Firefox reports no size of a redirect (onBeforeRedirect has none); it is a header of a few hundred bytes.
  if (outcome.state === 'redirected') return true;
  // A WebSocket's messages are not a response; its opening handshake is a header.
  if (type === 'websocket') return true;
  // Blocked, refused or unreachable: no response began.
  return outcome.state === 'failed' && wire?.status === undefined && timing?.responseStart === undefined;
}

/** Firefox writes the status line as `HTTP/%u.%u <status> <reason>`: "HTTP/1.1 200 OK", "HTTP/2.0 200 ", "HTTP/3.0 200 " (nsHttpResponseHead). */
const VERSIONS: Readonly<Record<string, HttpVersion>> = {
  '1.0': 'http/1.0',
  '1.1': 'http/1.1',
  '2': 'http/2',
  '2.0': 'http/2',
  '3': 'http/3',
  '3.0': 'http/3',
};

/**
 * The HTTP version that a status line names; `undefined` for a response without status line, for HTTP/0.9 and for anything else that is not
 * named above.
 */
export function httpVersionOf(statusLine: string | undefined): HttpVersion | undefined {
  const found = /^HTTP\/(\d(?:\.\d)?) /.exec(`${statusLine ?? ''} `)?.[1];
  return found === undefined ? undefined : VERSIONS[found];
}

/**
 * Share of the network's requests by HTTP version, each in (0, 1], summing to 1 over those whose version is known; empty: it is known for
 * none. A preference that only touches HTTP/1.1 can only move that share. Source: the status line webRequest reports.
 */
export function httpVersionShares(requests: readonly RequestRecord[]): Readonly<Partial<Record<HttpVersion, Ratio>>> {
  const versions = networkRequests(requests).flatMap(({ wire }) => wire?.httpVersion ?? []);
  const counted = [...groupBy(versions, (version) => version)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(counted.map(([version, same]) => [version, ratio(same.length / versions.length)]));
}

/** What of a request its HTTP version is counted by. */
export interface VersionedRequest extends Pick<RequestRecord, 'origin'> {
  readonly wire?: Pick<WireInfo, 'fromCache' | 'httpVersion'> | undefined;
}

/** The requests of the network of a load, and how many came over each HTTP version; those of an unknown version are only in `requests`. */
export interface VersionCounts {
  readonly requests: number;
  readonly http1: number;
  readonly http2: number;
  readonly http3: number;
}

/** Counts the requests of a load by HTTP version; HTTP/1.0 and HTTP/1.1 are one. */
export function countVersions(requests: readonly VersionedRequest[]): VersionCounts {
  const counts = { requests: 0, http1: 0, http2: 0, http3: 0 };
  for (const request of requests) {
    if (!isNetworkRequest(request)) continue;
    counts.requests += 1;
    const version = request.wire?.httpVersion;
    if (version === 'http/1.0' || version === 'http/1.1') counts.http1 += 1;
    else if (version === 'http/2') counts.http2 += 1;
    else if (version === 'http/3') counts.http3 += 1;
  }
  return counts;
}

/** `none`: no connection was needed. `unknown`: not reported, or hidden behind a proxy. */
type ConnectionState = 'cold' | 'reused' | 'none' | 'unknown';

/**
 * Whether a request had to open its connection, as far as Resource Timing shows. Cold: connecting took measurable time. Reused: connectStart
 * equals connectEnd, as Firefox reports for a connection that was open
 * already (dom/performance/PerformanceTiming.cpp). Three caveats: a connection opened ahead of need counts as cold only for what was left
 * to do after fetchStart; a handshake shorter than the clock's step (1 ms) looks reused, which on loopback is every one; and a
 * proxied request shows the connection to the proxy, which says nothing of the one to the origin.
 */
export function connectionState(request: RequestRecord): ConnectionState {
  if (!isNetworkRequest(request)) return 'none';
  const { connectStart, connectEnd } = request.timing ?? {};
  if (request.wire?.proxied === true || connectStart === undefined || connectEnd === undefined) return 'unknown';
  return connectEnd > connectStart ? 'cold' : 'reused';
}

/** Requests that opened a connection and requests that found one open. `undefined`: it is known for none. Source: Resource Timing. */
export function connectionUse(requests: readonly RequestRecord[]): { readonly cold: number; readonly reused: number } | undefined {
  const states = requests.map(connectionState);
  const cold = states.filter((state) => state === 'cold').length;
  const reused = states.filter((state) => state === 'reused').length;
  return cold + reused === 0 ? undefined : { cold, reused };
}

/**
 * ms, not negative: requestStart - fetchStart, less its own DNS lookup and connection set-up. `undefined`: unknown, or no network was needed.
 * Behind the gateway this is the wait in Firefox only; what waits in the gateway shows as a late first byte.
 */
export function requestQueueWait(request: RequestRecord): Milliseconds | undefined {
  const { timing } = request;
  if (!isNetworkRequest(request) || timing?.requestStart === undefined) return undefined;
  const lookup = between(timing.domainLookupStart, timing.domainLookupEnd);
  const connect = between(timing.connectStart, timing.connectEnd);
  return milliseconds(Math.max(0, timing.requestStart - timing.fetchStart - lookup - connect));
}

/** The median, maximum and sum over the requests whose wait is known; `undefined`: it is known for none. Source: Resource Timing, 1 ms steps. */
export function queueWait(requests: readonly RequestRecord[]): LoadMeasures['queueWait'] {
  const waits = requests.flatMap((request) => requestQueueWait(request) ?? []);
  const middle = median(waits);
  if (middle === undefined) return undefined;
  return {
    medianMs: milliseconds(middle),
    maxMs: milliseconds(Math.max(...waits)),
    totalMs: milliseconds(waits.reduce((sum, wait) => sum + wait, 0)),
  };
}

/** A phase that was not reported took none of the request's own time. */
const between = (start: number | undefined, end: number | undefined): number =>
  start === undefined || end === undefined ? 0 : Math.max(0, end - start);

/**
 * When the last request that held up painting was answered, ms after the time origin (as first contentful paint, which cannot come before
 * it). `undefined`: none blocked, or Firefox did not report it. Source: `renderBlockingStatus` of Resource Timing.
 */
export function renderBlockingEnd(requests: readonly RequestRecord[]): Milliseconds | undefined {
  const ends = requests.flatMap(({ renderBlocking, timing }) =>
    renderBlocking === true && timing !== undefined ? [timing.responseEnd] : [],
  );
  return ends.length === 0 ? undefined : milliseconds(Math.max(...ends));
}

interface Span {
  readonly origin: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The most requests outstanding at once, over all origins and for each: sent (requestStart) and not completely answered (before responseEnd);
 * a request answered within one step of the clock counts for its instant. Source: Resource Timing, so a request whose requestStart is unknown
 * (in frames of other sites, say) is not among them.
 */
export function peakOutstanding(requests: readonly RequestRecord[]): {
  readonly peak: number;
  readonly byOrigin: Readonly<Record<string, number>>;
} {
  const sent = networkRequests(requests).flatMap(spanOf);
  const byOrigin = groupBy(sent, ({ origin }) => origin);
  return { peak: peakOf(sent), byOrigin: Object.fromEntries([...byOrigin].map(([origin, spans]) => [origin, peakOf(spans)])) };
}

function spanOf({ origin, timing }: RequestRecord): readonly Span[] {
  if (origin === null || timing?.requestStart === undefined) return [];
  return [{ origin, from: timing.requestStart, to: Math.max(timing.requestStart, timing.responseEnd) }];
}

/** Order at one instant: a connection's next request begins where the one before ended, so ends come first, except for spans of no length. */
const END = 0;
const START = 1;
const END_AT_ONCE = 2;

function peakOf(spans: readonly Span[]): number {
  const events = spans
    .flatMap(({ from, to }) => [
      { at: from, turn: START, change: 1 },
      { at: to, turn: to > from ? END : END_AT_ONCE, change: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.turn - b.turn);
  let [level, peak] = [0, 0];
  for (const { change } of events) {
    level += change;
    peak = Math.max(peak, level);
  }
  return peak;
}
