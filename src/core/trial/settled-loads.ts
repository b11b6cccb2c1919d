/**
 * The loads that a verdict rests on: those of slots that follow a slot of the same profile. What the profile before has left behind, be it
 * for some loads or for a whole slot, is in none of them, whatever its size: a washout as long as a slot. A term for it in the model would
 * need as many loads: each profile may leave something of its own behind for each other, and then only slots that follow their own tell
 * what a profile does by itself (Senn, "Cross-over Trials in Clinical Research", 2nd edition 2002, chapter 10). Whether something lasts longer
 * than that is checked (`check-carry-over.ts`).
 */
import { armOfSlot } from './assignment.ts';
import { stretchOf } from './stretches.ts';
import type { TrialLoad } from './trial-load.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';

/** @param marked all loads of the trial, the washout among them: they tell since when a slot's profile has been in effect. */
export function settledLoads(plan: TrialPlan, progress: TrialProgress, marked: readonly TrialLoad[]): readonly TrialLoad[] {
  const began = new Map<number, number>();
  for (const { mark, startedAt } of marked) began.set(mark.slot, Math.min(began.get(mark.slot) ?? startedAt, startedAt));
  // When the profile of the slot had its first load in the slot before; of slots that follow one of their own.
  const since = new Map<number, number>();
  for (const slot of began.keys()) {
    const before = slotBefore(plan, progress, slot);
    const from = before && began.get(before.slot);
    if (from !== undefined && before?.profileId === armOfSlot(plan, slot)) since.set(slot, from);
  }
  return marked.filter(({ mark, startedAt }) => {
    const from = since.get(mark.slot);
    return from !== undefined && !progress.pauses.some(({ to }) => to !== undefined && to > from && to <= startedAt);
  });
}

/** The slot that had its turn before this one in the same stretch; `undefined`: it is the first of it. */
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
