/** A cut-off table as text, with the columns of the AsyncSlowStart mail and its outcome in words. */

import type { Cohort } from '../../../../src/core/compare/cohort-tables.ts';
import {
  type CutoffRow,
  type CutoffSide,
  type CutoffSpan,
  type CutoffTable,
  cutoffSpan,
} from '../../../../src/core/compare/cutoff-table.ts';
import { assertNever } from '../../../../src/core/errors.ts';
import { UNKNOWN } from '../../../../src/core/text/figures.ts';
import { printable, type TextColumn, textTable } from '../../../../src/core/text/text-table.ts';

export interface CutoffTextOptions {
  /** Of the values; "ms" unless said. */
  readonly unit?: string;
  /** What the arms are called; "first" and "second" unless said. */
  readonly first?: string;
  readonly second?: string;
  /** As for `cutoffSpan`: where values begin that have a cause of their own. */
  readonly tailFrom?: number;
}

/**
 * Every line ends without blanks; the text ends with a line break. Figures have four digits or whole units; what is not known is a
 * dash.
 */
export function cutoffTableText(table: CutoffTable, options: CutoffTextOptions = {}): string {
  const { unit = 'ms', first = 'first', second = 'second', tailFrom } = options;
  const span = cutoffSpan(table, tailFrom === undefined ? {} : { tailFrom });
  const lines = textTable(table.rows, COLUMNS);
  const over = groupHeadings(lines[RULE] ?? '', [`${first} (${unit})`, `${second} (${unit})`, `${first} − ${second}`]);
  const notes = [
    `Values and means in ${unit}, differences also in per cent of ${second}. Means are of what lies below the cut-off:`,
    "min, ~ and max take each value for its bucket's smallest, middle and largest.",
  ];
  return `${[spanText(span, options), '', printable(over), ...lines, '', ...notes.map(printable)].join('\n')}\n`;
}

/** "WIN for on, 4.90 % to 3.73 %: ...", as the mail's line, with what it means. */
export function spanText(span: CutoffSpan, options: CutoffTextOptions = {}): string {
  return printable(spanSentence(span, options));
}

function spanSentence(span: CutoffSpan, { first = 'first', second = 'second', tailFrom, unit = 'ms' }: CutoffTextOptions): string {
  if (span.outcome === 'unknown') return `UNKNOWN: ${span.reason}.`;
  const shares = `${shareText(span.from.relative)} to ${shareText(span.to.relative)}`;
  const where = `from ${cutoffText(span.from.cutoffPercent)} to ${cutoffText(span.to.cutoffPercent)}`;
  const tail = tailFrom === undefined ? '' : ` Cut-offs that reach ${figureText(tailFrom)} ${unit} are excluded.`;
  switch (span.outcome) {
    case 'win':
      return `WIN for ${second}, ${shares}: ${first} has the higher ~mean at every cut-off ${where}.${tail}`;
    case 'loss':
      return `LOSS for ${second}, ${shares}: ${first} has the lower ~mean at every cut-off ${where}.${tail}`;
    case 'no-change':
      return `NO CHANGE: ${first} and ${second} have the same ~mean at every cut-off ${where}.${tail}`;
    case 'mixed':
      return `MIXED, ${shares}: ${first} does not have the higher, nor the lower, ~mean at every cut-off ${where}.${tail}`;
    default:
      return assertNever(span);
  }
}

const figure = (heading: string, of: (row: CutoffRow) => number | undefined): TextColumn<CutoffRow> => ({
  heading,
  align: 'right',
  cell: (row) => figureText(of(row)),
});

const share = (of: (row: CutoffRow) => number | undefined): TextColumn<CutoffRow> => ({
  heading: '%',
  align: 'right',
  cell: (row) => shareText(of(row)),
});

const side = (of: (row: CutoffRow) => CutoffSide): readonly TextColumn<CutoffRow>[] => [
  figure('value', (row) => of(row).value),
  figure('min mean', (row) => of(row).minMean),
  figure('~mean', (row) => of(row).mean),
  figure('max mean', (row) => of(row).maxMean),
];

const COLUMNS: readonly TextColumn<CutoffRow>[] = [
  { heading: 'cut-off', align: 'right', cell: ({ cutoffPercent }) => cutoffText(cutoffPercent) },
  ...side(({ first }) => first),
  ...side(({ second }) => second),
  figure('value', ({ valueDelta }) => valueDelta.absolute),
  share(({ valueDelta }) => valueDelta.relative),
  figure('~mean', ({ meanDelta }) => meanDelta.absolute),
  share(({ meanDelta }) => meanDelta.relative),
];

/** How many columns stand under each of the names above them: the cut-off itself has none. */
const GROUPS = [4, 4, 4];
/** The line of `textTable` that shows the widths, and what separates columns. */
const RULE = 1;
const GAP = '  ';

function groupHeadings(rule: string, names: readonly string[]): string {
  const [cutoff = 0, ...widths] = rule.split(GAP).map(({ length }) => length);
  let column = 0;
  const groups = GROUPS.map((count, at) => {
    const width = widths.slice(column, column + count).reduce((sum, one) => sum + GAP.length + one, 0);
    column += count;
    return (names[at] ?? '').padStart(width);
  });
  return `${' '.repeat(cutoff)}${groups.join('')}`;
}

function cutoffText(percent: number): string {
  return `${percent} %`;
}

function shareText(relative: number | undefined): string {
  return relative === undefined ? UNKNOWN : `${signed((relative * 100).toFixed(2))} %`;
}

/** `26015`, `260.5`, `11.42`. */
function figureText(value: number | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = Math.abs(value);
  return signed(value.toFixed(size < 99.995 ? 2 : size < 999.95 ? 1 : 0));
}

/** A minus sign, and none before what rounds to nothing. */
function signed(digits: string): string {
  return Number(digits) === 0 ? digits.replace('-', '') : digits.replace('-', '−');
}

/** Cohorts as text: a table for each week that could be compared, and for each other why it could not. Weeks are parted by an empty line; the text ends with a line break. */
export function cohortTablesText(cohorts: readonly Cohort[], options: CutoffTextOptions = {}): string {
  return cohorts.map((cohort) => cohortText(cohort, options)).join('\n');
}

function cohortText(cohort: Cohort, options: CutoffTextOptions): string {
  switch (cohort.state) {
    case 'compared':
      return `${cohort.week}  ${cutoffTableText(cohort.table, options)}`;
    case 'corrupt': {
      const { first = 'first', second = 'second' } = options;
      const names = { first, second };
      const reasons = cohort.corruptions.map(({ sign, arm, detail }) =>
        printable(`  ${sign}: ${arm === undefined ? '' : `${names[arm]}: `}${detail}`),
      );
      return `${[`${cohort.week}  Data is corrupt and excluded:`, ...reasons].join('\n')}\n`;
    }
    default:
      return assertNever(cohort);
  }
}
