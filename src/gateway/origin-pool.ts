import type { LookupFunction } from 'node:net';
import { SHIPPED } from '../core/profiles/shipped.ts';
import type { HandedBack } from '../protocol/gateway-sites.ts';
import { connectionsWanted, type DispatchLimits, nextDispatch, nextMove } from './dispatch-policy.ts';
import type { Exchange } from './exchange.ts';
import { type GatewayFallback, type GatewayOriginCounters, OriginRecorder } from './gateway-counters.ts';
import type { GatewaySetting } from './gateway-options.ts';
import { type FallbackReason, judgeClosure, OriginHealth, putsInDoubt } from './origin-health.ts';
import type { Endpoint } from './request-target.ts';
import { askedFamily } from './response-order.ts';
import { type ConnectionOwner, type LostConnection, UpstreamConnection } from './upstream-connection.ts';

/** `stallMs`: longest silence while a pipelined response is due. `probation`: see PROBATION.answers. */
export interface OriginPoolOptions {
  readonly origin: string;
  readonly endpoint: Endpoint;
  readonly lookup: LookupFunction;
  readonly stallMs: number;
  readonly setting: Required<GatewaySetting>;
  readonly probation: number;
}

/** A site that has sent more responses than requests, and how many responses sent to Firefox may belong to other requests. */
export interface Doubt {
  readonly origin: string;
  readonly answers: number;
}

/**
 * A site may have moved since Firefox found it: after a lost SYN and two repetitions (RFC 6298: after 1 and 3 s) over a satellite, Firefox tries.
 * It must be less than 5 s: after a change of network, which makes sites move, Firefox aborts connections that have been silent for so long
 * (network.http.network-changed.timeout, NS_ERROR_ABORT), the one to the gateway too, and then there is no client to hand back to.
 */
export const CONNECT_MS = 4_000;

/** The queue and the connections of one origin: executes what the dispatch policy decides. */
export class OriginPool implements ConnectionOwner {
  readonly #options: OriginPoolOptions;
  readonly #recorder: OriginRecorder;
  #setting: Required<GatewaySetting>;
  #health: OriginHealth;
  /** Why the origin is left to Firefox, once it is. */
  #left: HandedBack | undefined;
  readonly #queue: Exchange[] = [];
  readonly #connections: UpstreamConnection[] = [];
  #doubted = 0;
  #pumping = false;
  /** Requests since the connections were last dropped. */
  #arrivals = 0;
  #backupTimer: NodeJS.Timeout | undefined;

  constructor(options: OriginPoolOptions) {
    this.#options = options;
    this.#setting = options.setting;
    this.#health = this.#newHealth();
    this.#recorder = new OriginRecorder(options.origin);
  }

