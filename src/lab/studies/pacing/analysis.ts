/** What pacing costs, by profile, by page, round trip and protocol, each beside what the simulator says of it. Pure. */
import type { Comparison, ProfileComparison } from '../../../core/compare/comparison.ts';
import { profileLabel, SHIPPED_ID } from '../../../core/profiles/presets.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { intervalChartSvg } from '../../../core/report/interval-chart-svg.ts';
import { verdictLabel } from '../../../core/report/shown-comparison.ts';
import { formatSeconds, signedPercent } from '../../../core/text/figures.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import { originCount } from '../../pages/page-recipe.ts';
import { changeText, changeWithInterval, compareOwnProfiles, intervalText, PROTOCOL_NAMES, pairsEach } from '../comparisons.ts';
import {
  comparedWith,
  countText,
  figureColumn as figure,
  type StudyFindings,
  type StudyPicture,
  type StudyTable,
  tableOf,
  textColumn as text,
} from '../findings.ts';
import { type PredictedRatio, predictedOver, predictedRatios, type Scenario } from '../predicted-ratios.ts';
import type { StudyData, StudyLoad, StudyPage } from '../study.ts';

export const PACING_OFF = 'pacing-off';
const LONGER_BURST = 'burst-40';
const SIXTEEN = 'c16-d1';
const BOTH = 'c16-pacing-off';

/** Scenarios that have something in common, and their loads compared. */
export interface PacingGroup {
  readonly name: string;
  readonly comparison: Comparison;
  readonly predicted: readonly PredictedRatio[];
}

export interface PacingResult {
  readonly scenarios: readonly Scenario[];
  readonly overall: PacingGroup;
  /** One for each page, link and protocol; their intervals hold together, apart from those over all. */
  readonly groups: readonly PacingGroup[];
}

const isIn = (scenarios: readonly Scenario[]) => {
  const keys = new Set(scenarios.map(({ page, link }) => JSON.stringify([page.name, link.name])));
  return ({ page, link }: { readonly page: string; readonly link: string }) => keys.has(JSON.stringify([page, link]));
};

/** `undefined`: there are no loads of the baseline and another profile. */
export function pacingResult(data: StudyData): PacingResult | undefined {
  const { study, pages, links, loads } = data;
  const profileIds = new Set(loads.map(({ profileId }) => profileId));
  if (!profileIds.has(study.baseline) || profileIds.size < 2) return undefined;
  const scenarios = links.flatMap((link) =>
    pages
      .filter((page) => loads.some((load) => load.page === page.name && load.link === link.name))
      .map((page): Scenario => ({ page, link })),
  );
  const profiles = study.profiles.filter(({ id }) => profileIds.has(id));
  const predicted = predictedRatios(scenarios, { profiles, baseline: study.baseline });
  const kinds = groupsOf(scenarios);
  const group = (name: string, own: readonly Scenario[], family: number): PacingGroup => ({
    name,
    comparison: compareOwnProfiles(study, comparableLoads(loads.filter(isIn(own))), study.baseline, family),
    predicted: predicted.filter(isIn(own)),
  });
  return {
    scenarios,
    overall: group('all', scenarios, 1),
    groups: kinds.map(({ name, own }) => group(name, own, kinds.length)),
  };
}

/** Groups of one kind only, such as a single page, say what all together say. */
function groupsOf(scenarios: readonly Scenario[]): readonly { readonly name: string; readonly own: readonly Scenario[] }[] {
  const kinds: readonly ((scenario: Scenario) => string)[] = [
    ({ page }) => pageName(page),
    ({ link }) => linkName(link),
    ({ page: { servedBy } }) => (servedBy === 'https' ? `${PROTOCOL_NAMES[servedBy]} over TLS` : PROTOCOL_NAMES[servedBy]),
  ];
  return kinds.flatMap((nameOf) => {
    const names = [...new Set(scenarios.map(nameOf))];
    return names.length < 2 ? [] : names.map((name) => ({ name, own: scenarios.filter((each) => nameOf(each) === name) }));
  });
}

/** `news, 12 servers`. */
const pageName = ({ recipe }: StudyPage): string => `${recipe.name}, ${originCount(recipe)} servers`;

/** `20 ms, 20 Mbit/s`. */
const linkName = ({ rttMs, downKbps }: LinkSpec): string => `${rttMs} ms, ${downKbps / 1000} Mbit/s`;

const othersOf = ({ profiles }: Comparison): readonly ProfileComparison[] =>
  profiles.filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline');

const isShown = ({ versusBaseline: { verdict } }: ProfileComparison): boolean => verdict === 'better' || verdict === 'worse';

const predictedOf = ({ predicted }: PacingGroup, id: string): number | undefined =>
  predictedOver(predicted.filter(({ profileId }) => profileId === id));

