import type { LookupFunction, Socket } from 'node:net';
import type { Client } from 'undici';
import { PROBATION } from '../core/gateway-policy.ts';
import type { EstablishingLoad } from './dispatch-policy.ts';
import type { Exchange } from './exchange.ts';
import { closureCauseOf } from './failure.ts';
import type { ForwardedResponse } from './hop-by-hop.ts';
import { type Closure, type ClosureCause, dropsConnection } from './origin-health.ts';
import type { Endpoint } from './request-target.ts';
import { orderDoubt } from './response-order.ts';
import { UpstreamAttempt, type UpstreamAttemptHost, whenAbandoned } from './upstream-attempt.ts';
import { IDLE_MS, openUpstreamSocket, StallWatch, singleUseClient, watchFirstVersion } from './upstream-socket.ts';

export interface LostConnection {
  readonly closure: Closure;
  readonly error: unknown;
  readonly established: boolean;
  readonly reused: boolean;
  /** Pipelined responses passed on since nothing was outstanding: after a surplus one, any of them may belong to another request. */
  readonly inDoubt: number;
  /** The attempts in the order they were sent; the first one's response was due. */
  readonly attempts: readonly UpstreamAttempt[];
}

export interface ConnectionOwner {
  readonly typesTrusted: boolean;
  /** Requests that the origin accepts on one connection; `undefined`: not known, or any number. */
  readonly requestLimit: number | undefined;
  readonly strikes: number;
  /** See PROBATION. */
  readonly onProbation: boolean;
  /** The connection may take the next request of probation. */
  rested(): void;
  /** The origin has announced how many it accepts. */
  limitAnnounced(requests: number): void;
  /** The connection continues after the last request of the limit. */
  limitPassed(): void;
  established(connection: UpstreamConnection): void;
  sent(attempt: UpstreamAttempt, depth: number): void;
  heldUp(ms: number): void;
  oldVersion(): void;
  /** A request that was repeated because of a doubt has its response, of this type. */
  rechecked(exchange: Exchange, contentType: string | undefined): void;
  /** A response is complete, so that there is room. */
  freed(connection: UpstreamConnection): void;
  /** One exchange failed; the connection continues. */
  failed(attempt: UpstreamAttempt, error: unknown): void;
  closed(connection: UpstreamConnection, lost: LostConnection): void;
}

/** `stallMs`: longest silence while a pipelined response is due. */
interface UpstreamConnectionOptions {
  readonly origin: string;
  readonly endpoint: Endpoint;
  readonly lookup: LookupFunction;
  readonly stallMs: number;
  /** Time limit for establishing it; default 90 s. */
  readonly connectMs?: number | undefined;
}

/**
 * One TCP connection to an origin and its outstanding requests, with an undici Client of its own that may not connect again: the pool decides on
 * repeating and redistributing.
 */
export class UpstreamConnection implements EstablishingLoad, UpstreamAttemptHost {
  readonly #options: UpstreamConnectionOptions;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #stall: StallWatch;
  readonly #attempts: UpstreamAttempt[] = [];
  readonly #closed: Promise<void>;
  #client: Client | undefined;
  #state: 'establishing' | 'established' | 'closing' | 'closed' = 'establishing';
  #accepting = true;
  /** Requests assigned so far. */
  #assigned = 0;
  #announced = false;
  #excused = false;
  /** Whether the origin announces how many more requests it accepts. */
  #countsDown = false;
  #cause: ClosureCause | undefined;
  #error: unknown;
  #connectBeganAt = performance.now();
  #handshakeMs = 0;
  #wasEstablished = false;
  #answered = 0;
  #pipelined = false;
  #pipelinedAnswered = false;
  #inDoubt = 0;
  /** Set between two responses of probation. */
  #resting: NodeJS.Timeout | undefined;
  readonly #strikesBefore: number;
  /** Whether the peer has closed or reset it: a malformed response was only cut short then. */
  #peerEnded = false;
  #lastEndAt = 0;
  #bytesReadWhenBusy = 0;
  /** Whether it was opened ahead, without a request waiting for it. */
  #stoodUnused = false;

