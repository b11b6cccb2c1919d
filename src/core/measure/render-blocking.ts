import { type Milliseconds, milliseconds } from '../units.ts';
import type { RequestRecord } from './page-load.ts';

/**
 * When the last request that held up painting was answered, ms after the time origin (as first contentful paint, which cannot come before
 * it). `undefined`: none blocked, or Firefox did not tell. Source: `renderBlockingStatus` of Resource Timing.
 */
export function renderBlockingEnd(requests: readonly RequestRecord[]): Milliseconds | undefined {
  const ends = requests.flatMap(({ renderBlocking, timing }) =>
    renderBlocking === true && timing !== undefined ? [timing.responseEnd] : [],
  );
  return ends.length === 0 ? undefined : milliseconds(Math.max(...ends));
}
