/** What the relay of an emulated link counts, all since the counters were last reset. */
import * as v from 'valibot';
import type { ConnectionCount } from './connection-counts.ts';
import type { DirectionCounters } from './shaped-direction.ts';

export interface DirectionCount extends Readonly<DirectionCounters> {
  /** Standard deviation of the one-way delay that packets were given, where the link has jitter, ms. */
  readonly delaySdMs?: number;
}

export interface LinkCounters {
  readonly down: DirectionCount;
  readonly up: DirectionCount;
  /** IP bytes that left the link towards the client in every 100 ms. */
  readonly deliveredBytes: readonly number[];
  /** By address of the server. */
  readonly connections: Readonly<Record<string, Readonly<ConnectionCount>>>;
  /** Where in its trace a traced link was at the reset, ms after the trace began. */
  readonly traceAtResetMs?: number;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const figure = v.pipe(v.number(), v.finite(), v.minValue(0));
const direction = v.object({ admitted: count, dropped: count, lost: count, bytes: count, delaySdMs: v.exactOptional(figure) });

/** What the relay answers to `counters`, checked. */
export const linkCountersAnswer: v.GenericSchema<unknown, LinkCounters> = v.object({
  down: direction,
  up: direction,
  deliveredBytes: v.array(count),
  connections: v.record(
    v.string(),
    v.object({ opened: count, peak: count, used: count, peakUsed: count, backups: count, udpFlows: count }),
  ),
  traceAtResetMs: v.exactOptional(figure),
});
