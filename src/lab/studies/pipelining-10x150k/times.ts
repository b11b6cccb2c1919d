/** Load times against those without pipelining, in pairs of loads of the same turn: in the original's case, and by page, link and profile. Pure. */

import type { CompareOptions } from '../../../core/compare/compare-options.ts';
import type { ComparableLoad, ComparedProfile, Comparison, ProfileComparison } from '../../../core/compare/comparison.ts';
import { DEFAULT_ALPHA } from '../../../core/compare/thresholds.ts';
import { CONTROL, CONTROL_ID } from '../../../core/profiles/presets.ts';
import type { Profile } from '../../../core/profiles/profile.ts';
import { SHIPPED } from '../../../core/profiles/shipped.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { median } from '../../../core/stats/quantile.ts';
import { INITIAL_WINDOW } from '../../../core/tcp-constants.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import type { PageRecipe } from '../../pages/page-recipe.ts';
import { comparedProfile, compareOnce } from '../comparisons.ts';
import type { Study, StudyData, StudyLoad, StudyPage } from '../study.ts';

/** One for the whole study: what goes through the gateway is compared with the gateway. Without loads of it, with the baseline. */
const referenceIdOf = ({ study, loads }: Pick<StudyData, 'study' | 'loads'>): string =>
  loads.some(({ profileId }) => profileId === CONTROL_ID) ? CONTROL_ID : study.baseline;

/** The resources of the recipe must all be pictures of one size. */
export const picturePage = ({ resources }: PageRecipe): PicturePage => ({
  pictures: resources.length,
  pictureBytes: resources[0]?.bytes ?? 0,
});

/** The study's own, and the control where it was loaded. */
export function profilesOf({ profiles }: Study, loads: readonly StudyLoad[]): readonly Profile[] {
  const loaded = new Set(loads.map(({ profileId }) => profileId));
  return [...profiles.filter(({ id }) => id !== CONTROL_ID), CONTROL].filter(({ id }) => loaded.has(id));
}

/** Compares load times: a ratio above 1 says that a page was quicker than with the reference. */
function compareTimes(
  loads: readonly StudyLoad[],
  {
    profiles,
    reference,
    ...options
  }: { readonly profiles: readonly Profile[]; readonly reference: string } & Pick<CompareOptions, 'alpha'>,
): Comparison {
  const others = profiles.filter(({ id }) => id !== reference).map((profile) => comparedProfile(profile, reference));
  const base = profiles.find(({ id }) => id === reference);
  const compared = [base === undefined ? missing(reference) : comparedProfile(base, reference), ...others];
  return compareOnce(comparableLoads(loads).map(speedOf), { ...options, baseline: reference, profiles: compared });
}

/** The reference has no load here: then nothing is compared. */
const missing = (id: string): ComparedProfile => ({ id, connections: undefined, depth: 1, role: 'baseline', carrier: 'none' });

/** More is better in a comparison, so it takes loads per ms. Only their ratios are used. */
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

const ORIGINAL_PICTURE_BYTES = 150_000;

/** The time that the link by itself needs for all pictures, ms. */
function lineMs({ recipe }: StudyPage, { downKbps }: LinkSpec): number {
  const { pictures, pictureBytes } = picturePage(recipe);
  return (pictures * pictureBytes * 8) / downKbps;
}

/** Pictures as large as the original's, over a link on which slow start takes longer than the line: there the windows decide, as in the original. */
export function isOriginalCase(page: StudyPage, link: LinkSpec): boolean {
  const pictures = picturePage(page.recipe);
  const slowStartMs = pictureRoundTrips(CONTROL, pictures, link.initialWindow) * link.rttMs;
  return pictures.pictureBytes === ORIGINAL_PICTURE_BYTES && lineMs(page, link) < slowStartMs;
}

/** Every profile over all scenarios of the original's case, on cold and on warm connections. */
export interface OriginalCase {
  readonly reference: string;
  readonly cold: readonly ProfileTimes[];
  readonly warm: readonly ProfileTimes[];
  /** Comparisons that share the 5 % of the intervals: all of cold and all of warm connections. */
  readonly comparisons: number;
}

