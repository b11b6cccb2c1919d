/** The findings of a study on other pages than its own: the comparison of the run's report, and places. Pure. */
import { comparisonOf, PROTOCOL_LABELS } from '../../core/compare/by-protocol.ts';
import type { Comparison } from '../../core/compare/comparison.ts';
import { BASELINE_ID } from '../../core/profiles/presets.ts';
import { rankingSentence } from '../../core/report/ranking-table.ts';
import { recommendationLines, soundnessNotes, verdictLabel } from '../../core/report/shown-comparison.ts';
import { counted, formatLoads, formatSeconds, withInterval } from '../../core/text/figures.ts';
import { figureColumn as figure, type StudyFindings, type StudyTable, tableOf, textColumn as text } from './findings.ts';
import type { Study } from './study.ts';

/** @param study - Its own answer and figures are about its own pages, and left out. */
export function comparisonFindings(comparison: Comparison, study: Pick<Study, 'id'>): StudyFindings {
  const { ranking } = comparison;
  const parts = comparison.protocols?.map(({ protocol, control }) => ({ label: `${PROTOCOL_LABELS[protocol]}: `, control })) ?? [
    { label: '', control: comparison.control },
  ];
  return {
    tables: [...profileTables(comparison), ...(ranking.scenarios === 0 ? [] : [placesTable(comparison)]), scenarioTable(comparison)],
    answer: [
      `What ${study.id} asks, and the figures it was prompted by, are about its own pages; nothing is said of them here. This compares its profiles on the pages that were measured, as plumbfox tune does.`,
      ...parts.flatMap(({ label, control }) => (control === undefined ? [] : [`${label}${control.sentence}`])),
      ...(ranking.scenarios === 0 ? [] : [rankingSentence(ranking)]),
      ...soundnessNotes(comparison),
    ],
    comparisonWithOriginal: [],
    pictures: [],
    figures: {},
  };
}

const profileTables = (comparison: Comparison): readonly StudyTable[] =>
  comparison.protocols?.map((own) => profileTable(comparisonOf(comparison, own), `${PROTOCOL_LABELS[own.protocol]}: efficiency`)) ?? [
    profileTable(comparison, 'Efficiency'),
  ];

const profileTable = ({ baseline, profiles }: Comparison, efficiency: string): StudyTable =>
  tableOf(`${efficiency} and load time against ${baseline}, over all pages and links`, profiles, [
    text('profile', ({ id }) => id),
    text('depth by', ({ carrier }) => (carrier === 'none' ? undefined : carrier)),
    figure('loads', formatLoads),
    text('efficiency', (profile) => withInterval(profile.efficiency, 3)),
    figure('load time', ({ loadTimeMs }) => formatSeconds(loadTimeMs.median)),
    text('ratio', ({ versusBaseline: { verdict, ratio, low, high } }) =>
      verdict === 'baseline' ? '1' : withInterval({ estimate: ratio, low, high }, 2),
    ),
    text('against', ({ versusBaseline: { verdict, against } }) => (verdict === 'baseline' ? undefined : against)),
    text('verdict', verdictLabel),
  ]);

const placesTable = ({ ranking }: Comparison): StudyTable =>
  tableOf('Places by median efficiency on each page and link', ranking.profiles, [
    text('profile', ({ id }) => id),
    figure('firsts', ({ firsts }) => firsts),
    figure('top quartile', ({ topQuartile }) => topQuartile),
    figure('lasts', ({ lasts }) => lasts),
  ]);

function scenarioTable({ baseline, scenarios }: Comparison): StudyTable {
  const rows = scenarios.map(({ page, link, profiles }) => {
    const timed = profiles
      .flatMap(({ id, loadTimeMsMedian }) => (loadTimeMsMedian === undefined ? [] : [{ id, ms: loadTimeMsMedian }]))
      .sort((a, b) => a.ms - b.ms);
    return { page, link, profiles, own: timed.find(({ id }) => id === baseline), shortest: timed[0], longest: timed.at(-1) };
  });
  return tableOf('By page and link: median load times, the shortest chosen after the fact', rows, [
    text('page', ({ page }) => page),
    text('link', ({ link }) => link),
    figure('loads', ({ profiles }) => profiles.reduce((sum, { loads }) => sum + loads, 0)),
    figure(baseline, ({ own }) => formatSeconds(own?.ms)),
    figure('shortest', ({ shortest }) => formatSeconds(shortest?.ms)),
    text('with', ({ shortest }) => shortest?.id),
    figure('longest', ({ longest }) => formatSeconds(longest?.ms)),
    text('with', ({ longest }) => longest?.id),
  ]);
}

/** What plumbfox recommends from a study's loads, below the question that this answers: it is another one than the study's own. */
export function recommendedHere({ question }: Pick<Study, 'question'>, comparison: Comparison): readonly string[] {
  const { baseline, control, protocols, scenarios } = comparison;
  const than = baseline === BASELINE_ID ? `Firefox's own settings (${BASELINE_ID})` : baseline;
  const together = `${counted(scenarios.length, 'scenario')} (a page over a link)${scenarios.length === 1 ? '' : ' together'}`;
  const gateway = control === undefined ? '' : ", the gateway's own effect included";
  const each = protocols === undefined ? '' : ', each HTTP version by itself';
  return [
    `Two questions. The study's own is answered above: "${question}"`,
    `Here the question is which profile is faster than ${than} in ${together}${each}${gateway}.`,
    ...recommendationLines(comparison),
  ];
}
