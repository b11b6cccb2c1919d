import type { LookupFunction, Socket } from 'node:net';
import { PROBATION } from '../core/gateway-policy.ts';
import { SHIPPED } from '../core/profiles/shipped.ts';
import type { EstablishingLoad } from './dispatch-policy.ts';
import type { Exchange } from './exchange.ts';
import { closureCauseOf } from './failure.ts';
import { type ForwardedResponse, forwardedResponseHeaders } from './hop-by-hop.ts';
import { type Closure, type ClosureCause, dropsConnection } from './origin-health.ts';
import type { Endpoint } from './request-target.ts';
import { orderDoubt } from './response-order.ts';
import { type ResponseHead, ResponseParser, type ResponseReader } from './response-parser.ts';
import { UpstreamAttempt, whenAbandoned } from './upstream-attempt.ts';
import { openUpstreamSocket, StallWatch } from './upstream-socket.ts';

/**
 * Requests on one connection: as many as nginx up to 1.19.9, Apache and Tomcat answer before they close it (`keepalive_requests`,
 * `MaxKeepAliveRequests`, `maxKeepAliveRequests`), so that none is outstanding then.
 */
const MAX_REQUESTS = 100;
/** A connection is closed this long before the server's own `Keep-Alive: timeout`, ms. */
const IDLE_MARGIN_MS = 500;
/** Firefox itself gives up after so long without a byte (`network.http.response.timeout`, 300 s, all.js), ms. */
const RESPONSE_TIMEOUT_MS = 300_000;

export interface LostConnection {
  readonly closure: Closure;
  readonly established: boolean;
  /** Responses passed on that may belong to other requests, if the origin has sent a surplus one or left one out. */
  readonly inDoubt: number;
  /** Requests sent whose response is not complete. */
  readonly outstanding: number;
  /** The attempts in the order they were sent; the first one's response was due. */
  readonly attempts: readonly UpstreamAttempt[];
}

export interface ConnectionOwner {
  /** Requests that the origin accepts on one connection; `undefined`: not known, or any number. */
  readonly requestLimit: number | undefined;
  /** See PROBATION. */
  readonly onProbation: boolean;
  /** The connection may take the next request of probation. */
  rested(): void;
  /** The origin has announced how many it accepts. */
  limitAnnounced(requests: number): void;
  established(connection: UpstreamConnection): void;
  sent(depth: number): void;
  heldUp(ms: number): void;
  /** A response is complete, so that there is room. */
  freed(connection: UpstreamConnection): void;
  closed(connection: UpstreamConnection, lost: LostConnection): void;
}

/** `stallMs`: longest silence while a pipelined response is due. `connectMs`: time limit for establishing it. */
interface UpstreamConnectionOptions {
  readonly endpoint: Endpoint;
  readonly lookup: LookupFunction;
  readonly stallMs: number;
  readonly connectMs: number;
}

/** One TCP connection to an origin and its outstanding requests. */
export class UpstreamConnection implements EstablishingLoad, ResponseReader {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #parser = new ResponseParser(this);
  readonly #stall: StallWatch;
  readonly #attempts: UpstreamAttempt[] = [];
  readonly #closed: Promise<void>;
  #state: 'establishing' | 'established' | 'closing' | 'closed' = 'establishing';
  #accepting = true;
  /** Requests assigned so far. */
  #assigned = 0;
  #excused = false;
  /** How many requests the origin accepts on it, where it counts down. */
  #limit: number | undefined;
  #cause: ClosureCause | undefined;
  #connectBeganAt = performance.now();
  #handshakeMs = 0;
  #wasEstablished = false;
  #answered = 0;
  #inDoubt = 0;
  /** Set between two responses of probation. */
  #resting: NodeJS.Timeout | undefined;
  /** Set while it waits to be closed. */
  #lingering: NodeJS.Timeout | undefined;
  #lastEndAt = 0;
  #bytesReadWhenBusy = 0;
  #idleMs = SHIPPED.keepAliveMs;
  /** Whether it was opened ahead, without a request waiting for it. */
  #stoodUnused = false;

