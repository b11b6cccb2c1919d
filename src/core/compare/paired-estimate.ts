/** One profile against another before any rule is applied to it: the mean log ratio of their efficiencies, and how sure it is. */

import { additiveResidual, type ResidualSpread } from '../stats/additive-residual.ts';
import { mean } from '../stats/mean.ts';
import { type StratifiedMean, stratifiedMean } from '../stats/stratified-mean.ts';
import { type LoadIndex, scenarioKeys } from './load-index.ts';
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
  const summary = stratifiedMean(paired.strata, { lent: pooledVariance(paired, noise), leastVariances: paired.clockVariances });
  return { summary, pairs, pairsAhead, incomplete, loadsPerPair: 1, blocks, tried, pairsPerBlock: scenariosTried, strata: paired.strata };
}

/** Scenario to the spread of one load's log efficiency. */
type BlockNoise = ReadonlyMap<number, ResidualSpread>;

/**
 * How much loads of the run vary when profile and block are allowed for. In randomised complete blocks the log efficiency in
 * a scenario is profile + block + noise, so every profile of the run tells of the noise of any pair: (P - 1)(B - 1) degrees
 * of freedom from P profiles and B blocks, where the pair alone has B - 1.
 */
export function blockNoise(index: LoadIndex): BlockNoise {
  return new Map(
    scenarioKeys(index).map((key) => {
      const rows = [...index.values()].flatMap((scenarios) => scenarios.get(key) ?? []);
      return [key, additiveResidual(rows.map(({ blocks, blockMeans }) => ({ columns: blocks, values: blockMeans })))];
    }),
  );
}

/**
 * What the rest of the run says of the noise of a pair, stratum by stratum. A ratio is the difference of two loads, so its
 * variance is twice theirs. The pair's own squares are part of the residual (its complete blocks are a part of the table);
 * taken out, the rest is independent of them, as what further cells add to a least-squares fit always is.
 */
export function pooledVariance({ strata, scenarios }: PairedRatios, noise: BlockNoise): readonly (ResidualSpread | undefined)[] {
  return strata.map((ratios, at) => {
    const residual = noise.get(scenarios[at] ?? -1);
    if (residual === undefined || ratios.length === 0) return undefined;
    const centre = mean(ratios);
    const own = ratios.reduce((sum, ratio) => sum + (ratio - centre) ** 2, 0);
    return {
      squares: Math.max(0, 2 * residual.squares - own),
      degreesOfFreedom: residual.degreesOfFreedom - (ratios.length - 1),
    };
  });
}
