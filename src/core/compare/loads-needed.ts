/** How many more loads per profile a verdict takes, if the ratio and the spread stay as they were seen. */
import type { StratifiedMean } from '../stats/stratified-mean.ts';
import { criticalValue, type IntervalRule, lookAt } from './interval-rule.ts';
import { FEWEST_BLOCKS, MEANINGFUL_CHANGE } from './thresholds.ts';

export interface LoadsNeeded {
  /** Per profile, in addition to those there are; whole blocks of every scenario. */
  readonly more: number;
  /** Whole blocks that makes. */
  readonly blocks: number;
}

/** z of the planned power, 80 %: the standard normal quantile at 0.8. */
export const POWER_Z = 0.8416212335729143;
/** Beyond this the answer is not a number of loads but "too small to tell". */
const MOST_LOADS = 10_000;

/**
 * The smallest number of blocks B, that is S * B pairs in S scenarios, at which
 *
 *     (critical(B) + z) * sqrt(v / (S * B)) <= margin,   z = 0.84 for 80 % power,
 *
 * where v is the mean over scenarios of the variance of a pair's log ratio and critical(B) half the interval's width in standard errors
 * with S * B values and k * (B - 1 + l(B)) degrees of freedom: k <= S falling with how unequally the scenarios vary, l(B) what the
 * other profiles lend to a scenario (see `moderatedVariances`), growing with B - 1 as far as they lend. The margin is how far the estimate may be from the bound that decides: |ln ratio| for a change of at least 3 %, which must exclude no
 * change; below that, the distance to the nearer end of +-3 %, within which the interval must come to lie. `undefined`: spread
 * not known yet, or more than 10,000 loads.
 */
export function loadsNeeded(seen: StratifiedMean, rule: IntervalRule): LoadsNeeded | undefined {
  const { pooled, separate, strata } = seen;
  const variance = separate?.variance ?? (pooled && pooled.standardDeviation ** 2);
  if (variance === undefined) return undefined;
  const margin = marginOf(seen.mean);
  const enough = (blocks: number): boolean => {
    if (blocks < FEWEST_BLOCKS) return false;
    const degreesOfFreedom = (separate?.alikeStrata ?? strata) * (blocks - 1 + lentAt(seen, blocks));
    const critical = criticalValue(
      { effectiveCount: strata * blocks, degreesOfFreedom },
      { ...rule, look: lookAt({ tried: strata * blocks, pairsPerBlock: strata }, rule) },
    );
    return critical !== undefined && (critical + POWER_Z) * Math.sqrt(variance / (strata * blocks)) <= margin;
  };
  // The verdict is not there yet, so at least one more block, whatever the formula says of the blocks there are.
  let tooFew = Math.floor(seen.count / seen.strata);
  let sufficient = tooFew + 1;
  while (!enough(sufficient)) {
    if (sufficient * seen.strata > MOST_LOADS) return undefined;
    tooFew = sufficient;
    sufficient *= 2;
  }
  while (sufficient - tooFew > 1) {
    const middle = Math.floor((tooFew + sufficient) / 2);
    if (enough(middle)) sufficient = middle;
    else tooFew = middle;
  }
  const more = sufficient * seen.strata - seen.count;
  return more > MOST_LOADS ? undefined : { more, blocks: Math.ceil(more / seen.strata) };
}

/** Degrees of freedom lent to a scenario once there are so many blocks of it. */
function lentAt({ separate, count, strata }: StratifiedMean, blocks: number): number {
  if (separate === undefined) return 0;
  const { lentToStratum, mostLent } = separate;
  const grown = (blocks - 1) / Math.max(1, count / strata - 1);
  return Math.max(lentToStratum, Math.min(mostLent, lentToStratum * grown));
}

function marginOf(logRatio: number): number {
  const change = Math.expm1(logRatio);
  if (Math.abs(change) >= MEANINGFUL_CHANGE) return Math.abs(logRatio);
  return Math.min(Math.log1p(MEANINGFUL_CHANGE) - logRatio, logRatio - Math.log1p(-MEANINGFUL_CHANGE));
}
