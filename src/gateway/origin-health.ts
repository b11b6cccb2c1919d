/** Whether an origin may be pipelined to, as the ends of its connections show. */

/** Why an origin is no longer pipelined to. */
export type FallbackReason =
  /** It closed a connection with pipelined requests outstanding. */
  | 'closed-early'
  /** It sent something that is no HTTP/1.1 response, or more responses than requests. */
  | 'malformed-response'
  /** It sent a response that only the connection's end would end: nothing can wait behind it. */
  | 'endless'
  /** Its responses were not in the order of the requests. */
  | 'wrong-order'
  /** It did not answer pipelined requests. */
  | 'no-answer';

export type ClosureCause =
  /** The origin (or the network) ended it. */
  | 'peer'
  /** The parser refused a response. */
  | 'malformed'
  /** See FallbackReason. */
  | 'endless'
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
  /** Whether a request without a complete response was sent while another was outstanding, or another was while it was. */
  readonly outstandingPipelined: boolean;
  /** Whether the end was announced with a status after which servers close whatever else is due, or counted down to (`Keep-Alive: max`). */
  readonly excused: boolean;
  /** Whether it closed without a byte in response to what was sent after it had been idle, as servers do at the moment when it is used. */
  readonly stale: boolean;
}

/**
 * Statuses after which servers close a connection: Apache's ap_status_drops_connection (httpd.h), some of them in nginx too
 * (ngx_http_special_response.c).
 */
const DROPPING_STATUSES: ReadonlySet<number> = new Set([400, 408, 411, 413, 414, 500, 501, 503]);

/** Whether a connection's end after this status says nothing about pipelining. */
export const dropsConnection = (status: number): boolean => DROPPING_STATUSES.has(status);

/** What the end of a connection shows of its origin. Pure. */
export function judgeClosure({ cause, outstandingPipelined, excused, stale }: Closure): FallbackReason | undefined {
  switch (cause) {
    case 'ours':
    case 'timeout':
      return undefined;
    case 'wrong-order':
    case 'endless':
      return cause;
    case 'stalled':
      return 'no-answer';
    case 'malformed':
      return 'malformed-response';
    case 'peer':
      // A response that was left out looks the same, so it is no excuse that the last one announced the end.
      return outstandingPipelined && !excused && !stale ? 'closed-early' : undefined;
  }
}

/** Whether responses that came before may belong to other requests. */
export const putsInDoubt = (reason: FallbackReason): boolean => reason !== 'endless';

/** The state of one origin, good at first: whether it may be pipelined to, and why not. */
export class OriginHealth {
  #fallback: FallbackReason | undefined;
  #requestLimit: number | undefined;
  #answers = 0;
  readonly #probation: number;

  /** @param probation - See PROBATION.answers. */
  constructor(probation = 0) {
    this.#probation = probation;
  }

  /** The fallback in force; `undefined`: none. */
  get fallback(): FallbackReason | undefined {
    return this.#fallback;
  }

  /** Requests after which the origin closes a connection, so that no more are assigned to one. `undefined`: not known, or none. */
  get requestLimit(): number | undefined {
    return this.#requestLimit;
  }

  /** The origin announced its limit (`Keep-Alive: max`). */
  limitAnnounced(requests: number): void {
    this.#requestLimit = requests;
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

  /** The first reason stays: later ones arise on connections that were already affected. */
  fallBack(reason: FallbackReason): void {
    this.#fallback ??= reason;
  }
}
