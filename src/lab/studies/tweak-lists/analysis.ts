/** Whether copied lists beat what Firefox ships, by version of HTTP, over all links and over each. Pure. */
import type { Comparison, ProfileComparison, VersusBaseline } from '../../../core/compare/comparison.ts';
import { assertNever } from '../../../core/errors.ts';
import { profileLabel } from '../../../core/profiles/presets.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { intervalChartSvg } from '../../../core/report/interval-chart-svg.ts';
import { verdictLabel } from '../../../core/report/shown-comparison.ts';
import { formatSeconds } from '../../../core/text/figures.ts';
import {
  changeText,
  changeWithInterval,
  compareOwnProfiles,
  intervalText,
  loadsByServer,
  PROTOCOL_NAMES,
  pairsEach,
} from '../comparisons.ts';
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
import { comparedProtocols, type ProtocolComparison } from '../modern-defaults/analysis.ts';
import { ratioText } from '../over-pages.ts';
import type { StudyData } from '../study.ts';
import { TWEAK_LISTS } from './lists.ts';

const othersOf = ({ profiles }: Comparison): readonly ProfileComparison[] =>
  profiles.filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline');

const isShown = ({ versusBaseline: { verdict } }: ProfileComparison): boolean => verdict === 'better' || verdict === 'worse';

/** Those of modern-defaults by link; those over all links, which are what the study asks for, share the chance of an error among themselves. */
function comparedLists(data: StudyData): readonly ProtocolComparison[] {
  const { study } = data;
  const protocols = comparedProtocols(data);
  const loads = new Map(loadsByServer(data).map((each) => [each.servedBy, each.loads]));
  return protocols.map((each) => ({
    ...each,
    overall: compareOwnProfiles(study, comparableLoads(loads.get(each.servedBy) ?? []), study.baseline, protocols.length),
  }));
}

const intervalsOf = (comparisons: readonly Comparison[]): number => comparisons.reduce((sum, { method }) => sum + method.intervals, 0);

/** The answer is over all links of a protocol; what holds over one of them stands in a table. */
export function tweakListsFindings(data: StudyData): StudyFindings {
  const protocols = comparedLists(data);
  if (protocols.length === 0) return { tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: {} };
  const together = intervalsOf(protocols.map(({ overall }) => overall));
  const order = data.study.profiles.map(({ id }) => id);
  return {
    tables: [overallTable(protocols, { together, order }), linkTable(protocols, order)],
    answer: answerOf(protocols, together),
    comparisonWithOriginal: comparedWith(
      data.study,
      Object.fromEntries(TWEAK_LISTS.map(({ id }) => [id, protocols.map((each) => besideText(each, id)).join(', ')])),
    ),
    pictures: protocols.map((each) => chart(each, { together, order })),
    figures: {
      intervalsTogether: together,
      lists: TWEAK_LISTS.map(({ id, lines, measured }) => ({ id, lines, measured: Object.keys(measured) })),
      protocols: protocols.map(({ servedBy, overall, links }) => ({
        servedBy,
        overall: othersOf(overall).map(profileFigures),
        links: links.map(({ link, comparison }) => ({ link: link.name, profiles: othersOf(comparison).map(profileFigures) })),
      })),
    },
  };
}

const profileFigures = ({ id, loads, versusBaseline: { ratio, low, high, pairs, verdict } }: ProfileComparison) => ({
  ...{ profileId: id, loads, ratio, low, high, pairs, verdict },
});

const inOrder = (comparison: Comparison, order: readonly string[]): readonly ProfileComparison[] =>
  othersOf(comparison).toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));

function besideText({ servedBy, overall }: ProtocolComparison, id: string): string {
  const own = othersOf(overall).find((profile) => profile.id === id);
  return `${PROTOCOL_NAMES[servedBy]} ${own === undefined ? 'not measured' : changeWithInterval(own.versusBaseline)}`;
}

