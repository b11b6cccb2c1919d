/** What each arm's slots of the stage under way lost, by pair of blocks: two blocks are one draw (`blockArms`). */
import { armOfSlot, blockOfSlot, pairOfBlock } from './assignment.ts';
import { confirmingFrom, isCounted } from './stage-loads.ts';
import type { TrialLoad } from './trial-load.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';
import { isBlockOver } from './turn-slots.ts';

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
