/** How many round trips of slow start ten pictures need on the connection that carries most of them, by arithmetic. Pure. */
import type { Profile } from '../../core/profiles/profile.ts';

/** RFC 6928. */
const INITIAL_WINDOW_SEGMENTS = 10;
/** An Ethernet packet of 1,500 bytes, without headers and timestamps. */
const SEGMENT_BYTES = 1448;

export interface PicturePage {
  readonly pictures: number;
  /** Body of each. */
  readonly pictureBytes: number;
}

/**
 * Pictures on the fullest connection in the bundles in which they are asked for: each bundle is asked for when the one before it is complete.
 * One connection more than six cannot be used up by ten pictures; a depth of 1 asks one by one; what is appended is asked for ahead of the
 * answers, so it is one bundle; what is bundled goes as a whole onto the first connection that has answered its first picture.
 */
export function bundlesOnFullest(
  { connections = 6, depth, dispatch }: Pick<Profile, 'connections' | 'depth' | 'dispatch'>,
  pictures: number,
): readonly number[] {
  const each = Math.ceil(pictures / connections);
  if (depth === 1) return Array.from({ length: each }, () => 1);
  if (dispatch !== 'bundled') return [each];
  const left = pictures - Math.min(pictures, connections);
  return left === 0 ? [1] : [1, Math.min(depth, left)];
}

/**
 * Round trips in which they are sent: the window doubles in each, and goes on from where the bundle before left it. Without loss, on a link
 * that is never full; the handshake is not counted.
 */
export function slowStartRounds(
  profile: Pick<Profile, 'connections' | 'depth' | 'dispatch'>,
  page: PicturePage,
  initialWindow: number = INITIAL_WINDOW_SEGMENTS,
): number {
  const segments = Math.ceil(page.pictureBytes / SEGMENT_BYTES);
  let window = initialWindow;
  let rounds = 0;
  for (const bundle of bundlesOnFullest(profile, page.pictures)) {
    for (let left = bundle * segments; left > 0; left -= window / 2) {
      rounds += 1;
      window *= 2;
    }
  }
  return rounds;
}
