/** What each wait for a first byte says of the server. */

import { SEGMENT_BYTES } from '../tcp-constants.ts';
import { Arrivals } from './arrivals.ts';
import type { PlacedRequest } from './place-requests.ts';
import type { RoundTrips } from './round-trips.ts';

/** What else is known of the load. */
export interface WaitContext {
  readonly trips: RoundTrips;
  /** Of each response on the wire. */
  readonly bytes: readonly number[];
  /** `undefined`: the load does not show what the link can do, so it was not filled. */
  readonly downKbps: number | undefined;
}

export interface ServerWait {
  /** What is left for the server, ms; never negative. */
  readonly delayMs: number;
  /** Hardly anything else arrived during the wait, so what is left is the server's. */
  readonly undisturbed: boolean;
}

/** In the order of the requests; `undefined`: the wait is unknown, or the response was pushed. */
export function serverWaits(requests: readonly PlacedRequest[], context: WaitContext): readonly (ServerWait | undefined)[] {
  const arrivals = new Arrivals(requests, context.bytes);
  return requests.map((request, position) => serverWait(request, { ...context, size: context.bytes[position] ?? 0, arrivals }));
}

interface RequestContext extends WaitContext {
  readonly size: number;
  readonly arrivals: Arrivals;
}

/**
 * The wait less the round trip, as Lantern has it (models/trace/lantern/core/NetworkAnalyzer, `estimateServerResponseTimeByOrigin`), less
 * the time that the link needed for the response's own first segment and for what else arrived meanwhile: it had to queue behind that.
 */
function serverWait(request: PlacedRequest, { trips, downKbps, size, arrivals }: RequestContext): ServerWait | undefined {
  const { observed, firstByteMs } = request;
  const { origin, pushed, timing } = observed;
  if (timing.waitMs === undefined || pushed === true) return undefined;
  const own = trips.byOrigin.get(origin) ?? trips.linkMs ?? 0;
  const beyondTrip = Math.max(0, timing.waitMs - Math.min(own, trips.linkMs ?? own));
  if (downKbps === undefined || firstByteMs === undefined) return { delayMs: beyondTrip, undisturbed: true };
  // A rate of 1 kbit/s is 1 bit/ms. A first byte as round trip holds its segment already.
  const segmentMs = trips.shaken.has(origin) ? (Math.min(size, SEGMENT_BYTES) * 8) / downKbps : 0;
  const excess = Math.max(0, beyondTrip - segmentMs);
  const itself = request.endMs !== undefined && request.endMs <= firstByteMs ? size : 0;
  const others = Math.max(0, arrivals.by(firstByteMs) - itself - arrivals.by(firstByteMs - excess));
  return { delayMs: Math.max(0, excess - (others * 8) / downKbps), undisturbed: others < SEGMENT_BYTES };
}
