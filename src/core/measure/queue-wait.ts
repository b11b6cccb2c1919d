/** How long requests waited in Firefox for a connection they were allowed to use. */
import { median } from '../stats/quantile.ts';
import { type Milliseconds, milliseconds } from '../units.ts';
import type { RequestRecord } from './page-load.ts';
import { isNetworkRequest } from './requests.ts';

export interface QueueWait {
  readonly medianMs: Milliseconds;
  readonly maxMs: Milliseconds;
  readonly totalMs: Milliseconds;
}

/**
 * ms, not negative: requestStart - fetchStart, less its own DNS lookup and connection set-up. `undefined`: unknown, or no network was needed.
 * Behind the gateway this is the wait in Firefox only; what waits in the gateway shows as a late first byte.
 */
export function requestQueueWait(request: RequestRecord): Milliseconds | undefined {
  const { timing } = request;
  if (!isNetworkRequest(request) || timing?.requestStart === undefined) return undefined;
  const lookup = between(timing.domainLookupStart, timing.domainLookupEnd);
  const connect = between(timing.connectStart, timing.connectEnd);
  return milliseconds(Math.max(0, timing.requestStart - timing.fetchStart - lookup - connect));
}

/** The median, maximum and sum over the requests whose wait is known; `undefined`: it is known for none. Source: Resource Timing, 1 ms steps. */
export function queueWait(requests: readonly RequestRecord[]): QueueWait | undefined {
  const waits = requests.flatMap((request) => requestQueueWait(request) ?? []);
  const middle = median(waits);
  if (middle === undefined) return undefined;
  return {
    medianMs: milliseconds(middle),
    maxMs: milliseconds(Math.max(...waits)),
    totalMs: milliseconds(waits.reduce((sum, wait) => sum + wait, 0)),
  };
}

/** A phase that was not reported took none of the request's own time. */
const between = (start: number | undefined, end: number | undefined): number =>
  start === undefined || end === undefined ? 0 : Math.max(0, end - start);