/** Its predictions are of the pages and links that were measured. */
export function pacingFindings(data: StudyData): StudyFindings {
  const result = pacingResult(data);
  if (result === undefined) return { tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: {} };
  return {
    tables: [overallTable(result), ...(result.groups.length === 0 ? [] : [groupTable(result)]), scenarioTable(result, data.loads)],
    answer: answerOf(result),
    comparisonWithOriginal: comparedWith(data.study, besideFirstRun(data)),
    pictures: charts(result),
    figures: {
      overall: figuresOf(result.overall),
      groups: result.groups.map((group) => ({ group: group.name, profiles: figuresOf(group) })),
    },
  };
}

const figuresOf = (group: PacingGroup) =>
  othersOf(group.comparison).map(({ id, loads, versusBaseline: { ratio, low, high, pairs, verdict } }) => ({
    ...{ profileId: id, loads, ratio, low, high, pairs, verdict, predicted: predictedOf(group, id) },
  }));

function answerOf({ overall, groups, scenarios }: PacingResult): readonly string[] {
  const candidates = othersOf(overall.comparison).filter(({ id }) => id !== SHIPPED_ID);
  const shown = candidates.filter(({ versusBaseline }) => versusBaseline.verdict === 'better');
  const where = `over ${countText(scenarios.length)} scenarios (a page over a link)`;
  const named = shown.map(({ id, versusBaseline }) => `${id} ${changeWithInterval(versusBaseline)}`).join(', ');
  const open = candidates.filter((profile) => !isShown(profile)).map(({ id }) => id);
  const off = groups.flatMap(({ name, comparison }) => {
    const own = othersOf(comparison).find(({ id }) => id === PACING_OFF);
    return own === undefined
      ? []
      : [`${name} ${changeText(own.versusBaseline.ratio)}${own.versusBaseline.verdict === 'better' ? ' (shown)' : ''}`];
  });
  const predicted = candidates.flatMap(({ id }) => {
    const ratio = predictedOf(overall, id);
    return ratio === undefined ? [] : [`${id} ${signedPercent(ratio - 1)}`];
  });
  return [
    shown.length === 0
      ? `Nothing is shown to be faster than Firefox's own settings ${where}.`
      : `Faster than Firefox's own settings ${where}: ${named}.${open.length === 0 ? '' : ` Not shown: ${open.join(', ')}.`}`,
    ...(off.length === 0 ? [] : [`Without pacing, by kind of scenario: ${off.join('; ')}.`]),
    ...(predicted.length === 0 ? [] : [`The simulator predicts ${predicted.join(', ')}.${checkText(overall)}`]),
  ];
}

function checkText({ comparison }: PacingGroup): string {
  const check = othersOf(comparison).find(({ id }) => id === SHIPPED_ID);
  if (check === undefined) return '';
  return ` The check, ${SHIPPED_ID}, which sets Firefox's own values, ${isShown(check) ? 'is called faster or slower: do not trust changes of that size' : 'is called neither faster nor slower'}.`;
}

const together = ({ method }: Comparison): string => `95 % interval, all ${method.intervals} together`;

function overallTable({ overall }: PacingResult): StudyTable {
  const { comparison } = overall;
  return tableOf("Efficiency against Firefox's own settings, over all pages and links", othersOf(comparison), [
    text('profile', ({ id }) => id),
    figure('change', ({ versusBaseline }) => changeText(versusBaseline.ratio)),
    figure(together(comparison), ({ versusBaseline }) => intervalText(versusBaseline)),
    figure('pairs of loads', ({ versusBaseline }) => countText(versusBaseline.pairs)),
    text('verdict', verdictLabel),
    figure('predicted', ({ id }) => changeText(predictedOf(overall, id))),
  ]);
}

function groupTable({ overall, groups }: PacingResult): StudyTable {
  const ids = othersOf(overall.comparison).map(({ id }) => id);
  const intervals = groups.reduce((sum, { comparison }) => sum + comparison.method.intervals, 0);
  return tableOf(
    `By kind of scenario: measured, and predicted in brackets. Starred: shown faster or slower, all ${intervals} intervals together`,
    groups,
    [
      text('scenarios', ({ name }) => name),
      figure('shipped, load time', ({ comparison }) =>
        formatSeconds(comparison.profiles.find(({ id }) => id === comparison.baseline)?.loadTimeMs.median),
      ),
      ...ids.map((id) => figure<PacingGroup>(id, (group) => groupCell(group, id))),
    ],
  );
}

function groupCell(group: PacingGroup, id: string): string | undefined {
  const own = othersOf(group.comparison).find((profile) => profile.id === id);
  if (own?.versusBaseline.ratio === undefined) return undefined;
  const predicted = predictedOf(group, id);
  return `${changeText(own.versusBaseline.ratio)}${isShown(own) ? '*' : ''}${predicted === undefined ? '' : ` (${signedPercent(predicted - 1)})`}`;
}

