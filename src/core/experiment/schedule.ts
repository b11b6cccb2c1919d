/** How many candidates of a run stay after which block: fixed before its loads can tell which. */

/**
 * The part of the planned blocks after which one candidate is left. Of five profiles, one 10 % better, spread .1, 91 loads are made on average with .45, 82 with
 * .3; the best is dropped in 5 and 6 of 100 runs (`tune-loads-10-0.1`).
 */
const LAST_DROP = 0.3;
/** Two blocks are one draw: fewer say nothing of a candidate. */
const MIN_BLOCKS = 2;

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
    after: Math.max(MIN_BLOCKS, Math.ceil((LAST_DROP * end * (round + 1)) / rounds)),
    keep: Math.ceil(candidates / 2 ** (round + 1)),
  }));
}

/** Loads of one page over one link that the schedule comes to, the baseline's among them. */
export function scheduledLoads(candidates: number, end: number): number {
  const drops = dropSchedule(candidates, end);
  let loads = 0;
  for (let block = 0; block < end; block++) loads += 1 + (drops.findLast(({ after }) => after <= block)?.keep ?? candidates);
  return loads;
}
