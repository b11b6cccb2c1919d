/** Tells the rate of a stream of bytes as it comes in. Pure: the clock is passed in. */

/** Windows that the median is taken of: one that another program held up, or the one after, does not count. */
const WINDOWS = 5;
/** Ten packets at 500 kbit/s; a window ends with the first bytes after it, so that slow links have whole packets in it too. */
const WINDOW_MS = 250;

export interface RateMeter {
  /** Bytes have come in. @returns the rate in kbit/s when it is known, at about 1.3 s after the warm-up. */
  add(bytes: number, nowMs: number): number | undefined;
}

/** @param warmUpMs - What comes in this time after the start is left out. */
export function rateMeter({ startMs, warmUpMs }: { startMs: number; warmUpMs: number }): RateMeter {
  const rates: number[] = [];
  let sinceMs: number | undefined;
  let counted = 0;
  return {
    add: (bytes, nowMs) => {
      if (nowMs - startMs < warmUpMs) return undefined;
      if (sinceMs === undefined) {
        sinceMs = nowMs;
        return undefined;
      }
      counted += bytes;
      if (nowMs - sinceMs < WINDOW_MS) return undefined;
      rates.push((counted * 8) / (nowMs - sinceMs));
      sinceMs = nowMs;
      counted = 0;
      return rates.length < WINDOWS ? undefined : (rates.toSorted((a, b) => a - b)[Math.floor(WINDOWS / 2)] as number);
    },
  };
}
