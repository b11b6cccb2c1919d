/**
 * The spread that is left in a table of values when rows and columns have been allowed for: value = row + column + noise,
 * fitted by least squares, any cells missing (two-way analysis of variance without replication; Fisher, "The Design of
 * Experiments" (1935), IV; for missing cells Searle, "Linear Models for Unbalanced Data" (1987), ch. 4).
 */
import { mean } from './mean.ts';

export interface ResidualSpread {
  /** Sum of squares of the residuals. */
  readonly squares: number;
  /**
   * Cells less the parameters that can be told apart: rows + columns less 1 for each part of the table that shares neither
   * row nor column with the rest. (R - 1)(C - 1) when no cell is missing.
   */
  readonly degreesOfFreedom: number;
}

/** One row of the table: its cells' columns, each once, and their finite values. */
export interface TableRow {
  readonly columns: readonly number[];
  readonly values: readonly number[];
}

export function additiveResidual(table: readonly TableRow[]): ResidualSpread {
  const rows = table.filter(({ columns }) => columns.length > 0);
  // A row by itself is fitted exactly.
  if (rows.length < 2) return { squares: 0, degreesOfFreedom: 0 };
  const columns = columnsOf(rows);
  const { effects, parts } = rowEffects(columns, rows.length);
  let squares = 0;
  let cells = 0;
  for (const column of columns) {
    const left = column.map(({ row, value }) => value - (effects[row] ?? 0));
    const level = mean(left);
    for (const value of left) squares += (value - level) ** 2;
    cells += column.length;
  }
  return { squares, degreesOfFreedom: cells - rows.length - columns.length + parts };
}

interface Cell {
  readonly row: number;
  readonly value: number;
}

function columnsOf(rows: readonly TableRow[]): readonly (readonly Cell[])[] {
  const found = new Map<number, Cell[]>();
  rows.forEach(({ columns, values }, row) => {
    columns.forEach((column, at) => {
      const cell = { row, value: values[at] ?? 0 };
      const known = found.get(column);
      if (known === undefined) found.set(column, [cell]);
      else known.push(cell);
    });
  });
  return [...found.values()];
}

/**
 * Below this a pivot is rounding: pivots are conductances of the graph in which rows that share a column are joined, and a
 * chain of a thousand rows still has 1e-3.
 */
const NO_PIVOT = 1e-9;

/**
 * With the columns eliminated, the normal equations for the rows are those of a graph Laplacian, each column of k cells
 * joining its rows by 1 / k. Elimination needs no exchange of rows; it meets one empty pivot in each part of the graph, whose
 * row is the one the others of the part are measured from.
 */
function rowEffects(columns: readonly (readonly Cell[])[], count: number): { readonly effects: readonly number[]; readonly parts: number } {
  const equations = normalEquations(columns, count);
  let parts = 0;
  for (const [at, equation] of equations.entries()) {
    const pivot = equation[at] ?? 0;
    if (pivot <= NO_PIVOT) {
      parts += 1;
      continue;
    }
    for (const lower of equations.slice(at + 1)) {
      const factor = (lower[at] ?? 0) / pivot;
      if (factor !== 0) for (let k = at; k <= count; k++) add(lower, k, -factor * (equation[k] ?? 0));
    }
  }
  const effects = Array.from({ length: count }, () => 0);
  for (let at = count - 1; at >= 0; at--) {
    const equation = equations[at] ?? [];
    const pivot = equation[at] ?? 0;
    if (pivot <= NO_PIVOT) continue;
    let right = equation[count] ?? 0;
    for (let k = at + 1; k < count; k++) right -= (equation[k] ?? 0) * (effects[k] ?? 0);
    effects[at] = right / pivot;
  }
  return { effects, parts };
}

/** One equation per row; the right-hand side is its last number. */
function normalEquations(columns: readonly (readonly Cell[])[], count: number): number[][] {
  const equations = Array.from({ length: count }, () => Array.from({ length: count + 1 }, () => 0));
  for (const column of columns) {
    const level = mean(column.map(({ value }) => value));
    for (const { row, value } of column) {
      const equation = equations[row] ?? [];
      add(equation, row, 1);
      for (const other of column) add(equation, other.row, -1 / column.length);
      add(equation, count, value - level);
    }
  }
  return equations;
}

function add(numbers: number[], at: number, value: number): void {
  numbers[at] = (numbers[at] ?? 0) + value;
}
