/** What appending and bundling make of the same profile: ratios with intervals, where which is better, and what blocks rendering. Pure. */
import type { VersusBaseline } from '../../core/compare/comparison.ts';
import { percent, rangeInWords, signedPercent } from '../../core/compare/plain-words.ts';
import { DEFAULT_ALPHA } from '../../core/compare/thresholds.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { UNKNOWN } from '../../core/report/figure-text.ts';
import { mean } from '../../core/stats/mean.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import { compareOverPages } from './fennec-2008-intervals.ts';
import { comparedProfile } from './fennec-2008-scenarios.ts';
import type { StudyFindings, StudyTable } from './study-findings.ts';
import type { StudyData, StudyLoad } from './study-load.ts';

/** What the second of a pair is called: `c4-d6-bundled`. */
export const BUNDLED_SUFFIX = '-bundled';

/** One profile in both modes. */
interface DispatchPair {
  readonly profile: Profile;
  /** Efficiency appended over bundled. */
  readonly versus: VersusBaseline;
  /** Of every page over every link that has both. */
  readonly matched: readonly MatchedLoads[];
}

interface MatchedLoads {
  readonly page: string;
  readonly link: string;
  /** ln of efficiency appended over bundled. */
  readonly logEfficiency: number;
  /** ln of the time appended over bundled until the last of what blocks rendering is there; `undefined`: not known. */
  readonly logBlocking: number | undefined;
  /** The same of the first contentful paint. */
  readonly logPaint: number | undefined;
}

export function fennec2008DispatchFindings(data: StudyData): StudyFindings {
  const pairs = pairsOf(data);
  if (pairs.length === 0) return { tables: [], answer: [], besides: [], pictures: [], figures: { pairs: [] } };
  const places = (of: 'link' | 'page') => (of === 'link' ? data.links : data.pages).map(({ name }) => name);
  return {
    tables: [
      pairTable(pairs),
      placeTable(pairs, { of: 'link', names: places('link') }),
      placeTable(pairs, { of: 'page', names: places('page') }),
    ],
    answer: answerOf(pairs, { links: places('link'), pages: places('page') }),
    besides: [
      {
        what: 'requests appended to active connections, against bundles onto freed ones',
        seed: '"significant", not measured',
        ours: pairs.map(({ profile, versus }) => `${profile.id} ${ratioText(versus)}`).join(', '),
        why: 'the memo had no patch to measure; the bundles here are those of our gateway, not of the Firefox of then, and the depth is per connection',
      },
    ],
    pictures: [],
    figures: { pairs: pairs.map(pairFigures) },
  };
}

