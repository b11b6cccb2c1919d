/**
 * Screening by successive halving (Karnin, Koren & Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013; Jamieson &
 * Talwalkar, AISTATS 2016): rounds of equal numbers of loads, after each of which the better half of the candidates stays, so that the
 * loads of an arm double from round to round. Point estimates over all rounds choose; they prove nothing. The baseline always stays.
 */
import { byRatio } from './arm-findings.ts';
import { lastStretch } from './stretches.ts';
import { candidatesOf, type TrialPlan } from './trial-plan.ts';
import type { ArmFinding, TrialProgress } from './trial-progress.ts';

/** Candidates that stay: half of them, rounded up; the earlier in the plan where two look the same. */
export function betterHalf(findings: readonly ArmFinding[]): readonly ArmFinding[] {
  return byRatio(findings).slice(0, Math.ceil(findings.length / 2));
}

interface RoundBudget {
  readonly round: number;
  /** Rounds if each ends with a choice; see `TrialPlan.screening`. */
  readonly rounds: number;
  readonly loads: number;
  readonly planned: number;
}

/** How far the round in progress is; `undefined`: nothing is screened. */
export function roundBudget(progress: TrialProgress, plan: TrialPlan): RoundBudget | undefined {
  const { screening } = plan;
  const { stage, round } = lastStretch(progress);
  if (screening === null || stage !== 'screening') return undefined;
  const own = progress.stretches.filter((stretch) => stretch.round === round);
  const loads = own.flatMap(({ counts }) => Object.values(counts)).reduce((sum, { attempted }) => sum + attempted, 0);
  const rounds = Math.max(1, Math.ceil(Math.log2(candidatesOf(plan).length)));
  return { round: round + 1, rounds, loads, planned: screening.loadsPerRound };
}
