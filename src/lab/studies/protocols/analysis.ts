/** What each version of HTTP is worth, over all links and over each: comparisons with the newest that is shipped. Pure. */
import type { Comparison, ProfileComparison } from '../../../core/compare/comparison.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { intervalChartSvg } from '../../../core/report/interval-chart-svg.ts';
import { verdictLabel } from '../../../core/report/shown-comparison.ts';
import { formatSeconds } from '../../../core/text/figures.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import { changeText, changeWithInterval, compareOwnProfiles, excludesNoChange, intervalText, pairsEach } from '../comparisons.ts';
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
import type { StudyData } from '../study.ts';

/** The profile without HTTP/3: pages come by HTTP/2. */
export const NO_HTTP3 = 'no-http3';
/** The profile without HTTP/2 and HTTP/3: pages come by HTTP/1.1. */
export const HTTP1_ONLY = 'no-http2-no-http3';

/** The version by which pages come under each profile. */
const VERSION_OF: Readonly<Record<string, string>> = { [NO_HTTP3]: 'HTTP/2', [HTTP1_ONLY]: 'HTTP/1.1' };
const versionOf = (profileId: string): string => VERSION_OF[profileId] ?? 'HTTP/3';

interface OverLink {
  /** Absent: all links together. */
  readonly link?: LinkSpec;
  readonly comparison: Comparison;
}

/** All links first, then each. Empty where nothing can be compared. Their intervals hold together. */
export function comparedVersions({ study, links, loads }: StudyData): readonly OverLink[] {
  const compared = links.filter(({ name }) => {
    const ids = new Set(loads.filter(({ link }) => link === name).map(({ profileId }) => profileId));
    return ids.has(study.baseline) && ids.size > 1;
  });
  // One link alone stands for all.
  const comparisons = compared.length < 2 ? 1 : compared.length + 1;
  const compare = (names: readonly string[]) =>
    compareOwnProfiles(study, comparableLoads(loads.filter(({ link }) => names.includes(link))), study.baseline, comparisons);
  const each = compared.map((link) => ({ link, comparison: compare([link.name]) }));
  return each.length < 2 ? each : [{ comparison: compare(compared.map(({ name }) => name)) }, ...each];
}

const othersOf = ({ profiles }: Comparison): readonly ProfileComparison[] =>
  profiles.filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline');

const timeOf = ({ profiles }: Comparison, id: string): number | undefined => profiles.find((each) => each.id === id)?.loadTimeMs.median;

/** The baseline is HTTP/3, which is what this server and Firefox settle on. */
export function protocolsFindings(data: StudyData): StudyFindings {
  const compared = comparedVersions(data);
  const [all] = compared;
  const byLink = compared.filter(({ link }) => link !== undefined);
  if (all === undefined) return { tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: {} };
  const together = compared.reduce((sum, { comparison }) => sum + comparison.method.intervals, 0);
  return {
    tables: [versionTable(compared, together), scenarioTable(all)],
    answer: [
      `Over ${all.link?.name ?? `${byLink.length} links together`}, against HTTP/3 as shipped: ${changesText(all)}.`,
      ...(byLink.length < 2 ? [] : [`${byLink.map((each) => `Over ${each.link?.name}: ${changesText(each)}`).join('. ')}.`]),
      `The ${countText(together)} intervals hold together at 95 %. The server, the pages and the congestion control are the same for all three.`,
    ],
    comparisonWithOriginal: comparedWith(
      data.study,
      Object.fromEntries(byLink.map(({ link, comparison }) => [link?.name ?? '', timesText(comparison)])),
    ),
    pictures: [chart(compared, together)],
    figures: {
      intervalsTogether: together,
      links: compared.map(({ link, comparison }) => ({
        link: link?.name,
        profiles: comparison.profiles.map(({ id, loads, loadTimeMs, versusBaseline: { ratio, low, high, pairs, verdict } }) => ({
          ...{ profileId: id, version: versionOf(id), loads, loadTimeMs: loadTimeMs.median, ratio, low, high, pairs, verdict },
        })),
      })),
    },
  };
}

/** `HTTP/2 −12 % (−20 % to −4 %; 12 pairs), HTTP/1.1 ...`. */
const changesText = ({ comparison }: OverLink): string =>
  othersOf(comparison)
    .map(({ id, versusBaseline }) => `${versionOf(id)} ${changeWithInterval(versusBaseline)}`)
    .join(', ');

/** The times in the order of the versions; absent where one was not measured. */
function timesText(comparison: Comparison): string | undefined {
  const times = [HTTP1_ONLY, NO_HTTP3, comparison.baseline].map((id) => timeOf(comparison, id));
  const [first, second, third] = times.map((time) => formatSeconds(time).replace(/ s$/, ''));
  return times.includes(undefined) ? undefined : `${first}, ${second} and ${third} s`;
}

function versionTable(compared: readonly OverLink[], together: number): StudyTable {
  const rows = compared.flatMap(({ link, comparison }) => othersOf(comparison).map((profile) => ({ link, comparison, profile })));
  return tableOf('Efficiency against Firefox with HTTP/3, as shipped', rows, [
    text('link', ({ link }) => link?.name ?? 'all'),
    text('profile', ({ profile }) => profile.id),
    text('by', ({ profile }) => versionOf(profile.id)),
    figure('load time', ({ profile }) => formatSeconds(profile.loadTimeMs.median)),
    figure('shipped', ({ comparison }) => formatSeconds(timeOf(comparison, comparison.baseline))),
    figure('change', ({ profile }) => changeText(profile.versusBaseline.ratio)),
    figure(`95 % interval, all ${together} together`, ({ profile }) => intervalText(profile.versusBaseline)),
    figure('pairs of loads', ({ profile }) => countText(profile.versusBaseline.pairs)),
    text('verdict', ({ profile }) => verdictLabel(profile)),
  ]);
}

function scenarioTable({ comparison }: OverLink): StudyTable {
  const timed = (id: string) => (scenario: Comparison['scenarios'][number]) =>
    formatSeconds(scenario.profiles.find((each) => each.id === id)?.loadTimeMsMedian);
  return tableOf('By page and link: median load times', comparison.scenarios, [
    text('page', ({ page }) => page),
    text('link', ({ link }) => link),
    ...[comparison.baseline, ...othersOf(comparison).map(({ id }) => id)].map((id) => figure(versionOf(id), timed(id))),
  ]);
}

function chart(compared: readonly OverLink[], together: number): StudyPicture {
  const title = 'Without HTTP/3: efficiency against Firefox with it';
  const rows = compared.flatMap(({ link, comparison }) =>
    othersOf(comparison).flatMap(({ id, versusBaseline }) => {
      const { ratio, low, high } = versusBaseline;
      const label = `${versionOf(id)}, ${link?.name ?? 'all links'}`;
      const grounds = pairsEach([versusBaseline.pairs]);
      return ratio === undefined ? [] : [{ label, grounds, ratio, low, high, isShown: excludesNoChange(versusBaseline) }];
    }),
  );
  const subtitle = `Efficiency by the version used instead, over all links and by link; 95 % intervals, all ${together} together.`;
  return { name: 'protocols', title, svg: intervalChartSvg({ title, subtitle, rows }) };
}
