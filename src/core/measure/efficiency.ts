/**
 * Efficiency: the time that no transport could beat, over the time that the load took; and utilisation, the share of the downlink that was
 * filled during it.
 */
import type { Link } from '../link.ts';
import { type Bytes, type Milliseconds, milliseconds, type Ratio, ratio, transmissionTime } from '../units.ts';
import type { LoadMeasures } from './load-measures.ts';

interface LoadOverLink {
  readonly bytes: Bytes | undefined;
  readonly link: Pick<Link, 'rttMs' | 'downKbps'> | undefined;
}

/**
 * The time no transport can beat, 1 RTT + bytes x 8 / downlink, ms, positive: one round trip for the first byte, and every byte at the full
 * rate of the downlink. Our own definition, the same for every load, profile, protocol and carrier. Setting connections up is no part of
 * it: settings and protocols can avoid that, and a proxy hides it. A lower bound: it knows nothing of DNS, of servers that think, or of
 * requests that wait for a script to ask for them.
 *
 * `undefined`: the link, its rate or the bytes are unknown, or nothing came over the network, so that the link had no part in the load.
 */
export function idealTime({ bytes, link }: LoadOverLink): Milliseconds | undefined {
  if (link === undefined || link.downKbps === 0 || bytes === undefined || bytes === 0) return undefined;
  return milliseconds(link.rttMs + transmissionTime(bytes, link.downKbps));
}

/** A link is taken to be what it is said to be when it was measured within this share of it: the tolerance of the link check. */
export const LINK_TOLERANCE = 0.03;

/**
 * A share of what a link could do, in [0, 1]. Up to the link's own tolerance above 1 it is 1: leaving those loads out would take away
 * the best ones only. Further above, the link's figures are disproved by this very load, and the share is unknown (`undefined`).
 */
export function boundedShare(share: number): Ratio | undefined {
  return share > 1 + LINK_TOLERANCE ? undefined : ratio(Math.min(share, 1));
}

/**
 * idealTime / loadTime, in (0, 1]: 1 is a load that no transport could have made faster. Our own definition; the 2008 memo's is not public.
 * `undefined`: the ideal is unknown, or the load was faster than the link's figures allow by more than 3 %, which disproves them; then screens
 * say so (`disprovesLink`).
 */
export function efficiency({
  idealTime,
  loadTime,
}: {
  readonly idealTime: Milliseconds | undefined;
  readonly loadTime: Milliseconds;
}): Ratio | undefined {
  if (idealTime === undefined || idealTime <= 0 || loadTime <= 0) return undefined;
  return boundedShare(idealTime / loadTime);
}

/** Whether a load with an ideal has no efficiency because it was faster than the link's figures allow. */
export const disprovesLink = ({ idealTimeMs, loadTimeMs }: Pick<LoadMeasures, 'idealTimeMs' | 'loadTimeMs'>): boolean =>
  idealTimeMs !== undefined && loadTimeMs > 0 && boundedShare(idealTimeMs / loadTimeMs) === undefined;

/**
 * Share of the downlink that responses filled while the page loaded: bytes x 8 / (downlink x loadTime), in [0, 1], never above efficiency.
 * `undefined`: the bytes or the link are unknown, or the load disproves the link's figures (see `boundedShare`).
 */
export function utilisation({ bytes, loadTime, link }: LoadOverLink & { readonly loadTime: Milliseconds }): Ratio | undefined {
  if (bytes === undefined || link === undefined || link.downKbps === 0 || loadTime <= 0) return undefined;
  return boundedShare(transmissionTime(bytes, link.downKbps) / loadTime);
}
