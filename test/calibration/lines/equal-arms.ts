/** Lines in which all profiles are equal, so that whatever is called a difference is false. */
import type { ComparableLoad, Estimate } from '../../../src/core/compare/comparison.ts';
import { lookBlocks } from '../../../src/core/compare/interval-rule.ts';
import type { Random } from '../../../src/core/random.ts';
import { counted, type EverydayDesign, everydayLoads } from '../simulate/everyday-loads.ts';
import { claimed, firstBlocks, type JudgeOptions, judge, looksAt, separated } from '../simulate/judge.ts';
import { plannedTrial } from '../simulate/planned-trial.ts';

/** Of one run. */
export interface FalseWins {
  /** An interval excluded no change: at one look that was planned alone, and at any of twenty as a trial takes them, its planned looks besides. */
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
  // What a trial of these arms is planned with; a run that is shorter ends as planned.
  const draws = Math.min(Math.floor(truth.blocks / 2), plannedTrial(truth.arms, random).plannedDraws);
  return falseWinsAmong(loads, { candidates, estimate, end: { blocks: 2 * draws, pairs: estimate === 'adjusted' ? draws : 2 * draws } });
}

interface PlannedEnd {
  readonly blocks: number;
  /** As the comparison counts them: draws of two blocks, or pairs of loads. */
  readonly pairs: number;
}

export function falseWinsAmong(
  loads: readonly ComparableLoad[],
  { end, ...options }: Pick<JudgeOptions, 'candidates' | 'estimate'> & { readonly end: PlannedEnd },
): FalseWins {
  const once = judge(loads, { ...options, looks: 'once' });
  const look = (seen: readonly ComparableLoad[]) => judge(seen, { ...options, looks: 'planned', plannedPairs: end.pairs });
  // A trial looks at whole draws.
  const whole = (seen: readonly ComparableLoad[]) =>
    options.estimate === 'adjusted' ? firstBlocks(seen, 2 * Math.floor((seen.at(-1)?.block ?? 0) / 2)) : seen;
  const atPlan = lookBlocks(end.pairs).map((pairs) => firstBlocks(loads, Math.round((pairs * end.blocks) / end.pairs)));
  const any = [...looksAt(loads, PEEKS, (seen) => look(whole(seen))), ...atPlan.map(look)].flat();
  return {
    once: once.some(separated),
    onceClaimed: once.some(claimed),
    any: any.some(separated),
    anyClaimed: any.some(claimed),
    p: once[0]?.p,
  };
}