  get fallback(): GatewayFallback | undefined {
    const reason = this.#health.fallback;
    return reason === undefined ? undefined : { origin: this.#options.origin, reason };
  }

  /** Whether nothing is open, waiting or remembered, so that the pool may be dropped. */
  get disposable(): boolean {
    return (
      this.#connections.length === 0 &&
      this.#queue.length === 0 &&
      this.#health.fallback === undefined &&
      this.#left === undefined &&
      this.#doubted === 0
    );
  }

  submit(exchange: Exchange): void {
    this.#recorder.arrived();
    exchange.whenHandedBack((why) => {
      this.#recorder.handedBack();
      if (why !== 'again') this.#leave(why);
    });
    if (this.#left !== undefined) {
      exchange.handBack(this.#left);
      return;
    }
    exchange.whenAbandoned(() => this.#abandon(exchange));
    setTimeout(() => this.#handBackIfBehind(exchange), this.#options.stallMs).unref();
    this.#queue.push(exchange);
    this.#connectAhead(exchange);
    this.#pump();
  }

  /** Hands a request back that has waited so long behind another's response. Where that has no end in sight, the origin is left. */
  #handBackIfBehind(exchange: Exchange): void {
    if (exchange.begun || exchange.answered || exchange.abandoned) return;
    const connection = this.#connections.find((one) => one.carries(exchange));
    if (connection === undefined ? !this.#queue.includes(exchange) : !connection.isBehind(exchange)) return;
    const isEndless = connection === undefined ? this.#connections.every((one) => one.endless) : connection.endless;
    exchange.handBack(isEndless ? 'misbehaved' : 'again');
    exchange.abandoned = true;
    connection?.retire();
    this.#abandon(exchange);
  }

  /** Called only when a request arrives: a server that refuses or closes connections opened ahead is not tried again before. */
  #connectAhead(exchange: Exchange): void {
    const { connect: mode, connections: limit } = this.#setting;
    this.#arrivals += 1;
    const arrival = { count: this.#arrivals, document: askedFamily(exchange.accept) === 'document' };
    const wanted = connectionsWanted(arrival, { mode, limit });
    while (this.#connections.length < wanted) this.#open();
    if (mode !== 'ahead' || this.#arrivals > 1 || limit < 2) return;
    this.#backupTimer = setTimeout(() => {
      const first = this.#connections[0];
      if (this.#connections.length === 1 && first && !first.established) this.#open();
    }, SHIPPED.backupAfterMs);
  }

  /** A new setting resets the origin's health: its behaviour under one setting must not affect the next. */
  configure(setting: Required<GatewaySetting>): void {
    this.#setting = setting;
    this.#health = this.#newHealth();
  }

  #newHealth(): OriginHealth {
    return new OriginHealth(this.#options.probation);
  }

  /** The doubt since the last call, if any. */
  takeDoubt(): Doubt | undefined {
    const answers = this.#doubted;
    this.#doubted = 0;
    return answers === 0 ? undefined : { origin: this.#options.origin, answers };
  }

  /** Forgets the origin's past; requests in progress may finish. */
  beginAnew(): void {
    this.#left = undefined;
    this.configure(this.#setting);
    this.retire();
  }

  /** Leaves the origin to Firefox from now on; requests in progress may finish. */
  #leave(why: HandedBack): void {
    if (this.#left !== undefined) return;
    this.#left = why;
    for (const exchange of this.#queue.splice(0)) exchange.handBack(why);
    this.retire();
  }

  /** Replaces every connection once its requests are done. */
  retire(): void {
    for (const connection of this.#connections) connection.retire();
  }

  /** Closes every connection and ends its requests; settles when the last is closed. */
  async drop(): Promise<void> {
    clearTimeout(this.#backupTimer);
    this.#arrivals = 0;
    for (const exchange of this.#queue.splice(0)) exchange.cut();
    await Promise.all(this.#connections.map((connection) => connection.drop()));
  }

  counters(): GatewayOriginCounters {
    return this.#recorder.counters();
  }

  resetCounters(): void {
    this.#recorder.reset(Math.max(0, ...this.#connections.map((c) => c.outstanding)));
  }

  established(): void {
    this.#recorder.opened();
    this.#pump();
  }

  sent(depth: number): void {
    this.#recorder.sent(depth);
  }

  get requestLimit(): number | undefined {
    return this.#health.requestLimit;
  }

  get onProbation(): boolean {
    return this.#health.onProbation;
  }

  rested(): void {
    this.#pump();
  }

  limitAnnounced(requests: number): void {
    this.#health.limitAnnounced(requests);
  }

  heldUp(ms: number): void {
    this.#recorder.heldUp(ms);
  }

  freed(): void {
    this.#recorder.settled(1);
    this.#health.answered();
    this.#pump();
  }

  closed(connection: UpstreamConnection, lost: LostConnection): void {
    this.#connections.splice(this.#connections.indexOf(connection), 1);
    if (lost.established) this.#recorder.closed();
    else this.#recorder.openFailed();
    this.#recorder.settled(lost.outstanding);
    const reason = judgeClosure(lost.closure);
    if (reason !== undefined) this.#doubt(reason, lost);
    for (const { exchange, sentAt } of lost.attempts.toReversed()) {
      if (exchange.abandoned || exchange.answered) continue;
      if (exchange.begun) exchange.cut();
      // The gateway itself sends nothing to a server twice: Firefox sends it again, directly.
      else if (this.#left !== undefined || sentAt !== undefined || !this.#canStillConnect(lost)) exchange.handBack(this.#left ?? 'again');
      else this.#queue.unshift(exchange);
    }
    this.#pump();
  }

  #canStillConnect({ established }: LostConnection): boolean {
    return established || this.#connections.some((c) => c.established && c.accepting);
  }

  /** What was passed on may belong to other requests, and what breaks off now is shown in part: pages that show it are loaded again. */
  #doubt(reason: FallbackReason, { inDoubt, attempts }: LostConnection): void {
    this.#health.fallBack(reason);
    const cut = attempts.filter(({ exchange: { begun, answered, abandoned } }) => begun && !answered && !abandoned).length;
    if (putsInDoubt(reason)) this.#doubted += inDoubt + cut;
    this.#leave('misbehaved');
  }

  #abandon(exchange: Exchange): void {
    const index = this.#queue.indexOf(exchange);
    if (index >= 0) this.#queue.splice(index, 1);
    else this.#connections.find((c) => c.carries(exchange))?.abandon(exchange);
    this.#pump();
  }

  /** Deferred, because the parser, which may be the caller, is not reentrant. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    queueMicrotask(() => {
      this.#pumping = false;
      this.#dispatchWaiting();
    });
  }

  #dispatchWaiting(): void {
    const { connections, depth, dispatch } = this.#setting;
    const limits: DispatchLimits = { connections, depth: this.#health.effectiveDepth(depth), mode: dispatch };
    for (;;) {
      const next = nextDispatch(this.#queue.length, this.#connections, limits);
      if (next === undefined) break;
      const connection = next.connection === 'new' ? this.#open() : this.#connections[next.connection];
      for (const exchange of this.#queue.splice(0, next.take)) {
        this.#recorder.assigned(performance.now() - exchange.arrivedAt);
        connection?.assign(exchange);
      }
    }
    if (this.#queue.length === 0) this.#moveToIdle();
  }

  #moveToIdle(): void {
    for (;;) {
      const move = nextMove(this.#connections);
      if (move === undefined) return;
      const exchange = this.#connections[move.from]?.reclaim();
      if (exchange === undefined) return;
      this.#connections[move.to]?.assign(exchange);
    }
  }

  #open(): UpstreamConnection {
    const { endpoint, lookup, stallMs } = this.#options;
    const connection = new UpstreamConnection({ endpoint, lookup, stallMs, connectMs: CONNECT_MS }, this);
    this.#connections.push(connection);
    return connection;
  }
}
