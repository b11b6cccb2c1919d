/** One recorded load as a timeline: the phases of each request, the connection it took as far as that can be inferred, and where it waited. */
import * as v from 'valibot';
import { count, finite, type Shape } from '../schema.ts';
import { loadWindow } from './load-window.ts';
import { httpVersionSchema, type PageLoad, type RequestRecord, type RequestTiming, requestTypeSchema } from './page-load.ts';
import { connectionState, requestQueueWait } from './requests.ts';

const timelineRequestSchema = v.object({
  /** It stays on this machine. */
  url: v.string(),
  type: requestTypeSchema,
  httpVersion: v.exactOptional(httpVersionSchema),
  fromCache: v.boolean(),
  startMs: finite,
  /** The wait for a connection; behind a proxy, in Firefox only. */
  queueMs: v.exactOptional(finite),
  dnsMs: v.exactOptional(finite),
  /** TCP and TLS; absent: the connection was open already. */
  connectMs: v.exactOptional(finite),
  sentMs: v.exactOptional(finite),
  firstByteMs: v.exactOptional(finite),
  endMs: finite,
  /** The number of its connection over all servers, from 1. Inferred: Firefox names no connection. */
  connection: v.exactOptional(count),
  /** On a shared connection (HTTP/2, HTTP/3): how long it waited while a response that was requested earlier arrived on it. An upper bound. */
  headOfLineMs: v.exactOptional(finite),
});
/** Times are ms after the load began; durations in ms. Unknown is absent. */
export type TimelineRequest = Shape<typeof timelineRequestSchema>;

/** The timeline of one load. */
export const loadTimelineSchema = v.object({
  /** In the record's order. */
  requests: v.array(timelineRequestSchema),
  loadTimeMs: finite,
  /** The load was not seen to its end. */
  cutShort: v.boolean(),
  /** Requests of the load whose times are unknown, such as redirects. */
  withoutTimes: count,
});
export type LoadTimeline = Shape<typeof loadTimelineSchema>;

/** `undefined`: the load cannot be measured, as its document has no timing. */
export function loadTimeline(load: PageLoad): LoadTimeline | undefined {
  const window = loadWindow(load);
  if (window === undefined) return undefined;
  const timed = window.requests.flatMap((record) => (record.timing === undefined ? [] : [{ record, timing: record.timing }]));
  const connections = inferredConnections(timed);
  return {
    requests: timed.map((one) => timelineRequest(one, { startedMs: window.start, connections, timed })),
    loadTimeMs: window.end - window.start,
    cutShort: window.cutShort !== undefined,
    withoutTimes: window.requests.length - timed.length,
  };
}

interface Timed {
  readonly record: RequestRecord;
  readonly timing: RequestTiming;
}

interface Context {
  readonly startedMs: number;
  readonly connections: ReadonlyMap<RequestRecord, number>;
  readonly timed: readonly Timed[];
}

function timelineRequest({ record, timing }: Timed, { startedMs, connections, timed }: Context): TimelineRequest {
  const { domainLookupStart, domainLookupEnd, connectStart, connectEnd, requestStart, responseStart } = timing;
  const [queueMs, connection, httpVersion] = [requestQueueWait(record), connections.get(record), record.wire?.httpVersion];
  const dnsMs = domainLookupStart === undefined || domainLookupEnd === undefined ? 0 : domainLookupEnd - domainLookupStart;
  const connectMs = connectionState(record) === 'cold' ? (connectEnd ?? 0) - (connectStart ?? 0) : 0;
  const headOfLineMs =
    connection === undefined || !isShared(record) ? 0 : headOfLineWait({ record, timing }, { connection, connections, timed });
  return {
    url: record.url,
    type: record.type,
    fromCache: record.wire?.fromCache === true,
    startMs: timing.fetchStart - startedMs,
    endMs: timing.responseEnd - startedMs,
    ...(httpVersion && { httpVersion }),
    ...(queueMs !== undefined && { queueMs }),
    ...(dnsMs > 0 && { dnsMs }),
    ...(connectMs > 0 && { connectMs }),
    ...(requestStart !== undefined && { sentMs: requestStart - startedMs }),
    ...(responseStart !== undefined && { firstByteMs: responseStart - startedMs }),
    ...(connection !== undefined && { connection }),
    ...(headOfLineMs > 0 && { headOfLineMs }),
  };
}

const isShared = ({ wire }: RequestRecord): boolean => wire?.httpVersion === 'http/2' || wire?.httpVersion === 'http/3';

interface InferredConnection {
  readonly number: number;
  readonly origin: string;
  readonly shared: boolean;
  /** When its last response had arrived. */
  freeAt: number;
}

/**
 * A request that connected opened a connection. One that found one open took, of its server's, the one whose last response had arrived last before it
 * was sent (HTTP/1.1), or the newest, which many share. Behind a proxy nothing is known.
 */
function inferredConnections(timed: readonly Timed[]): ReadonlyMap<RequestRecord, number> {
  const open: InferredConnection[] = [];
  const found = new Map<RequestRecord, number>();
  const sentAt = ({ requestStart, fetchStart }: RequestTiming) => requestStart ?? fetchStart;
  for (const { record, timing } of timed.toSorted((a, b) => sentAt(a.timing) - sentAt(b.timing))) {
    const state = connectionState(record);
    if (record.origin === null || (state !== 'cold' && state !== 'reused')) continue;
    const shared = isShared(record);
    const own = open.filter(({ origin, shared: isSharing }) => origin === record.origin && isSharing === shared);
    const free = shared
      ? own.at(-1)
      : own
          .filter(({ freeAt }) => freeAt <= sentAt(timing))
          .reduce<InferredConnection | undefined>((a, b) => (a && a.freeAt >= b.freeAt ? a : b), undefined);
    const opened: InferredConnection = { number: open.length + 1, origin: record.origin, shared, freeAt: 0 };
    const taken = state === 'reused' && free ? free : opened;
    if (taken !== free) open.push(taken);
    taken.freeAt = Math.max(taken.freeAt, timing.responseEnd);
    found.set(record, taken.number);
  }
  return found;
}

/** The part of a wait for the first byte in which responses to earlier requests arrived on the same connection. */
function headOfLineWait(
  { record, timing }: Timed,
  { connection, connections, timed }: Pick<Context, 'connections' | 'timed'> & { readonly connection: number },
): number {
  const { requestStart: from, responseStart: to } = timing;
  if (from === undefined || to === undefined) return 0;
  const arriving = timed
    .filter(
      ({ record: other, timing: { requestStart } }) =>
        other !== record && connections.get(other) === connection && (requestStart ?? from) < from,
    )
    .map(({ timing: { responseStart, responseEnd } }) => ({
      start: Math.max(from, responseStart ?? responseEnd),
      end: Math.min(to, responseEnd),
    }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
  let covered = 0;
  let until: number = from;
  for (const { start, end } of arriving) {
    covered += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return covered;
}

/** The last part of the path; of a page, its host; of an address without one (data:), its scheme. */
export function requestName(url: string): string {
  if (!url.includes('://')) return `${url.split(':', 1)[0]}:`;
  const plain = (url.split(/[?#]/, 1)[0] ?? '').replace(/^[a-z-]+:\/\//i, '');
  const last = plain.split('/').findLast((part) => part !== '') ?? plain;
  return plain.includes('/') ? last : plain;
}
