/** The requests and responses on a plain HTTP/1.1 connection, when they came, and which waited behind which. */
import {
  beginsRequest,
  beginsResponse,
  type RequestMessage,
  type ResponseMessage,
  requestMessages,
  responseMessages,
} from './http-messages.ts';
import { byteRanges, lowerBound, type PacketFlow } from './packet-flow.ts';
import { StreamBytes } from './stream-bytes.ts';

/** Times are of the capture point, ms after the first packet. */
export interface HttpExchange {
  readonly method: string;
  readonly target: string;
  readonly status?: number;
  /** When all of the request had passed. */
  readonly requestMs: number;
  /** When the first byte of the response had passed, and all before it on the connection. */
  readonly firstByteMs?: number;
  /** When all of the response had passed: where a byte was sent again, its last time. */
  readonly endMs?: number;
  /** When the client's acknowledgement of all of it passed. */
  readonly acknowledgedMs?: number;
  /** Head and body. */
  readonly responseBytes?: number;
  /** Requests on this connection that were not completely answered when this one passed; absent: bytes that would tell were not kept. */
  readonly queuedBehind?: number;
  /**
   * Head-of-line waiting, ms: max(0, previousEndMs - (requestMs + unqueuedMs)). `previousEndMs` is the end of the response before it on the
   * connection. `unqueuedMs` is what it would have waited anyway: the least time from a request to its first byte among all requests to
   * this server in the capture that found none before them on their connection. Absent: one of the times is not known. A response for which
   * the server needs longer than for the quickest one makes it too large, by at most that much.
   */
  readonly headOfLineMs?: number;
}

/** Without what it would have waited anyway, which other connections may show. */
type TimedExchange = Omit<HttpExchange, 'headOfLineMs'> & { readonly previousEndMs: number | undefined };

interface TimedExchanges {
  readonly exchanges: readonly TimedExchange[];
  /** Requests or responses followed that could not be parsed, because bytes were not kept. */
  readonly cutOff: boolean;
}

interface StreamsSeen {
  /** The capture was made where the responses are sent. */
  readonly sentHere: boolean;
  /** The connection was captured from its handshake on. */
  readonly fromHandshake: boolean;
}

/** Finds the exchanges, by request; none in what is no plain HTTP/1.1. */
export function timedExchanges(up: PacketFlow, down: PacketFlow, { sentHere, fromHandshake }: StreamsSeen): TimedExchanges {
  const [asking, answering] = [new StreamBytes(up), new StreamBytes(down)];
  const firstRequest = fromHandshake ? asking.start : asking.nextSegmentBeginning(Number.NEGATIVE_INFINITY, beginsRequest);
  if (firstRequest === undefined) return { exchanges: [], cutOff: false };
  const requests = requestMessages(asking, firstRequest);
  if (requests.messages.length === 0) return { exchanges: [], cutOff: false };
  const firstResponse = fromHandshake ? answering.start : responseAfter({ up, down, firstRequest, answering });
  const responses = responseMessages(answering, requests.messages, firstResponse ?? answering.end);
  const exchanges = paired(requests.messages, responses.messages, {
    askedMs: streamPassage(up, { sentHere: !sentHere }),
    passedMs: streamPassage(down, { sentHere }),
    acknowledgedAt: acknowledgementTimes(down),
    endsKnown: !responses.cutOff,
  });
  return { exchanges, cutOff: requests.cutOff || responses.cutOff };
}

interface Midway {
  readonly up: PacketFlow;
  readonly down: PacketFlow;
  readonly firstRequest: number;
  readonly answering: StreamBytes;
}

/**
 * Where the answer to the first request begins on a connection that was there before the capture: with the first segment after the request, if
 * that begins a response. If it does not, an earlier response was still in progress, and which answers which is unknown.
 */
function responseAfter({ up, down, firstRequest, answering }: Midway): number | undefined {
  const asked = up.sent.find(({ start, end }) => start <= firstRequest && end > firstRequest);
  const next = down.sent.find(({ packet, dataBytes }) => dataBytes > 0 && packet > (asked?.packet ?? 0));
  return next && answering.nextSegmentBeginning(next.start, beginsResponse) === next.start ? next.start : undefined;
}

interface Times {
  /** When all of the request before a position had passed. */
  readonly askedMs: (end: number) => number | undefined;
  readonly passedMs: (end: number) => number | undefined;
  readonly acknowledgedAt: (position: number) => number | undefined;
  /** A response of which no end is known had not ended. */
  readonly endsKnown: boolean;
}

function paired(requests: readonly RequestMessage[], responses: readonly ResponseMessage[], times: Times): readonly TimedExchange[] {
  const found: TimedExchange[] = [];
  /** Responses end in order. */
  let answered = 0;
  for (const [at, request] of requests.entries()) {
    const requestMs = times.askedMs(request.end ?? request.start + 1);
    // The last of them may have been cut off by the end of the capture.
    if (requestMs === undefined) break;
    while (answered < at && (found[answered]?.endMs ?? Number.POSITIVE_INFINITY) <= requestMs) answered += 1;
    const response = responses[at];
    const previousEndMs = found[at - 1]?.endMs;
    found.push({
      ...{ method: request.method, target: request.target, requestMs },
      ...(response && responseTimes(response, times)),
      ...((times.endsKnown || at === 0 || previousEndMs !== undefined) && { queuedBehind: at - answered }),
      previousEndMs,
    });
  }
  return found;
}

