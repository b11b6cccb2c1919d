import type { LookupFunction, Socket } from 'node:net';
import type { Client } from 'undici';
import type { EstablishingLoad } from './dispatch-policy.ts';
import type { Exchange } from './exchange.ts';
import { closureCauseOf } from './failure.ts';
import type { ForwardedResponse } from './hop-by-hop.ts';
import { type Closure, type ClosureCause, dropsConnection } from './origin-health.ts';
import type { Endpoint } from './request-target.ts';
import { orderDoubt } from './response-order.ts';
import { Passage, type PassageHost, whenAbandoned } from './upstream-attempt.ts';
import { IDLE_MS, openUpstreamSocket, StallWatch, singleUseClient, watchFirstVersion } from './upstream-socket.ts';

export interface LostConnection {
  readonly closure: Closure;
  readonly error: unknown;
  readonly established: boolean;
  readonly reused: boolean;
  /** Pipelined responses passed on since nothing was outstanding: after a surplus one, any of them may belong to another request. */
  readonly inDoubt: number;
  /** The passages in the order they were sent; the first one's response was due. */
  readonly passages: readonly Passage[];
}

export interface ConnectionOwner {
  readonly typesTrusted: boolean;
  /** Requests that the origin accepts on one connection; `undefined`: not known, or any number. */
  readonly requestLimit: number | undefined;
  readonly strikes: number;
  /** The origin has announced how many it accepts. */
  limitAnnounced(requests: number): void;
  /** The connection continues after the last request of the limit. */
  limitPassed(): void;
  established(connection: UpstreamConnection): void;
  sent(passage: Passage, depth: number): void;
  heldUp(ms: number): void;
  oldVersion(): void;
  /** A request that was repeated because of a doubt has its response, of this type. */
  rechecked(exchange: Exchange, contentType: string | undefined): void;
  /** A response is complete, so that there is room. */
  freed(connection: UpstreamConnection): void;
  /** One exchange failed; the connection continues. */
  failed(passage: Passage, error: unknown): void;
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
export class UpstreamConnection implements EstablishingLoad, PassageHost {
  readonly #options: UpstreamConnectionOptions;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #stall: StallWatch;
  readonly #passages: Passage[] = [];
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
      isPaused: () => this.#passages[0]?.paused ?? false,
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
    return this.#passages.length;
  }

  get exclusive(): boolean {
    return this.#passages[0]?.exchange.kind === 'alone';
  }

  get accepting(): boolean {
    return this.#accepting && this.room > 0;
  }

