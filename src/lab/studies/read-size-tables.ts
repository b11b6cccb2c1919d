/** The tables of the read-size study: verdicts, outcomes by cohort, and cut-off tables in the mail's form. */

import type { Verdict } from '../../core/compare/comparison.ts';
import { cutoffSpan } from '../../core/compare/cutoff-span.ts';
import type { CutoffSide, CutoffTable } from '../../core/compare/cutoff-table.ts';
import { rangeInWords, signedPercent } from '../../core/compare/plain-words.ts';
import { assertNever } from '../../core/errors.ts';
import { UNKNOWN } from '../../core/report/figure-text.ts';
import { MICROSECONDS, type RepeatCohort } from './read-size-first-bytes.ts';
import type { ProfileVerdicts, TimeChange } from './read-size-verdicts.ts';
import type { StudyTable } from './study-findings.ts';

type Column = StudyTable['columns'][number];
const left = (name: string): Column => ({ name, align: 'left' });
const right = (name: string): Column => ({ name, align: 'right' });

export function verdictTable(verdicts: readonly ProfileVerdicts[], baseline: string): StudyTable {
  return {
    title: `Against ${baseline}: time to first byte on new connections, the same without waiting in the browser between handshake and request, and efficiency of the whole load`,
    columns: [left('profile'), right('loads'), left('of'), right('change'), right('interval'), left('verdict')],
    rows: verdicts.flatMap(({ id, loads, firstByte, exchange, load }) => [
      [id, String(loads), 'time to first byte', ...changeCells(firstByte), verdictCell(firstByte)],
      [id, String(loads), 'without waiting', ...changeCells(exchange), verdictCell(exchange)],
      [id, String(loads), 'load efficiency', ...changeCells(load), load?.verdict.replaceAll('-', ' ') ?? UNKNOWN],
    ]),
  };
}

const verdictCell = (change: TimeChange | undefined): string => (change === undefined ? UNKNOWN : firstByteWords(change.verdict));

function changeCells(change: Pick<TimeChange, 'ratio' | 'low' | 'high'> | undefined): readonly string[] {
  if (change?.ratio === undefined) return [UNKNOWN, UNKNOWN];
  const { ratio, low, high } = change;
  return [signedPercent(ratio - 1), low === undefined || high === undefined ? UNKNOWN : rangeInWords(low, high)];
}

/** Of times: what is better comes sooner. */
export function firstByteWords(verdict: Verdict): string {
  switch (verdict) {
    case 'better':
      return 'sooner';
    case 'worse':
      return 'later';
    case 'no-meaningful-difference':
      return 'within 3 %';
    case 'need-more-loads':
      return 'need more loads';
    case 'baseline':
      return 'baseline';
    case 'no-verdict':
      return 'no verdict';
    default:
      return assertNever(verdict);
  }
}

export interface ComparedSize {
  readonly id: string;
  readonly cohorts: readonly RepeatCohort[];
}

/** The mail's headline of every week: by how much ~mean differs at the first and the last cut-off. */
export function outcomeTable(sizes: readonly ComparedSize[], baseline: string): StudyTable {
  const names = [...new Set(sizes.flatMap(({ cohorts }) => cohorts.map(({ name }) => name)))];
  return {
    title: `Outcome by cohort: ${baseline}'s ~mean over the profile's, at cut-offs of 50 % and 99.5 %; a win of the profile has it higher at all nine`,
    columns: [left('cohort'), ...sizes.map(({ id }) => right(id))],
    rows: names.map((name) => [name, ...sizes.map(({ cohorts }) => outcomeText(cohorts.find((cohort) => cohort.name === name)))]),
  };
}

function outcomeText(cohort: RepeatCohort | undefined): string {
  if (cohort === undefined) return UNKNOWN;
  if (cohort.state === 'corrupt') return 'set aside';
  const span = cutoffSpan(cohort.table);
  if (span.outcome === 'unknown') return UNKNOWN;
  return `${span.outcome.replace('-', ' ')} ${signedPercent(span.from.relative)} to ${signedPercent(span.to.relative)}`;
}

/** Cohort by cohort, as the mail has weeks; a cohort that is set aside says why in its only row. */
export function cohortTable({ id, cohorts }: ComparedSize, baseline: string): StudyTable {
  return {
    title: `Time to first byte on new connections by cohort, ms: ${baseline}, then ${id}, then the first less the second`,
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
