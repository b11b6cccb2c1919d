import { type Ratio, ratio } from '../units.ts';

/** A link is taken to be what it is said to be when it was measured within this share of it: the tolerance of the link check. */
export const LINK_TOLERANCE = 0.03;

/**
 * A share of what a link could do, in [0, 1]. Up to the link's own tolerance above 1 it is 1: leaving those loads out would take away
 * the best ones only. Further above, the link's figures are disproved by this very load, and the share is unknown (`undefined`).
 */
export function boundedShare(share: number): Ratio | undefined {
  return share > 1 + LINK_TOLERANCE ? undefined : ratio(Math.min(share, 1));
}
