/** What everyday loads say of settings since they were applied, beside those under Firefox's own. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { Comparison } from '../compare/comparison.ts';
import { BASELINE_ID } from '../profiles/presets.ts';
import { comparableFigures, fieldProfiles } from './comparable-figures.ts';
import type { FieldLinks } from './field-links.ts';
import type { LoadSummary } from './load-summary.ts';

/** Changes are shares of the speed under Firefox's own settings. `before` counts the loads under these. */
export interface SinceApplied {
  readonly profileId: string;
  readonly change: { readonly gain: number; readonly low: number; readonly high: number };
  readonly loads: number;
  readonly before: number;
}

/** Trials look at their own loads by themselves, and no page shows single scenarios. */
export const AS_EVERYDAY = { baseline: BASELINE_ID, estimate: 'paired', turns: 'as-they-came', modes: 'left-out' } as const;

/**
 * Loads since the newest other profile or trial: those of a trial ran under the same settings before these were applied, and are left out. All
 * under Firefox's own settings count, whenever they were. @param ordered by start. `undefined`: nothing is applied, or there is no interval yet.
 */
export function sinceApplied(
  ordered: readonly LoadSummary[],
  { links, linkOf }: Pick<FieldLinks, 'links' | 'linkOf'>,
): SinceApplied | undefined {
  const profileId = ordered.at(-1)?.profileId ?? BASELINE_ID;
  if (profileId === BASELINE_ID) return undefined;
  const start = 1 + ordered.findLastIndex((load) => load.profileId !== profileId || load.trial !== undefined);
  const places = ordered.flatMap((load, at) => (at >= start || load.profileId === BASELINE_ID ? [at] : []));
  const kept = places.map((at) => ordered[at] as LoadSummary);
  const { loads } = comparableFigures(kept, { links, linkOf: (place) => linkOf(places[place] ?? -1) });
  return gainedUnder(profileId, compareProfiles(loads, { ...AS_EVERYDAY, profiles: fieldProfiles(kept) }));
}

export function gainedUnder(profileId: string, comparison: Comparison): SinceApplied | undefined {
  const groups = (comparison.protocols ?? [comparison]).flatMap(({ profiles }) => {
    const own = profiles.find(({ id }) => id === profileId);
    const before = profiles.find(({ role }) => role === 'baseline');
    return own && before ? [{ own, before }] : [];
  });
  const [most] = groups.toSorted((a, b) => b.own.loads - a.own.loads);
  if (most === undefined) return undefined;
  const { own, before } = most;
  const { ratio, low, high, against } = own.versusBaseline;
  if (ratio === undefined || low === undefined || high === undefined || against !== before.id) return undefined;
  return { profileId, change: { gain: ratio - 1, low: low - 1, high: high - 1 }, loads: own.loads, before: before.loads };
}