  constructor(options: UpstreamConnectionOptions, owner: ConnectionOwner) {
    this.#owner = owner;
    const { lookup, connectMs: timeoutMs } = options;
    this.#socket = openUpstreamSocket(options.endpoint, { lookup, timeoutMs });
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
      .on('data', (piece) => this.#onData(piece))
      .on('error', (error) => {
        this.#cause ??= closureCauseOf(error);
      })
      .once('close', () => this.#onClose());
  }

  get outstanding(): number {
    return this.#attempts.length;
  }

  get accepting(): boolean {
    return this.#accepting && this.#resting === undefined && this.room > 0;
  }

  get room(): number {
    return Math.min(this.#limit ?? this.#owner.requestLimit ?? MAX_REQUESTS, MAX_REQUESTS) - this.#assigned;
  }

  get established(): boolean {
    return this.#state === 'established';
  }

  /** Whether its response that is due has begun, of unknown length. */
  get endless(): boolean {
    const due = this.#attempts[0];
    return due?.headReceived === true && due.contentLength === undefined;
  }

  carries(exchange: Exchange): boolean {
    return this.#attempts.some((p) => p.exchange === exchange);
  }

  assign(exchange: Exchange): void {
    const attempt = new UpstreamAttempt(exchange);
    this.#attempts.push(attempt);
    this.#assigned++;
    if (this.#state === 'established') this.#send(attempt);
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
      if (attempt.headReceived) {
        attempt.discard();
        this.#resume(attempt);
      }
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
    if (this.#attempts.length === 0) this.#endWhenQuiet();
  }

  /** Ends the requests in progress, then closes. */
  drop(): Promise<void> {
    for (const { exchange } of this.#attempts) exchange.cut();
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
    this.#parser.stop();
    if (this.#state !== 'closed') {
      this.#state = 'closing';
      for (const attempt of this.#attempts) attempt.detach();
      this.#socket.destroy();
    }
  }

  /** What the origin has sent beyond its responses may still be on its way. The origin's own end settles it sooner. */
  #endWhenQuiet(): void {
    const leftMs = this.#answered === 0 ? 0 : this.#lastEndAt + this.#quietMs - performance.now();
    if (leftMs <= 0) this.#end('ours');
    else this.#lingering ??= setTimeout(() => this.#end('ours'), leftMs);
  }

  get #quietMs(): number {
    return Math.max(PROBATION.quietMs, this.#handshakeMs);
  }

  #send(attempt: UpstreamAttempt): void {
    const depth = this.#attempts.filter((p) => p.sentAt !== undefined).length + 1;
    attempt.sentAt = performance.now();
    attempt.pipelined = depth > 1;
    attempt.onProbation = this.#owner.onProbation;
    if (depth === 1) {
      this.#bytesReadWhenBusy = this.#socket.bytesRead;
      if (!attempt.onProbation) this.#inDoubt = 0;
      this.#socket.setTimeout(RESPONSE_TIMEOUT_MS);
    }
    const { exchange } = attempt;
    this.#parser.asked(exchange.method);
    this.#socket.write(exchange.head, 'latin1');
    this.#owner.sent(depth);
    this.#watchForStall();
  }

  #onData(piece: Buffer): void {
    if (this.#state !== 'established') return;
    const fault = this.#parser.read(piece);
    if (fault === 'endless') this.#end(this.#isCountedOut() ? 'ours' : 'endless');
    else if (fault !== undefined) this.#end('malformed');
  }

  /** Whether the response that is due is the last that the origin has counted down to: Apache gives that no length where it knows none. */
  #isCountedOut(): boolean {
    return this.#answered + 1 === this.#limit;
  }

  onHints(fields: readonly string[]): void {
    this.#attempts[0]?.exchange.inform(fields);
  }

  onHead(head: ResponseHead): void {
    const attempt = this.#attempts[0];
    if (attempt === undefined) return;
    const { status, fields, bodyBytes } = head;
    const forwarded = forwardedResponseHeaders(fields, { isChunked: bodyBytes === undefined });
    this.#noteLimits(status, forwarded);
    if (attempt.pipelined && attempt.sentAt !== undefined) {
      this.#owner.heldUp(Math.max(0, this.#lastEndAt - (attempt.sentAt + this.#handshakeMs)));
    }
    if (this.#isAnothers(attempt, status, forwarded)) {
      this.#end('wrong-order');
      return;
    }
    this.#watchForStall();
    const { exchange } = attempt;
    if (exchange.abandoned && !this.#shouldDiscard(attempt)) this.#end('ours');
    else if (exchange.abandoned) attempt.discard();
    // A handshake may follow that belongs to the connection, which must be between Firefox and the server.
    else if (status === 401) this.#handBack(attempt, 'authentication');
    // Only a proxy may ask for proxy authentication, and the only proxy here is this one (RFC 9110, 15.5.8).
    else if (status === 407) this.#handBack(attempt, 'misbehaved');
    else attempt.forward(head, forwarded);
  }

  #handBack(attempt: UpstreamAttempt, why: 'authentication' | 'misbehaved'): void {
    attempt.discard();
    attempt.exchange.handBack(why);
  }

  onBody(piece: Buffer): void {
    const attempt = this.#attempts[0];
    if (attempt === undefined) return;
    if (!attempt.data(piece, () => this.#resume(attempt))) {
      attempt.paused = true;
      this.#socket.pause();
    }
    if (attempt.exchange.abandoned && !this.#shouldDiscard(attempt)) this.#end('ours');
  }

  #resume(attempt: UpstreamAttempt): void {
    attempt.paused = false;
    this.#socket.resume();
  }

  onEnd(trailers: readonly string[]): void {
    const attempt = this.#attempts.shift();
    if (attempt === undefined) return;
    attempt.end(trailers);
    if (attempt.paused) this.#resume(attempt);
    // The first response of a connection can be no other request's.
    if (attempt.pipelined || (attempt.onProbation && this.#answered > 0)) this.#inDoubt++;
    this.#answered++;
    this.#lastEndAt = performance.now();
    if (attempt.onProbation) this.#rest();
    this.#watchForStall();
    if (this.#attempts.length === 0) this.#socket.setTimeout(this.#idleMs);
    else if (this.#othersOutstanding() === 0) this.#end('ours');
    if (this.#attempts.length === 0 && !(this.#accepting && this.room > 0)) this.#endWhenQuiet();
    this.#owner.freed(this);
  }

  /** A surplus response that comes now ends the connection; later it would pass for the next one. */
  #rest(): void {
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      this.#owner.rested();
    }, this.#quietMs);
  }

  #onConnect(): void {
    if (this.#state !== 'establishing') return;
    this.#state = 'established';
    this.#wasEstablished = true;
    this.#handshakeMs = performance.now() - this.#connectBeganAt;
    this.#stoodUnused = this.#attempts.length === 0;
    this.#owner.established(this);
    this.#socket.setTimeout(this.#idleMs);
    this.#socket.on('timeout', () => {
      if (this.#attempts.length === 0) this.#end('ours');
      else if (this.#attempts[0]?.paused !== true) this.#end('timeout');
    });
    for (const attempt of this.#attempts) this.#send(attempt);
  }

  #onClose(): void {
    this.#state = 'closed';
    this.#accepting = false;
    this.#stall.stop();
    clearTimeout(this.#resting);
    clearTimeout(this.#lingering);
    const sent = this.#attempts.filter((p) => p.sentAt !== undefined);
    for (const attempt of this.#attempts) attempt.detach();
    this.#owner.closed(this, {
      closure: {
        cause: this.#cause ?? 'peer',
        outstandingPipelined: sent.length > 1 || (sent[0]?.pipelined ?? false),
        excused: this.#excused,
        stale: this.#socket.bytesRead === this.#bytesReadWhenBusy && (this.#answered > 0 || this.#stoodUnused),
      },
      established: this.#wasEstablished,
      inDoubt: this.#inDoubt,
      outstanding: sent.length,
      attempts: this.#attempts.splice(0),
    });
  }

  /** Whether the response is shown to belong to another request: there is doubt only where it could. */
  #isAnothers(attempt: UpstreamAttempt, status: number, head: ForwardedResponse): boolean {
    const { exchange } = attempt;
    if (!attempt.pipelined && this.#attempts.length < 2) return false;
    const url = exchange.target.origin + exchange.target.path;
    const { contentType, assocReq } = head;
    return orderDoubt({ method: exchange.method, url, accept: exchange.accept, status, contentType, assocReq }) !== undefined;
  }

  /** Notes how long the origin will keep the connection, and for how many requests. */
  #noteLimits(status: number, { closes, requestsLeft, idleSeconds }: ForwardedResponse): void {
    if (idleSeconds !== undefined) this.#idleMs = Math.max(0, Math.min(SHIPPED.keepAliveMs, idleSeconds * 1000 - IDLE_MARGIN_MS));
    if (closes) {
      this.#excused = this.#limit !== undefined || dropsConnection(status);
      this.#accepting = false;
    } else if (requestsLeft !== undefined) {
      this.#limit = this.#answered + 1 + requestsLeft;
      this.#owner.limitAnnounced(this.#limit);
    }
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

  #watchForStall(): void {
    this.#stall.watch(this.#attempts.length > 1 || (this.#attempts[0]?.pipelined ?? false));
  }
}
