/** How many round trips ten pictures need while their connections warm up, by arithmetic. Pure. */

import type { Profile } from '../../../core/profiles/profile.ts';
import { SHIPPED } from '../../../core/profiles/shipped.ts';

/** RFC 6928. */
const INITIAL_WINDOW_SEGMENTS = 10;
/** An Ethernet packet of 1,500 bytes, without headers and timestamps. */
const SEGMENT_BYTES = 1448;
/** Round trips of TCP's handshake before a request. */
const HANDSHAKE = 1;

/** All pictures are of one size. */
export interface PicturePage {
  readonly pictures: number;
  /** Body of each. */
  readonly pictureBytes: number;
}

/**
 * Pictures on a connection in the bundles in which they are asked for: each bundle is asked for when the one before it is complete. A depth of 1
 * asks one by one; what is appended is asked for ahead of the answers, so it is one bundle; what is bundled goes as a whole onto the first
 * connection that has answered its first picture, which is the document's: it stands already.
 */
export interface Bundles {
  /** On the document's connection. */
  readonly first: readonly number[];
  /** On the fullest of the others, which have a handshake before them; empty: there are none. */
  readonly other: readonly number[];
}

type Numbers = Pick<Profile, 'connections' | 'depth' | 'dispatch'>;

/** @param pictures - On the page, all on one server. */
export function bundlesOf({ connections = SHIPPED.perServer, depth, dispatch }: Numbers, pictures: number): Bundles {
  if (dispatch === 'bundled') {
    const left = pictures - Math.min(pictures, connections);
    return { first: left === 0 ? [1] : [1, Math.min(depth, left)], other: connections > 1 ? [1] : [] };
  }
  const each = Math.ceil(pictures / connections);
  const bundles = depth === 1 ? Array.from({ length: each }, () => 1) : [each];
  return { first: bundles, other: connections > 1 ? bundles : [] };
}

/**
 * Round trips until all pictures are sent over cold connections: those of slow start, in which the window doubles and goes on from where the
 * bundle before left it, and one for the handshake of every connection but the document's. Without loss, on a link that is never full.
 */
export function pictureRoundTrips(profile: Numbers, page: PicturePage, initialWindow: number = INITIAL_WINDOW_SEGMENTS): number {
  const segments = Math.ceil(page.pictureBytes / SEGMENT_BYTES);
  const { first, other } = bundlesOf(profile, page.pictures);
  const rounds = (bundles: readonly number[]) =>
    slowStartRounds(
      bundles.map((pictures) => pictures * segments),
      initialWindow,
    );
  return Math.max(rounds(first), other.length === 0 ? 0 : HANDSHAKE + rounds(other));
}

function slowStartRounds(bundles: readonly number[], initialWindow: number): number {
  let window = initialWindow;
  let rounds = 0;
  for (const segments of bundles) {
    for (let left = segments; left > 0; left -= window / 2) {
      rounds += 1;
      window *= 2;
    }
  }
  return rounds;
}
