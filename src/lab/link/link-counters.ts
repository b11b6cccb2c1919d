/** The counts of an emulated link's relay, all since the counters were last reset. */
import * as v from 'valibot';
import { count, notNegative, type Shape } from '../../core/schema.ts';
import { connectionCountSchema } from './connection-counts.ts';

const directionSchema = v.object({
  /** Members as in `DirectionCounters`. */
  admitted: count,
  dropped: count,
  lost: count,
  bytes: count,
  /** Standard deviation of the one-way delay that packets were given, where the link has jitter, ms. */
  delaySdMs: v.exactOptional(notNegative),
});
export type DirectionCount = Shape<typeof directionSchema>;

/** The relay's answer to `counters`. */
export const linkCountersAnswer = v.object({
  down: directionSchema,
  up: directionSchema,
  /** IP bytes that left the link towards the client in every 100 ms. */
  deliveredBytes: v.array(count),
  /** Keys are the servers' addresses. */
  connections: v.record(v.string(), connectionCountSchema),
  /** Where in its trace a traced link was at the reset, ms after the trace began. */
  traceAtResetMs: v.exactOptional(notNegative),
});
export type LinkCounters = Shape<typeof linkCountersAnswer>;

/** Fine enough to see a download swing, coarse enough for every slice of a slow link to have packets. */
export const DELIVERED_SLICE_MS = 100;
/** An hour; the counters are reset with every load. */
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
