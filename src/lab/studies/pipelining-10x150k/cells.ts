/** The loads of the ten pictures by page, link and profile: times, waiting for the first byte, and the verdict on each profile. Pure. */
import type { ProfileComparison } from '../../../core/compare/comparison.ts';
import type { Profile } from '../../../core/profiles/profile.ts';
import { median } from '../../../core/stats/quantile.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import type { PageRecipe } from '../../pages/page-recipe.ts';
import type { StudyData, StudyLoad, StudyPage } from '../study.ts';
import { pictureRoundTrips } from './rounds.ts';
import { compareTimes, picturePage, profilesOf, referenceIdOf, type TimesReference, timesOf } from './times.ts';

export interface PictureCell {
  readonly page: StudyPage;
  readonly link: LinkSpec;
  readonly profile: Profile;
  readonly loads: readonly StudyLoad[];
  /** Medians over the loads. */
  readonly loadTimeMs: number;
  /** From the first picture asked for to the last byte of the last. */
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
export interface PictureWaits {
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

/** That of the reference of the same page and link; `undefined`: it was not loaded there. */
export const referenceCell = ({ page, link }: PictureCell, cells: readonly PictureCell[], reference: string): PictureCell | undefined =>
  cells.find((cell) => cell.page === page && cell.link === link && cell.profile.id === reference);
