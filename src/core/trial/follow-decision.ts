/** Carries out what a look at the loads decided. */
import { assertNever } from '../errors.ts';
import { pairOfBlock, slotsPerBlock } from './assignment.ts';
import { CONTROL_IDLE, candidatesAmong, controlOf, withoutIdleControl } from './gateway-arms.ts';
import { lastStretch } from './stretches.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { DroppedArm, SlowerArm, TrialEnd, TrialProgress, TrialStage } from './trial-progress.ts';
import type { TrialDecision } from './trial-state.ts';
import { dropArms, endTrial, newStretch, turnToNextSlot } from './turn-slots.ts';

/**
 * A decision about another slot, or about arms that have changed since, is not followed; nor one from before the last pause ended: what was
 * ignored during a pause stays so when it is reported again.
 */
export function followDecision(progress: TrialProgress, decision: TrialDecision, at: number, plan: TrialPlan): TrialProgress {
  const { status, statusSince, current, stretches } = progress;
  if (status !== 'running' || at < statusSince || decision.slot !== current.slot || decision.stretch !== stretches.length) return progress;
  const { step } = decision;
  switch (step.kind) {
    case 'go-on':
      return current.phase === 'ended' ? turnToNextSlot(progress, at, plan) : progress;
    case 'drop':
      return dropNow(progress, step.arms, at, plan);
    case 'next-round':
      return keepOnly(progress, { keep: step.keep, stage: 'screening', because: SCREENED_OUT }, at, plan);
    case 'confirm':
      return keepOnly(progress, { keep: [step.profileId], stage: 'confirming', because: NOT_CHOSEN }, at, plan);
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
    case 'no-candidate-left':
    case 'invalid':
      return { kind: step.as };
    default:
      return assertNever(step);
  }
}

const SCREENED_OUT = 'not in the faster half of a round of the choice';
const NOT_CHOSEN = 'another profile was faster in the choice';

/** The slot of an arm that has the turn ends at once. */
function dropNow(progress: TrialProgress, arms: readonly SlowerArm[], at: number, plan: TrialPlan): TrialProgress {
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

interface Keeping {
  readonly keep: readonly string[];
  readonly stage: TrialStage;
  readonly because: string;
}

/** The next round, or the confirmation, begins with the next pair of blocks, whose order is drawn again. */
function keepOnly(progress: TrialProgress, { keep, stage, because }: Keeping, at: number, plan: TrialPlan): TrialProgress {
  const { arms, round } = lastStretch(progress);
  const control = controlOf(plan);
  const kept = withoutIdleControl(
    plan,
    arms.filter((id) => id === plan.baseline || id === control || keep.includes(id)),
  );
  const block = 2 * (pairOfBlock(progress.current.block) + 1);
  const dropped = arms
    .filter((id) => !kept.includes(id))
    .map(
      (profileId): DroppedArm => ({ profileId, reason: 'screened-out', because: profileId === control ? CONTROL_IDLE : because, block }),
    );
  const fewer = { ...progress, dropped: [...progress.dropped, ...dropped] };
  const fromSlot = block * slotsPerBlock(plan);
  return turnToNextSlot(newStretch(fewer, { stage, round: round + 1, fromSlot, arms: kept }), at, plan);
}
