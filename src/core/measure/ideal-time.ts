/**
 * The time no transport can beat: one round trip for the first byte, and every byte at the full rate of the downlink. Our own
 * definition, the same for every load, profile, protocol and carrier. Setting connections up is no part of it: settings and protocols
 * can avoid that, and a proxy hides it. A lower bound: it knows nothing of DNS, of servers that think, or of requests that wait for a
 * script to ask for them.
 */

import type { Link } from '../link.ts';
import { type Bytes, type Milliseconds, milliseconds, transmissionTime } from '../units.ts';

interface IdealTimeInput {
  readonly bytes: Bytes | undefined;
  readonly link: Pick<Link, 'rttMs' | 'downKbps'> | undefined;
}

/**
 * 1 RTT + bytes x 8 / downlink, ms, positive. `undefined`: the link, its rate or the bytes are unknown, or nothing came over the
 * network, so that the link had no part in the load.
 */
export function idealTime({ bytes, link }: IdealTimeInput): Milliseconds | undefined {
  if (link === undefined || link.downKbps === 0 || bytes === undefined || bytes === 0) return undefined;
  return milliseconds(link.rttMs + transmissionTime(bytes, link.downKbps));
}
