/**
 * What the closing of an upstream connection says about the origin. Pure.
 */

/** Why an origin is no longer pipelined to. */
export type FallbackReason =
  /** It closed a connection that had pipelined requests outstanding. */
  | 'closed-early'
  /** It answers with HTTP/1.0, to which nothing may be pipelined (RFC 9112, 9.3.2). */
  | 'http-1.0'
  /** What it sent on a pipelined connection is no HTTP/1.1 response. */
  | 'malformed-response'
  /** Its responses were not in the order of the requests. */
  | 'wrong-order'
  /** It left pipelined requests without an answer. */
  | 'no-answer';

export type ClosureCause =
  /** The origin (or the network) ended it. */
  | 'peer'
  /** The parser refused what came. */
  | 'malformed'
  /** We gave up waiting for pipelined responses. */
  | 'stalled'
  /** No response head or no body byte for the time Firefox itself waits. */
  | 'timeout'
  /** A response could be shown to belong to another request. */
  | 'wrong-order'
  /** We closed it, for a reason that is not the origin's: client gone, reconfigured, idle. */
  | 'ours';

export interface ClosureFacts {
  readonly cause: ClosureCause;
  /** Requests sent whose response is not complete. */
  readonly outstanding: number;
  /** Whether one of those was sent while another was outstanding. */
  readonly outstandingPipelined: boolean;
  /** Whether any request was ever sent on it while another was outstanding. */
  readonly pipelined: boolean;
  /** Complete responses on it. */
  readonly answered: number;
  /** Whether a response to a request sent while another was outstanding has at least begun. */
  readonly pipelinedAnswered: boolean;
  /** Whether the head of the response that was due has come: the rest of it is missing. */
  readonly dueBegun: boolean;
  /** Whether a response said `Connection: close`. */
  readonly announced: boolean;
  /** It said so with a status that makes servers close whatever else is due, or had counted down to it (`Keep-Alive: max`). */
  readonly excused: boolean;
  /**
   * Whether it closed without a byte in answer to what was sent after it had been idle, as a server does that closes idle
   * connections at the moment one is used: `reused` after it had answered before, `unused` when it was opened ahead of need.
   */
  readonly stale: 'no' | 'reused' | 'unused';
  /** Strikes of the origin when the connection was opened: with fewer than now, it is part of what was learnt already. */
  readonly strikesBefore: number;
}

/**
 * Statuses after which servers do not keep a connection: Apache's ap_status_drops_connection (httpd.h), of which nginx has a part
 * (ngx_http_special_response.c).
 */
const DROPPING_STATUSES: ReadonlySet<number> = new Set([400, 408, 411, 413, 414, 500, 501, 503]);

/** Whether a connection that ends after such an answer says nothing of pipelining. */
export const dropsConnection = (status: number): boolean => DROPPING_STATUSES.has(status);

/** `innocent`: it says nothing of pipelining. `strike`: several of these make a `fallback`, after which the origin gets depth 1. */
export type ClosureJudgement =
  | { readonly kind: 'innocent' }
  | { readonly kind: 'strike' }
  | { readonly kind: 'fallback'; readonly reason: FallbackReason };

/**
 * Strikes after which an origin that keeps closing in the middle of pipelines, though it answers them in order, is no longer pipelined to.
 * One that says the end after as many requests each time (nginx `keepalive_requests`) or counts them down (Apache) makes none: its limit is kept
 * instead.
 */
export const STRIKES_BEFORE_FALLBACK = 3;

/** Innocent, a strike (see STRIKES_BEFORE_FALLBACK), or reason enough to stop pipelining to the origin. */
export function judgeClosure(facts: ClosureFacts): ClosureJudgement {
  switch (facts.cause) {
    case 'ours':
    case 'timeout':
      return { kind: 'innocent' };
    case 'wrong-order':
      return { kind: 'fallback', reason: 'wrong-order' };
    case 'stalled':
      return { kind: 'fallback', reason: 'no-answer' };
    case 'malformed':
      return facts.pipelined ? { kind: 'fallback', reason: 'malformed-response' } : { kind: 'innocent' };
    case 'peer':
      if (facts.outstanding === 0 || !facts.outstandingPipelined || facts.stale === 'reused' || facts.excused) return { kind: 'innocent' };
      // It has not been seen to answer at all: once may be chance.
      if (facts.stale === 'unused') return { kind: 'strike' };
      // A response after the first that says `Connection: close` is good manners; on the first, there is no keep-alive.
      if (facts.announced && facts.answered > 1) return { kind: 'strike' };
      // It takes pipelines, or keeps connections at least and was cut short. A request that reaches a server after its last answer resets the
      // connection, and what is under way is lost with the notice in it (RFC 9112, 9.6): seen of nginx that ends behind a large response.
      if (facts.pipelinedAnswered || (facts.dueBegun && facts.answered > 0)) return { kind: 'strike' };
      return { kind: 'fallback', reason: 'closed-early' };
  }
}
