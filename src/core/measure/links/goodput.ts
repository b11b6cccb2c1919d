/** The fastest a load's responses arrived for a while: what its link can do at least. */
import { averageRate, bytes, type KilobitsPerSecond, type Milliseconds, milliseconds } from '../../units.ts';
import type { RequestRecord } from '../page-load.ts';
import { networkRequests } from '../requests.ts';

/** Bytes a window must hold: the first two flights of a new connection (10 + 20 segments of 1460 bytes, RFC 6928), or slow start decides the figure. */
const LEAST_BYTES = 43_800;

/**
 * Best average rate over any stretch of at least `window` that begins with a response's first byte and ends with a response's last.
 * The bytes of a response are spread evenly from its first to its last byte, since Firefox tells no more.
 * Quadratic in the number of requests: 250 requests take about a millisecond.
 * `undefined`: no stretch is long enough, or holds enough bytes. Source: Resource Timing and webRequest.
 */
export function bestGoodput(requests: readonly RequestRecord[], window: Milliseconds): KilobitsPerSecond | undefined {
  const arrivals = networkRequests(requests).flatMap(arrivalOf);
  const starts = arrivals.map(({ from }) => ({ at: from, before: arrivedBy(arrivals, from) }));
  const ends = arrivals.map(({ to }) => ({ at: to, before: arrivedBy(arrivals, to) }));
  let best: KilobitsPerSecond | undefined;
  for (const start of starts) {
    for (const end of ends) {
      const arrived = end.before - start.before;
      if (end.at - start.at < window || arrived < LEAST_BYTES) continue;
      const rate = averageRate(bytes(arrived), milliseconds(end.at - start.at));
      if (best === undefined || rate > best) best = rate;
    }
  }
  return best;
}

interface Arrival {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

function arrivalOf({ timing, wire }: RequestRecord): readonly Arrival[] {
  if (timing?.responseStart === undefined || wire?.responseBytes === undefined || timing.responseEnd < timing.responseStart) return [];
  return [{ from: timing.responseStart, to: timing.responseEnd, size: wire.responseBytes }];
}

/** Bytes that had arrived by then. */
function arrivedBy(arrivals: readonly Arrival[], at: number): number {
  let sum = 0;
  for (const { from, to, size } of arrivals) {
    if (at >= to) sum += size;
    else if (at > from) sum += (size * (at - from)) / (to - from);
  }
  return sum;
}
