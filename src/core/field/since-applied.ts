/** What everyday loads say of settings since they were applied, beside those under Firefox's own. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { Comparison, LoadProtocol, ProtocolComparison } from '../compare/comparison.ts';
import type { AppliedSince } from '../measure/page-load.ts';
import { findProfile } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { reachedProtocols } from '../trial/protocol-plan.ts';
import { comparableFigures, fieldProfiles } from './comparable-figures.ts';
import type { FieldLinks } from './field-links.ts';
import type { LoadSummary } from './load-summary.ts';

/** Changes are shares of the speed under Firefox's own settings. `before` counts the loads under these. */
export interface SinceApplied extends AppliedSince {
  readonly change: { readonly gain: number; readonly low: number; readonly high: number };
  readonly loads: number;
  readonly before: number;
  /** The HTTP version of the pages that are compared; absent: there was only one. */
  readonly protocol?: ProtocolComparison['protocol'];
  /** The settings do not act on pages of that version: whatever has changed there, they have not changed it. */
  readonly isBeyondReach?: true;
}

/** Trials look at their own loads by themselves, and no page shows single scenarios. */
export const AS_EVERYDAY = { baseline: BASELINE_ID, estimate: 'paired', turns: 'as-they-came', modes: 'left-out' } as const;

/**
 * Loads under the applied settings since then, but those of a trial. All under Firefox's own settings count, whenever they were.
 * `undefined`: nothing is applied, or there is no interval yet.
 */
export function sinceApplied(
  ordered: readonly LoadSummary[],
  { links, linkOf }: Pick<FieldLinks, 'links' | 'linkOf'>,
  applied: AppliedSince | undefined,
): SinceApplied | undefined {
  if (applied === undefined || applied.profileId === BASELINE_ID) return undefined;
  const { profileId, since } = applied;
  const isSince = (load: LoadSummary) => load.profileId === profileId && load.startedAt >= since && load.trial === undefined;
  const places = ordered.flatMap((load, at) => (isSince(load) || load.profileId === BASELINE_ID ? [at] : []));
  const kept = places.map((at) => ordered[at] as LoadSummary);
  const { loads } = comparableFigures(kept, { links, linkOf: (place) => linkOf(places[place] ?? -1) });
  const [only, ...others] = new Set(kept.map(({ protocol }) => protocol));
  const comparison = compareProfiles(loads, { ...AS_EVERYDAY, profiles: fieldProfiles(kept) });
  return gainedUnder(applied, comparison, others.length === 0 ? only : undefined);
}

/** @param only - The one HTTP version of all pages; absent: there are several, or it is not known. */
export function gainedUnder({ profileId, since }: AppliedSince, comparison: Comparison, only?: LoadProtocol): SinceApplied | undefined {
  const groups = (comparison.protocols ?? [{ ...comparison, protocol: undefined }]).flatMap(({ profiles, protocol }) => {
    const own = profiles.find(({ id }) => id === profileId);
    const before = profiles.find(({ role }) => role === 'baseline');
    return own && before ? [{ own, before, protocol }] : [];
  });
  const reached = reachedBy(profileId, comparison);
  const isReached = ({ protocol = only }: { readonly protocol: ProtocolComparison['protocol'] | undefined }) =>
    reached === undefined || protocol === undefined || protocol === 'unknown' || reached.includes(protocol);
  const [most] = groups.toSorted((a, b) => Number(isReached(b)) - Number(isReached(a)) || b.own.loads - a.own.loads);
  if (most === undefined) return undefined;
  const { own, before, protocol } = most;
  const { ratio, low, high, against } = own.versusBaseline;
  if (ratio === undefined || low === undefined || high === undefined || against !== before.id) return undefined;
  return {
    profileId,
    since,
    change: { gain: ratio - 1, low: low - 1, high: high - 1 },
    loads: own.loads,
    before: before.loads,
    ...(protocol !== undefined && { protocol }),
    ...(!isReached(most) && { isBeyondReach: true }),
  };
}

/** `undefined`: this version does not know the profile. */
function reachedBy(profileId: string, { profiles }: Comparison): readonly LoadProtocol[] | undefined {
  const profile = findProfile(profileId);
  const carrier = profiles.find(({ id }) => id === profileId)?.carrier ?? 'none';
  return profile && reachedProtocols([{ profile, carrier }]);
}
