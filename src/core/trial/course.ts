/** How long a trial takes: draws by plan, and the page loads that a person makes for it. */
import { keptAfter } from '../experiment/schedule.ts';
import { controlOf } from './gateway-arms.ts';
import { EXPECTED_SHARE } from './trial-defaults.ts';
import { candidatesOf, loadsPerDraw, type TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';
import { drawsOver } from './turn-slots.ts';

/** Draws with which the trial ends. */
export const drawsPlanned = (plan: TrialPlan, { plannedDraws = plan.plannedDraws }: Pick<TrialProgress, 'plannedDraws'>): number =>
  plannedDraws;

interface Stage {
  /** That are over. */
  readonly draws: number;
  readonly end: number;
}

/** Candidates that the schedule keeps, draws being what blocks are to a run. */
export const candidatesKept = (plan: TrialPlan, { draws, end }: Stage): number =>
  keptAfter(draws, { candidates: candidatesOf(plan).length, end });

/** Page loads from one draw to the planned end, washout among them, if nobody is dropped but by the schedule. */
function loadsBetween(plan: TrialPlan, { draws, end }: Stage): number {
  const others = controlOf(plan) === undefined ? 1 : 2;
  let turns = 0;
  for (let at = draws; at < end; at++) turns += others + candidatesKept(plan, { draws: at, end });
  return turns * loadsPerDraw(plan);
}

/** Page loads of all profiles that a trial takes on average. */
export function expectedLoads(plan: TrialPlan, progress: Pick<TrialProgress, 'plannedDraws'> = {}): number {
  return Math.ceil(EXPECTED_SHARE * loadsBetween(plan, { draws: 0, end: drawsPlanned(plan, progress) }));
}

/** Page loads of all profiles that it takes at most. */
export const mostLoads = (plan: TrialPlan): number => loadsBetween(plan, { draws: 0, end: plan.mostDraws });

/** Those that are still to come: one draw at least, and what is left of the plan at most. */
export function loadsLeft(plan: TrialPlan, progress: TrialProgress): number {
  const end = drawsPlanned(plan, progress);
  const atMost = loadsBetween(plan, { draws: drawsOver(progress, plan), end });
  const atLeast = loadsBetween(plan, { draws: end - 1, end });
  return Math.max(atLeast, Math.min(atMost, expectedLoads(plan, progress) - progress.made));
}
