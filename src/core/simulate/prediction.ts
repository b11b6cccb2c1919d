/** The simulator's result for a page over a link under a profile. */

import type { GatewayVisit } from '../gateway-policy.ts';
import type { SimulatedProfile } from './simulated-profile.ts';

/** The cause of most of the time on the way to the last response. `page`: the browser's own work before the request. */
export const BOUNDS = ['bandwidth', 'queue-wait', 'round-trips', 'loss', 'server', 'page'] as const;
export type Bound = (typeof BOUNDS)[number];

/** How a request travels: `gateway` is HTTP/1.1 through the gateway. Not the `Carrier` of a profile, which makes its depth real. */
export const CARRIAGES = ['http/1.1', 'gateway', 'http/2', 'http/3'] as const;
export type Carriage = (typeof CARRIAGES)[number];

/** Why packets were lost: `queue`: a full queue dropped them; `chance`: the link loses some, whatever its queue does. */
export const LOSS_KINDS = ['none', 'queue', 'chance'] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

export interface PredictedRequest {
  readonly id: string;
  /** When the page had everything to request it, ms after the start, as all times here. */
  readonly discoveredMs: number;
  /** When it was put on an established connection. */
  readonly startMs: number;
  readonly firstByteMs: number;
  readonly endMs: number;
  /** Number of its connection, over all servers, in the order in which they were opened, from 0. */
  readonly connection: number;
}

/** One simulated page load under one profile. */
export interface Prediction {
  readonly profileId: string;
  /** From the start to the last byte, ms. */
  readonly loadTimeMs: number;
  /** Ideal time / load time, in (0, 1]. */
  readonly efficiency: number;
  /** Response bytes with headers. */
  readonly bytes: number;
  /** Total opened, unused ones included. */
  readonly connections: number;
  readonly bound: Bound;
  /** Share of the load time by what bound it; sums to 1. */
  readonly boundShares: Readonly<Record<Bound, number>>;
  /** Data segments lost and sent again. */
  readonly retransmissions: number;
  /** Every way in which a request travelled, each once. */
  readonly carriages: readonly Carriage[];
  readonly loss: LossKind;
  /** How the start of its requests was paced, but for those through the gateway; absent: not at all. */
  readonly pacing?: NonNullable<SimulatedProfile['pacing']>;
  /** Absent: nothing went through the gateway. `rttMs`: of the link. */
  readonly gateway?: { readonly visit: GatewayVisit; readonly rttMs: number };
  /** In the order of the page. */
  readonly requests: readonly PredictedRequest[];
  /**
   * Load times of all simulated loads that this one is in the middle of, ms: entry n of every profile used the same
   * perturbation (see `predictTypical`). Absent: one load was simulated.
   */
  readonly runsMs?: readonly number[];
}
