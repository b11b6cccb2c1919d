/**
 * The rule by which an estimate becomes an interval and a p-value: for any number of looks, for one that was planned, or for both together.
 *
 * A run that knows its end is looked at after planned fractions of it: `SHARE_AT_LOOKS` of alpha is spent there, on Student's t, in O'Brien and
 * Fleming's shape (`group-sequential.ts`), the rest on the anytime-valid sequence at every other look, before and after. The chance that the one or
 * the other misses the truth is at most the sum of both (Boole's inequality), so a run that is interrupted or continued stays valid.
 */
import { sequentialTCritical, sequentialTLogEvidence } from '../stats/confidence-sequence.ts';
import { studentTQuantile, studentTTwoSided } from '../stats/distributions.ts';
import { lookLevels } from '../stats/group-sequential.ts';
import type { Looks } from './comparison.ts';

export interface IntervalRule {
  /** The level of this one interval: alpha of the comparison over the number of its intervals. */
  readonly alpha: number;
  readonly looks: Looks;
  /** Precision of the mixture over effect sizes; without effect where the loads are looked at once. */
  readonly precision: number;
  readonly plan?: RunPlan | undefined;
  /** How many more loads a verdict takes is not asked for: it takes longer than all the rest. */
  readonly forecast?: 'left-out' | undefined;
}

/** Pairs (adjusted: draws), or blocks of every scenario. */
export type RunPlan = { readonly pairs: number } | { readonly blocks: number };

/** The share of alpha that belongs to the planned looks: the last of them has about three quarters of alpha. */
export const SHARE_AT_LOOKS = 0.9;
/** Looks of a run, after equal parts of it. With more the end comes hardly sooner (O'Brien & Fleming 1979, table 1). */
const LOOKS = 5;

/** The blocks after which a run that ends with so many is looked at. */
export function lookBlocks(end: number): readonly number[] {
  return [...new Set(Array.from({ length: LOOKS }, (_, at) => Math.min(end, Math.ceil(((at + 1) * end) / LOOKS))))];
}

/** The alpha that one look spends, and the distribution it is spent by. */
export interface Look {
  readonly alpha: number;
  readonly by: 'sequence' | 'student-t';
}

/** Pairs tried so far, usable or not: what was excluded must not move the end. */
export interface Tried {
  readonly tried: number;
  readonly pairsPerBlock: number;
}

export function lookAt({ tried, pairsPerBlock }: Tried, { alpha, looks, plan }: Omit<IntervalRule, 'precision'>): Look {
  if (looks === 'once') return { alpha, by: 'student-t' };
  if (looks === 'any' || plan === undefined || pairsPerBlock === 0) return { alpha, by: 'sequence' };
  const end = 'pairs' in plan ? plan.pairs / pairsPerBlock : plan.blocks;
  const blocks = lookBlocks(end);
  const at = blocks.indexOf(tried / pairsPerBlock);
  if (at < 0) return { alpha: alpha * (1 - SHARE_AT_LOOKS), by: 'sequence' };
  const levels = lookLevels(
    blocks.map((block) => block / end),
    alpha * SHARE_AT_LOOKS,
  );
  return { alpha: levels[at] ?? 0, by: 'student-t' };
}

export interface IntervalDesign {
  /** Values that the variance of the mean is divided by. */
  readonly effectiveCount: number;
  readonly degreesOfFreedom: number;
}

type LookRule = Pick<IntervalRule, 'precision'> & { readonly look: Look };

/** Half the interval's width in standard errors; `undefined`: not bounded yet, for want of values. */
export function criticalValue(design: IntervalDesign, { look, precision }: LookRule): number | undefined {
  if (look.by === 'sequence') return sequentialTCritical(look.alpha, { ...design, precision });
  return design.degreesOfFreedom > 0 ? studentTQuantile(1 - look.alpha / 2, design.degreesOfFreedom) : undefined;
}

/**
 * The two-sided p-value of no change; in the sequence the reciprocal of the evidence (Ville's inequality). It is divided by the share of alpha
 * that this look has, so that it is at most `alpha` exactly where the interval excludes no change.
 */
export function pValue(
  t: number,
  design: IntervalDesign,
  { look, precision, alpha }: LookRule & Pick<IntervalRule, 'alpha'>,
): number | undefined {
  const p = look.by === 'student-t' ? studentT(t, design) : sequence(t, { ...design, precision });
  return p === undefined ? undefined : Math.min(1, (p * alpha) / look.alpha);
}

function studentT(t: number, { degreesOfFreedom }: IntervalDesign): number | undefined {
  return degreesOfFreedom > 0 ? studentTTwoSided(t, degreesOfFreedom) : undefined;
}

function sequence(t: number, design: IntervalDesign & Pick<IntervalRule, 'precision'>): number | undefined {
  const logEvidence = sequentialTLogEvidence(t, design);
  return logEvidence === undefined ? undefined : Math.exp(-logEvidence);
}
