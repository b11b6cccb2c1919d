/** How many candidates of a run stay after which block: fixed before its loads can tell which. */
import { BLOCKS_PER_DRAW } from '../compare/block-order.ts';

/**
 * The part of the planned blocks after which one candidate is left. Of five profiles, one 10 % better, spread .1, 91 loads are made on average with .45, 82 with
 * .3; the best is dropped in 5 and 6 of 100 runs (`tune-loads-10-0.1`).
 */
const LAST_DROP = 0.3;

interface Drop {
  /** Blocks that are over. */
  readonly after: number;
  /** Candidates that stay. */
  readonly keep: number;
}

/** Halves the candidates at equal distances, until one is left (Karnin, Koren & Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013). */
export function dropSchedule(candidates: number, end: number): readonly Drop[] {
  const rounds = Math.ceil(Math.log2(Math.max(1, candidates)));
  return Array.from({ length: rounds }, (_, round) => ({
    // Less than a draw says nothing of a candidate.
    after: Math.max(BLOCKS_PER_DRAW, Math.ceil((LAST_DROP * end * (round + 1)) / rounds)),
    keep: Math.ceil(candidates / 2 ** (round + 1)),
  }));
}

/** Candidates that stay when so many blocks are over. */
export const keptAfter = (done: number, { candidates, end }: { readonly candidates: number; readonly end: number }): number =>
  dropSchedule(candidates, end).findLast(({ after }) => after <= done)?.keep ?? candidates;

/** Loads of one page over one link that the schedule comes to, the baseline's among them. */
export function scheduledLoads(candidates: number, end: number): number {
  let loads = 0;
  for (let block = 0; block < end; block++) loads += 1 + keptAfter(block, { candidates, end });
  return loads;
}
