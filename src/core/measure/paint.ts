import type { Milliseconds } from '../units.ts';
import type { PageLoad } from './page-load.ts';

/** Ms after the navigation's start; absent: the browser does not say. */
export interface ReadingLatency {
  readonly firstContentfulPaintMs?: Milliseconds;
  readonly largestContentfulPaintMs?: Milliseconds;
}

/**
 * When there is something to read: first and largest contentful paint, ms after the time origin as the field defines them
 * (https://www.w3.org/TR/paint-timing/, https://www.w3.org/TR/largest-contentful-paint/). Absent: Firefox reported none, as for a
 * page loaded in a background tab.
 */
export function readingLatency({ firstContentfulPaint, largestContentfulPaint }: PageLoad): ReadingLatency {
  return {
    ...(firstContentfulPaint === undefined ? {} : { firstContentfulPaintMs: firstContentfulPaint }),
    ...(largestContentfulPaint === undefined ? {} : { largestContentfulPaintMs: largestContentfulPaint }),
  };
}
