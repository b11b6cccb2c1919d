/** The progress of a trial that has not begun. */

import type { Assignment } from './assignment.ts';
import { assignmentAt } from './assignment.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { ArmCounts, CurrentSlot, TrialProgress, TrialStretch } from './trial-progress.ts';

export function beginTrial(plan: TrialPlan): TrialProgress {
  const arms = plan.profiles.map(({ id }) => id);
  return {
    format: 1,
    trialId: plan.id,
    status: 'planned',
    statusSince: plan.createdAt,
    applied: false,
    current: freshSlot(assignmentAt(plan, 0, arms), plan.createdAt),
    stretches: [freshStretch({ stage: 'screening', round: 0, fromSlot: 0, arms })],
    slots: [],
    dropped: [],
    pauses: [],
    loads: [],
  };
}

/** A slot whose profile is yet to be put in effect. */
export function freshSlot({ slot, block, profileId }: Assignment, at: number): CurrentSlot {
  return { slot, block, profileId, phase: 'switching', since: at, inEffectMs: 0, begun: 0, attempted: 0, switchFailures: 0 };
}

/** Nothing is counted in it yet. */
export function freshStretch(stretch: Omit<TrialStretch, 'counts'>): TrialStretch {
  const none: ArmCounts = { attempted: 0, recorded: 0, lost: 0 };
  return { ...stretch, counts: Object.fromEntries(stretch.arms.map((id) => [id, none])) };
}
