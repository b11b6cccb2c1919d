/** The comparison for the terminal: the verdict in a sentence, then a table, and below it what a reader must know of it. */

import { comparisonOf } from '../compare/by-protocol.ts';
import type { Comparison, ProfileComparison, Verdict } from '../compare/comparison.ts';
import { formatChange, formatLoads, formatRange, formatSeconds, isBounded, percent, UNKNOWN } from '../text/figures.ts';
import { PROTOCOL_LABELS } from '../text/labels.ts';
import { printable, type TextColumn, textTable, wrapped } from '../text/text-table.ts';
import { rankingTable } from './ranking-table.ts';
import { bestFirst, hasPaints, paintCell, recommendationLines, soundnessNotes, verdictLabel } from './shown-comparison.ts';

interface TableOptions {
  /** Columns of the terminal. Default: 100. Where it is too narrow, columns are left out, then verdicts go below the table; the interval goes last. */
  readonly width?: number;
  /** Colours of the verdicts as ANSI escape codes. Default: none. */
  readonly colour?: boolean;
  /** The answer's sentence of everyday loads, in place of what the comparison recommends. */
  readonly answer?: string | undefined;
  /** What runs Plumbfox in the reader's shell. Default: its name. */
  readonly plumbfox?: string | undefined;
  /** Said between the verdict and the table. */
  readonly run?: string | undefined;
}

type Column = TextColumn<ProfileComparison>;

/** Every line ends without blanks; the text ends with a line break. */
export function reportTable(comparison: Comparison, { width = 100, colour = false, answer, plumbfox, run }: TableOptions = {}): string {
  const verdict = answer === undefined ? recommendationLines(comparison, plumbfox) : [answer];
  const above = [...verdict.map((line) => bold(wrapped(line, width), colour)), ...(run === undefined ? [] : [wrapped(run, width)])];
  const tables = (comparison.protocols ?? []).map(
    (own) => `${PROTOCOL_LABELS[own.protocol]}\n\n${profileTable(comparisonOf(comparison, own), { width, colour })}`,
  );
  const ranking = comparison.ranking.scenarios < 2 ? [] : [rankingTable(comparison.ranking, { width })];
  const below = notesOf(comparison).map((note) => wrapped(note, width));
  const profiles = tables.length > 0 ? tables : [profileTable(comparison, { width, colour })];
  return `${[...above, ...profiles, ...ranking, ...below].join('\n\n')}\n`;
}

function profileTable(comparison: Comparison, { width, colour }: Required<Pick<TableOptions, 'width' | 'colour'>>): string {
  const ordered = bestFirst(comparison);
  const layouts = layoutsOf(comparison).map((columns) => ({ columns, lines: textTable(ordered, columns) }));
  const { columns, lines } = layouts.find((layout) => layout.lines.every((line) => line.length <= width)) ?? narrowest(layouts);
  const hasVerdicts = columns.some(({ heading }) => heading === VERDICT);
  const painted = (line: string, profile: ProfileComparison | undefined) => (colour ? paint(line, profile) : line);
  const table = hasVerdicts
    ? [lines.map((line, at) => painted(line, ordered[at - HEADING_LINES])).join('\n')]
    : [lines.join('\n'), ordered.flatMap((profile) => verdictLine(profile).map((line) => painted(line, profile))).join('\n')];
  return table.join('\n\n');
}

/** A verdict below the table; the baseline has none of its own. */
function verdictLine(profile: ProfileComparison): readonly string[] {
  if (profile.role === 'baseline') return [];
  const words = verdictLabel(profile);
  return [profile.role === 'control' ? printable(words) : `${printable(profile.id)}: ${words}`];
}

/** Heading and rule. */
const HEADING_LINES = 2;
const VERDICT = 'verdict';

const narrowest = <T>(layouts: readonly T[]): T => layouts.at(-1) as T;

