/** Load times against those without pipelining, in pairs of loads of the same turn. Pure. */

import { type CompareOptions, compareProfiles } from '../../../core/compare/compare-profiles.ts';
import type { ComparedProfile } from '../../../core/compare/compared-profile.ts';
import type { ComparableLoad, Comparison, ProfileComparison } from '../../../core/compare/comparison.ts';
import { carrierFor } from '../../../core/profiles/carrier-for.ts';
import { CONTROL, CONTROL_ID } from '../../../core/profiles/presets.ts';
import type { Profile } from '../../../core/profiles/profile.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { counted } from '../../../core/text/figures.ts';
import type { PageRecipe } from '../../pages/page-recipe.ts';
import type { Study, StudyData, StudyLoad } from '../study.ts';
import type { PicturePage } from './rounds.ts';

/** One for the whole study: what goes through the gateway is compared with the gateway. Without loads of it, with the baseline. */
export const referenceIdOf = ({ study, loads }: Pick<StudyData, 'study' | 'loads'>): string =>
  loads.some(({ profileId }) => profileId === CONTROL_ID) ? CONTROL_ID : study.baseline;

/** What it is, where it is named first. */
export const referenceWords = (id: string): string =>
  id === CONTROL_ID
    ? `${id}, the gateway with 6 connections and no pipelining`
    : `${id}, 6 connections without pipelining and without the gateway`;

/** Of a recipe whose resources are all pictures of one size. */
export const picturePage = ({ resources }: PageRecipe): PicturePage => ({
  pictures: resources.length,
  pictureBytes: resources[0]?.bytes ?? 0,
});

/** The study's own, and the control where it was loaded. */
export function profilesOf({ profiles }: Study, loads: readonly StudyLoad[]): readonly Profile[] {
  const loaded = new Set(loads.map(({ profileId }) => profileId));
  return [...profiles.filter(({ id }) => id !== CONTROL_ID), CONTROL].filter(({ id }) => loaded.has(id));
}

/**
 * Of load times: a ratio above 1 is of a page that was quicker than with the reference. The number of loads is fixed before the first, and
 * they are looked at once.
 */
export function compareTimes(
  loads: readonly StudyLoad[],
  {
    profiles,
    reference,
    ...options
  }: { readonly profiles: readonly Profile[]; readonly reference: string } & Pick<CompareOptions, 'alpha'>,
): Comparison {
  const others = profiles.filter(({ id }) => id !== reference).map((profile) => comparedProfile(profile, 'candidate'));
  const base = profiles.find(({ id }) => id === reference);
  const compared = [base === undefined ? missing(reference) : comparedProfile(base, 'baseline'), ...others];
  return compareProfiles(comparableLoads(loads).map(speedOf), { ...options, baseline: reference, profiles: compared, looks: 'once' });
}

const comparedProfile = (profile: Profile, role: ComparedProfile['role']): ComparedProfile => ({
  ...{ id: profile.id, connections: profile.connections, depth: profile.depth, role },
  carrier: carrierFor(profile, { gateway: true }),
});

/** The reference has no load here: then nothing is compared. */
const missing = (id: string): ComparedProfile => ({ id, connections: undefined, depth: 1, role: 'baseline', carrier: 'none' });

/** Of what is compared more is better: loads per ms. Only its ratios are used. */
const speedOf = (load: ComparableLoad): ComparableLoad => ({
  ...load,
  efficiency: load.loadTimeMs === undefined ? undefined : 1 / load.loadTimeMs,
});

/** Load time over the reference's, geometric mean over pairs of the same page, link and turn. */
export interface TimesReference {
  readonly ratio: number;
  /** Bounds of the interval; absent: too few loads. */
  readonly bounds?: { readonly low: number; readonly high: number };
  readonly pairs: number;
  /** Why the figures decide nothing; absent: nothing is wrong with them. */
  readonly fault?: string;
}

/** `undefined`: it is the reference, or there is no pair. */
export function timesOf({ versusBaseline }: ProfileComparison): TimesReference | undefined {
  const { ratio, low, high, pairs, verdict, reason } = versusBaseline;
  if (verdict === 'baseline' || ratio === undefined) return undefined;
  return {
    ratio: 1 / ratio,
    ...(low !== undefined && high !== undefined && { bounds: { low: 1 / high, high: 1 / low } }),
    pairs,
    ...(verdict === 'no-verdict' && { fault: reason }),
  };
}

/** `1.53 (1.49 to 1.57; 10 pairs)`. */
export function timesText({ ratio, bounds, pairs }: TimesReference): string {
  const interval = bounds === undefined ? 'no interval' : `${bounds.low.toFixed(2)} to ${bounds.high.toFixed(2)}`;
  return `${ratio.toFixed(2)} (${interval}; ${counted(pairs, 'pair')})`;
}
