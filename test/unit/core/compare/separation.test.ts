import { expect, it } from 'vitest';
import type { RunPlan } from '../../../../src/core/compare/interval-rule.ts';
import type { EffectEstimate } from '../../../../src/core/compare/paired-estimate.ts';
import { separate } from '../../../../src/core/compare/separation.ts';
import { stratifiedMean } from '../../../../src/core/stats/stratified-mean.ts';

const ALPHA = 0.05;
/** Six of seven pairs ahead, the other slightly behind: of the 128 ways to swap, 4 show as large a difference either way, p = 1 / 32. */
const PAIRS = [[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -0.01]];
/** So little noise that the interval alone excludes no change at every look. */
const QUIET = { standardError: 0.02, degreesOfFreedom: 1000, variance: 0.003, alikeStrata: 1, maxPriorDegrees: 1000 };

function separated({ isLent, plan }: { readonly isLent: boolean; readonly plan: RunPlan }): {
  readonly holdsNoChange: boolean;
  readonly p: number | undefined;
} {
  const seen = stratifiedMean(PAIRS);
  const estimate: EffectEstimate = {
    summary: seen && { ...seen, separate: { ...QUIET, priorDegrees: isLent ? QUIET.maxPriorDegrees : 0 } },
    pairs: 7,
    pairsAhead: 6,
    incomplete: 0,
    loadsPerPair: 1,
    blocks: 7,
    tried: 7,
    pairsPerBlock: 1,
    paired: { strata: PAIRS, draws: PAIRS.flat().map((sum) => ({ stratum: 0, sum, pairs: 1 })) },
  };
  const {
    low = 0,
    high = Number.POSITIVE_INFINITY,
    p,
    isEarly,
  } = separate(estimate, { alpha: ALPHA, looks: 'planned', precision: 1, plan });
  return { holdsNoChange: isEarly || (low <= 1 && high >= 1), p };
}

it('spends the level of the test by swaps over the looks, where the other profiles lend their variances', () => {
  // 3.8 % at the planned end, half a percent where no look is planned.
  const atEnd = separated({ isLent: true, plan: { pairs: 7 } });
  expect(atEnd.holdsNoChange).toBe(false);
  expect(atEnd.p).toBeLessThan(ALPHA);
  const before = separated({ isLent: true, plan: { pairs: 20 } });
  // Seven draws have no rarer swap than 1 in 64: nothing is rejected at so low a level.
  expect(before.holdsNoChange).toBe(true);
});

it('has it whole at each look where the interval rests on the pairs alone', () => {
  for (const pairs of [7, 20]) expect(separated({ isLent: false, plan: { pairs } }).holdsNoChange).toBe(false);
});
