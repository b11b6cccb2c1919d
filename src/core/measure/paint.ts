/** When the page could be seen: its paints, and what held them up. */
import { type Milliseconds, milliseconds } from '../units.ts';
import type { PageLoad, RequestRecord } from './page-load.ts';

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

/**
 * When the last request that held up painting was answered, ms after the time origin (as first contentful paint, which cannot come before
 * it). `undefined`: none blocked, or Firefox did not report it. Source: `renderBlockingStatus` of Resource Timing.
 */
export function renderBlockingEnd(requests: readonly RequestRecord[]): Milliseconds | undefined {
  const ends = requests.flatMap(({ renderBlocking, timing }) =>
    renderBlocking === true && timing !== undefined ? [timing.responseEnd] : [],
  );
  return ends.length === 0 ? undefined : milliseconds(Math.max(...ends));
}
