/** The loads of the ten pictures by page, link and profile: times, waiting for the first byte, and the verdict on each profile. Pure. */
import { compareProfiles } from '../../core/compare/compare-profiles.ts';
import type { ComparedProfile } from '../../core/compare/compared-profile.ts';
import type { Comparison, ProfileComparison } from '../../core/compare/comparison.ts';
import { carrierFor } from '../../core/profiles/carrier-for.ts';
import { CONTROL, CONTROL_ID } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { comparableLoads } from '../../core/report/comparable-loads.ts';
import { median } from '../../core/stats/median.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import { type PicturePage, pictureRoundTrips } from './pipelining-10x150k-rounds.ts';
import type { StudyPage } from './study.ts';
import type { StudyData, StudyLoad } from './study-load.ts';

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
  readonly compared: ProfileComparison;
}

export interface PictureWaits {
  readonly medianMs: number;
  readonly longestMs: number;
}

/** In the order of pages, links and profiles, the control of the gateway last; what has no load is left out. */
export function pictureCells(data: StudyData): readonly PictureCell[] {
  return data.pages.flatMap((page) => data.links.flatMap((link) => scenarioCells(data, page, link)));
}

function scenarioCells({ study, loads }: StudyData, page: StudyPage, link: LinkSpec): readonly PictureCell[] {
  const own = loads.filter((load) => load.page === page.name && load.link === link.name);
  const profiles = [...study.profiles.filter(({ id }) => id !== CONTROL_ID), CONTROL];
  const present = profiles.filter(({ id }) => own.some(({ profileId }) => profileId === id));
  if (!present.some(({ id }) => id === study.baseline)) return [];
  const compared = present.map((profile) => comparedProfile(profile, study.baseline));
  // The number of loads is fixed before the first, and they are looked at once.
  const comparison = compareProfiles(comparableLoads(own), { baseline: study.baseline, profiles: compared, looks: 'once' });
  return present.flatMap((profile) => {
    const versus = comparison.profiles.find(({ id }) => id === profile.id);
    const its = own.filter(({ profileId }) => profileId === profile.id);
    const loadTimeMs = median(its.flatMap(({ measures }) => measures?.loadTimeMs ?? []));
    if (versus === undefined || loadTimeMs === undefined) return [];
    return [
      {
        ...{ page, link, profile, loads: its, loadTimeMs, compared: versus },
        picturesMs: median(its.flatMap((load) => picturesMs(load) ?? [])),
        waits: waitsOf(its, link, page.recipe),
        roundTrips: pictureRoundTrips(profile, picturePage(page.recipe), link.initialWindow),
      },
    ];
  });
}

/** All pages and links of one kind of connections together; `undefined`: the baseline was not loaded on them. */
export function overallComparison({ study, pages, loads }: StudyData, connections: StudyPage['connections']): Comparison | undefined {
  const names = new Set(pages.filter((page) => page.connections === connections).map(({ name }) => name));
  const own = loads.filter(({ page }) => names.has(page));
  const profiles = [...study.profiles.filter(({ id }) => id !== CONTROL_ID), CONTROL].filter(({ id }) =>
    own.some(({ profileId }) => profileId === id),
  );
  if (!profiles.some(({ id }) => id === study.baseline)) return undefined;
  const compared = profiles.map((profile) => comparedProfile(profile, study.baseline));
  return compareProfiles(comparableLoads(own), { baseline: study.baseline, profiles: compared, looks: 'once' });
}

const comparedProfile = (profile: Profile, baseline: string): ComparedProfile => ({
  ...{ id: profile.id, connections: profile.connections, depth: profile.depth },
  carrier: carrierFor(profile, { gateway: true }),
  role: profile.id === baseline ? 'baseline' : profile.id === CONTROL_ID ? 'control' : 'candidate',
});

export const picturePage = ({ resources }: PageRecipe): PicturePage => ({
  pictures: resources.length,
  pictureBytes: resources[0]?.bytes ?? 0,
});

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

/** What a profile is compared with: the control, where it goes through the gateway and the control was measured, else the baseline. */
export function referenceOf(cell: PictureCell, cells: readonly PictureCell[], baseline: string): PictureCell | undefined {
  const same = cells.filter(({ page, link }) => page === cell.page && link === cell.link);
  const control = cell.compared.carrier === 'gateway' ? same.find(({ profile }) => profile.id === CONTROL_ID) : undefined;
  return control ?? same.find(({ profile }) => profile.id === baseline);
}

/** Load time over that of its reference; `undefined`: it is its own, or there is none. */
export function timeRatio(cell: PictureCell, cells: readonly PictureCell[], baseline: string): number | undefined {
  const reference = referenceOf(cell, cells, baseline);
  return reference === undefined || reference === cell ? undefined : cell.loadTimeMs / reference.loadTimeMs;
}
