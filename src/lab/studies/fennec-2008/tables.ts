/** The tables of the 2008 study: places, what tuning brings on each link and page, and Firefox's own settings next to the gateway. Pure. */

import { CONTROL_ID } from '../../../core/profiles/presets.ts';
import { BASELINE_ID } from '../../../core/profiles/profile.ts';
import { counted } from '../../../core/text/figures.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import { bodyBytes, originCount, requestCount } from '../../pages/page-recipe.ts';
import { changeText, intervalText } from '../comparisons.ts';
import { figureColumn as figure, type StudyTable, type TableColumn, tableOf, textColumn as text } from '../findings.ts';
import type { OverPages } from '../over-pages.ts';
import type { StudyData, StudyPage } from '../study.ts';
import type { PickWithout } from './memo-rule.ts';
import { bestOfEachOver, efficiencyOf, type RankedStudy, ratioOver, type StudyScenario, timesWithWorse } from './scenarios.ts';

const efficiencyText = (value: number | undefined): string | undefined => value?.toFixed(3);

/** In the order of the ranking. @param gains - Of each other profile over the baseline. */
export function placesTable({ ranking, scenarios }: RankedStudy, gains: ReadonlyMap<string, OverPages>, grounds: string): StudyTable {
  const { baseline } = ranking;
  const together = Math.max(1, ...[...gains.values()].map(({ comparisons }) => comparisons));
  const title = `Places in ${counted(ranking.scenarios, 'scenario')} by efficiency, ${counted(ranking.slots, 'top-quartile place')} in all; geometric means, ${grounds}`;
  return tableOf(title, ranking.profiles, [
    text('profile', ({ id }) => id),
    figure('firsts', ({ firsts }) => firsts),
    figure('top quartile', ({ topQuartile }) => topQuartile),
    figure('lasts', ({ lasts }) => lasts),
    figure('efficiency', ({ id }) => efficiencyText(efficiencyOf(scenarios, id))),
    figure(`over ${baseline}`, ({ id }) => changeText(gains.get(id)?.ratio)),
    figure(`95 % interval over pages, all ${together} together`, ({ id }) => intervalText(gains.get(id) ?? {})),
    ...(ranking.profiles.some(({ ranked }) => ranked < ranking.scenarios)
      ? [figure<(typeof ranking.profiles)[number]>('ranked in', ({ ranked }) => ranked)]
      : []),
  ]);
}

/** Without a row where there is one page only. */
export const picksTable = (picks: readonly PickWithout[], each: string): StudyTable =>
  tableOf(
    `The pick with one page excluded; ${each}`,
    picks.filter(({ leftOut }) => leftOut.length === 1),
    [text('without', ({ leftOut }) => leftOut.join(', ')), text('pick', ({ pick }) => pick)],
  );

/** Scenarios that have a link or a page in common. */
type Group<Of> = Of & { readonly scenarios: readonly StudyScenario[] };

function tuningTable<Of>(
  { profiles, ranking: { baseline } }: RankedStudy,
  {
    title,
    columns,
    groups,
  }: { readonly title: string; readonly columns: readonly TableColumn<Group<Of>>[]; readonly groups: readonly Group<Of>[] },
): StudyTable {
  const highest = ({ scenarios }: Group<Of>) =>
    profiles
      .flatMap(({ id }) => {
        const efficiency = efficiencyOf(scenarios, id);
        return efficiency === undefined ? [] : [{ id, efficiency }];
      })
      .sort((a, b) => b.efficiency - a.efficiency)[0];
  return tableOf(
    `${title}: efficiency of the default, and of the profile that has the highest there; geometric means`,
    groups.filter(({ scenarios }) => scenarios.length > 0),
    [
      ...columns,
      figure(baseline, ({ scenarios }) => efficiencyText(efficiencyOf(scenarios, baseline))),
      text('highest, after the fact', (group) => highest(group)?.id),
      figure('its efficiency', (group) => efficiencyText(highest(group)?.efficiency)),
      figure(`it over ${baseline}`, (group) => changeText(ratioOver(group.scenarios, highest(group)?.id ?? '', baseline))),
      figure(`best of each scenario over ${baseline}, after the fact`, ({ scenarios }) =>
        changeText(bestOfEachOver({ scenarios, profiles }, baseline)),
      ),
      figure(`${baseline} last`, ({ scenarios }) => `${timesWithWorse({ scenarios, profiles }, baseline, 0)} of ${scenarios.length}`),
    ],
  );
}

