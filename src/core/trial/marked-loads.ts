/** The loads that a trial keeps track of: started, settled, voided, dropped from memory. */
import { type LoadRoute, whyUnfit } from './gateway-arms.ts';
import { settledIn, withCounts } from './stretches.ts';
import { LOAD_LOST_AFTER_MS } from './trial-defaults.ts';
import type { TrialMark } from './trial-mark.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { MarkedLoad, TrialProgress } from './trial-progress.ts';

/** No profile is switched while a load is in progress. */
export const isLoadUnderWay = ({ loads }: TrialProgress): boolean => loads.some(({ state }) => state === 'under-way');

/**
 * A load counts for the slot if the slot's profile is in effect as it begins; otherwise it is void, but waited for. The first
 * after a switch, and any that begins before that one has ended, is washout (`TrialMark.washout`).
 */
export function beginLoad(progress: TrialProgress, { loadId, at }: { readonly loadId: string; readonly at: number }): TrialProgress {
  const { current, startedAt, forgottenUntil, loads } = progress;
  const isDuplicate = loads.some(({ id }) => id === loadId) || (forgottenUntil !== undefined && at <= forgottenUntil);
  if (isDuplicate || startedAt === undefined || at < startedAt) return progress;
  const { slot, block, profileId, begun } = current;
  const inEffect = progress.status === 'running' && current.phase === 'in-effect' && at >= current.since;
  const firstUnderWay = loads.some((load) => load.state === 'under-way' && !load.void && load.mark.position === 0);
  const washout = !inEffect || begun === 0 || firstUnderWay;
  const mark: TrialMark = { trialId: progress.trialId, block, slot, profileId, position: inEffect ? begun : 0, washout };
  const known: TrialProgress = { ...progress, loads: [...loads, { id: loadId, at, mark, state: 'under-way', void: !inEffect }] };
  if (!inEffect) return progress.status === 'running' ? { ...known, made: known.made + 1 } : known;
  const attempted = washout ? 0 : 1;
  const inSlot = { ...current, begun: begun + 1, attempted: current.attempted + attempted };
  return withCounts({ ...known, made: known.made + 1, current: inSlot }, mark, { attempted });
}

/** A load that took another route than its slot's profile is excluded as if it had never begun. */
export function recordLoad(
  progress: TrialProgress,
  { loadId, route }: { readonly loadId: string; readonly route?: LoadRoute | undefined },
  plan: TrialPlan,
): TrialProgress {
  const load = progress.loads.find(({ id }) => id === loadId);
  if (load === undefined || load.state !== 'under-way' || load.void) return settleLoad(progress, loadId, 'recorded');
  if (whyUnfit(plan, load.mark.profileId, route) === undefined) return settleLoad(progress, loadId, 'recorded');
  const { current } = progress;
  // No slot ends while a load is in progress. Only a load by the right route ends the carry-over from the previous profile.
  const begun = Math.max(0, current.begun - 1);
  return replaced(withoutAttempt({ ...progress, made: progress.made - 1, current: { ...current, begun } }, load), {
    ...load,
    void: true,
    state: 'recorded',
  });
}

/** A load that is settled already, or unknown, changes nothing. Washout and void loads are not counted. */
export function settleLoad(progress: TrialProgress, loadId: string, state: 'recorded' | 'lost'): TrialProgress {
  const load = progress.loads.find(({ id }) => id === loadId);
  if (load === undefined || load.state !== 'under-way') return progress;
  const settled = replaced(progress, { ...load, state });
  return load.void || load.mark.washout ? settled : withCounts(settledIn(settled, load.mark.slot), load.mark, { [state]: 1 });
}

export function loseOldLoads(progress: TrialProgress, at: number): TrialProgress {
  return progress.loads
    .filter((load) => load.state === 'under-way' && at - load.at > LOAD_LOST_AFTER_MS)
    .reduce((before, { id }) => settleLoad(before, id, 'lost'), progress);
}

/** Voids the loads in progress, because the trial was interrupted. They are still waited for, unless Firefox itself ended. */
export function excludeUnderWay(progress: TrialProgress, { firefoxEnded }: { readonly firefoxEnded: boolean }): TrialProgress {
  return progress.loads
    .filter(({ state }) => state === 'under-way')
    .reduce((before, load) => {
      const after = replaced(before, { ...load, void: true, state: firefoxEnded ? 'lost' : 'under-way' });
      return load.void ? after : withoutAttempt(after, load);
    }, progress);
}

function withoutAttempt(progress: TrialProgress, { mark }: MarkedLoad): TrialProgress {
  if (mark.washout) return progress;
  const current = { ...progress.current, attempted: Math.max(0, progress.current.attempted - 1) };
  return withCounts({ ...progress, current }, mark, { attempted: -1 });
}

/** Settled loads that are remembered, so that a repeated event counts once. More than a window of tabs restored at once. */
const MAX_REMEMBERED = 64;

/** Forgotten loads are still recognised as old by `forgottenUntil`. */
export function forgetOldLoads(progress: TrialProgress): TrialProgress {
  const settled = progress.loads.filter(({ state }) => state !== 'under-way');
  const surplus = new Set(settled.slice(0, Math.max(0, settled.length - MAX_REMEMBERED)));
  if (surplus.size === 0) return progress;
  const latest = Math.max(...[...surplus].map(({ at }) => at), progress.forgottenUntil ?? Number.NEGATIVE_INFINITY);
  return { ...progress, loads: progress.loads.filter((load) => !surplus.has(load)), forgottenUntil: latest };
}

function replaced(progress: TrialProgress, load: MarkedLoad): TrialProgress {
  return { ...progress, loads: progress.loads.map((before) => (before.id === load.id ? load : before)) };
}
