/**
 * The spread that is left in a table of values when rows and columns have been allowed for: value = row + column + noise,
 * fitted by least squares, any cells missing (two-way analysis of variance without replication; Fisher, "The Design of
 * Experiments" (1935), IV; for missing cells Searle, "Linear Models for Unbalanced Data" (1987), ch. 4).
 */
export interface ResidualSpread {
  /** Sum of squares of the residuals. */
  readonly squares: number;
  /**
   * Cells less the parameters that can be told apart: rows + columns less 1 for each part of the table that shares neither
   * row nor column with the rest. (R - 1)(C - 1) when no cell is missing.
   */
  readonly degreesOfFreedom: number;
}

/** One row of the table: its cells' columns, ascending and each once, and their finite values. */
export interface TableRow {
  readonly columns: readonly number[];
  readonly values: readonly number[];
}

/** A row without cells is a separate part: it adds a parameter and a part, and leaves nothing. */
export function additiveResidual(rows: readonly TableRow[]): ResidualSpread {
  const { effects, parts } = rowEffects(normalEquations(rows));
  let squares = 0;
  let cells = 0;
  let columns = 0;
  forEachColumn(rows, ({ members, values, size }) => {
    let level = 0;
    for (let at = 0; at < size; at++) level += (values[at] as number) - (effects[members[at] as number] as number);
    level /= size;
    for (let at = 0; at < size; at++) squares += ((values[at] as number) - (effects[members[at] as number] as number) - level) ** 2;
    cells += size;
    columns += 1;
  });
  return { squares, degreesOfFreedom: cells - rows.length - columns + parts };
}

/** The cells of one column: rows and values, the first `size` of each. The arrays are used again for the next. */
interface Column {
  readonly members: number[];
  readonly values: number[];
  size: number;
}

/** Columns in ascending order, by merging the rows. */
function forEachColumn(rows: readonly TableRow[], visit: (column: Column) => void): void {
  const next = rows.map(() => 0);
  const column: Column = { members: [], values: [], size: 0 };
  for (;;) {
    let lowest = Number.POSITIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      lowest = Math.min(lowest, (rows[row] as TableRow).columns[next[row] as number] ?? Number.POSITIVE_INFINITY);
    }
    if (lowest === Number.POSITIVE_INFINITY) return;
    column.size = 0;
    for (let row = 0; row < rows.length; row++) {
      const at = next[row] as number;
      const { columns, values } = rows[row] as TableRow;
      if (columns[at] !== lowest) continue;
      column.members[column.size] = row;
      column.values[column.size] = values[at] as number;
      column.size += 1;
      next[row] = at + 1;
    }
    visit(column);
  }
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
function rowEffects({ values, size }: Equations): { readonly effects: Float64Array; readonly parts: number } {
  const width = size + 1;
  let parts = 0;
  for (let at = 0; at < size; at++) {
    const pivot = values[at * width + at] as number;
    if (pivot <= NO_PIVOT) {
      parts += 1;
      continue;
    }
    for (let lower = at + 1; lower < size; lower++) {
      const factor = (values[lower * width + at] as number) / pivot;
      if (factor === 0) continue;
      for (let k = at; k < width; k++)
        values[lower * width + k] = (values[lower * width + k] as number) - factor * (values[at * width + k] as number);
    }
  }
  const effects = new Float64Array(size);
  for (let at = size - 1; at >= 0; at--) {
    const pivot = values[at * width + at] as number;
    if (pivot <= NO_PIVOT) continue;
    let right = values[at * width + size] as number;
    for (let k = at + 1; k < size; k++) right -= (values[at * width + k] as number) * (effects[k] as number);
    effects[at] = right / pivot;
  }
  return { effects, parts };
}

/** One equation per row, one after the other; the right-hand side is the last number of each. */
interface Equations {
  readonly values: Float64Array;
  readonly size: number;
}

function normalEquations(rows: readonly TableRow[]): Equations {
  const size = rows.length;
  const width = size + 1;
  const equations = new Float64Array(size * width);
  forEachColumn(rows, ({ members, values, size: cells }) => {
    let level = 0;
    for (let at = 0; at < cells; at++) level += values[at] as number;
    level /= cells;
    for (let at = 0; at < cells; at++) {
      const from = (members[at] as number) * width;
      equations[from + (members[at] as number)] = (equations[from + (members[at] as number)] as number) + 1;
      for (let other = 0; other < cells; other++) {
        equations[from + (members[other] as number)] = (equations[from + (members[other] as number)] as number) - 1 / cells;
      }
      equations[from + size] = (equations[from + size] as number) + (values[at] as number) - level;
    }
  });
  return { values: equations, size };
}