function scenarioTable({ scenarios, overall }: PacingResult, loads: readonly StudyLoad[]): StudyTable {
  const measured = measuredTimes(overall.comparison);
  const predictedAt = ({ page, link }: Scenario, id: string) =>
    overall.predicted.find((each) => each.page === page.name && each.link === link.name && each.profileId === id)?.ratio;
  const change = (scenario: Scenario, id: string) => {
    const [own, base] = [measured(scenario, id), measured(scenario, overall.comparison.baseline)];
    return own === undefined || base === undefined ? undefined : base / own;
  };
  const profiles = [PACING_OFF, SIXTEEN, BOTH].filter((id) => loads.some(({ profileId }) => profileId === id));
  return tableOf('By page and link: median load times; change of the medians, and predicted in brackets', scenarios, [
    text('page', ({ page }) => page.name),
    text('link', ({ link }) => linkName(link)),
    figure('shipped', (scenario) => formatSeconds(measured(scenario, overall.comparison.baseline))),
    ...profiles.flatMap((id) => [
      figure<Scenario>(id, (scenario) => formatSeconds(measured(scenario, id))),
      figure<Scenario>('change', (scenario) => {
        const predicted = predictedAt(scenario, id);
        return `${changeText(change(scenario, id))}${predicted === undefined ? '' : ` (${signedPercent(predicted - 1)})`}`;
      }),
    ]),
  ]);
}

const measuredTimes =
  ({ scenarios }: Comparison) =>
  ({ page, link }: { readonly page: StudyPage; readonly link: LinkSpec }, id: string): number | undefined =>
    scenarios.find((each) => each.page === page.name && each.link === link.name)?.profiles.find((each) => each.id === id)?.loadTimeMsMedian;

/** Those scenarios of the first run that are here: plain news and shop over 20 and 100 ms. */
const FIRST_RUN = { pages: ['plain-news', 'plain-shop'], links: ['near-20m', 'mid-10m'] } as const;

function besideFirstRun({ study, loads }: StudyData): Readonly<Record<string, string | undefined>> {
  const own = loads.filter(
    ({ page, link }) => FIRST_RUN.pages.some((each) => each === page) && FIRST_RUN.links.some((each) => each === link),
  );
  if (!own.some(({ profileId }) => profileId === study.baseline)) return {};
  const { profiles } = compareOwnProfiles(study, comparableLoads(own), study.baseline);
  return Object.fromEntries(profiles.map(({ id, versusBaseline }) => [id, changeWithInterval(versusBaseline)]));
}

/** The name in the picture: `16 connections, no pacing`. */
function labelOf(id: string): string {
  if (id === LONGER_BURST) return 'bursts of 40';
  if (id === SHIPPED_ID) return `${profileLabel(id)} (as shipped)`;
  const [, connections, unpaced] = /^(?:c(\d+)-)?(pacing-off)?/.exec(id) ?? [];
  if (unpaced === undefined) return profileLabel(id);
  return `${connections === undefined ? '' : `${connections} connections, `}no pacing`;
}

function chart(group: PacingGroup, { name, title, scenarios }: { name: string; title: string; scenarios: number }): StudyPicture {
  const rows = othersOf(group.comparison).flatMap((profile) => {
    const { id, versusBaseline } = profile;
    const { ratio, low, high } = versusBaseline;
    return ratio === undefined
      ? []
      : [{ label: labelOf(id), id, ratio, low, high, predicted: predictedOf(group, id), isShown: isShown(profile) }];
  });
  const pairs = pairsEach(othersOf(group.comparison).map(({ versusBaseline }) => versusBaseline.pairs));
  const subtitle = `Efficiency over ${countText(scenarios)} scenarios (a page over a link), ${pairs} in a row; 95 % intervals.`;
  return { name, title, svg: intervalChartSvg({ title, subtitle, rows }) };
}

/** All scenarios, and the pages one by one: they differ in the number of their servers. */
function charts({ overall, groups, scenarios }: PacingResult): readonly StudyPicture[] {
  const titled = (what: string) => `HTTP/1.1${what}: change against Firefox's own settings`;
  const ofPages = groups.flatMap((group) => {
    const own = scenarios.filter(({ page }) => pageName(page) === group.name);
    const [first] = own;
    const name = `pacing-${first?.page.recipe.name}`;
    return first === undefined ? [] : [chart(group, { name, title: titled(`, ${group.name}`), scenarios: own.length })];
  });
  return [chart(overall, { name: 'pacing', title: titled(''), scenarios: scenarios.length }), ...ofPages];
}
