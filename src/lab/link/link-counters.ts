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
  /** Connections by address of the server. */
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

/** Fine enough to see a download swing, coarse enough for every slice of a slow link to have packets. */
export const DELIVERED_SLICE_MS = 100;
/** An hour: whoever looks at them begins anew with every load. */
const MAX_SLICES = 36_000;

/** Bytes that left a link in every tenth of a second since a beginning. */
interface DeliveredBytes {
  add(bytes: number, atMs: number): void;
  /** A member for every slice up to the last in which something came; nothing came: empty. */
  read(): readonly number[];
  reset(nowMs: number): void;
}

export function deliveredBytes(startMs: number): DeliveredBytes {
  let sinceMs = startMs;
  let slices: number[] = [];
  return {
    add: (bytes, atMs) => {
      const slice = Math.max(0, Math.floor((atMs - sinceMs) / DELIVERED_SLICE_MS));
      if (slice >= MAX_SLICES) return;
      while (slices.length <= slice) slices.push(0);
      slices[slice] = (slices[slice] as number) + bytes;
    },
    read: () => slices,
    reset: (nowMs) => {
      sinceMs = nowMs;
      slices = [];
    },
  };
}
