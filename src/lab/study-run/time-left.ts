/** Likely time that is left, told from what was predicted and from how predictions have fared so far. Pure. */

export interface TimeLeft {
  /** A load has been made, that was to take `expectedMs` and took `tookMs`. */
  made(load: { readonly expectedMs: number; readonly tookMs: number }): void;
  /** ms of one lane's work. */
  leftMs(): number;
}

/** @param expectedMs - Of all that is to be done. */
export function timeLeft(expectedMs: number): TimeLeft {
  let stillMs = expectedMs;
  let expected = 0;
  let took = 0;
  return {
    made: (load) => {
      stillMs -= load.expectedMs;
      expected += load.expectedMs;
      took += load.tookMs;
    },
    leftMs: () => (expected > 0 ? (Math.max(0, stillMs) * took) / expected : Math.max(0, stillMs)),
  };
}
