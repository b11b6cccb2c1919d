/** Whether an origin may be pipelined to, as the ends of its connections show. */

/** Why an origin is no longer pipelined to. */
export type FallbackReason =
  /** It closed a connection with pipelined requests outstanding. */
  | 'closed-early'
  /** It answers with HTTP/1.0, to which nothing may be pipelined (RFC 9112, 9.3.2). */
  | 'http-1.0'
  /** It sent something on a pipelined connection that is no HTTP/1.1 response. */
  | 'malformed-response'
  /** Its responses were not in the order of the requests. */
  | 'wrong-order'
  /** It did not answer pipelined requests. */
  | 'no-answer';

export type ClosureCause =
  /** The origin (or the network) ended it. */
  | 'peer'
  /** The parser refused a response. */
  | 'malformed'
  /** We gave up waiting for pipelined responses. */
  | 'stalled'
  /** No response head or no body byte came for as long as Firefox itself waits. */
  | 'timeout'
  /** A response was shown to belong to another request. */
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
  /** The number of complete responses. */
  readonly answered: number;
  /** Whether a response to a request sent while another was outstanding has at least begun. */
  readonly pipelinedAnswered: boolean;
  /** Whether the head of the response that was due has come. */
  readonly dueBegun: boolean;
  /** Whether a response said `Connection: close`. */
  readonly announced: boolean;
  /** Whether it did so with a status after which servers close whatever else is due, or had counted down to it (`Keep-Alive: max`). */
  readonly excused: boolean;
  /**
   * Whether it closed without a byte in response to what was sent after it had been idle, as when a server closes an idle connection at the moment
   * it is used: `reused` after earlier responses, `unused` when it was opened ahead of need.
   */
  readonly stale: 'no' | 'reused' | 'unused';
  /** The origin's strikes when the connection was opened; with fewer than now, its end is part of what was learnt already. */
  readonly strikesBefore: number;
}

/**
 * Statuses after which servers close a connection: Apache's ap_status_drops_connection (httpd.h), some of them in nginx too
 * (ngx_http_special_response.c).
 */
const DROPPING_STATUSES: ReadonlySet<number> = new Set([400, 408, 411, 413, 414, 500, 501, 503]);

/** Whether a connection's end after this status says nothing about pipelining. */
export const dropsConnection = (status: number): boolean => DROPPING_STATUSES.has(status);

/** `innocent`: it says nothing about pipelining. `strike`: several of these make a `fallback`, after which the origin gets depth 1. */
type ClosureJudgement =
  | { readonly kind: 'innocent' }
  | { readonly kind: 'strike' }
  | { readonly kind: 'fallback'; readonly reason: FallbackReason };

/**
 * Strikes after which an origin that keeps closing in the middle of pipelines, though it answers them in order, is no longer pipelined to. An origin
 * that announces the end after the same number of requests each time (nginx `keepalive_requests`) or counts them down (Apache) makes none: its limit
 * is kept instead.
 */
export const STRIKES_BEFORE_FALLBACK = 3;

/** Judges the end of a connection. Pure. */
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
      // It has not answered at all, which may be chance once.
      if (closure.stale === 'unused') return { kind: 'strike' };
      // `Connection: close` on a later response is correct behaviour; on the first, there is no keep-alive.
      if (closure.announced && closure.answered > 1) return { kind: 'strike' };
      // It accepts pipelines, or at least keeps connections and was cut short. A request that reaches a server after its last response resets the
      // connection, which loses data in flight and the announcement in it (RFC 9112, 9.6): seen with nginx after a large response.
      if (closure.pipelinedAnswered || (closure.dueBegun && closure.answered > 0)) return { kind: 'strike' };
      return { kind: 'fallback', reason: 'closed-early' };
  }
}

/** The state of one origin, good at first: whether it may be pipelined to, and why not. */
export class OriginHealth {
  #fallback: FallbackReason | undefined;
  #strikes = 0;
  #typesTrusted = true;
  #requestLimit: number | undefined;
  #limitsFound = 0;
  #answers = 0;
  readonly #strict: boolean;
  readonly #probation: number;

  /** @param options - `strict`: a broken or malformed response without another explanation is not excused. `probation`: see PROBATION.answers. */
  constructor(options = { strict: false, probation: 0 }) {
    this.#strict = options.strict;
    this.#probation = options.probation;
  }

  /** The fallback in force; `undefined`: none. */
  get fallback(): FallbackReason | undefined {
    return this.#fallback;
  }

  /** Whether a content type that contradicts its request still counts as a sign of wrong order. */
  get typesTrusted(): boolean {
    return this.#typesTrusted;
  }

  /** Requests after which the origin closes a connection, so that no more are assigned to one. `undefined`: not known, or none. */
  get requestLimit(): number | undefined {
    return this.#requestLimit;
  }

  get strikes(): number {
    return this.#strikes;
  }

  /** The origin announced its limit (`Keep-Alive: max`). */
  limitAnnounced(requests: number): void {
    this.#requestLimit = requests;
  }

  /** A connection stayed open beyond the limit: the closure that suggested it had another reason. */
  limitPassed(): void {
    this.#requestLimit = undefined;
  }

  effectiveDepth(depth: number): number {
    return this.#fallback === undefined && !this.onProbation ? depth : 1;
  }

  /** Whether it has not given as many responses yet as probation lasts. */
  get onProbation(): boolean {
    return this.#answers < this.#probation;
  }

  /** Counts a complete response. */
  answered(): void {
    this.#answers += 1;
  }

  /** The first reason stays: later ones arise at depth 1 or on connections that were already affected. */
  fallBack(reason: FallbackReason): void {
    this.#fallback ??= reason;
  }

  /** @returns whether the responses before it may belong to other requests. */
  noteClosure(closure: Closure): boolean {
    const judgement = judgeClosure(closure);
    const isBreach = closure.cause === 'malformed' || brokeOff(closure);
    if (this.#strict && isBreach) this.fallBack(closure.cause === 'malformed' ? 'malformed-response' : 'closed-early');
    if (judgement.kind === 'fallback') this.fallBack(judgement.reason);
    else this.#noteStrike(closure, judgement);
    return isBreach || judgement.kind === 'fallback';
  }

  #noteStrike(closure: Closure, judgement: ClosureJudgement): void {
    if (judgement.kind === 'strike' && closure.announced && this.#isOneLimit(closure.answered)) return;
    if (judgement.kind !== 'strike' || closure.strikesBefore !== this.#strikes) return;
    this.#strikes += 1;
    if (this.#strikes >= STRIKES_BEFORE_FALLBACK) this.fallBack('closed-early');
  }

  /**
   * Whether the origin may always close after this number of requests (nginx `keepalive_requests`); one that closes after varying numbers has no
   * limit.
   */
  #isOneLimit(answered: number): boolean {
    if (answered === this.#requestLimit) return true;
    this.#requestLimit = answered;
    this.#limitsFound += 1;
    return this.#limitsFound === 1;
  }

  /**
   * The response that looked out of order came again to a request that had the connection to itself: this origin labels its content oddly. The
   * fallback is revoked, and content types no longer count as signs of wrong order.
   */
  clearOfWrongOrder(): void {
    this.#typesTrusted = false;
    if (this.#fallback === 'wrong-order') this.#fallback = undefined;
  }
}

/** Whether the origin closed it unannounced with pipelined requests outstanding, neither because it was idle nor after an error. */
const brokeOff = ({ cause, outstandingPipelined, stale, excused, announced }: Closure): boolean =>
  cause === 'peer' && outstandingPipelined && stale === 'no' && !excused && !announced;
