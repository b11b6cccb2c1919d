/** What each slot of the stage under way lost, by block. */
import { blockArms, blockOfSlot } from './assignment.ts';
import { confirmingFrom, isCounted } from './stage-loads.ts';
import { lastStretch } from './stretches.ts';
import type { TrialLoad } from './trial-load.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';

export interface SlotLoss {
  readonly profileId: string;
  /** Share of its settled loads that cannot be used, in [0, 1]. */
  readonly lost: number;
}

/** One list per block that is over; slots in which no load has settled are left out. */
export function slotLosses(plan: TrialPlan, progress: TrialProgress, marked: readonly TrialLoad[]): readonly (readonly SlotLoss[])[] {
  const usable = new Map<number, number>();
  for (const load of marked) if (isCounted(load)) usable.set(load.mark.slot, (usable.get(load.mark.slot) ?? 0) + 1);
  const from = confirmingFrom(progress) ?? 0;
  const blocks = new Map<number, SlotLoss[]>();
  for (const { slot, settled } of progress.slots) {
    if (slot < from) continue;
    const block = blockOfSlot(plan, slot);
    const profileId = blockArms(plan, block)[slot - block * plan.profiles.length] ?? '';
    const loss = { profileId, lost: Math.max(0, 1 - (usable.get(slot) ?? 0) / settled) };
    blocks.set(block, [...(blocks.get(block) ?? []), loss]);
  }
  const { current } = progress;
  const isOver = (block: number, losses: readonly SlotLoss[]) =>
    block < current.block || losses.length >= lastStretch(progress).arms.length;
  return [...blocks.entries()].flatMap(([block, losses]) => (losses.length > 1 && isOver(block, losses) ? [losses] : []));
}
