/** What a trial has lost: loads that settled and cannot be used, by stretch and arm, and by slot. */

import { armOfSlot, blockOfSlot, pairOfBlock } from './assignment.ts';
import { confirmingFrom, isCounted, type TrialLoad } from './stage-loads.ts';
import { stretchOf } from './stretches.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress, TrialStretch } from './trial-progress.ts';
import { isBlockOver } from './turn-slots.ts';

export interface ArmLosses {
  readonly profileId: string;
  /** Settled; what is still under way is not yet attempted in full. */
  readonly attempted: number;
  readonly usable: number;
  readonly lost: number;
}

/** One list per stretch, of its arms. Only the stretches of the stage under way: what was lost before cannot bias it. */
export function lossTable(progress: TrialProgress, marked: readonly TrialLoad[]): readonly (readonly ArmLosses[])[] {
  const usable = usableCounts(progress, marked);
  const stage = progress.stretches.at(-1)?.stage;
  return progress.stretches.flatMap((stretch, at) => (stretch.stage === stage ? [lossesOf(stretch, usable[at] ?? new Map())] : []));
}

/** Summed over stretches, in order of first appearance. */
export function lossesByArm(table: readonly (readonly ArmLosses[])[]): readonly ArmLosses[] {
  const sums = new Map<string, ArmLosses>();
  for (const own of table.flat()) {
    const before = sums.get(own.profileId);
    sums.set(own.profileId, {
      profileId: own.profileId,
      attempted: own.attempted + (before?.attempted ?? 0),
      usable: own.usable + (before?.usable ?? 0),
      lost: own.lost + (before?.lost ?? 0),
    });
  }
  return [...sums.values()];
}

function usableCounts(progress: TrialProgress, marked: readonly TrialLoad[]): readonly Map<string, number>[] {
  const counts = progress.stretches.map(() => new Map<string, number>());
  for (const load of marked) {
    if (!isCounted(load)) continue;
    const own = counts[stretchOf(progress, load.mark.slot)];
    own?.set(load.profileId, (own.get(load.profileId) ?? 0) + 1);
  }
  return counts;
}

function lossesOf({ arms, counts }: TrialStretch, usable: ReadonlyMap<string, number>): readonly ArmLosses[] {
  return arms.map((profileId) => {
    const { recorded = 0, lost = 0 } = counts[profileId] ?? {};
    const used = usable.get(profileId) ?? 0;
    const attempted = Math.max(recorded + lost, used);
    return { profileId, attempted, usable: used, lost: attempted - used };
  });
}

/** What each arm's slots of the stage under way lost, by pair of blocks: two blocks are one draw (`blockArms`). */
export interface SlotLoss {
  readonly profileId: string;
  /** Share of the slot's settled loads that cannot be used, in [0, 1]. */
  readonly lost: number;
}

/** One list per pair of blocks that is over; slots in which no load has settled are left out. */
export function slotLosses(plan: TrialPlan, progress: TrialProgress, marked: readonly TrialLoad[]): readonly (readonly SlotLoss[])[] {
  const usable = new Map<number, number>();
  for (const load of marked) if (isCounted(load)) usable.set(load.mark.slot, (usable.get(load.mark.slot) ?? 0) + 1);
  const from = confirmingFrom(progress) ?? 0;
  const pairs = new Map<number, SlotLoss[]>();
  for (const { slot, settled } of progress.slots) {
    const block = blockOfSlot(plan, slot);
    if (slot < from || !isPairOver(plan, progress, block)) continue;
    const loss = { profileId: armOfSlot(plan, slot), lost: Math.max(0, 1 - (usable.get(slot) ?? 0) / settled) };
    pairs.set(pairOfBlock(block), [...(pairs.get(pairOfBlock(block)) ?? []), loss]);
  }
  return [...pairs.values()];
}

function isPairOver(plan: TrialPlan, progress: TrialProgress, block: number): boolean {
  const { current } = progress;
  return pairOfBlock(block) < pairOfBlock(current.block) || (current.block % 2 === 1 && isBlockOver(progress, plan));
}
