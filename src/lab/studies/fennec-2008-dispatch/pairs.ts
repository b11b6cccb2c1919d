/** The same profile appended and bundled, loads matched by page, link and turn: efficiency, and when rendering is unblocked. Pure. */
import type { Profile } from '../../../core/profiles/profile.ts';
import type { PageRecipe } from '../../pages/page-recipe.ts';
import { type OverPages, overPages } from '../fennec-2008/intervals.ts';
import type { StudyData, StudyLoad } from '../study.ts';

/** What the second of a pair is called: `c4-d6-bundled`. */
export const BUNDLED_SUFFIX = '-bundled';

/** One profile in both modes; all ratios are of appended over bundled. */
export interface DispatchPair {
  readonly profile: Profile;
  readonly efficiency: OverPages;
  /** Of the time until the last of what blocks rendering is there; without the pages of which it is not known. */
  readonly blocking: OverPages;
  /** Of the time until the first contentful paint. */
  readonly paint: OverPages;
  /** Of every page over every link that has both. */
  readonly matched: readonly MatchedLoads[];
}

export interface MatchedLoads {
  readonly page: string;
  readonly link: string;
  /** ln of efficiency appended over bundled. */
  readonly logEfficiency: number;
  /** ln of the time appended over bundled until the last of what blocks rendering is there; `undefined`: not known. */
  readonly logBlocking: number | undefined;
  /** The same of the first contentful paint. */
  readonly logPaint: number | undefined;
}

/** Those of which both have loads; the intervals of one measure hold together for all of them. */
export function pairsOf(data: StudyData): readonly DispatchPair[] {
  const { profiles } = data.study;
  const both = profiles.flatMap((profile) => {
    const bundled = profiles.find(({ id }) => id === `${profile.id}${BUNDLED_SUFFIX}`);
    const matched = bundled === undefined ? [] : matchedLoads(data, { appended: profile.id, bundled: bundled.id });
    return matched.length > 0 ? [{ profile, matched }] : [];
  });
  return both.map(({ profile, matched }) => {
    const over = (logOf: (each: MatchedLoads) => number | undefined) =>
      overPages(
        matched.flatMap((each) => {
          const log = logOf(each);
          return log === undefined ? [] : [{ page: each.page, link: each.link, log }];
        }),
        both.length,
      );
    return {
      profile,
      matched,
      efficiency: over(({ logEfficiency }) => logEfficiency),
      blocking: over(({ logBlocking }) => logBlocking),
      paint: over(({ logPaint }) => logPaint),
    };
  });
}

function matchedLoads({ loads, pages }: StudyData, ids: { readonly appended: string; readonly bundled: string }): readonly MatchedLoads[] {
  const blockingOf = new Map(pages.map(({ name, recipe }) => [name, blockingNames(recipe)]));
  return loads
    .filter(({ profileId }) => profileId === ids.appended)
    .flatMap((own) => {
      const { page, link, block } = own;
      const other = loads.find(
        (each) => each.profileId === ids.bundled && each.page === page && each.link === link && each.block === block,
      );
      // The ideal is the same for both, so the ratio of efficiencies is that of the load times turned over.
      const logEfficiency = logRatio(other?.measures?.loadTimeMs, own.measures?.loadTimeMs);
      if (logEfficiency === undefined) return [];
      const names = blockingOf.get(page) ?? [];
      const logBlocking = logRatio(blockingEndMs(own, names), blockingEndMs(other, names));
      const logPaint = logRatio(own.measures?.firstContentfulPaintMs, other?.measures?.firstContentfulPaintMs);
      return [{ page, link, logEfficiency, logBlocking, logPaint }];
    });
}

/** Style sheets and scripts of the head. Firefox does not tell which blocked (Resource Timing's `renderBlockingStatus`); the recipe does. */
const blockingNames = ({ resources }: PageRecipe): readonly string[] =>
  resources.filter(({ kind, from }) => from === 'head' && (kind === 'stylesheet' || kind === 'script')).map(({ name }) => name);

/** `undefined`: nothing blocks, or it is not known of one when it was there. */
function blockingEndMs(load: StudyLoad | undefined, names: readonly string[]): number | undefined {
  const ends = names.flatMap((name) => load?.requests?.find((request) => request.name === name)?.responseEnd ?? []);
  return names.length === 0 || ends.length < names.length ? undefined : Math.max(...ends);
}

const logRatio = (own: number | undefined, other: number | undefined): number | undefined =>
  own !== undefined && other !== undefined && own > 0 && other > 0 ? Math.log(own / other) : undefined;
