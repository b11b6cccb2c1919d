/** Bytes that left a link in every tenth of a second since a beginning. Pure. */

/** Fine enough to see a download swing, coarse enough for every slice of a slow link to have packets. */
export const DELIVERED_SLICE_MS = 100;
/** An hour: whoever looks at them begins anew with every load. */
const MOST_SLICES = 36_000;

export interface DeliveredBytes {
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
      if (slice >= MOST_SLICES) return;
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
