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

export interface Closure {
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
type ClosureJudgement =
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
export function judgeClosure(closure: Closure): ClosureJudgement {
  switch (closure.cause) {
    case 'ours':
    case 'timeout':
      return { kind: 'innocent' };
    case 'wrong-order':
      return { kind: 'fallback', reason: 'wrong-order' };
    case 'stalled':
      return { kind: 'fallback', reason: 'no-answer' };
    case 'malformed':
      return closure.pipelined ? { kind: 'fallback', reason: 'malformed-response' } : { kind: 'innocent' };
    case 'peer':
      if (closure.outstanding === 0 || !closure.outstandingPipelined || closure.stale === 'reused' || closure.excused)
        return { kind: 'innocent' };
      // It has not been seen to answer at all: once may be chance.
      if (closure.stale === 'unused') return { kind: 'strike' };
      // A response after the first that says `Connection: close` is good manners; on the first, there is no keep-alive.
      if (closure.announced && closure.answered > 1) return { kind: 'strike' };
      // It takes pipelines, or keeps connections at least and was cut short. A request that reaches a server after its last answer resets the
      // connection, and what is under way is lost with the notice in it (RFC 9112, 9.6): seen of nginx that ends behind a large response.
      if (closure.pipelinedAnswered || (closure.dueBegun && closure.answered > 0)) return { kind: 'strike' };
      return { kind: 'fallback', reason: 'closed-early' };
  }
}

/**
 * Answers that an origin gives one at a time before anything is pipelined to it. What answers more than it is asked shows it then before the
 * next request is sent; in the middle of a pipeline nothing could tell which answer is the surplus one. Our own choice: a page and some of
 * its pieces, a round trip or two over four connections.
 */
export const PROBATION = 8;

/** The standing of one origin, good at first: whether it may be pipelined to, and why not. */
export class OriginHealth {
  #fallback: FallbackReason | undefined;
  #strikes = 0;
  #typesTrusted = true;
  #requestLimit: number | undefined;
  #limitsFound = 0;
  #answers = 0;
  readonly #strict: boolean;
  readonly #probation: number;

  /** @param options - `strict`: what breaks off or is malformed without another explanation is not excused. `probation`: see PROBATION. */
  constructor(options = { strict: false, probation: 0 }) {
    this.#strict = options.strict;
    this.#probation = options.probation;
  }

  /** In force now; `undefined` while the origin is in good standing. */
  get fallback(): FallbackReason | undefined {
    return this.#fallback;
  }

  /** Whether a content type that contradicts its request still counts as a sign of wrong order. */
  get typesTrusted(): boolean {
    return this.#typesTrusted;
  }

  /** Requests after which it closes a connection; no more are given to one, so that none is lost. `undefined`: not known, or none. */
  get requestLimit(): number | undefined {
    return this.#requestLimit;
  }

  /** So far: {@link STRIKES_BEFORE_FALLBACK}. */
  get strikes(): number {
    return this.#strikes;
  }

  /** The origin itself announced it (`Keep-Alive: max`). */
  limitAnnounced(requests: number): void {
    this.#requestLimit = requests;
  }

  /** A connection stayed open beyond it: that closing had another reason. */
  limitPassed(): void {
    this.#requestLimit = undefined;
  }

  effectiveDepth(depth: number): number {
    return this.#fallback === undefined && this.#answers >= this.#probation ? depth : 1;
  }

  /** One more has come whole. */
  answered(): void {
    this.#answers += 1;
  }

  /** The first reason stays: what follows happens at depth 1 or on connections that were already doomed. */
  fallBack(reason: FallbackReason): void {
    this.#fallback ??= reason;
  }

  noteClosure(closure: Closure): void {
    const judgement = judgeClosure(closure);
    if (this.#strict && closure.cause === 'malformed') this.fallBack('malformed-response');
    if (this.#strict && brokeOff(closure)) this.fallBack('closed-early');
    if (judgement.kind === 'fallback') this.fallBack(judgement.reason);
    if (judgement.kind === 'strike' && closure.announced && this.#isOneLimit(closure.answered)) return;
    if (judgement.kind !== 'strike' || closure.strikesBefore !== this.#strikes) return;
    this.#strikes += 1;
    if (this.#strikes >= STRIKES_BEFORE_FALLBACK) this.fallBack('closed-early');
  }

  /**
   * One that closes after so many requests may do so always (nginx `keepalive_requests`); one that closes now here, now there, does not
   * keep order.
   */
  #isOneLimit(answered: number): boolean {
    if (answered === this.#requestLimit) return true;
    this.#requestLimit = answered;
    this.#limitsFound += 1;
    return this.#limitsFound === 1;
  }

  /**
   * The response that looked out of order came again, the same, to a request that had the connection to itself: this origin
   * labels its content oddly. The fallback is revoked and content types say nothing about order here any more.
   */
  clearOfWrongOrder(): void {
    this.#typesTrusted = false;
    if (this.#fallback === 'wrong-order') this.#fallback = undefined;
  }
}

/** The origin broke off in the middle of what was due, unannounced: neither at the end of its patience with an idle connection nor after an error. */
const brokeOff = ({ cause, outstandingPipelined, stale, excused, announced }: Closure): boolean =>
  cause === 'peer' && outstandingPipelined && stale === 'no' && !excused && !announced;

/** Whether an origin may be pipelined to, as the ends of its connections show. Pure. */