/** Those of which both have loads; the intervals hold together for all of them. */
function pairsOf(data: StudyData): readonly DispatchPair[] {
  const { profiles } = data.study;
  const measured = new Set(data.loads.map(({ profileId }) => profileId));
  const both = profiles.flatMap((profile) => {
    const bundled = profiles.find(({ id }) => id === `${profile.id}${BUNDLED_SUFFIX}`);
    return bundled !== undefined && measured.has(profile.id) && measured.has(bundled.id) ? [{ profile, bundled }] : [];
  });
  return both.flatMap(({ profile, bundled }) => {
    const { profiles: compared } = compareOverPages(data, {
      baseline: bundled.id,
      profiles: [bundled, profile].map((each) => comparedProfile(each, bundled.id)),
      alpha: DEFAULT_ALPHA / both.length,
    });
    const versus = compared.find(({ id }) => id === profile.id)?.versusBaseline;
    const matched = matchedLoads(data, { appended: profile.id, bundled: bundled.id });
    return versus === undefined || matched.length === 0 ? [] : [{ profile, versus, matched }];
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
      const logEfficiency = logRatio(own.measures?.efficiency, other?.measures?.efficiency);
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

/** Geometric mean, as a change; `undefined`: there is none. */
function meanChange(logs: readonly (number | undefined)[]): number | undefined {
  const known = logs.filter((log) => log !== undefined);
  return known.length === 0 ? undefined : Math.expm1(mean(known));
}

const changeText = (share: number | undefined): string => (share === undefined ? UNKNOWN : signedPercent(share));

function ratioText({ ratio, low, high }: VersusBaseline): string {
  if (ratio === undefined) return UNKNOWN;
  const range = low === undefined || high === undefined ? '' : ` (${rangeInWords(low, high)})`;
  return `${signedPercent(ratio - 1)}${range}`;
}

const FINDINGS: Readonly<Record<VersusBaseline['verdict'], string>> = {
  better: 'appended is better',
  worse: 'bundled is better',
  'no-meaningful-difference': 'no meaningful difference',
  'need-more-loads': 'not decided',
  baseline: UNKNOWN,
  'no-verdict': 'no verdict',
};

function pairTable(pairs: readonly DispatchPair[]): StudyTable {
  return {
    title:
      'Efficiency appended against bundled, with 95 % intervals over pages that hold together; when nothing blocks rendering any more, and the first contentful paint',
    columns: [
      { name: 'profile', align: 'left' },
      { name: 'efficiency', align: 'left' },
      { name: 'ahead in', align: 'right' },
      { name: 'verdict', align: 'left' },
      { name: 'rendering unblocked', align: 'right' },
      { name: 'first paint', align: 'right' },
    ],
    rows: pairs.map(({ profile, versus, matched }) => [
      profile.id,
      ratioText(versus),
      `${versus.pairsAhead} of ${versus.pairs}`,
      FINDINGS[versus.verdict],
      laterOrEarlier(meanChange(matched.map(({ logBlocking }) => logBlocking))),
      laterOrEarlier(meanChange(matched.map(({ logPaint }) => logPaint))),
    ]),
  };
}

function laterOrEarlier(share: number | undefined): string {
  if (share === undefined) return UNKNOWN;
  const text = percent(Math.abs(share));
  return text === percent(0) ? 'as early' : `${text} ${share > 0 ? 'later' : 'earlier'}`;
}

interface Places {
  readonly of: 'link' | 'page';
  readonly names: readonly string[];
}

const changeAt = ({ matched }: DispatchPair, { of, name }: { readonly of: 'link' | 'page'; readonly name: string }): number | undefined =>
  meanChange(matched.filter((each) => each[of] === name).map(({ logEfficiency }) => logEfficiency));

function placeTable(pairs: readonly DispatchPair[], { of, names }: Places): StudyTable {
  return {
    title: `Efficiency appended against bundled, ${of} by ${of}`,
    columns: [{ name: of, align: 'left' }, ...pairs.map(({ profile }) => ({ name: profile.id, align: 'right' as const }))],
    rows: names.map((name) => [name, ...pairs.map((pair) => changeText(changeAt(pair, { of, name })))]),
  };
}

function answerOf(
  pairs: readonly DispatchPair[],
  { links, pages }: { readonly links: readonly string[]; readonly pages: readonly string[] },
) {
  return pairs.flatMap((pair) => {
    const { profile, versus } = pair;
    if (versus.ratio === undefined) return [];
    const words = `${profile.id}, appended against bundled: ${ratioText(versus)} efficiency, ahead in ${versus.pairsAhead} of ${versus.pairs}; ${FINDINGS[versus.verdict]}.`;
    const [link, page] = [mostAt(pair, { of: 'link', names: links }), mostAt(pair, { of: 'page', names: pages })];
    return [`${words}${link === undefined || page === undefined ? '' : ` It matters most over ${link}, and on ${page}.`}`];
  });
}

/** Where the two differ most, with the difference; `undefined` where there is no choice. */
function mostAt(pair: DispatchPair, { of, names }: Places): string | undefined {
  const known = names.flatMap((name) => {
    const change = changeAt(pair, { of, name });
    return change === undefined ? [] : [{ name, change }];
  });
  const [most] = known.sort((a, b) => Math.abs(Math.log1p(b.change)) - Math.abs(Math.log1p(a.change)));
  return most === undefined || known.length < 2 ? undefined : `${most.name} (${signedPercent(most.change)})`;
}

function pairFigures({ profile, versus, matched }: DispatchPair) {
  const { ratio, low, high, pairs, pairsAhead, verdict } = versus;
  return {
    profileId: profile.id,
    ratio,
    low,
    high,
    pairs,
    pairsAhead,
    verdict,
    renderBlockingChange: meanChange(matched.map(({ logBlocking }) => logBlocking)),
    firstPaintChange: meanChange(matched.map(({ logPaint }) => logPaint)),
    scenarios: matched.map(({ page, link, logEfficiency }) => ({ page, link, ratio: Math.exp(logEfficiency) })),
  };
}