/** From the widest to the narrowest. An estimate without its interval misleads, so the interval goes last. */
function layoutsOf(comparison: Comparison): readonly (readonly Column[])[] {
  const { baseline, profiles } = comparison;
  const id: Column = { heading: 'profile', align: 'left', cell: (profile) => profile.id };
  const carrier: Column = {
    heading: 'depth by',
    align: 'left',
    cell: (profile) => (profile.carrier === 'none' ? UNKNOWN : profile.carrier),
  };
  const loads: Column = { heading: 'loads', align: 'left', cell: formatLoads };
  const efficiency: Column = { heading: 'efficiency', align: 'left', cell: efficiencyCell };
  const time: Column = { heading: 'load time', align: 'right', cell: (profile) => formatSeconds(profile.loadTimeMs.median) };
  const versus: Column = { heading: `against ${baseline}`, align: 'left', cell: (profile) => versusCell(profile, baseline) };
  const paint: Column = { heading: 'first paint', align: 'left', cell: paintCell };
  const narrowTime: Column = { ...time, heading: 'time' };
  const narrowVersus: Column = { ...versus, heading: 'change' };
  const shortVersus: Column = { ...versus, heading: 'change', cell: (profile) => versusCell(withoutInterval(profile), baseline) };
  const verdict: Column = { heading: VERDICT, align: 'left', cell: verdictCell };
  // Where no profile has a depth to carry, the column says nothing.
  const carriers = profiles.some((profile) => profile.carrier !== 'none') ? [carrier] : [];
  return [
    ...(hasPaints(comparison) ? [[id, ...carriers, loads, efficiency, time, versus, paint, verdict]] : []),
    [id, ...carriers, loads, efficiency, time, versus, verdict],
    [id, loads, efficiency, time, versus, verdict],
    [id, loads, time, versus, verdict],
    [id, time, versus, verdict],
    [id, narrowTime, narrowVersus, verdict],
    [id, ...carriers, loads, efficiency, time, versus],
    [id, loads, time, versus],
    [id, time, versus],
    [id, time, shortVersus],
  ];
}

function versusCell({ versusBaseline }: ProfileComparison, baseline: string): string {
  const { verdict, ratio, low, high, against } = versusBaseline;
  if (verdict === 'baseline' || ratio === undefined) return UNKNOWN;
  return `${formatChange(ratio)}${low === undefined || high === undefined ? '' : ` (${shortRange(low, high)})`}${against === baseline ? '' : ' *'}`;
}

/** `+20 to +31`: the percent sign stands before it already. */
function shortRange(low: number, high: number): string {
  const range = formatRange(low, high);
  return isBounded(low, high) && range.endsWith('%') ? range.replaceAll(' %', '') : range;
}

/** No load is faster than its link, but within the tolerance of a link's figures one may look so. */
const efficiencyCell = ({ efficiency: { estimate } }: ProfileComparison): string =>
  estimate === undefined ? UNKNOWN : percent(Math.min(estimate, 1));

function withoutInterval(profile: ProfileComparison): ProfileComparison {
  return { ...profile, versusBaseline: { ...profile.versusBaseline, low: undefined, high: undefined } };
}

/** What no column can say: what a star means, why there is no verdict, and the gateway's own cost. */
function notesOf(comparison: Comparison): readonly string[] {
  const parts = comparison.protocols?.map((own) => ({
    label: `${PROTOCOL_LABELS[own.protocol]}: `,
    of: comparisonOf(comparison, own),
  })) ?? [{ label: '', of: comparison }];
  return [
    ...new Set(parts.flatMap(({ of }) => starNotes(of))),
    ...parts.flatMap(({ label, of }) => faultNotes(of).map((note) => `${label}${note}`)),
    ...soundnessNotes(comparison),
    ...parts.flatMap(({ label, of: { control } }) => (control === undefined ? [] : [`${label}${control.sentence}`])),
  ];
}

function starNotes({ baseline, profiles }: Comparison): readonly string[] {
  const others = new Set(profiles.map(({ versusBaseline }) => versusBaseline.against).filter((against) => against !== baseline));
  return [...others].map((against) => `* against ${against}`);
}

function faultNotes({ profiles }: Comparison): readonly string[] {
  const faults = profiles.filter(({ versusBaseline }) => versusBaseline.verdict === 'no-verdict');
  return [...new Set(faults.map(({ versusBaseline }) => versusBaseline.reason))];
}

/** SGR codes of ECMA-48: green, red, faint. */
const COLOURS: Readonly<Record<Verdict, string>> = {
  better: '32',
  worse: '31',
  'no-meaningful-difference': '0',
  'need-more-loads': '2',
  baseline: '0',
  'no-verdict': '31',
};

/** `not enough data yet (about 24)`: a row has no room for the word. */
const verdictCell = (profile: ProfileComparison): string => verdictLabel(profile).replace(/ loads\)$/, ')');

function paint(line: string, profile: ProfileComparison | undefined): string {
  if (profile === undefined) return line;
  const verdict = verdictCell(profile);
  return `${line.slice(0, -verdict.length)}${ESCAPE}[${COLOURS[profile.versusBaseline.verdict]}m${verdict}${ESCAPE}[0m`;
}

const ESCAPE = '\u001b';

/** Each line by itself: a pager that shows one of them shows it bold. */
const bold = (text: string, colour: boolean): string =>
  colour ? text.replace(/^.+$/gm, (line) => `${ESCAPE}[1m${line}${ESCAPE}[0m`) : text;
