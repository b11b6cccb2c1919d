/**
 * Screening by successive halving (Karnin, Koren & Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013; Jamieson &
 * Talwalkar, AISTATS 2016): rounds of equal numbers of loads, after each of which the better half of the candidates stays, so that the
 * loads of an arm double from round to round. Point estimates over all rounds choose; they prove nothing. The baseline always stays.
 */
import { byRatio } from './arm-findings.ts';
import { candidatesAmong, controlOf } from './gateway-arms.ts';
import { lastStretch } from './stretches.ts';
import { countedLoadsPerBlock, type TrialPlan } from './trial-plan.ts';
import type { ArmFinding, TrialProgress } from './trial-progress.ts';

/** Candidates that stay: half of them, rounded up; the earlier in the plan where two look the same. */
export function betterHalf(findings: readonly ArmFinding[]): readonly ArmFinding[] {
  return byRatio(findings).slice(0, Math.ceil(findings.length / 2));
}

interface RoundBudget {
  readonly round: number;
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
  return { round: round + 1, loads, planned: screening.loadsPerRound };
}

/**
 * Counted loads, over all arms, that a trial is still expected to take: what is left of its rounds, all of which have the same number of loads,
 * then the confirmation of one candidate. Before the first load it is the length of the trial.
 * @param neededPerArm - Loads that the confirmation still needs of each arm, of all protocols (`TrialFigures.loadsPerArmNeeded`).
 */
export function loadsLeft(progress: TrialProgress, plan: TrialPlan, neededPerArm = plan.plannedLoadsPerArm): number {
  const { arms } = lastStretch(progress);
  // The arms are the baseline, the candidate, and the control where there is one.
  const confirming = (arms.some((id) => id === controlOf(plan)) ? 3 : 2) * neededPerArm;
  const budget = roundBudget(progress, plan);
  if (budget === undefined) return confirming;
  const { loads, planned } = budget;
  const roundsAfter = Math.max(1, Math.ceil(Math.log2(candidatesAmong(plan, arms).length))) - 1;
  return Math.max(0, planned - loads) + roundsAfter * planned + confirming;
}

interface LoadsOfEach {
  readonly soFar: number;
  readonly planned: number;
}

/**
 * Counted loads of each profile that has turns, in the round in progress: a profile that drops out with it has no more. Where one candidate is
 * left, its confirmation is planned with its round. The baseline, which is in every round, stands for all of them.
 */
export function loadsOfEach(progress: TrialProgress, plan: TrialPlan): LoadsOfEach {
  const { arms, stage, round } = lastStretch(progress);
  const own = progress.stretches.filter((stretch) => stretch.round === round);
  const soFar = own.reduce((sum, { counts }) => sum + (counts[plan.baseline]?.recorded ?? 0), 0);
  const confirming = plan.plannedLoadsPerArm;
  if (plan.screening === null || stage === 'confirming') return { soFar, planned: confirming };
  // A round ends with a block.
  const ofBlock = countedLoadsPerBlock(plan);
  const screening = Math.ceil(plan.screening.loadsPerRound / (arms.length * ofBlock)) * ofBlock;
  return { soFar, planned: candidatesAmong(plan, arms).length > 1 ? screening : screening + confirming };
}
