/** The same profile appended and bundled, loads matched by page, link and turn: efficiency, and when rendering is unblocked. Pure. */
import type { Separation } from '../../../core/compare/separation.ts';
import type { Profile } from '../../../core/profiles/profile.ts';
import { counted } from '../../../core/text/figures.ts';
import type { PageRecipe } from '../../pages/page-recipe.ts';
import { changeText } from '../comparisons.ts';
import { comparedWith, figureColumn as figure, type StudyFindings, type StudyTable, tableOf, textColumn as text } from '../findings.ts';
import { groundsOf, loadsEach, type OverPages, overPages, overPagesFigures, ratioText } from '../over-pages.ts';
import type { StudyData, StudyLoad } from '../study.ts';
import { dispatchPictures } from '../table-pictures.ts';

/** The name of the second of a pair: `c4-d6-bundled`. */
export const BUNDLED_SUFFIX = '-bundled';

/** One profile in both modes; all ratios are of appended over bundled. */
interface DispatchPair {
  readonly profile: Profile;
  readonly efficiency: OverPages;
  /** Ratio of the time until the last of what blocks rendering is there; pages of which it is not known are left out. */
  readonly blocking: OverPages;
  /** Ratio of the time until the first contentful paint. */
  readonly paint: OverPages;
  readonly matched: readonly MatchedLoads[];
}

interface MatchedLoads {
  readonly page: string;
  readonly link: string;
  /** ln of efficiency appended over bundled. */
  readonly logEfficiency: number;
  /** ln of the time appended over bundled until the last of what blocks rendering is there; `undefined`: not known. */
  readonly logBlocking: number | undefined;
  /** ln of the first contentful paint, appended over bundled; `undefined`: not known. */
  readonly logPaint: number | undefined;
}

const DISPATCH_SHOWN: Readonly<Record<Separation['finding'], string>> = {
  better: 'appended shown to be better',
  worse: 'bundled shown to be better',
  'no-meaningful-difference': 'shown to differ by less than 3 %',
  undecided: 'neither shown to be better',
};

export function fennec2008DispatchFindings(data: StudyData): StudyFindings {
  const pairs = pairsOf(data);
  if (pairs.length === 0) return { tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: { pairs: [] } };
  const [grounds, each] = [groundsOf(data.loads), loadsEach(data.loads)];
  const shown = pairs.map(({ profile, efficiency }) => `${profile.id} ${ratioText(efficiency)}, ${DISPATCH_SHOWN[efficiency.finding]}`);
  const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name);
  const tables = [
    pairTable(pairs, grounds),
    placeTable(pairs, { of: 'link', names: names(data.links), grounds: `n = ${counted(data.pages.length, 'page')}, ${each}` }),
    placeTable(pairs, { of: 'page', names: names(data.pages), grounds: `n = ${counted(data.links.length, 'link')}, ${each}` }),
  ];
  return {
    tables,
    answer: [
      `Efficiency appended over bundled: ${shown.join('; ')}.`,
      `Geometric means, ${grounds}; intervals are over pages such as these.`,
    ],
    comparisonWithOriginal: comparedWith(data.study, { appended: `${shown.join('; ')} (${grounds})` }),
    pictures: dispatchPictures(tables),
    figures: {
      pairs: pairs.map(({ profile, efficiency, blocking, paint, matched }) => ({
        profileId: profile.id,
        ...overPagesFigures(efficiency),
        timeUntilUnblocked: overPagesFigures(blocking),
        timeUntilFirstPaint: overPagesFigures(paint),
        scenarios: matched.map(({ page, link, logEfficiency }) => ({ page, link, ratio: Math.exp(logEfficiency) })),
      })),
    },
  };
}

/** @param grounds - What the figures rest on, in words. */
function pairTable(pairs: readonly DispatchPair[], grounds: string): StudyTable {
  /** With the number of pages where it is not known of all. */
  const time = (over: OverPages, { pages }: OverPages) =>
    over.ratio === undefined
      ? undefined
      : `${ratioText(over)}${over.pages.length < pages.length ? `, ${counted(over.pages.length, 'page')}` : ''}`;
  const together = pairs.length === 1 ? '' : `, for all ${pairs.length} profiles of a column together`;
  return tableOf(`Appended against bundled: geometric means, ${grounds}; 95 % intervals over pages${together}`, pairs, [
    text('profile', ({ profile }) => profile.id),
    text('efficiency', ({ efficiency }) => ratioText(efficiency)),
    figure('ahead in', ({ efficiency }) => `${efficiency.scenariosAhead} of ${efficiency.scenarios}`),
    text('finding', ({ efficiency }) => DISPATCH_SHOWN[efficiency.finding]),
    text('time until nothing blocks rendering', ({ blocking, efficiency }) => time(blocking, efficiency)),
    text('time until the first paint', ({ paint, efficiency }) => time(paint, efficiency)),
  ]);
}

interface Places {
  readonly of: 'link' | 'page';
  readonly names: readonly string[];
  /** What a figure is the mean of: `n = 7 pages, one load each`. */
  readonly grounds: string;
}

/** A row per link or page, a column per profile that was dispatched both ways. */
function placeTable(pairs: readonly DispatchPair[], { of, names, grounds }: Places): StudyTable {
  const ratioAt = ({ matched }: DispatchPair, name: string) => {
    const there = matched.filter((each) => each[of] === name);
    return overPages(
      there.map(({ page, link, logEfficiency }) => ({ page, link, log: logEfficiency })),
      1,
    ).ratio;
  };
  return tableOf(`Efficiency appended against bundled, ${of} by ${of}: geometric means (${grounds}), not tested`, names, [
    text(of, (name) => name),
    ...pairs.map((pair) => figure<string>(pair.profile.id, (name) => changeText(ratioAt(pair, name)))),
  ]);
}

/** The pairs that have loads of both; the intervals of one measure hold together for all of them. */
function pairsOf(data: StudyData): readonly DispatchPair[] {
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

/** Style sheets and scripts of the head. Firefox does not report which blocked (Resource Timing's `renderBlockingStatus`); the recipe knows. */
const blockingNames = ({ resources }: PageRecipe): readonly string[] =>
  resources.filter(({ kind, from }) => from === 'head' && (kind === 'stylesheet' || kind === 'script')).map(({ name }) => name);

/** `undefined`: nothing blocks, or it is not known of one when it was there. */
function blockingEndMs(load: StudyLoad | undefined, names: readonly string[]): number | undefined {
  const ends = names.flatMap((name) => load?.requests?.find((request) => request.name === name)?.responseEnd ?? []);
  return names.length === 0 || ends.length < names.length ? undefined : Math.max(...ends);
}

const logRatio = (own: number | undefined, other: number | undefined): number | undefined =>
  own !== undefined && other !== undefined && own > 0 && other > 0 ? Math.log(own / other) : undefined;
