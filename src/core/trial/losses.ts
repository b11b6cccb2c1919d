/** The losses of a trial: loads that settled and cannot be used, by stretch and arm, and by slot; and what that may have done to a finding. */

import { drawOf } from '../compare/block-order.ts';
import { groupBy } from '../group-by.ts';
import { mean } from '../stats/mean.ts';
import { armOfSlot, blockOfSlot } from './assignment.ts';
import { isCounted, logEfficiencyOf, type TrialLoad } from './judged-loads.ts';
import { stretchOf } from './stretches.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress, TrialStretch } from './trial-progress.ts';
import { drawsOver } from './turn-slots.ts';

export interface ArmLosses {
  readonly profileId: string;
  /** Loads that settled: those in progress are not yet attempted in full. */
  readonly attempted: number;
  readonly usable: number;
  readonly lost: number;
}

/** One list of arms for each stretch. */
export function lossTable(progress: TrialProgress, marked: readonly TrialLoad[]): readonly (readonly ArmLosses[])[] {
  const usable = usableCounts(progress, marked);
  return progress.stretches.map((stretch, at) => lossesOf(stretch, usable[at] ?? new Map()));
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

export interface SlotLoss {
  readonly profileId: string;
  /** Share of the slot's settled loads that cannot be used, in [0, 1]. */
  readonly lost: number;
}

/** The losses of each slot: one list per draw that is over. Slots in which no load has settled are left out. */
export function slotLosses(plan: TrialPlan, progress: TrialProgress, marked: readonly TrialLoad[]): readonly (readonly SlotLoss[])[] {
  const usable = new Map<number, number>();
  for (const load of marked) if (isCounted(load)) usable.set(load.mark.slot, (usable.get(load.mark.slot) ?? 0) + 1);
  const draws = new Map<number, SlotLoss[]>();
  for (const { slot, settled } of progress.slots) {
    const draw = drawOf(blockOfSlot(plan, slot));
    if (draw >= drawsOver(progress, plan)) continue;
    const loss = { profileId: armOfSlot(plan, slot), lost: Math.max(0, 1 - (usable.get(slot) ?? 0) / settled) };
    draws.set(draw, [...(draws.get(draw) ?? []), loss]);
  }
  return [...draws.values()];
}

/**
 * The loads that a finding keeps if the loads that an arm has lost beyond the others are its slowest: each of the other arms gives up as large a
 * share of its own slowest loads (Lee, "Training, wages, and sample selection: estimating sharp bounds on treatment effects", Review of
 * Economic Studies 76 (2009)). Losses that depend on the load time cannot make a profile look better than that.
 *
 * @param loads that can be used.
 * @param table losses of the trial.
 * @param active arms that have turns: what a dropped arm has lost biases none of these.
 * @returns the same list where every arm lost the same share.
 */
export function trimmedToEqualShares(
  loads: readonly TrialLoad[],
  table: readonly (readonly ArmLosses[])[],
  active: readonly string[],
): readonly TrialLoad[] {
  const tried = lossesByArm(table).filter(({ profileId, attempted }) => attempted > 0 && active.includes(profileId));
  const keptShares = new Map(tried.map(({ profileId, attempted, usable }) => [profileId, usable / attempted]));
  const least = Math.min(...keptShares.values());
  const dropped = new Set<TrialLoad>();
  for (const [profileId, own] of groupBy(loads, (load) => load.profileId)) {
    const kept = keptShares.get(profileId) ?? least;
    const surplus = kept === 0 ? 0 : Math.round(own.length * (1 - least / kept));
    if (surplus > 0) for (const load of slowestOf(own, { surplus, all: loads })) dropped.add(load);
  }
  return dropped.size === 0 ? loads : loads.filter((load) => !dropped.has(load));
}

/** Loads are compared with others of the same page over the same link. */
function slowestOf(
  own: readonly TrialLoad[],
  { surplus, all }: { readonly surplus: number; readonly all: readonly TrialLoad[] },
): readonly TrialLoad[] {
  const pageOf = ({ page, link }: TrialLoad) => `${page.length} ${page}${link}`;
  const levels = new Map([...groupBy(all, pageOf)].map(([page, loads]) => [page, mean(loads.map(logEfficiencyOf))]));
  const above = (load: TrialLoad) => logEfficiencyOf(load) - (levels.get(pageOf(load)) ?? 0);
  return own.toSorted((a, b) => above(a) - above(b)).slice(0, surplus);
}
