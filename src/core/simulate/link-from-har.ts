/** The link a HAR was recorded over, as far as it shows. */
import { sustainedWindow } from '../measure/estimate-link.ts';
import { bestGoodput } from '../measure/goodput.ts';
import { bytes, milliseconds } from '../units.ts';
import { loadFromHar } from './har-load.ts';
import { type PlacedRequest, placeLoad } from './infer-placed.ts';
import { inferRoundTrips, type RoundTrips } from './infer-round-trips.ts';
import { roundedMs } from './infer-rounding.ts';
import { inferSizes } from './infer-sizes.ts';
import { inferenceOf } from './infer-tally.ts';
import { recordOf } from './infer-window.ts';
import type { Inference } from './inference.ts';
import type { PageFromHarOptions } from './page-from-har.ts';
import type { SimulatedLink } from './simulated-link.ts';

export interface LinkFromHar {
  readonly link: SimulatedLink;
  readonly inferred: readonly Inference[];
}

/** Goodput is sought among so many responses, the largest: they hold the bytes, and its cost grows with the square of their number. */
const MOST_RESPONSES = 400;

/**
 * Round trip: the least of each server's handshakes (of its first bytes where no handshake is recorded at all), of which the one that half
 * of the requests go no farther than. Downlink: the best goodput kept up for 250 ms and four round trips. Both are bounds: queues only
 * lengthen a round trip, and pages only use less than there is. The same round trip is taken off waits in `pageFromHar`.
 *
 * `undefined`: no round trip is recorded, or nothing kept the link busy for long enough, as with a page that came from the cache.
 * @throws PlumbfoxError `bad-input` as `pageFromHar`.
 */
export function linkFromHar(har: unknown, { pageId }: PageFromHarOptions = {}): LinkFromHar | undefined {
  const placed = placeLoad(loadFromHar(har, pageId));
  const trips = inferRoundTrips(placed.requests);
  const sizes = inferSizes(placed);
  if (trips.linkMs === undefined) return undefined;
  const records = placed.requests.flatMap((request, index) =>
    sizes.stated[index] === true ? [withBytes(request, sizes.bytes[index] ?? 0)] : [],
  );
  const largest = records.toSorted((a, b) => b.wire.responseBytes - a.wire.responseBytes).slice(0, MOST_RESPONSES);
  const downKbps = bestGoodput(largest, sustainedWindow(milliseconds(trips.linkMs)));
  if (downKbps === undefined || !isFilled({ rttMs: trips.linkMs, downKbps }, placed.requests)) return undefined;
  return {
    link: { rttMs: roundedMs(trips.linkMs), downKbps: Math.round(downKbps) },
    inferred: notesOf(trips, placed.requests.length, records.length),
  };
}

/** What a server may send before the first acknowledgement: 10 segments of 1,460 bytes (RFC 6928). */
const FIRST_FLIGHT_BYTES = 14_600;
/** A link on which something arrived for this share of the time was busy. Our own choice. */
const BUSY_SHARE = 0.5;

/**
 * Whether the goodput may be what the link can do: a rate below a first flight per round trip is what waiting looks like, unless responses
 * were arriving for most of the time.
 */
function isFilled({ rttMs, downKbps }: SimulatedLink, requests: readonly PlacedRequest[]): boolean {
  return (downKbps * rttMs) / 8 >= FIRST_FLIGHT_BYTES || arrivingShare(requests) >= BUSY_SHARE;
}

/** Share of the time from the first response's first byte to the last's end in which some response was arriving. */
function arrivingShare(requests: readonly PlacedRequest[]): number {
  const spans = requests.flatMap(({ firstByteMs, endMs }) =>
    firstByteMs === undefined || endMs === undefined ? [] : [{ firstByteMs, endMs }],
  );
  let [busy, until] = [0, 0];
  for (const { firstByteMs, endMs } of spans.sort((a, b) => a.firstByteMs - b.firstByteMs)) {
    busy += Math.max(0, endMs - Math.max(firstByteMs, until));
    until = Math.max(until, endMs);
  }
  const began = spans[0]?.firstByteMs ?? 0;
  return until > began ? busy / (until - began) : 0;
}

const withBytes = (request: PlacedRequest, size: number) => ({
  ...recordOf(request),
  wire: { fromCache: false, responseBytes: bytes(size) },
});

function notesOf({ fromHandshakes, fromFirstBytes }: RoundTrips, requests: number, sized: number): readonly Inference[] {
  const servers = (count: number) => (count === 1 ? '1 server' : `${count} servers`);
  const roundTrip =
    fromHandshakes > 0
      ? `The round trip is estimated from the handshakes with ${servers(fromHandshakes)}: half of their requests went no farther`
      : `No handshake is recorded: the round trip is estimated from the shortest first bytes of ${servers(fromFirstBytes)}, and may be too long`;
  return [
    ...inferenceOf('link', requests, roundTrip),
    ...inferenceOf('link', sized, 'The downlink is estimated: the best rate at which responses arrived for a while; it may do more'),
    ...inferenceOf('link', requests, 'A HAR does not show the uplink: taken to be as fast as the downlink; nor loss: none'),
  ];
}