/** A profile's load times over those of the reference. */
interface ProfileTimes {
  readonly id: string;
  readonly times: TimesReference;
}

/** Empty lists where no scenario of the case was measured. */
export function originalCase(data: StudyData): OriginalCase {
  const reference = referenceIdOf(data);
  const groups = (['cold', 'warm'] as const).map((connections) => ({ connections, loads: originalLoads(data, connections) }));
  const measured = groups.filter(({ loads }) => loads.length > 0);
  const compared = measured.map(({ connections, loads }) => {
    const terms = { profiles: profilesOf(data.study, loads), reference, alpha: DEFAULT_ALPHA / measured.length };
    return { connections, comparison: compareTimes(loads, terms) };
  });
  const timesOn = (connections: StudyPage['connections']): readonly ProfileTimes[] =>
    compared
      .filter((each) => each.connections === connections)
      .flatMap(({ comparison }) => comparison.profiles)
      .flatMap((profile) => {
        const times = timesOf(profile);
        return times === undefined ? [] : [{ id: profile.id, times }];
      });
  return {
    reference,
    cold: timesOn('cold'),
    warm: timesOn('warm'),
    comparisons: compared.reduce((sum, { comparison }) => sum + comparison.method.intervals, 0),
  };
}

function originalLoads({ pages, links, loads }: StudyData, connections: StudyPage['connections']): readonly StudyLoad[] {
  return loads.filter((load) => {
    const page = pages.find(({ name }) => name === load.page);
    const link = links.find(({ name }) => name === load.link);
    return page !== undefined && link !== undefined && page.connections === connections && isOriginalCase(page, link);
  });
}

export interface PictureCell {
  readonly page: StudyPage;
  readonly link: LinkSpec;
  readonly profile: Profile;
  readonly loads: readonly StudyLoad[];
  /** Medians over the loads. */
  readonly loadTimeMs: number;
  /** From the first picture requested to the last byte of the last. */
  readonly picturesMs: number | undefined;
  readonly waits: PictureWaits | undefined;
  /** Round trips until all pictures are sent, by arithmetic for cold connections. */
  readonly roundTrips: number;
  /** Its load times against the reference's, of this page over this link. */
  readonly compared: ProfileComparison;
  /** Absent: it is the reference, or there is no pair of loads. */
  readonly times?: TimesReference;
  /** Comparisons of this page and link that share the 5 % of the intervals. */
  readonly comparisons: number;
}

/** Medians over the loads: of the middle wait of a load for a first byte, and of its longest. */
interface PictureWaits {
  readonly medianMs: number;
  readonly longestMs: number;
}

/** In the order of pages, links and profiles, the control of the gateway last; what has no load is left out. */
export function pictureCells(data: StudyData): readonly PictureCell[] {
  return data.pages.flatMap((page) => data.links.flatMap((link) => scenarioCells(data, page, link)));
}

function scenarioCells(data: StudyData, page: StudyPage, link: LinkSpec): readonly PictureCell[] {
  const own = data.loads.filter((load) => load.page === page.name && load.link === link.name);
  const profiles = profilesOf(data.study, own);
  if (profiles.length === 0) return [];
  const comparison = compareTimes(own, { profiles, reference: referenceIdOf(data) });
  return profiles.flatMap((profile) => {
    const compared = comparison.profiles.find(({ id }) => id === profile.id);
    const its = own.filter(({ profileId }) => profileId === profile.id);
    const loadTimeMs = median(its.flatMap(({ measures }) => measures?.loadTimeMs ?? []));
    if (compared === undefined || loadTimeMs === undefined) return [];
    const times = timesOf(compared);
    return [
      {
        ...{ page, link, profile, loads: its, loadTimeMs, compared, comparisons: comparison.method.intervals },
        ...(times && { times }),
        picturesMs: median(its.flatMap((load) => picturesMs(load) ?? [])),
        waits: waitsOf(its, link, page.recipe),
        roundTrips: pictureRoundTrips(profile, picturePage(page.recipe), link.initialWindow),
      },
    ];
  });
}

