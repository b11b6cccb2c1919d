/** Clocks of a document, ms; wall clocks since the epoch. */
interface DocumentClocks {
  readonly timeOrigin: number;
  /** Since the time origin. */
  readonly nowMs: number;
  readonly wallMs: number;
}

/** Far more than the rounding and jitter of Firefox's clocks. */
const SAME_CLOCK_MS = 1000;

/**
 * When the document began, by the wall clock that webRequest's events use. A Firefox process reads that clock when it starts and continues with one
 * that stands still while the machine sleeps (https://www.w3.org/TR/hr-time-3/#dfn-time-origin). After a sleep, or a correction of the clock, its
 * time origins are off by as much (seen: 12 s, after which no load had its document's request).
 */
export function wallTimeOrigin({ timeOrigin, nowMs, wallMs }: DocumentClocks): number {
  const origin = wallMs - nowMs;
  return Math.abs(origin - timeOrigin) < SAME_CLOCK_MS ? timeOrigin : Math.round(origin);
}