  get room(): number {
    return (this.#owner.requestLimit ?? Number.POSITIVE_INFINITY) - this.#assigned;
  }

  get established(): boolean {
    return this.#state === 'established';
  }

  carries(exchange: Exchange): boolean {
    return this.#passages.some((p) => p.exchange === exchange);
  }

  assign(exchange: Exchange): void {
    const passage = new Passage(exchange, this);
    this.#passages.push(passage);
    this.#assigned++;
    if (this.#state === 'established') this.#dispatch(passage);
  }

  /** Reclaims the request that has waited longest for this connection to be established. */
  reclaim(): Exchange | undefined {
    if (this.#state !== 'establishing' || this.#passages.length === 0) return undefined;
    this.#assigned--;
    return this.#passages.shift()?.exchange;
  }

  /** The exchange's client went away. */
  abandon(exchange: Exchange): void {
    const index = this.#passages.findIndex((p) => p.exchange === exchange);
    const passage = this.#passages[index];
    if (passage === undefined) return;
    if (this.#state === 'establishing') {
      this.#passages.splice(index, 1);
      this.#assigned--;
    } else if (index > 0 || this.#shouldDiscard(passage)) {
      passage.discard();
      if (this.#othersOutstanding() === 0) this.#end('ours');
    } else {
      this.#end('ours');
    }
  }

  /** Whether the exchange waits for another one's response, or for the connection. */
  isBehind(exchange: Exchange): boolean {
    return this.#state === 'establishing' || this.#passages[0]?.exchange !== exchange;
  }

  /** Accepts no more requests, and closes when those under way are done. */
  retire(): void {
    this.#accepting = false;
    if (this.#passages.length === 0) this.#end('ours');
  }

  /** Ends the requests under way, then closes. */
  drop(failure: { readonly status: number; readonly sentence: string }): Promise<void> {
    for (const { exchange } of this.#passages) {
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
      for (const passage of this.#passages) passage.detach();
      this.#socket.destroy();
    }
  }

  sent(passage: Passage): void {
    const depth = this.#passages.filter((p) => p.sentAt !== undefined).length + 1;
    passage.sentAt = performance.now();
    passage.pipelined = depth > 1;
    if (depth === 1) {
      this.#bytesReadWhenBusy = this.#socket.bytesRead;
      this.#inDoubt = 0;
    } else this.#pipelined = true;
    passage.exchange.sendings++;
    this.#owner.sent(passage, depth);
    this.#watchForStall();
  }

  headArrived(passage: Passage, status: number, head: ForwardedResponse): 'forward' | 'discard' | 'stop' {
    if (this.#state !== 'established') return 'stop';
    this.#pipelinedAnswered ||= passage.pipelined;
    if (head.closes) {
      this.#announced = true;
      this.#excused = this.#countsDown || dropsConnection(status);
      this.#accepting = false;
    } else this.#noteLimit(head.requestsLeft);
    if (passage.pipelined && passage.sentAt !== undefined) {
      this.#owner.heldUp(Math.max(0, this.#lastEndAt - (passage.sentAt + this.#handshakeMs)));
    }
    const doubt = this.#orderDoubt(passage, status, head);
    if (doubt !== undefined) {
      if (doubt === 'content-type') passage.exchange.doubtedType = head.contentType;
      this.#end('wrong-order');
      return 'stop';
    }
    if (passage.exchange.doubtedType !== undefined) this.#owner.rechecked(passage.exchange, head.contentType);
    this.#watchForStall();
    if (!passage.exchange.abandoned) return 'forward';
    if (this.#shouldDiscard(passage)) return 'discard';
    this.#end('ours');
    return 'stop';
  }

  discarded(passage: Passage): void {
    if (!this.#shouldDiscard(passage)) this.#end('ours');
  }

  finished(passage: Passage): void {
    this.#remove(passage);
    this.#answered++;
    if (passage.pipelined) this.#inDoubt++;
    this.#lastEndAt = performance.now();
    this.#watchForStall();
    if (this.#passages.length > 0 && this.#othersOutstanding() === 0) this.#end('ours');
    // It accepts no more requests, and none is outstanding.
    if (this.#passages.length === 0 && !this.accepting) this.#end('ours');
    this.#owner.freed(this);
  }

  failed(passage: Passage, error: unknown): void {
    // A failure of the connection is reported once, when it is closed; undici reports it to each request as well.
    if (this.#socket.destroyed || this.#state !== 'established') return;
    this.#remove(passage);
    this.#owner.failed(passage, error);
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
    this.#stoodUnused = this.#passages.length === 0;
    // undici closes an idle connection only once it has been used.
    this.#socket.setTimeout(IDLE_MS, () => {
      if (this.#passages.length === 0) this.#end('ours');
    });
    for (const passage of this.#passages) this.#dispatch(passage);
  }

  #dispatch(passage: Passage): void {
    const { exchange } = passage;
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
      passage,
    );
  }

  #onClose(): void {
    this.#state = 'closed';
    this.#accepting = false;
    this.#stall.stop();
    const closure = this.#closure();
    for (const passage of this.#passages) passage.detach();
    this.#owner.closed(this, {
      closure,
      error: this.#error,
      established: this.#wasEstablished,
      reused: this.#answered > 0,
      inDoubt: this.#inDoubt,
      passages: this.#passages.splice(0),
    });
  }

  #closure(): Closure {
    const outstanding = this.#passages.filter((p) => p.sentAt !== undefined);
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
  #orderDoubt(passage: Passage, status: number, head: ForwardedResponse): ReturnType<typeof orderDoubt> {
    const { exchange } = passage;
    if (!passage.pipelined && this.#passages.length < 2) return undefined;
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

  #shouldDiscard(passage: Passage): boolean {
    const decision = whenAbandoned({
      othersOutstanding: this.#othersOutstanding(),
      begun: passage.headReceived,
      remainingBytes: passage.contentLength,
      discardedBytes: passage.discardedBytes,
    });
    return decision === 'discard';
  }

  #othersOutstanding(): number {
    return this.#passages.filter((p) => !p.exchange.abandoned).length;
  }

  #remove(passage: Passage): void {
    const index = this.#passages.indexOf(passage);
    if (index >= 0) this.#passages.splice(index, 1);
  }

  #watchForStall(): void {
    this.#stall.watch(this.#passages.length > 1 || (this.#passages[0]?.pipelined ?? false));
  }
}
