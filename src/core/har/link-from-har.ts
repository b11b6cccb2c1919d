/** The link a HAR was recorded over, as far as it shows. */

import { type Inference, inferenceOf, roundedMs } from '../graph/inference.ts';
import { inferLink, inferRoundTrips, type RoundTrips } from '../graph/link-of-load.ts';
import { placeLoad } from '../graph/place-requests.ts';
import { inferSizes } from '../graph/response-sizes.ts';
import type { SimulatedLink } from '../simulate/link.ts';
import { loadFromHar } from './load-from-har.ts';
import type { PageFromHarOptions } from './page-from-har.ts';

export interface LinkFromHar {
  readonly link: SimulatedLink;
  readonly inferred: readonly Inference[];
}

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
  const found = inferLink(placed.requests, inferSizes(placed), trips.linkMs);
  if (found === undefined) return undefined;
  return {
    link: { rttMs: roundedMs(found.rttMs), downKbps: Math.max(1, Math.round(found.downKbps)) },
    inferred: notesOf(trips, placed.requests.length, found.sized),
  };
}

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
