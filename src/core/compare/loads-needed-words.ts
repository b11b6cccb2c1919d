/** How many more loads it takes, in words. */

import { counted } from '../text/figures.ts';
import type { LoadsNeeded } from './loads-needed.ts';

/** Above this nobody will make the loads, and the estimate is no better than its order of magnitude: no figure is named. */
export const MOST_LOADS_NAMED = 1000;

/** `blocks` and `atMost` where they are known. */
export type NamedLoads = Pick<LoadsNeeded, 'more'> & { readonly [Key in 'blocks' | 'atMost']?: number | undefined };

/** `about 12 more loads per profile in this run (3 blocks), at most 36, would decide it`; the blocks and the most where they are known. */
export function loadsNeededInWords(needed: NamedLoads | undefined): string {
  if (needed === undefined) return 'how many more loads it takes cannot be said';
  const { more, blocks, atMost } = needed;
  if (more > MOST_LOADS_NAMED) return `it would take more than ${MOST_LOADS_NAMED} more loads per profile`;
  const inBlocks = blocks === undefined ? '' : ` (${counted(blocks, 'block')})`;
  return `about ${counted(more, 'more load')} per profile in this run${inBlocks}${atMostInWords({ more, atMost })} would decide it`;
}

/** `, at most 36,`; nothing where that is not known, no more, or above what is named. */
export function atMostInWords({ more, atMost }: Pick<NamedLoads, 'more' | 'atMost'>): string {
  return atMost !== undefined && atMost > more && atMost <= MOST_LOADS_NAMED ? `, at most ${atMost},` : '';
}
