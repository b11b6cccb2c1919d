/** Clocks of a document; ms, those of the wall since the epoch. */
interface DocumentClocks {
  readonly timeOrigin: number;
  /** Since the time origin. */
  readonly nowMs: number;
  readonly wallMs: number;
}

/** Rounding and jitter of Firefox's clocks are far less. */
const SAME_CLOCK_MS = 1000;

/**
 * When the document began, by the wall clock, which webRequest's events have. A process of Firefox reads that clock when it starts and counts
 * on from there by one that stands still while the machine sleeps (https://www.w3.org/TR/hr-time-3/#dfn-time-origin), so after a sleep, or a
 * correction of the clock, its time origins are off by as much (seen: 12 s, after which no load had its document's request).
 */
export function wallTimeOrigin({ timeOrigin, nowMs, wallMs }: DocumentClocks): number {
  const origin = wallMs - nowMs;
  return Math.abs(origin - timeOrigin) < SAME_CLOCK_MS ? timeOrigin : Math.round(origin);
}