/** @param each - Loads of a profile in a scenario, in words. */
export function linkAndPageTables(ranked: RankedStudy, { links, pages }: StudyData, each: string): readonly StudyTable[] {
  const { scenarios } = ranked;
  return [
    tuningTable<LinkSpec>(ranked, {
      title: `Link by link (n = ${counted(pages.length, 'page')}, ${each})`,
      columns: [
        text('link', ({ name }) => name),
        figure('RTT, ms', ({ rttMs }) => rttMs),
        figure('down, kbit/s', ({ downKbps }) => downKbps),
        figure('up, kbit/s', ({ upKbps }) => upKbps),
        figure('queue, packets', ({ queue }) => queue),
        figure('loss', ({ lossDown = 0, lossUp = 0 }) =>
          lossDown === 0 && lossUp === 0 ? 'none' : `${100 * lossDown} % down, ${100 * lossUp} % up`,
        ),
      ],
      groups: links.map((link) => ({ ...link, scenarios: scenarios.filter((scenario) => scenario.link === link.name) })),
    }),
    tuningTable<StudyPage>(ranked, {
      title: `Page by page (n = ${counted(links.length, 'link')}, ${each})`,
      columns: [
        text('page', ({ name }) => name),
        figure('requests', ({ recipe }) => requestCount(recipe)),
        figure('servers', ({ recipe }) => originCount(recipe)),
        figure('kB', ({ recipe }) => (bodyBytes(recipe) / 1000).toFixed(0)),
      ],
      groups: pages.map((page) => ({ ...page, scenarios: scenarios.filter((scenario) => scenario.page === page.name) })),
    }),
  ];
}

/** Firefox's own settings against the gateway only, and against the pick through it. */
export interface AgainstShipped {
  /** The control against what ships. It is in every run to show this, so the comparison is a declared one. */
  readonly alone: OverPages;
  /** The pick, which might have been any of the profiles. Absent: there is none, or it lacks loads. */
  readonly pick?: {
    readonly id: string;
    readonly overShipped: OverPages;
    readonly overControl: OverPages;
  };
}

/** Link by link, and page by page with the intervals. */
export function gatewayTables(
  { scenarios }: RankedStudy,
  { links, pages }: StudyData,
  { against: { alone, pick }, each }: { readonly against: AgainstShipped; readonly each: string },
): readonly StudyTable[] {
  const table = (of: 'link' | 'page', names: readonly string[], n: string): StudyTable => {
    const groups = [
      ...names.map((name) => ({ name, scenarios: scenarios.filter((scenario) => scenario[of] === name) })),
      { name: `all ${counted(scenarios.length, 'scenario')}`, scenarios },
    ];
    const efficiency = (id: string) => figure<Group<{ name: string }>>(id, (group) => efficiencyText(efficiencyOf(group.scenarios, id)));
    const over = (name: string, id: string, other: string) =>
      figure<Group<{ name: string }>>(name, (group) => changeText(ratioOver(group.scenarios, id, other)));
    const picked = pick
      ? [efficiency(pick.id), ...[BASELINE_ID, CONTROL_ID].map((other) => over(`${pick.id} over ${other}`, pick.id, other))]
      : [];
    const title = `Firefox's own settings, the same through the gateway (${CONTROL_ID}: 6 connections, depth 1)${pick ? `, and ${pick.id}` : ''}, ${of} by ${of}; geometric means (n = ${n}, ${each})`;
    return tableOf(title, groups, [
      text(of, ({ name }) => name),
      efficiency(BASELINE_ID),
      efficiency(CONTROL_ID),
      over('gateway alone', CONTROL_ID, BASELINE_ID),
      ...picked,
    ]);
  };
  const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name);
  const byPage = table('page', names(pages), counted(links.length, 'link'));
  const shared = (over: OverPages) => `${intervalText(over)} (all ${over.comparisons} together)`;
  const intervals = pick ? ['', shared(pick.overShipped), shared(pick.overControl)] : [];
  return [
    table('link', names(links), counted(pages.length, 'page')),
    { ...byPage, rows: [...byPage.rows, ['95 % interval over pages', '', '', intervalText(alone), ...intervals]] },
  ];
}