function answerOf(protocols: readonly ProtocolComparison[], together: number): readonly string[] {
  const lines = protocols.map(({ servedBy, overall }) => {
    const of = (verdict: 'better' | 'worse') =>
      othersOf(overall).flatMap(({ id, versusBaseline }) =>
        versusBaseline.verdict === verdict ? [`${id} ${changeWithInterval(versusBaseline)}`] : [],
      );
    const [faster, slower] = [of('better'), of('worse')];
    if (faster.length + slower.length === 0)
      return `By ${PROTOCOL_NAMES[servedBy]} nothing is shown to be faster or slower over all links.`;
    const parts = [
      ...(faster.length === 0 ? [] : [`faster: ${faster.join(', ')}`]),
      ...(slower.length === 0 ? [] : [`slower: ${slower.join(', ')}`]),
    ];
    return `By ${PROTOCOL_NAMES[servedBy]}, over all links: ${parts.join('; ')}.`;
  });
  return [
    lines.join(' '),
    `Lines that were set: ${TWEAK_LISTS.map(({ id, lines: all, measured }) => `${id} ${Object.keys(measured).length} of ${all}`).join(', ')}; pacing-off and c10-d1 are two of them alone.`,
    `The ${countText(together)} intervals hold together at 95 %. They say how well loads of these pages repeat, not what other pages would do.`,
  ];
}

interface Shown {
  readonly together: number;
  readonly order: readonly string[];
}

function overallTable(protocols: readonly ProtocolComparison[], { together, order }: Shown): StudyTable {
  const rows = protocols.flatMap(({ servedBy, overall }) => inOrder(overall, order).map((profile) => ({ servedBy, profile })));
  return tableOf("Efficiency against Firefox's own settings, over all pages and links", rows, [
    text('protocol', ({ servedBy }) => PROTOCOL_NAMES[servedBy]),
    text('profile', ({ profile }) => profile.id),
    figure('change', ({ profile }) => changeText(profile.versusBaseline.ratio)),
    figure(`95 % interval, all ${countText(together)} together`, ({ profile }) => intervalText(profile.versusBaseline)),
    figure('pairs of loads', ({ profile }) => countText(profile.versusBaseline.pairs)),
    text('verdict', ({ profile }) => verdictLabel(profile)),
    figure('weighted by how well loads repeat', ({ profile }) => commonText(profile.versusBaseline)),
  ]);
}

/** Another figure with intervals of its own, withheld where pages and links differ in what the profile does. */
function commonText({ commonEffect }: VersusBaseline): string | undefined {
  switch (commonEffect?.state) {
    case undefined:
      return undefined;
    case 'withheld':
      return 'differs by page and link';
    case 'estimated':
      return ratioText(commonEffect);
    default:
      return assertNever(commonEffect);
  }
}

function linkTable(protocols: readonly ProtocolComparison[], order: readonly string[]): StudyTable {
  const rows = protocols.flatMap(({ servedBy, links }) => links.map(({ link, comparison }) => ({ servedBy, link, comparison })));
  const measured = new Set(rows.flatMap(({ comparison }) => othersOf(comparison).map(({ id }) => id)));
  const together = intervalsOf(rows.map(({ comparison }) => comparison));
  return tableOf(`By link: change in efficiency. Starred: shown faster or slower there, all ${together} intervals together`, rows, [
    text('protocol', ({ servedBy }) => PROTOCOL_NAMES[servedBy]),
    text('link', ({ link }) => link.name),
    figure('shipped, load time', ({ comparison }) =>
      formatSeconds(comparison.profiles.find(({ id }) => id === comparison.baseline)?.loadTimeMs.median),
    ),
    ...order
      .filter((id) => measured.has(id))
      .map((id) =>
        figure<(typeof rows)[number]>(id, ({ comparison }) => {
          const own = othersOf(comparison).find((profile) => profile.id === id);
          return own && `${changeText(own.versusBaseline.ratio)}${isShown(own) ? '*' : ''}`;
        }),
      ),
  ]);
}

function chart({ servedBy, overall }: ProtocolComparison, { together, order }: Shown): StudyPicture {
  const title = `${PROTOCOL_NAMES[servedBy]}: tweak lists against Firefox's own settings`;
  const rows = inOrder(overall, order).flatMap((profile) => {
    const { ratio, low, high } = profile.versusBaseline;
    return ratio === undefined ? [] : [{ label: profileLabel(profile.id), id: profile.id, ratio, low, high, isShown: isShown(profile) }];
  });
  const pairs = pairsEach(othersOf(overall).map(({ versusBaseline }) => versusBaseline.pairs));
  const subtitle = `Efficiency over all pages and links, ${pairs} in a row; 95 % intervals, all ${countText(together)} together.`;
  return { name: `tweak-lists-${servedBy}`, title, svg: intervalChartSvg({ title, subtitle, rows }) };
}
