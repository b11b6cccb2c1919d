/** The tables of the 2008 study: places, and what tuning brings on each link and on each page. */

import { counted, rangeInWords, UNKNOWN } from '../../../core/text/figures.ts';
import { bodyBytes, originCount, requestCount } from '../../pages/page-recipe.ts';
import type { StudyTable } from '../findings.ts';
import type { StudyData } from '../study.ts';
import type { OverPages } from './intervals.ts';
import type { PickWithout } from './pick.ts';
import { bestOfEachOver, efficiencyOf, orderedIn, type RankedStudy, ratioOver, type StudyScenario } from './scenarios.ts';
import { changeOf, figureText } from './words.ts';

type Column = StudyTable['columns'][number];

const left = (name: string): Column => ({ name, align: 'left' });
const right = (name: string): Column => ({ name, align: 'right' });

export interface PlacesFacts {
  /** What the figures rest on, in words. */
  readonly grounds: string;
  /** Each profile against the baseline. */
  readonly gains: ReadonlyMap<string, OverPages>;
}

/** In the order of the ranking. @param gains - Over the baseline, by profile; a profile without one has dashes. */
export function placesTable({ ranking, scenarios }: RankedStudy, { grounds, gains }: PlacesFacts): StudyTable {
  const { baseline } = ranking;
  const incomplete = ranking.profiles.some(({ ranked }) => ranked < ranking.scenarios);
  const together = Math.max(1, ...[...gains.values()].map(({ comparisons }) => comparisons));
  return {
    title: `Places in ${counted(ranking.scenarios, 'scenario')} by efficiency, ${counted(ranking.slots, 'top-quartile place')} in all; geometric means, ${grounds}`,
    columns: [
      left('profile'),
      ...['firsts', 'top quartile', 'lasts', 'efficiency', `over ${baseline}`, `95 % interval over pages, all ${together} together`].map(
        right,
      ),
      ...(incomplete ? [right('ranked in')] : []),
    ],
    rows: ranking.profiles.map(({ id, firsts, topQuartile, lasts, ranked }) => [
      id,
      ...[firsts, topQuartile, lasts].map(String),
      figureText(efficiencyOf(scenarios, id)),
      changeOf(gains.get(id)?.ratio),
      rangeText(gains.get(id)),
      ...(incomplete ? [String(ranked)] : []),
    ]),
  };
}

const rangeText = (over: OverPages | undefined): string =>
  over?.low === undefined || over.high === undefined ? UNKNOWN : rangeInWords(over.low, over.high);

/** `undefined`: there is one page only. */
export function picksTable(picks: readonly PickWithout[], grounds: string): StudyTable | undefined {
  const ones = picks.filter(({ leftOut }) => leftOut.length === 1);
  if (ones.length === 0) return undefined;
  return {
    title: `The pick with one page left out; ${grounds}`,
    columns: [left('without'), left('pick')],
    rows: ones.map(({ leftOut, pick = UNKNOWN }) => [leftOut.join(', '), pick]),
  };
}

/** What a group of scenarios has in common, page or link, as the tables below show it. */
interface Group {
  readonly cells: readonly string[];
  readonly scenarios: readonly StudyScenario[];
}

function tuningTable(
  ranked: RankedStudy,
  { title, columns, groups }: Pick<StudyTable, 'title' | 'columns'> & { readonly groups: readonly Group[] },
): StudyTable {
  const { baseline } = ranked.ranking;
  return {
    title: `${title}: efficiency of the default, and of the profile that has the highest there; geometric means`,
    columns: [
      ...columns,
      right(baseline),
      left('highest, after the fact'),
      right('its efficiency'),
      right(`it over ${baseline}`),
      right(`best of each scenario over ${baseline}, after the fact`),
      right(`${baseline} last`),
    ],
    rows: groups.filter(({ scenarios }) => scenarios.length > 0).map((group) => tuningRow(ranked, group)),
  };
}

function tuningRow({ profiles, ranking: { baseline } }: RankedStudy, { cells, scenarios }: Group): readonly string[] {
  const [best] = profiles
    .flatMap(({ id }) => {
      const efficiency = efficiencyOf(scenarios, id);
      return efficiency === undefined ? [] : [{ id, efficiency }];
    })
    .sort((a, b) => b.efficiency - a.efficiency);
  const lasts = scenarios.filter((scenario) => orderedIn(scenario, profiles).at(-1)?.[0] === baseline).length;
  return [
    ...cells,
    figureText(efficiencyOf(scenarios, baseline)),
    best?.id ?? UNKNOWN,
    figureText(best?.efficiency),
    changeOf(best && ratioOver(scenarios, best.id, baseline)),
    changeOf(bestOfEachOver({ scenarios, profiles }, baseline)),
    `${lasts} of ${scenarios.length}`,
  ];
}

/** @param each - Loads of a profile in a scenario, in words. */
export function linkTable(ranked: RankedStudy, { links, pages }: StudyData, each: string): StudyTable {
  return tuningTable(ranked, {
    title: `Link by link (n = ${counted(pages.length, 'page')}, ${each})`,
    columns: [left('link'), ...['RTT, ms', 'down, kbit/s', 'up, kbit/s', 'queue, packets', 'loss'].map(right)],
    groups: links.map(({ name, rttMs, downKbps, upKbps, queue, lossDown, lossUp }) => ({
      cells: [name, ...[rttMs, downKbps, upKbps, queue].map(String), lossText(lossDown, lossUp)],
      scenarios: ranked.scenarios.filter(({ link }) => link === name),
    })),
  });
}

const lossText = (down = 0, up = 0): string => (down === 0 && up === 0 ? 'none' : `${100 * down} % down, ${100 * up} % up`);

/** @param each - As for `linkTable`. */
export function pageTable(ranked: RankedStudy, { pages, links }: StudyData, each: string): StudyTable {
  return tuningTable(ranked, {
    title: `Page by page (n = ${counted(links.length, 'link')}, ${each})`,
    columns: [left('page'), ...['requests', 'servers', 'kB'].map(right)],
    groups: pages.map(({ name, recipe }) => ({
      cells: [name, String(requestCount(recipe)), String(originCount(recipe)), (bodyBytes(recipe) / 1000).toFixed(0)],
      scenarios: ranked.scenarios.filter(({ page }) => page === name),
    })),
  });
}
