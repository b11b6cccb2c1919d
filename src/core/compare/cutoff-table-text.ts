/** A cut-off table as text, with the columns of the AsyncSlowStart mail and its outcome in words. */
import { assertNever } from '../errors.ts';
import { type CutoffSpan, cutoffSpan } from './cutoff-span.ts';
import type { CutoffRow, CutoffSide, CutoffTable } from './cutoff-table.ts';

export interface CutoffTextOptions {
  /** Of the values; "ms" unless said. */
  readonly unit?: string;
  /** What the arms are called; "first" and "second" unless said. */
  readonly first?: string;
  readonly second?: string;
  /** As for `cutoffSpan`: where values begin that have a cause of their own. */
  readonly tailFrom?: number;
}

type Named = Required<Omit<CutoffTextOptions, 'tailFrom'>> & Pick<CutoffTextOptions, 'tailFrom'>;

/**
 * Every line ends without blanks; the text ends with a line break. Figures have four digits or whole units; unknown is a dash.
 */
export function cutoffTableText(table: CutoffTable, options: CutoffTextOptions = {}): string {
  const named: Named = { unit: 'ms', first: 'first', second: 'second', ...options };
  const { unit, first, second, tailFrom } = named;
  const span = cutoffSpan(table, tailFrom === undefined ? {} : { tailFrom });
  const cells = [SIDE_HEADINGS, ...table.rows.map(rowCells)];
  const widths = SIDE_HEADINGS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const over = groupHeadings(widths, [`${first} (${unit})`, `${second} (${unit})`, `${first} − ${second}`]);
  const lines = cells.map((line) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(GAP));
  const rule = widths.map((width) => '─'.repeat(width)).join(GAP);
  const notes = [
    `Values and means in ${unit}, differences also in per cent of ${second}. Means are of what lies below the cut-off:`,
    "min, ~ and max take each value for its bucket's smallest, middle and largest.",
  ];
  return `${[spanText(span, named), '', over, lines[0], rule, ...lines.slice(1), '', ...notes].map((line) => line?.trimEnd()).join('\n')}\n`;
}

/** "WIN for on, 4.90 % to 3.73 %: ...", as the mail's line, with what it means. */
export function spanText(span: CutoffSpan, { first = 'first', second = 'second', tailFrom, unit = 'ms' }: CutoffTextOptions = {}): string {
  if (span.outcome === 'unknown') return `UNKNOWN: ${span.reason}.`;
  const shares = `${share(span.from.relative)} to ${share(span.to.relative)}`;
  const where = `from ${cutoffText(span.from.cutoffPercent)} to ${cutoffText(span.to.cutoffPercent)}`;
  const tail = tailFrom === undefined ? '' : ` Cut-offs that reach ${figureText(tailFrom)} ${unit} are left out.`;
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

const SIDE = ['value', 'min mean', '~mean', 'max mean'];
const SIDE_HEADINGS = ['cut-off', ...SIDE, ...SIDE, 'value', '%', '~mean', '%'];
/** Columns under each of the headings above: the cut-off itself has none. */
const GROUPS = [SIDE.length, SIDE.length, 4];
const GAP = '  ';
const UNKNOWN = '–';

function groupHeadings(widths: readonly number[], names: readonly string[]): string {
  let column = 1;
  const groups = GROUPS.map((count, at) => {
    const width = widths.slice(column, column + count).reduce((sum, one) => sum + one + GAP.length, -GAP.length);
    column += count;
    return (names[at] ?? '').padStart(width);
  });
  return [' '.repeat(widths[0] ?? 0), ...groups].join(GAP);
}

function rowCells({ cutoffPercent, first, second, valueDelta, meanDelta }: CutoffRow): readonly string[] {
  const deltas = [valueDelta, meanDelta].flatMap(({ absolute, relative }) => [figureText(absolute), share(relative)]);
  return [cutoffText(cutoffPercent), ...sideCells(first), ...sideCells(second), ...deltas];
}

function sideCells({ value, minMean, mean, maxMean }: CutoffSide): readonly string[] {
  return [value, minMean, mean, maxMean].map(figureText);
}

const cutoffText = (percent: number): string => `${percent} %`;
const share = (relative: number | undefined): string => (relative === undefined ? UNKNOWN : `${signed((relative * 100).toFixed(2))} %`);

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
