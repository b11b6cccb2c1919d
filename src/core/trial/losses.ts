/** Per stretch and arm: loads that settled, and how many of them can be used. */
import { isCounted } from './stage-loads.ts';
import { stretchOf } from './stretches.ts';
import type { TrialLoad } from './trial-load.ts';
import type { TrialProgress, TrialStretch } from './trial-progress.ts';

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
