/** Lines in which all profiles are equal, so that whatever is called a difference is false. */
import type { ComparableLoad, Estimate } from '../../../src/core/compare/comparison.ts';
import type { Random } from '../../../src/core/random.ts';
import { counted, type EverydayDesign, everydayLoads } from '../simulate/everyday-loads.ts';
import { claimed, type JudgeOptions, judge, looksAt, separated } from '../simulate/judge.ts';

/** Of one run. */
export interface FalseWins {
  /** An interval excluded no change: at the one look that was planned, and at any of twenty. */
  readonly once: boolean;
  readonly any: boolean;
  /** A profile was called better or worse. */
  readonly onceClaimed: boolean;
  readonly anyClaimed: boolean;
  /** Of the first candidate, at the one look. */
  readonly p: number | undefined;
}

export const PEEKS = 20;

export function falseWins(truth: EverydayDesign, estimate: Estimate, random: Random): FalseWins {
  const loads = counted(everydayLoads(truth, random));
  const candidates = truth.arms.slice(1).map(({ id }) => id);
  return falseWinsAmong(loads, { candidates, estimate });
}

export function falseWinsAmong(loads: readonly ComparableLoad[], options: Pick<JudgeOptions, 'candidates' | 'estimate'>): FalseWins {
  const once = judge(loads, { ...options, looks: 'once' });
  const any = looksAt(loads, PEEKS, (seen) => judge(seen, { ...options, looks: 'any' })).flat();
  return {
    once: once.some(separated),
    onceClaimed: once.some(claimed),
    any: any.some(separated),
    anyClaimed: any.some(claimed),
    p: once[0]?.p,
  };
}
