/** Carries out what a look at the loads decided. */
import { assertNever } from '../errors.ts';
import { candidatesAmong } from './gateway-arms.ts';
import { lastStretch } from './stretches.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialEnd, TrialProgress } from './trial-progress.ts';
import type { LosingStep, TrialDecision } from './trial-state.ts';
import { dropArms, endTrial, turnToNextSlot } from './turn-slots.ts';

/**
 * A decision about another slot, or about arms that have changed since, is not followed; nor one from before the last pause ended: what was
 * ignored during a pause stays so when it is reported again.
 */
export function followDecision(before: TrialProgress, decision: TrialDecision, at: number, plan: TrialPlan): TrialProgress {
  const { status, statusSince, current, stretches } = before;
  if (status !== 'running' || at < statusSince || decision.slot !== current.slot || decision.stretch !== stretches.length) return before;
  const { step, plannedDraws } = decision;
  const progress = plannedDraws === undefined ? before : { ...before, plannedDraws };
  switch (step.kind) {
    case 'go-on':
      return current.phase === 'ended' ? turnToNextSlot(progress, at, plan) : progress;
    case 'drop':
      return dropNow(progress, step.arms, at, plan);
    case 'end':
      return endTrial(progress, at, endOf(step));
    default:
      return assertNever(step);
  }
}

function endOf(step: Extract<TrialDecision['step'], { kind: 'end' }>): TrialEnd {
  switch (step.as) {
    case 'confirmed':
    case 'no-difference':
      return { kind: step.as, ...(step.found !== undefined && { found: step.found }) };
    case 'invalid':
      return { kind: step.as };
    default:
      return assertNever(step);
  }
}

/** The slot of an arm that has the turn ends at once. */
function dropNow(progress: TrialProgress, arms: readonly LosingStep[], at: number, plan: TrialPlan): TrialProgress {
  const { current } = progress;
  const active = lastStretch(progress).arms;
  const dropped = arms.filter(({ profileId }) => candidatesAmong(plan, active).includes(profileId));
  if (dropped.length === 0) return current.phase === 'ended' ? turnToNextSlot(progress, at, plan) : progress;
  const left = dropArms(
    progress,
    dropped.map((arm) => ({ ...arm, block: current.block })),
    at,
    plan,
  );
  if (left.status === 'ended') return left;
  const hasTurn = dropped.some(({ profileId }) => profileId === current.profileId);
  return hasTurn || current.phase === 'ended' ? turnToNextSlot(left, at, plan) : left;
}
