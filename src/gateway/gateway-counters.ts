import { type Milliseconds, milliseconds } from '../core/units.ts';
import type { FallbackReason } from './origin-health.ts';

/** Individual values kept per origin; count, total and max continue beyond it. More than any page of the lab has requests. */
export const KEPT_VALUES = 4096;

/** Durations of one kind. */
export interface WaitSummary {
  readonly count: number;
  readonly total: Milliseconds;
  readonly max: Milliseconds | undefined;
  /** The first KEPT_VALUES, in the order they arose. */
  readonly values: readonly Milliseconds[];
}

/** Counters of one origin since the last reset. */
export interface GatewayOriginCounters {
  /** `http://host[:port]`. */
  readonly origin: string;
  readonly connectionsOpened: number;
  /** Connections that could not be established. */
  readonly connectionsFailed: number;
  readonly peakConnections: number;
  /** Largest number of requests sent and not completely answered, on one connection. */
  readonly peakDepth: number;
  /** Largest number over all connections of the origin. */
  readonly peakOutstanding: number;
  /** Requests of clients. */
  readonly requests: number;
  /** Requests sent while another was outstanding on the same connection. */
  readonly pipelinedRequests: number;
  /** Requests that were not carried, or not to their end, and reached the server past the pipelines. */
  readonly handedBackRequests: number;
  /**
   * Per response to a pipelined request: how long it waited behind earlier responses, from when it could have begun (sent + the connection's own
   * handshake time, as if the server took no time) to when the response before it was complete. 0 when it did not wait. An upper bound: it includes
   * the server's own time.
   */
  readonly headOfLineWait: WaitSummary;
  /** Per request: from its arrival at the gateway to the choice of a connection. */
  readonly queueWait: WaitSummary;
}

/** An origin that gets no pipeline, and why. */
export interface GatewayFallback {
  readonly origin: string;
  readonly reason: FallbackReason;
}

export interface GatewayCounters {
  /** Origins that had a request or a connection since the last reset. */
  readonly origins: readonly GatewayOriginCounters[];
  /** Fallbacks in force now, whenever they arose: such an origin has depth 1 whatever the setting. */
  readonly fallbacks: readonly GatewayFallback[];
  /** Requests refused for want of the secret since the last reset. */
  readonly unauthorised: number;
}

/** Collects durations, ms. */
export class WaitRecorder {
  #count = 0;
  #total = 0;
  #max: number | undefined;
  readonly #values: Milliseconds[] = [];

  add(ms: number): void {
    this.#count++;
    this.#total += ms;
    if (this.#max === undefined || ms > this.#max) this.#max = ms;
    if (this.#values.length < KEPT_VALUES) this.#values.push(milliseconds(ms));
  }

  summary(): WaitSummary {
    return {
      count: this.#count,
      total: milliseconds(this.#total),
      max: this.#max === undefined ? undefined : milliseconds(this.#max),
      values: [...this.#values],
    };
  }
}

const ZERO = {
  connectionsOpened: 0,
  connectionsFailed: 0,
  peakConnections: 0,
  peakDepth: 0,
  peakOutstanding: 0,
  requests: 0,
  pipelinedRequests: 0,
  handedBackRequests: 0,
};

/** Counts events of one origin. Levels (open, outstanding) continue over a reset; peaks begin at the level then. */
export class OriginRecorder {
  readonly #origin: string;
  #open = 0;
  #outstanding = 0;
  #counts = { ...ZERO };
  #headOfLineWait = new WaitRecorder();
  #queueWait = new WaitRecorder();

  constructor(origin: string) {
    this.#origin = origin;
  }

  arrived(): void {
    this.#counts.requests++;
  }

  handedBack(): void {
    this.#counts.handedBackRequests++;
  }

  assigned(waitedMs: number): void {
    this.#queueWait.add(waitedMs);
  }

  opened(): void {
    this.#counts.connectionsOpened++;
    this.#open++;
    this.#counts.peakConnections = Math.max(this.#counts.peakConnections, this.#open);
  }

  openFailed(): void {
    this.#counts.connectionsFailed++;
  }

  closed(): void {
    this.#open--;
  }

  /** `depth`: outstanding on its connection, this request included. */
  sent(depth: number): void {
    const counts = this.#counts;
    this.#outstanding++;
    counts.peakDepth = Math.max(counts.peakDepth, depth);
    counts.peakOutstanding = Math.max(counts.peakOutstanding, this.#outstanding);
    if (depth > 1) counts.pipelinedRequests++;
  }

  /** Counts requests that were answered, or lost with their connection. */
  settled(requests: number): void {
    this.#outstanding -= requests;
  }

  heldUp(ms: number): void {
    this.#headOfLineWait.add(ms);
  }

  /** `busiest`: outstanding on the busiest connection now. */
  reset(busiest: number): void {
    this.#counts = { ...ZERO, peakConnections: this.#open, peakDepth: busiest, peakOutstanding: this.#outstanding };
    this.#headOfLineWait = new WaitRecorder();
    this.#queueWait = new WaitRecorder();
  }

  counters(): GatewayOriginCounters {
    const [headOfLineWait, queueWait] = [this.#headOfLineWait.summary(), this.#queueWait.summary()];
    return { origin: this.#origin, ...this.#counts, headOfLineWait, queueWait };
  }
}
