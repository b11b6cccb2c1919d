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
  /** Blocks with a pair. */
  readonly blocks: number;
  /** Pairs (adjusted: blocks) for which both profiles made a load, counted or not. */
  readonly tried: number;
  /** Pairs of one block, were all made: one for each scenario in which both have loads; adjusted: 1. */
  readonly pairsPerBlock: number;
  /** Log ratios of the pairs, scenario by scenario, for the test by randomisation; absent where the estimate is not made of pairs. */
  readonly strata?: readonly (readonly number[])[];
}

/** Pairs of loads from the same page, link and block; a page over a link counts as much as any other. */
export function pairedEstimate(paired: PairedRatios, noise: BlockNoise): EffectEstimate {
  const { pairs, pairsAhead, incomplete, blocks, tried, scenariosTried } = paired;
  const summary = stratifiedMean(paired.strata, { lent: lentByOthers(paired, noise), leastVariances: paired.clockVariances });
  return { summary, pairs, pairsAhead, incomplete, loadsPerPair: 1, blocks, tried, pairsPerBlock: scenariosTried, strata: paired.strata };
}
