/** Symmetric positive semi-definite equations, a few of them, some of which may say nothing. */

/** Lower triangle by rows; an empty row (pivot 0) belongs to a variable that the earlier ones already say everything of. */
export interface CholeskyFactor {
  readonly rows: readonly Float64Array[];
  readonly empty: readonly boolean[];
}

/** A pivot below this share of the variable's own square is rounding: what is left of it is told by the others. */
const NO_PIVOT = 1e-7;

/** @param scale what each diagonal is measured against: the variable's square before anything was taken out of it. */
export function cholesky(matrix: readonly Float64Array[], scale: readonly number[]): CholeskyFactor {
  const rows = matrix.map((row) => Float64Array.from(row));
  const empty: boolean[] = [];
  for (let at = 0; at < rows.length; at++) {
    const own = rows[at] as Float64Array;
    for (let column = 0; column <= at; column++) {
      const other = rows[column] as Float64Array;
      let sum = own[column] as number;
      for (let k = 0; k < column; k++) sum -= (own[k] as number) * (other[k] as number);
      if (column < at) own[column] = empty[column] ? 0 : sum / (other[column] as number);
      else {
        empty[at] = sum <= NO_PIVOT * (scale[at] ?? 0);
        own[at] = empty[at] ? 0 : Math.sqrt(sum);
      }
    }
  }
  return { rows, empty };
}

/** x with matrix x = right; 0 for the variables without an equation of their own. */
export function solve({ rows, empty }: CholeskyFactor, right: ArrayLike<number>): Float64Array {
  const solution = Float64Array.from(right);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as Float64Array;
    let sum = solution[at] as number;
    for (let k = 0; k < at; k++) sum -= (row[k] as number) * (solution[k] as number);
    solution[at] = empty[at] ? 0 : sum / (row[at] as number);
  }
  for (let at = rows.length - 1; at >= 0; at--) {
    let sum = solution[at] as number;
    for (let k = at + 1; k < rows.length; k++) sum -= ((rows[k] as Float64Array)[at] as number) * (solution[k] as number);
    solution[at] = empty[at] ? 0 : sum / ((rows[at] as Float64Array)[at] as number);
  }
  return solution;
}
