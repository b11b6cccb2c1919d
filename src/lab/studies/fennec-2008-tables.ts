/** The tables of the 2008 study: places, and what tuning brings on each link, on each page, and through the gateway. */
import { counted, signedPercent } from '../../core/compare/plain-words.ts';
import { BASELINE_ID, CONTROL_ID } from '../../core/profiles/presets.ts';
import { UNKNOWN } from '../../core/report/figure-text.ts';
import { bodyBytes, originCount, requestCount } from '../pages/page-recipe.ts';
import { averageGain, meanEfficiencyOf, meanGainOver, orderedIn, type RankedStudy, type StudyScenario } from './fennec-2008-scenarios.ts';
import type { StudyTable } from './study-findings.ts';
import type { StudyData } from './study-load.ts';

type Column = StudyTable['columns'][number];

const left = (name: string): Column => ({ name, align: 'left' });
const right = (name: string): Column => ({ name, align: 'right' });

const figure = (value: number | undefined, digits = 3): string => value?.toFixed(digits) ?? UNKNOWN;
const change = (share: number | undefined): string => (share === undefined ? UNKNOWN : signedPercent(share));

export function placesTable({ ranking, scenarios }: RankedStudy): StudyTable {
  const { baseline } = ranking;
  const incomplete = ranking.profiles.some(({ ranked }) => ranked < ranking.scenarios);
  return {
    title: `Places in ${counted(ranking.scenarios, 'scenario')} (one page over one link), by efficiency; ${counted(ranking.slots, 'top-quartile place')} in all`,
    columns: [
      left('profile'),
      ...['firsts', 'top quartile', 'lasts', 'mean efficiency', `mean gain over ${baseline}`].map(right),
      ...(incomplete ? [right('ranked in')] : []),
    ],
    rows: ranking.profiles.map(({ id, firsts, topQuartile, lasts, meanEfficiency, ranked }) => [
      id,
      ...[firsts, topQuartile, lasts].map(String),
      figure(meanEfficiency),
      id === baseline ? UNKNOWN : change(meanGainOver(scenarios, id, baseline)),
      ...(incomplete ? [String(ranked)] : []),
    ]),
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
    title,
    columns: [
      ...columns,
      right(baseline),
      left('highest mean'),
      right('efficiency'),
      right(`best over ${baseline}`),
      right(`${baseline} last`),
    ],
    rows: groups
      .filter(({ scenarios }) => scenarios.length > 0)
      .map(({ cells, scenarios }) => {
        const part = { scenarios, profiles: ranked.profiles };
        const [best] = ranked.profiles
          .flatMap(({ id }) => {
            const efficiency = meanEfficiencyOf(scenarios, id);
            return efficiency === undefined ? [] : [{ id, efficiency }];
          })
          .sort((a, b) => b.efficiency - a.efficiency);
        const lasts = scenarios.filter((scenario) => orderedIn(scenario, ranked.profiles).at(-1)?.[0] === baseline).length;
        return [
          ...cells,
          figure(meanEfficiencyOf(scenarios, baseline)),
          best?.id ?? UNKNOWN,
          figure(best?.efficiency),
          change(averageGain(part, baseline)),
          `${lasts} of ${scenarios.length}`,
        ];
      }),
  };
}

export function linkTable(ranked: RankedStudy, { links }: StudyData): StudyTable {
  return tuningTable(ranked, {
    title: 'Link by link, over the pages: mean efficiency of the default, and of the profile with the highest',
    columns: [left('link'), ...['RTT, ms', 'down, kbit/s', 'up, kbit/s', 'queue, packets', 'loss'].map(right)],
    groups: links.map(({ name, rttMs, downKbps, upKbps, queue, lossDown, lossUp }) => ({
      cells: [name, ...[rttMs, downKbps, upKbps, queue].map(String), lossText(lossDown, lossUp)],
      scenarios: ranked.scenarios.filter(({ link }) => link === name),
    })),
  });
}

const lossText = (down = 0, up = 0): string => (down === 0 && up === 0 ? 'none' : `${100 * down} % down, ${100 * up} % up`);

export function pageTable(ranked: RankedStudy, { pages }: StudyData): StudyTable {
  return tuningTable(ranked, {
    title: 'Page by page, over the links: mean efficiency of the default, and of the profile with the highest',
    columns: [left('page'), ...['requests', 'servers', 'kB'].map(right)],
    groups: pages.map(({ name, recipe }) => ({
      cells: [name, String(requestCount(recipe)), String(originCount(recipe)), (bodyBytes(recipe) / 1000).toFixed(0)],
      scenarios: ranked.scenarios.filter(({ page }) => page === name),
    })),
  });
}

/** `undefined`: neither was loaded. */
export function gatewayTable({ scenarios, ranking }: RankedStudy, { links }: StudyData): StudyTable | undefined {
  if ([BASELINE_ID, CONTROL_ID].some((id) => meanEfficiencyOf(scenarios, id) === undefined)) return undefined;
  const pick = ranking.pick.state === 'picked' ? ranking.pick.profileId : undefined;
  const row = (name: string, part: readonly StudyScenario[]) => [
    name,
    figure(meanEfficiencyOf(part, BASELINE_ID)),
    figure(meanEfficiencyOf(part, CONTROL_ID)),
    change(meanGainOver(part, CONTROL_ID, BASELINE_ID)),
    ...(pick === undefined
      ? []
      : [
          figure(meanEfficiencyOf(part, pick)),
          change(meanGainOver(part, pick, BASELINE_ID)),
          change(meanGainOver(part, pick, CONTROL_ID)),
        ]),
  ];
  return {
    title: `What this Firefox ships, the same through the gateway (${CONTROL_ID}: 6 connections, depth 1)${pick === undefined ? '' : `, and ${pick}`}`,
    columns: [
      left('link'),
      ...[BASELINE_ID, CONTROL_ID, 'gateway alone'].map(right),
      ...(pick === undefined ? [] : [pick, `over ${BASELINE_ID}`, `over ${CONTROL_ID}`].map(right)),
    ],
    rows: [
      ...links.map(({ name }) =>
        row(
          name,
          scenarios.filter(({ link }) => link === name),
        ),
      ),
      row('all', scenarios),
    ],
  };
}
