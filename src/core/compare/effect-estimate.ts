/** One profile against another before any rule is applied to it: the mean log ratio of their efficiencies, and how sure it is. */
import type { StratifiedMean } from '../stats/stratified-mean.ts';
import { stratifiedMean } from '../stats/stratified-mean.ts';
import { type BlockNoise, lentByOthers } from './block-noise.ts';
import type { PairedRatios } from './pair-loads.ts';

export interface EffectEstimate {
  /** Of the log ratios; `undefined`: there is none yet. */
  readonly summary: StratifiedMean | undefined;
  readonly pairs: number;
  /** In which the profile did better. */
  readonly pairsAhead: number;
  /** Left out, as only one of the two has a usable load. */
  readonly incomplete: number;
  /** Loads of one profile in a pair, on average. */
  readonly loadsPerPair: number;
}

/** Pairs of loads from the same page, link and block; a page over a link counts as much as any other. */
export function pairedEstimate(paired: PairedRatios, noise: BlockNoise): EffectEstimate {
  const { pairs, pairsAhead, incomplete } = paired;
  return { summary: stratifiedMean(paired.strata, lentByOthers(paired, noise)), pairs, pairsAhead, incomplete, loadsPerPair: 1 };
}