const picturesOf = ({ requests = [] }: StudyLoad) => requests.slice(1);

function picturesMs(load: StudyLoad): number | undefined {
  const pictures = picturesOf(load);
  if (pictures.length === 0) return undefined;
  return Math.max(...pictures.map(({ responseEnd }) => responseEnd)) - Math.min(...pictures.map(({ fetchStart }) => fetchStart));
}

/** Until the first byte, less the round trip and the server's time that any request needs: for a connection, or behind other pictures. */
export function firstByteWaits(load: StudyLoad, { rttMs }: Pick<LinkSpec, 'rttMs'>, recipe: PageRecipe): readonly number[] {
  return picturesOf(load).flatMap(({ name, fetchStart, responseStart }) => {
    const serverMs = recipe.resources.find((resource) => resource.name === name)?.serverMs ?? 0;
    return responseStart === undefined ? [] : [Math.max(0, responseStart - fetchStart - rttMs - serverMs)];
  });
}

function waitsOf(loads: readonly StudyLoad[], link: LinkSpec, recipe: PageRecipe): PictureWaits | undefined {
  const waits = loads.map((load) => firstByteWaits(load, link, recipe)).filter((of) => of.length > 0);
  const medianMs = median(waits.map((of) => median(of) ?? 0));
  const longestMs = median(waits.map((of) => Math.max(...of)));
  return medianMs === undefined || longestMs === undefined ? undefined : { medianMs, longestMs };
}

/** An Ethernet packet of 1,500 bytes, without headers and timestamps. */
const SEGMENT_BYTES = 1448;

/** All pictures are of one size. */
interface PicturePage {
  readonly pictures: number;
  /** Body of each. */
  readonly pictureBytes: number;
}

/**
 * Pictures on a connection in the bundles in which they are requested: each bundle is requested when the one before it is complete. A depth of 1
 * asks one by one; what is appended is requested ahead of the answers, so it is one bundle; what is bundled goes as a whole onto the first
 * connection that has answered its first picture, which is the document's: it is established already.
 */
export interface Bundles {
  /** On the document's connection. */
  readonly first: readonly number[];
  /** On the fullest of the others, which have a handshake before them; empty: there are none. */
  readonly other: readonly number[];
}

type Numbers = Pick<Profile, 'connections' | 'depth' | 'dispatch'>;

/** @param pictures - On the page, all on one server. */
export function bundlesOf({ connections = SHIPPED.perServer, depth, dispatch }: Numbers, pictures: number): Bundles {
  if (dispatch === 'bundled') {
    const left = pictures - Math.min(pictures, connections);
    return { first: left === 0 ? [1] : [1, Math.min(depth, left)], other: connections > 1 ? [1] : [] };
  }
  const each = Math.ceil(pictures / connections);
  const bundles = depth === 1 ? Array.from({ length: each }, () => 1) : [each];
  return { first: bundles, other: connections > 1 ? bundles : [] };
}

/**
 * Round trips until all pictures are sent over cold connections: those of slow start, in which the window doubles and goes on from where the
 * bundle before left it, and one for the handshake of every connection but the document's. Without loss, on a link that is never full.
 */
export function pictureRoundTrips(profile: Numbers, page: PicturePage, initialWindow: number = INITIAL_WINDOW): number {
  const segments = Math.ceil(page.pictureBytes / SEGMENT_BYTES);
  const { first, other } = bundlesOf(profile, page.pictures);
  const rounds = (bundles: readonly number[]) =>
    slowStartRounds(
      bundles.map((pictures) => pictures * segments),
      initialWindow,
    );
  return Math.max(rounds(first), other.length === 0 ? 0 : 1 + rounds(other));
}

function slowStartRounds(bundles: readonly number[], initialWindow: number): number {
  let window = initialWindow;
  let rounds = 0;
  for (const segments of bundles) {
    for (let left = segments; left > 0; left -= window / 2) {
      rounds += 1;
      window *= 2;
    }
  }
  return rounds;
}