function responseTimes({ status, start, end }: ResponseMessage, { passedMs, acknowledgedAt }: Times) {
  const firstByteMs = passedMs(start + 1);
  const endMs = end === undefined ? undefined : passedMs(end);
  const acknowledgedMs = end === undefined ? undefined : acknowledgedAt(end);
  return {
    ...(status !== undefined && { status }),
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(endMs !== undefined && { endMs }),
    ...(acknowledgedMs !== undefined && { acknowledgedMs }),
    ...(end !== undefined && { responseBytes: end - start }),
  };
}

/** Asked with positions that never fall. */
function acknowledgementTimes({ acknowledged }: PacketFlow): (position: number) => number | undefined {
  let at = 0;
  return (position) => {
    while (at < acknowledged.length && (acknowledged[at]?.upTo ?? 0) < position) at += 1;
    return acknowledged[at]?.atMs;
  };
}

/** The least wait of a request that found none before it, ms; `undefined`: no such request was answered. */
export function leastUnqueuedMs(exchanges: readonly TimedExchange[]): number | undefined {
  const waits = exchanges.flatMap(({ queuedBehind, requestMs, firstByteMs }) =>
    queuedBehind === 0 && firstByteMs !== undefined ? [Math.max(0, firstByteMs - requestMs)] : [],
  );
  return waits.length === 0 ? undefined : waits.reduce((least, wait) => Math.min(least, wait));
}

/** `unqueuedMs`: what a request waits that finds none before it, see `leastUnqueuedMs`; without it the wait behind others stays unknown. */
export function withHeadOfLine({ previousEndMs, ...exchange }: TimedExchange, unqueuedMs: number | undefined): HttpExchange {
  if (exchange.queuedBehind === 0) return { ...exchange, headOfLineMs: 0 };
  if (previousEndMs === undefined || unqueuedMs === undefined) return exchange;
  return { ...exchange, headOfLineMs: Math.max(0, previousEndMs - (exchange.requestMs + unqueuedMs)) };
}

interface Step {
  /** All before it ... */
  readonly upTo: number;
  /** ... had passed then. Both never fall. */
  readonly atMs: number;
}

/**
 * When the bytes of a stream had passed the capture point in order, so that the receiver could have them all. Where a stream is sent, a
 * byte that was sent again counts when it was sent last; where it arrives, when it and all before it had come.
 * @returns when all before a position had passed, ms; `undefined`: not all of it has.
 */
function streamPassage(flow: PacketFlow, { sentHere }: { readonly sentHere: boolean }): (end: number) => number | undefined {
  const steps = sentHere ? sentSteps(flow) : arrivedSteps(flow);
  return (end) => steps[lowerBound(steps.length, (at) => (steps[at]?.upTo ?? 0) < end)]?.atMs;
}

/** Each transmission holds back all that follows it in the stream. */
function sentSteps({ sent }: PacketFlow): readonly Step[] {
  const data = sent.filter(({ dataBytes }) => dataBytes > 0);
  const byStart = isAscending(data.map(({ start }) => start)) ? data : data.toSorted((one, other) => one.start - other.start);
  const steps: Step[] = [];
  let atMs = Number.NEGATIVE_INFINITY;
  let upTo = Number.NEGATIVE_INFINITY;
  byStart.forEach((segment, index) => {
    atMs = Math.max(atMs, segment.atMs);
    upTo = Math.max(upTo, segment.start + segment.dataBytes);
    // Up to where the next begins nothing else can hold it back.
    const limit = Math.min(upTo, byStart[index + 1]?.start ?? upTo);
    if (limit > (steps.at(-1)?.upTo ?? Number.NEGATIVE_INFINITY)) steps.push({ upTo: limit, atMs });
  });
  return steps;
}

function arrivedSteps({ sent }: PacketFlow): readonly Step[] {
  const seen = byteRanges();
  const steps: Step[] = [];
  let upTo: number | undefined;
  for (const { atMs, start, dataBytes } of sent) {
    if (dataBytes === 0) continue;
    seen.add(start, start + dataBytes);
    // The stream begins with its first byte, or where the capture found it.
    upTo ??= start;
    const reached = seen.contiguousFrom(upTo);
    if (reached === upTo) continue;
    upTo = reached;
    steps.push({ upTo, atMs });
  }
  return steps;
}

const isAscending = (values: readonly number[]): boolean => values.every((value, at) => at === 0 || (values[at - 1] ?? value) <= value);

/** From `atMs` until the next step so many were outstanding. */
export interface OutstandingStep {
  readonly atMs: number;
  readonly requests: number;
}

/** Times strictly increasing. A request whose response has no known end stays outstanding. */
export function requestsOutstanding(exchanges: readonly HttpExchange[]): readonly OutstandingStep[] {
  const changes = exchanges
    .flatMap(({ requestMs, endMs }) => [
      { atMs: requestMs, change: 1 },
      ...(endMs === undefined ? [] : [{ atMs: Math.max(requestMs, endMs), change: -1 }]),
    ])
    .sort((one, other) => one.atMs - other.atMs);
  const steps: { atMs: number; requests: number }[] = [];
  let requests = 0;
  for (const { atMs, change } of changes) {
    requests += change;
    const last = steps.at(-1);
    if (last?.atMs === atMs) last.requests = requests;
    else steps.push({ atMs, requests });
  }
  return steps;
}

export const mostOutstanding = (steps: readonly OutstandingStep[]): number =>
  steps.reduce((most, { requests }) => Math.max(most, requests), 0);
