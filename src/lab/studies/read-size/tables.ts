/** The tables of the read-size study: verdicts, outcomes by cohort, and cut-off tables in the mail's form. */

import type { CutoffSide, CutoffTable } from '../../../core/compare/cutoff-table.ts';
import { MEANINGFUL_CHANGE } from '../../../core/compare/thresholds.ts';
import { percent, rangeInWords, signedPercent, speedInWords, UNKNOWN } from '../../../core/text/figures.ts';
import type { StudyTable } from '../findings.ts';
import { type CheckedChange, NOTHING_CHANGED } from './check.ts';
import { MICROSECONDS, type RepeatCohort } from './first-bytes.ts';
import { cohortSpan, LAST_CUTOFF } from './outcomes.ts';
import { MARGIN, type ProfileVerdicts, type TimeChange } from './verdicts.ts';
import { FIRST_BYTE, loadVerdictWords, soonerInWords, soonerRange, timeVerdictWords } from './words.ts';

type Column = StudyTable['columns'][number];
const left = (name: string): Column => ({ name, align: 'left' });
const right = (name: string): Column => ({ name, align: 'right' });

/** The intervals of one measure hold together; those of the three measures do not. */
export function verdictTable(verdicts: readonly ProfileVerdicts[], baseline: string): StudyTable {
  const [together] = verdicts.map(({ intervals }) => intervals);
  const margins = `what lies within ${percent(MARGIN)} in a time, and within ${percent(MEANINGFUL_CHANGE)} in efficiency, counts as no difference; more is a verdict only where it is told from ${NOTHING_CHANGED} as well; the intervals of one measure hold together`;
  return {
    title: `Against ${baseline}: ${FIRST_BYTE} on new connections, the same without waiting in the browser between handshake and request, and efficiency of the whole load; ${margins}`,
    columns: [
      ...[left('profile'), right('loads'), left('of'), right('pairs'), right('change')],
      ...[right(`95 % interval, ${together ?? 0} together`), left('verdict')],
    ],
    rows: verdicts.flatMap(({ id, loads, firstByte, exchange, load }) => [
      [id, String(loads), FIRST_BYTE, ...timeCells(firstByte)],
      [id, String(loads), 'without waiting', ...timeCells(exchange)],
      [id, String(loads), 'load efficiency', ...efficiencyCells(load)],
    ]),
  };
}

const NO_CELLS = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];

function timeCells(change: TimeChange | undefined): readonly string[] {
  if (change === undefined) return NO_CELLS;
  const { ratio, pairs } = change;
  return [String(pairs), ratio === undefined ? UNKNOWN : soonerInWords(ratio), soonerRange(change), timeVerdictWords(change)];
}

function efficiencyCells(change: CheckedChange | undefined): readonly string[] {
  if (change === undefined) return NO_CELLS;
  const { ratio, low, high, pairs } = change;
  return [
    String(pairs),
    ratio === undefined ? UNKNOWN : speedInWords(ratio),
    low === undefined || high === undefined ? 'not bounded yet' : rangeInWords(low, high),
    loadVerdictWords(change),
  ];
}

/** One profile with its cohorts, a cohort for each repeat. */
export interface ComparedSize {
  readonly id: string;
  readonly cohorts: readonly RepeatCohort[];
}

/** The mail's headline of every week: by how much ~mean differs at the first and the last cut-off. */
export function outcomeTable(sizes: readonly ComparedSize[], baseline: string): StudyTable {
  const names = [...new Set(sizes.flatMap(({ cohorts }) => cohorts.map(({ name }) => name)))];
  return {
    title: `Outcome by cohort: how much larger ${baseline}'s ~mean is than the profile's, at cut-offs of 50 % and ${LAST_CUTOFF} %; a win of the profile has it larger at all cut-offs between, as in the mail's weeks`,
    columns: [left('cohort'), ...sizes.map(({ id }) => right(id))],
    rows: names.map((name) => [name, ...sizes.map(({ cohorts }) => outcomeText(cohorts.find((cohort) => cohort.name === name)))]),
  };
}

function outcomeText(cohort: RepeatCohort | undefined): string {
  if (cohort === undefined) return UNKNOWN;
  if (cohort.state === 'corrupt') return 'set aside';
  const span = cohortSpan(cohort.table);
  if (span.outcome === 'unknown') return UNKNOWN;
  return `${span.outcome.replace('-', ' ')} ${signedPercent(span.from.relative)} to ${signedPercent(span.to.relative)}`;
}

/** Cohort by cohort, as the mail has weeks; a cohort that is set aside says why in its only row. */
export function cohortTable({ id, cohorts }: ComparedSize, baseline: string): StudyTable {
  return {
    title: `Time to first byte on new connections by cohort, ms: ${baseline}, then ${id}, then the first less the second and that as a share of the second; ${LEGEND}`,
    columns: [left('cohort'), ...CUTOFF_COLUMNS],
    rows: cohorts.flatMap((cohort) => {
      if (cohort.state === 'compared') return cutoffRows(cohort.table).map((row) => [cohort.name, ...row]);
      const why = cohort.corruptions.map(({ sign, arm, detail }) => `${sign}${arm ? ` (${arm})` : ''}: ${detail}`).join('; ');
      return [[`${cohort.name}, set aside: ${why}`, ...CUTOFF_COLUMNS.map(() => UNKNOWN)]];
    }),
  };
}

/** All sound cohorts of a profile together. */
export function profileTable({ id, table }: { readonly id: string; readonly table: CutoffTable }, baseline: string): StudyTable {
  const { first, second } = table.samples;
  return {
    title: `All cohorts together, ms: ${baseline} (${first} new connections), then ${id} (${second})`,
    columns: CUTOFF_COLUMNS,
    rows: cutoffRows(table),
  };
}

/** Of the mail's columns, which it does not explain either. */
const LEGEND =
  "value: below it lie as many of the times as the cut-off says; means: of those times, each taken as the smallest of its histogram's bucket (min), halfway (~), or the largest (max)";

const SIDE = ['value', 'min mean', '~mean', 'max mean'];
const CUTOFF_COLUMNS: readonly Column[] = ['cut-off', ...SIDE, ...SIDE, 'Δ value', 'Δ %', 'Δ ~mean', 'Δ %'].map(right);

const cutoffRows = ({ rows }: CutoffTable): readonly (readonly string[])[] =>
  rows.map(({ cutoffPercent, first, second, valueDelta, meanDelta }) => [
    `${cutoffPercent} %`,
    ...sideCells(first),
    ...sideCells(second),
    ...[valueDelta, meanDelta].flatMap(({ absolute, relative }) => [ms(absolute), share(relative)]),
  ]);

const sideCells = ({ value, minMean, mean, maxMean }: CutoffSide): readonly string[] => [value, minMean, mean, maxMean].map(ms);

const ms = (microseconds: number | undefined): string =>
  microseconds === undefined ? UNKNOWN : signed((microseconds / MICROSECONDS).toFixed(Math.abs(microseconds) < 99_950 ? 2 : 1));

const share = (relative: number | undefined): string => (relative === undefined ? UNKNOWN : `${signed((100 * relative).toFixed(2))} %`);

/** A minus sign, and none before what rounds to nothing. */
const signed = (digits: string): string => (Number(digits) === 0 ? digits.replace('-', '') : digits.replace('-', '−'));
