/** The table of a calibration, for people and for machines. */
import type { CalibrationLine } from './line.ts';
import { type CalibrationRow, stateOf, type Unit } from './row.ts';

export interface CalibratedLine {
  readonly line: CalibrationLine;
  readonly runs: number;
  readonly rows: readonly CalibrationRow[];
}

export interface Calibration {
  readonly seed: number;
  readonly lines: readonly CalibratedLine[];
}

export function missedRows({ lines }: Calibration): readonly CalibrationRow[] {
  return lines.flatMap(({ rows }) => rows.filter((row) => stateOf(row) === 'missed'));
}

export function calibrationJson({ seed, lines }: Calibration): unknown {
  return {
    seed,
    met: missedRows({ seed, lines }).length === 0,
    lines: lines.map(({ line, runs, rows }) => ({
      line: line.name,
      what: line.what,
      runs,
      fullCount: runs >= line.runs,
      rows: rows.map((row) => ({
        what: row.what,
        unit: row.unit,
        bar: row.bar === undefined ? null : { low: row.bar.low ?? null, high: row.bar.high ?? null },
        found: row.found ?? null,
        monteCarloError: row.error ?? null,
        state: stateOf(row),
      })),
    })),
  };
}

const HEADER = ['what', 'bar', 'found', '+-', ''] as const;
const MARK = { met: 'pass', missed: 'FAIL', shown: '' } as const;

export function calibrationText(calibration: Calibration): string {
  const { seed, lines } = calibration;
  const cells = lines.map(({ rows }) => rows.map(cellsOf));
  const widths = HEADER.map((title, at) => Math.max(title.length, ...cells.flat().map((row) => row[at]?.length ?? 0)));
  const format = (row: readonly string[]) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`.trimEnd();
  const blocks = lines.map(({ line, runs }, at) =>
    [`${line.name}: ${line.what} ${runs} runs.`, ...(cells[at] ?? []).map(format), ''].join('\n'),
  );
  const missed = missedRows(calibration).length;
  const held = lines.flatMap(({ rows }) => rows).filter(({ bar }) => bar !== undefined).length;
  return [
    `Seed ${seed}. +- is one Monte-Carlo standard error; rows without a bar are shown for comparison.`,
    '',
    format(HEADER),
    '',
    ...blocks,
    missed === 0 ? `All ${held} bars met.` : `${missed} of ${held} bars missed.`,
    '',
  ].join('\n');
}

function cellsOf(row: CalibrationRow): readonly string[] {
  const { what, unit, found, error, bar } = row;
  return [
    what,
    bar === undefined ? '' : barText(bar, unit),
    found === undefined ? 'none' : figure(found, unit),
    error === undefined ? '' : figure(error, unit),
    MARK[stateOf(row)],
  ];
}

function barText({ low, high }: NonNullable<CalibrationRow['bar']>, unit: Unit): string {
  if (low !== undefined && high !== undefined) return `${figure(low, unit)} to ${figure(high, unit)}`;
  if (high !== undefined) return `at most ${figure(high, unit)}`;
  return low === undefined ? '' : `at least ${figure(low, unit)}`;
}

/** p-values to two figures, as the smallest matter most. */
function figure(value: number, unit: Unit): string {
  switch (unit) {
    case 'share':
      return `${(100 * value).toFixed(1)} %`;
    case 'p':
      return value.toPrecision(2);
    case 'ratio':
      return value.toFixed(2);
    case 'runs':
    case 'loads':
      return value.toFixed(0);
  }
}
