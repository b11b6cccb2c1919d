/** How many more loads it takes, in words. */
import type { LoadsNeeded } from './loads-needed.ts';
import { counted } from './plain-words.ts';

/** Above this nobody will make the loads, and the estimate is no better than its order of magnitude: no figure is named. */
export const MOST_LOADS_NAMED = 1000;

/** `about 12 more loads per profile would decide it`, with the blocks they make where that is known. */
export function loadsNeededInWords(needed: LoadsNeeded | number | undefined): string {
  if (needed === undefined) return 'how many more loads it takes cannot be said';
  const more = typeof needed === 'number' ? needed : needed.more;
  if (more > MOST_LOADS_NAMED) return `it would take more than ${MOST_LOADS_NAMED} more loads per profile`;
  return `about ${counted(more, 'more load')} per profile${typeof needed === 'number' ? '' : ` (${counted(needed.blocks, 'block')})`} would decide it`;
}