  constructor(options: UpstreamConnectionOptions, owner: ConnectionOwner) {
    this.#options = options;
    this.#owner = owner;
    this.#strikesBefore = owner.strikes;
    const { lookup, connectMs: timeoutMs } = options;
    this.#socket = openUpstreamSocket(options.endpoint, { lookup, allowHalfOpen: false, timeoutMs });
    this.#stall = new StallWatch(this.#socket, {
      stallMs: options.stallMs,
      isPaused: () => this.#attempts[0]?.paused ?? false,
      onStall: () => this.#end('stalled'),
    });
    this.#closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#socket
      .once('lookup', () => {
        this.#connectBeganAt = performance.now();
      })
      .once('connect', () => this.#onConnect())
      .once('end', () => {
        this.#peerEnded = true;
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        this.#error ??= error;
        if (error.code === 'ECONNRESET') this.#peerEnded = true;
      })
      // undici's own listener runs after this one, and has reported its error by the microtask.
      .once('close', () => queueMicrotask(() => this.#onClose()));
  }

  get outstanding(): number {
    return this.#attempts.length;
  }

  get exclusive(): boolean {
    return this.#attempts[0]?.exchange.kind === 'alone';
  }

  get accepting(): boolean {
    return this.#accepting && this.#resting === undefined && this.room > 0;
  }

  get room(): number {
    return (this.#owner.requestLimit ?? Number.POSITIVE_INFINITY) - this.#assigned;
  }

  get established(): boolean {
    return this.#state === 'established';
  }

  carries(exchange: Exchange): boolean {
    return this.#attempts.some((p) => p.exchange === exchange);
  }

  assign(exchange: Exchange): void {
    const attempt = new UpstreamAttempt(exchange, this);
    this.#attempts.push(attempt);
    this.#assigned++;
    if (this.#state === 'established') this.#dispatch(attempt);
  }

  /** Reclaims the request that has waited longest for this connection to be established. */
  reclaim(): Exchange | undefined {
    if (this.#state !== 'establishing' || this.#attempts.length === 0) return undefined;
    this.#assigned--;
    return this.#attempts.shift()?.exchange;
  }

  /** The exchange's client went away. */
  abandon(exchange: Exchange): void {
    const index = this.#attempts.findIndex((p) => p.exchange === exchange);
    const attempt = this.#attempts[index];
    if (attempt === undefined) return;
    if (this.#state === 'establishing') {
      this.#attempts.splice(index, 1);
      this.#assigned--;
    } else if (index > 0 || this.#shouldDiscard(attempt)) {
      attempt.discard();
      if (this.#othersOutstanding() === 0) this.#end('ours');
    } else {
      this.#end('ours');
    }
  }

  /** Whether the exchange waits for another one's response, or for the connection. */
  isBehind(exchange: Exchange): boolean {
    return this.#state === 'establishing' || this.#attempts[0]?.exchange !== exchange;
  }

  /** Accepts no more requests, and closes when those in progress are done. */
  retire(): void {
    this.#accepting = false;
    if (this.#attempts.length === 0) this.#end('ours');
  }

  /** Ends the requests in progress, then closes. */
  drop(failure: { readonly status: number; readonly sentence: string }): Promise<void> {
    for (const { exchange } of this.#attempts) {
      if (exchange.begun) exchange.cut();
      else exchange.fail(failure);
    }
    return this.close('ours');
  }

  /** Settles when the socket is closed; it cannot fail. */
  close(cause: ClosureCause): Promise<void> {
    this.#end(cause);
    return this.#closed;
  }

  #end(cause: ClosureCause): void {
    this.#cause ??= cause;
    this.#accepting = false;
    if (this.#state !== 'closed') {
      this.#state = 'closing';
      for (const attempt of this.#attempts) attempt.detach();
      this.#socket.destroy();
    }
  }

  sent(attempt: UpstreamAttempt): void {
    const depth = this.#attempts.filter((p) => p.sentAt !== undefined).length + 1;
    attempt.sentAt = performance.now();
    attempt.pipelined = depth > 1;
    attempt.onProbation = this.#owner.onProbation;
    if (depth === 1) {
      this.#bytesReadWhenBusy = this.#socket.bytesRead;
      if (!attempt.onProbation) this.#inDoubt = 0;
    } else this.#pipelined = true;
    attempt.exchange.sendings++;
    this.#owner.sent(attempt, depth);
    this.#watchForStall();
  }

  headArrived(attempt: UpstreamAttempt, status: number, head: ForwardedResponse): 'forward' | 'discard' | 'stop' {
    if (this.#state !== 'established') return 'stop';
    this.#pipelinedAnswered ||= attempt.pipelined;
    if (head.closes) {
      this.#announced = true;
      this.#excused = this.#countsDown || dropsConnection(status);
      this.#accepting = false;
    } else this.#noteLimit(head.requestsLeft);
    if (attempt.pipelined && attempt.sentAt !== undefined) {
      this.#owner.heldUp(Math.max(0, this.#lastEndAt - (attempt.sentAt + this.#handshakeMs)));
    }
    const doubt = this.#orderDoubt(attempt, status, head);
    if (doubt !== undefined) {
      if (doubt === 'content-type') attempt.exchange.doubtedType = head.contentType;
      this.#end('wrong-order');
      return 'stop';
    }
    if (attempt.exchange.doubtedType !== undefined) this.#owner.rechecked(attempt.exchange, head.contentType);
    this.#watchForStall();
    if (!attempt.exchange.abandoned) return 'forward';
    if (this.#shouldDiscard(attempt)) return 'discard';
    this.#end('ours');
    return 'stop';
  }

  discarded(attempt: UpstreamAttempt): void {
    if (!this.#shouldDiscard(attempt)) this.#end('ours');
  }

  finished(attempt: UpstreamAttempt): void {
    this.#remove(attempt);
    // The first response of a connection can be no other request's.
    if (attempt.pipelined || (attempt.onProbation && this.#answered > 0)) this.#inDoubt++;
    this.#answered++;
    if (attempt.onProbation) this.#rest();
    this.#lastEndAt = performance.now();
    this.#watchForStall();
    if (this.#attempts.length > 0 && this.#othersOutstanding() === 0) this.#end('ours');
    // It accepts no more requests, and none is outstanding.
    if (this.#attempts.length === 0 && !(this.#accepting && this.room > 0)) this.#end('ours');
    this.#owner.freed(this);
  }

  /** A surplus response that comes now ends the connection; later it would pass for the next one. */
  #rest(): void {
    this.#resting = setTimeout(
      () => {
        this.#resting = undefined;
        this.#owner.rested();
      },
      Math.max(PROBATION.quietMs, this.#handshakeMs),
    );
  }

  failed(attempt: UpstreamAttempt, error: unknown): void {
    // A failure of the connection is reported once, when it is closed; undici reports it to each request as well.
    if (this.#socket.destroyed || this.#state !== 'established') return;
    this.#remove(attempt);
    this.#owner.failed(attempt, error);
  }

  #onConnect(): void {
    if (this.#state !== 'establishing') return;
    this.#state = 'established';
    this.#wasEstablished = true;
    this.#handshakeMs = performance.now() - this.#connectBeganAt;
    watchFirstVersion(this.#socket, (version) => {
      if (version === '1.0') this.#owner.oldVersion();
    });
    this.#client = singleUseClient(this.#options.origin, this.#socket);
    this.#client.once('disconnect', (_origin, _targets, error) => {
      this.#error ??= error;
    });
    this.#owner.established(this);
    this.#stoodUnused = this.#attempts.length === 0;
    // undici closes an idle connection only once it has been used.
    this.#socket.setTimeout(IDLE_MS, () => {
      if (this.#attempts.length === 0) this.#end('ours');
    });
    for (const attempt of this.#attempts) this.#dispatch(attempt);
  }

  #dispatch(attempt: UpstreamAttempt): void {
    const { exchange } = attempt;
    this.#client?.dispatch(
      {
        path: exchange.target.path,
        method: exchange.method,
        headers: exchange.headers,
        body: exchange.takeBody(),
        idempotent: exchange.repeatable,
        // Without `blocking: false` undici never pipelines a GET; without `reset: false` it closes after each HEAD.
        blocking: false,
        reset: false,
      },
      attempt,
    );
  }

  #onClose(): void {
    this.#state = 'closed';
    this.#accepting = false;
    this.#stall.stop();
    clearTimeout(this.#resting);
    const closure = this.#closure();
    for (const attempt of this.#attempts) attempt.detach();
    this.#owner.closed(this, {
      closure,
      error: this.#error,
      established: this.#wasEstablished,
      reused: this.#answered > 0,
      inDoubt: this.#inDoubt,
      attempts: this.#attempts.splice(0),
    });
  }

  #closure(): Closure {
    const outstanding = this.#attempts.filter((p) => p.sentAt !== undefined);
    return {
      cause: this.#cause ?? closureCauseOf(this.#error, { peerEnded: this.#peerEnded }),
      outstanding: outstanding.length,
      outstandingPipelined: outstanding.length > 1 || (outstanding[0]?.pipelined ?? false),
      pipelined: this.#pipelined,
      answered: this.#answered,
      pipelinedAnswered: this.#pipelinedAnswered,
      dueBegun: outstanding[0]?.headReceived ?? false,
      announced: this.#announced,
      excused: this.#excused,
      stale: this.#staleness(),
      strikesBefore: this.#strikesBefore,
    };
  }

  #staleness(): Closure['stale'] {
    if (this.#socket.bytesRead !== this.#bytesReadWhenBusy) return 'no';
    if (this.#answered > 0) return 'reused';
    return this.#stoodUnused ? 'unused' : 'no';
  }

  /** There is doubt only where the response could belong to another request. */
  #orderDoubt(attempt: UpstreamAttempt, status: number, head: ForwardedResponse): ReturnType<typeof orderDoubt> {
    const { exchange } = attempt;
    if (!attempt.pipelined && this.#attempts.length < 2) return undefined;
    const doubt = orderDoubt({
      method: exchange.method,
      url: exchange.target.origin + exchange.target.path,
      accept: exchange.accept,
      status,
      contentType: head.contentType,
      assocReq: head.assocReq,
    });
    return doubt === 'content-type' && !this.#owner.typesTrusted ? undefined : doubt;
  }

  /** Notes the limit that a response names, or passes without announcing the end. */
  #noteLimit(requestsLeft: number | undefined): void {
    const nth = this.#answered + 1;
    if (requestsLeft !== undefined) {
      this.#countsDown = true;
      this.#owner.limitAnnounced(nth + requestsLeft);
    } else if (nth >= (this.#owner.requestLimit ?? Number.POSITIVE_INFINITY)) this.#owner.limitPassed();
  }

  #shouldDiscard(attempt: UpstreamAttempt): boolean {
    const decision = whenAbandoned({
      othersOutstanding: this.#othersOutstanding(),
      begun: attempt.headReceived,
      remainingBytes: attempt.contentLength,
      discardedBytes: attempt.discardedBytes,
    });
    return decision === 'discard';
  }

  #othersOutstanding(): number {
    return this.#attempts.filter((p) => !p.exchange.abandoned).length;
  }

  #remove(attempt: UpstreamAttempt): void {
    const index = this.#attempts.indexOf(attempt);
    if (index >= 0) this.#attempts.splice(index, 1);
  }

  #watchForStall(): void {
    this.#stall.watch(this.#attempts.length > 1 || (this.#attempts[0]?.pipelined ?? false));
  }
}
