/** The stretches of a trial: beginning them, finding a slot's, and counting loads in them. */

import { type Assignment, armOfSlot, assignmentAt } from './assignment.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { ArmCounts, CurrentSlot, TrialProgress, TrialStretch } from './trial-progress.ts';

/** The stretch that is in progress, or that the next slot will begin. */
export function lastStretch({ stretches }: TrialProgress): TrialStretch {
  // There is one from the beginning.
  return stretches[stretches.length - 1] ?? freshStretch({ fromSlot: 0, arms: [] });
}

/** Position in `stretches` of the one a slot belongs to. */
export function stretchOf({ stretches }: Pick<TrialProgress, 'stretches'>, slot: number): number {
  let at = 0;
  stretches.forEach(({ fromSlot }, index) => {
    if (fromSlot <= slot) at = index;
  });
  return at;
}

/** The slot before this one in the same stretch; `undefined`: it is the first of the stretch. */
export function slotBefore(
  plan: TrialPlan,
  progress: TrialProgress,
  slot: number,
): { readonly slot: number; readonly profileId: string } | undefined {
  const stretch = progress.stretches[stretchOf(progress, slot)];
  if (stretch === undefined) return undefined;
  for (let at = slot - 1; at >= stretch.fromSlot; at--) {
    const profileId = armOfSlot(plan, at);
    if (stretch.arms.includes(profileId)) return { slot: at, profileId };
  }
  return undefined;
}

/** Whether the current slot comes after one of its own profile. */
export const followsOwn = (progress: TrialProgress, plan: TrialPlan): boolean =>
  slotBefore(plan, progress, progress.current.slot)?.profileId === progress.current.profileId;

/** Adds to the counts of an arm in the stretch of a slot. */
export function withCounts(
  progress: TrialProgress,
  { slot, profileId }: { readonly slot: number; readonly profileId: string },
  change: Partial<ArmCounts>,
): TrialProgress {
  const index = stretchOf(progress, slot);
  const stretches = progress.stretches.map((stretch, at) => {
    const before = stretch.counts[profileId];
    if (at !== index || before === undefined) return stretch;
    const after = {
      attempted: before.attempted + (change.attempted ?? 0),
      recorded: before.recorded + (change.recorded ?? 0),
      lost: before.lost + (change.lost ?? 0),
    };
    return { ...stretch, counts: { ...stretch.counts, [profileId]: after } };
  });
  return { ...progress, stretches };
}

/** One more load of a slot has settled. */
export function settledIn(progress: TrialProgress, slot: number): TrialProgress {
  const before = progress.slots.find((own) => own.slot === slot);
  const slots = before
    ? progress.slots.map((own) => (own === before ? { slot, settled: own.settled + 1 } : own))
    : [...progress.slots, { slot, settled: 1 }];
  return { ...progress, slots };
}

/** The progress of a trial that has not begun. */
export function beginTrial(plan: TrialPlan): TrialProgress {
  const arms = plan.profiles.map(({ id }) => id);
  return {
    format: 1,
    trialId: plan.id,
    status: 'planned',
    statusSince: plan.createdAt,
    applied: false,
    current: freshSlot(assignmentAt(plan, 0, arms), plan.createdAt),
    stretches: [freshStretch({ fromSlot: 0, arms })],
    made: 0,
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

export function freshStretch(stretch: Omit<TrialStretch, 'counts'>): TrialStretch {
  const none: ArmCounts = { attempted: 0, recorded: 0, lost: 0 };
  return { ...stretch, counts: Object.fromEntries(stretch.arms.map((id) => [id, none])) };
}
