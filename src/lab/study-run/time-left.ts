/** Likely time that is left, told from what was predicted and from how predictions have fared so far. Pure. */

export interface TimeLeft {
  /** A load has been made, that was to take `expectedMs` and took `tookMs`. */
  made(load: { readonly expectedMs: number; readonly tookMs: number }): void;
  /** What was to take so long besides loads is done. */
  around(expectedMs: number): void;
  /** ms of one lane's work. */
  leftMs(): number;
}

/** Of all that is to be done. `aroundMs`: besides the loads, which no prediction of loads says anything of. */
export function timeLeft({ loadsMs, aroundMs }: { readonly loadsMs: number; readonly aroundMs: number }): TimeLeft {
  let stillMs = loadsMs;
  let stillAroundMs = aroundMs;
  let expected = 0;
  let took = 0;
  return {
    made: (load) => {
      stillMs -= load.expectedMs;
      expected += load.expectedMs;
      took += load.tookMs;
    },
    around: (ms) => {
      stillAroundMs -= ms;
    },
    leftMs: () => Math.max(0, stillAroundMs) + (expected > 0 ? (Math.max(0, stillMs) * took) / expected : Math.max(0, stillMs)),
  };
}
