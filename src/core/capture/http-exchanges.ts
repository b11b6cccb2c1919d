/** What was asked and answered on a plain HTTP/1.1 connection, when, and what waited behind what. */
import { type RequestMessage, type ResponseMessage, requestMessages, responseMessages } from './http-messages.ts';
import type { PacketFlow } from './packet-flow.ts';
import { StreamBytes } from './stream-bytes.ts';
import { streamPassage } from './stream-passage.ts';

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
  /** Requests on this connection that were not completely answered when this one passed. */
  readonly queuedBehind: number;
  /**
   * Head-of-line waiting, ms: max(0, previousEndMs - (requestMs + unqueuedMs)). `previousEndMs` is the end of the response before it on the
   * connection. `unqueuedMs` is what it would have waited anyway: the least time from a request to its first byte among the requests of
   * this connection that found none before them, or of all connections to this server where this one has none. Absent: one of the times is
   * not known. A server that needs longer for this response than for the quickest one makes it too large, by at most that much.
   */
  readonly headOfLineMs?: number;
}

/** Without what it would have waited anyway, which other connections may tell. */
export type TimedExchange = Omit<HttpExchange, 'headOfLineMs'> & { readonly previousEndMs: number | undefined };

/** By request; empty for what is no plain HTTP/1.1. @param sentHere whether the capture was made where the responses are sent. */
export function timedExchanges(up: PacketFlow, down: PacketFlow, { sentHere }: { readonly sentHere: boolean }): readonly TimedExchange[] {
  const requests = requestMessages(new StreamBytes(up));
  if (requests.length === 0) return [];
  const responses = responseMessages(new StreamBytes(down), requests);
  const upPassage = streamPassage(up, { sentHere: !sentHere });
  const downPassage = streamPassage(down, { sentHere });
  const acknowledgedAt = acknowledgementTimes(down);
  const found: TimedExchange[] = [];
  /** Responses end in order. */
  let answered = 0;
  for (const [at, request] of requests.entries()) {
    const requestMs = upPassage.passedMs(request.end ?? request.start + 1);
    // The last of them may have been cut off by the end of the capture.
    if (requestMs === undefined) break;
    while (answered < at && (found[answered]?.endMs ?? Number.POSITIVE_INFINITY) <= requestMs) answered += 1;
    const response = responses[at];
    const previousEndMs = found[at - 1]?.endMs;
    found.push({
      ...requestFacts(request, requestMs),
      ...(response && responseFacts(response, { passedMs: downPassage.passedMs, acknowledgedAt })),
      queuedBehind: at - answered,
      previousEndMs,
    });
  }
  return found;
}

const requestFacts = ({ method, target }: RequestMessage, requestMs: number) => ({ method, target, requestMs });

interface Times {
  readonly passedMs: (end: number) => number | undefined;
  readonly acknowledgedAt: (position: number) => number | undefined;
}

function responseFacts({ status, start, end }: ResponseMessage, { passedMs, acknowledgedAt }: Times) {
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

export function withHeadOfLine({ previousEndMs, ...exchange }: TimedExchange, unqueuedMs: number | undefined): HttpExchange {
  if (exchange.queuedBehind === 0) return { ...exchange, headOfLineMs: 0 };
  if (previousEndMs === undefined || unqueuedMs === undefined) return exchange;
  return { ...exchange, headOfLineMs: Math.max(0, previousEndMs - (exchange.requestMs + unqueuedMs)) };
}
