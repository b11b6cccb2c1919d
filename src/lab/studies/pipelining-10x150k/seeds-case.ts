/** In which scenarios the seed's question is asked, and what every profile came to in all of them together. Pure. */
import { DEFAULT_ALPHA } from '../../../core/compare/thresholds.ts';
import { CONTROL } from '../../../core/profiles/presets.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import type { StudyData, StudyLoad, StudyPage } from '../study.ts';
import { pictureRoundTrips } from './rounds.ts';
import { compareTimes, picturePage, profilesOf, referenceIdOf, type TimesReference, timesOf } from './times.ts';

/** Bytes of a picture in the seed. */
const SEED_PICTURE_BYTES = 150_000;

/** What the line alone needs for all pictures, ms. */
export function lineMs({ recipe }: StudyPage, { downKbps }: LinkSpec): number {
  const { pictures, pictureBytes } = picturePage(recipe);
  return (pictures * pictureBytes * 8) / downKbps;
}

/** Pictures as large as the seed's, over a link on which slow start takes longer than the line: there the windows decide, as in the seed. */
export function isOriginalCase(page: StudyPage, link: LinkSpec): boolean {
  const pictures = picturePage(page.recipe);
  const slowStartMs = pictureRoundTrips(CONTROL, pictures, link.initialWindow) * link.rttMs;
  return pictures.pictureBytes === SEED_PICTURE_BYTES && lineMs(page, link) < slowStartMs;
}

/** Every profile over all scenarios of the seed's case, on cold and on warm connections. */
export interface SeedsCase {
  readonly reference: string;
  readonly cold: readonly ProfileTimes[];
  readonly warm: readonly ProfileTimes[];
  /** Comparisons that share the 5 % of the intervals: all of cold and all of warm connections. */
  readonly comparisons: number;
}

/** A profile's load times over those of the reference. */
export interface ProfileTimes {
  readonly id: string;
  readonly times: TimesReference;
}

/** Empty lists where no scenario of the case was measured. */
export function seedsCase(data: StudyData): SeedsCase {
  const reference = referenceIdOf(data);
  const groups = (['cold', 'warm'] as const).map((connections) => ({ connections, loads: seedsLoads(data, connections) }));
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

function seedsLoads({ pages, links, loads }: StudyData, connections: StudyPage['connections']): readonly StudyLoad[] {
  return loads.filter((load) => {
    const page = pages.find(({ name }) => name === load.page);
    const link = links.find(({ name }) => name === load.link);
    return page !== undefined && link !== undefined && page.connections === connections && isOriginalCase(page, link);
  });
}
