/** What is found where a study's own findings cannot be told: the comparison of the run's report, and places. Pure. */
import { comparisonOf, PROTOCOL_LABELS } from '../../core/compare/by-protocol.ts';
import type { Comparison, ProfileComparison, ScenarioComparison } from '../../core/compare/comparison.ts';
import { BASELINE_ID } from '../../core/profiles/presets.ts';
import { rankingWords } from '../../core/report/ranking-words.ts';
import { recommendationLines } from '../../core/report/recommendation-lines.ts';
import { soundnessNotes } from '../../core/report/soundness-notes.ts';
import { verdictWords } from '../../core/report/verdict-words.ts';
import { counted, loadsText, secondsText, UNKNOWN, withInterval } from '../../core/text/figures.ts';
import type { StudyFindings, StudyTable } from './findings.ts';
import type { Study } from './study.ts';

/** @param study - Whose answer and figures are not told. */
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
      ...(ranking.scenarios === 0 ? [] : [rankingWords(ranking)]),
      ...soundnessNotes(comparison),
    ],
    comparisonWithOriginal: [],
    pictures: [],
    figures: {},
  };
}

const column = (name: string, align: 'left' | 'right' = 'right') => ({ name, align });

const profileTables = (comparison: Comparison): readonly StudyTable[] =>
  comparison.protocols?.map((own) => profileTable(comparisonOf(comparison, own), `${PROTOCOL_LABELS[own.protocol]}: efficiency`)) ?? [
    profileTable(comparison, 'Efficiency'),
  ];

function profileTable({ baseline, profiles }: Comparison, efficiency: string): StudyTable {
  return {
    title: `${efficiency} and load time against ${baseline}, over all pages and links`,
    columns: [
      ...[column('profile', 'left'), column('depth by', 'left'), column('loads'), column('efficiency', 'left'), column('load time')],
      ...[column('ratio', 'left'), column('against', 'left'), column('verdict', 'left')],
    ],
    rows: profiles.map((profile) => [
      ...[profile.id, profile.carrier === 'none' ? UNKNOWN : profile.carrier, loadsText(profile), withInterval(profile.efficiency, 3)],
      ...[secondsText(profile.loadTimeMs.median), ...versusCells(profile), verdictWords(profile)],
    ]),
  };
}

function versusCells({ versusBaseline: { verdict, ratio, low, high, against } }: ProfileComparison): readonly [string, string] {
  return verdict === 'baseline' ? ['1', UNKNOWN] : [withInterval({ estimate: ratio, low, high }, 2), against];
}

function placesTable({ ranking }: Comparison): StudyTable {
  return {
    title: 'Places by median efficiency on each page and link',
    columns: [column('profile', 'left'), column('firsts'), column('top quartile'), column('lasts')],
    rows: ranking.profiles.map(({ id, firsts, topQuartile, lasts }) => [id, String(firsts), String(topQuartile), String(lasts)]),
  };
}

function scenarioTable({ baseline, scenarios }: Comparison): StudyTable {
  return {
    title: 'By page and link: median load times, the shortest chosen after the fact',
    columns: [
      ...[column('page', 'left'), column('link', 'left'), column('loads'), column(baseline)],
      ...[column('shortest'), column('with', 'left'), column('longest'), column('with', 'left')],
    ],
    rows: scenarios.map((scenario) => scenarioRow(scenario, baseline)),
  };
}

function scenarioRow({ page, link, profiles }: ScenarioComparison, baseline: string): readonly string[] {
  const loads = profiles.reduce((sum, each) => sum + each.loads, 0);
  const timed = profiles
    .flatMap(({ id, loadTimeMsMedian }) => (loadTimeMsMedian === undefined ? [] : [{ id, ms: loadTimeMsMedian }]))
    .sort((a, b) => a.ms - b.ms);
  const [shortest, longest] = [timed[0], timed.at(-1)];
  return [
    ...[page, link, String(loads), secondsText(timed.find(({ id }) => id === baseline)?.ms)],
    ...[secondsText(shortest?.ms), shortest?.id ?? UNKNOWN, secondsText(longest?.ms), longest?.id ?? UNKNOWN],
  ];
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
