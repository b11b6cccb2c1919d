/**
 * What is left of a finding if the loads that an arm has lost beyond the others are its slowest: each of the other arms gives up as large a
 * share of its own slowest loads (Lee, "Training, wages, and sample selection: estimating sharp bounds on treatment effects", Review of
 * Economic Studies 76 (2009)). Losses that depend on the load time cannot make a profile look better than that.
 */
import { groupBy } from '../group-by.ts';
import { mean } from '../stats/mean.ts';
import { type ArmLosses, lossesByArm } from './losses.ts';
import { logEfficiencyOf, type TrialLoad } from './stage-loads.ts';

/**
 * @param loads that can be used.
 * @param table losses of the stage.
 * @param active arms that have turns: what one has lost that was dropped biases none of these.
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

/** Against other loads of the same page over the same link. */
function slowestOf(
  own: readonly TrialLoad[],
  { surplus, all }: { readonly surplus: number; readonly all: readonly TrialLoad[] },
): readonly TrialLoad[] {
  const pageOf = ({ page, link }: TrialLoad) => `${page.length} ${page}${link}`;
  const levels = new Map([...groupBy(all, pageOf)].map(([page, loads]) => [page, mean(loads.map(logEfficiencyOf))]));
  const above = (load: TrialLoad) => logEfficiencyOf(load) - (levels.get(pageOf(load)) ?? 0);
  return own.toSorted((a, b) => above(a) - above(b)).slice(0, surplus);
}
