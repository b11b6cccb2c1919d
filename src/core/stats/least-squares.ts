/**
 * The two steps of a least-squares fit with fixed effects: the effects are absorbed, and the normal equations that are left are solved.
 *
 * Effects of factors with many levels are taken out of variables: what is left when every level's own mean has been allowed for, in all
 * factors together. By alternating projections (von Neumann 1949; Gaure, "OLS with multiple high dimensional category variables",
 * Computational Statistics & Data Analysis 66 (2013)): take each factor's level means out in turn until they are gone.
 */

export interface Factor {
  /** The level of each row, from 0. */
  readonly levels: Int32Array;
  readonly count: number;
  /**
   * Effects are drawn towards 0 as those of a random factor are: a level of n rows has n / (n + penalty) of its mean (ridge; Henderson, "Best linear
   * unbiased estimation and prediction under a selection model", Biometrics 31 (1975), with the ratio of the variances of noise and levels). 0 unless
   * said: effects are fixed.
   */
  readonly penalty?: number;
}

/** Variables side by side: the values of a row lie together. */
export interface Table {
  readonly values: Float64Array;
  /** Variables, and so values in a row; at least 1. */
  readonly width: number;
}

/** Level means smaller than this share of the variable's root mean square are gone: an effect is then right to 1e-7 of the spread. */
const TOLERANCE = 1e-7;
/** Factors that are joined by few rows converge slowly; what is left by then is far below any noise. */
const MAX_ROUNDS = 300;

/** Subtracts the factors' effects from every variable, in place. */
export function absorbEffects(table: Table, factors: readonly Factor[]): void {
  const frames = factors.map((factor) => frameOf(factor, table.width));
  const [first] = frames;
  if (first === undefined) return;
  const limits = rootMeanSquares(table).map((size) => size * TOLERANCE);
  addUp(table, first);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let gone = true;
    frames.forEach((frame, at) => {
      gone = toMeans(frame, limits) && gone;
      takeOut(table, frame, frames[(at + 1) % frames.length] as Frame);
    });
    if (gone || frames.length === 1) return;
  }
}

/** A factor with the sums, then the means, of its levels: as wide as the table. */
interface Frame extends Factor {
  readonly sizes: Float64Array;
  readonly sums: Float64Array;
  readonly penalty: number;
  /** What was taken out so far; only where there is a penalty on it. */
  readonly effects: Float64Array;
}

function frameOf({ levels, count, penalty = 0 }: Factor, width: number): Frame {
  const sizes = new Float64Array(count);
  for (const level of levels) sizes[level] = (sizes[level] as number) + 1;
  const effects = new Float64Array(penalty > 0 ? count * width : 0);
  return { levels, count, sizes, sums: new Float64Array(count * width), penalty, effects };
}

function addUp({ values, width }: Table, { levels, sums }: Frame): void {
  for (let row = 0; row < levels.length; row++) {
    const from = row * width;
    const to = (levels[row] as number) * width;
    for (let k = 0; k < width; k++) sums[to + k] = (sums[to + k] as number) + (values[from + k] as number);
  }
}

/** Whether all of them are gone. */
function toMeans({ sizes, sums, penalty, effects }: Frame, limits: readonly number[]): boolean {
  const width = limits.length;
  let gone = true;
  for (let level = 0; level < sizes.length; level++) {
    const size = Math.max(1, sizes[level] as number);
    for (let k = 0; k < width; k++) {
      const at = level * width + k;
      const drawn = penalty > 0 ? penalty * (effects[at] as number) : 0;
      const mean = ((sums[at] as number) - drawn) / (size + penalty);
      sums[at] = mean;
      if (penalty > 0) effects[at] = (effects[at] as number) + mean;
      if (Math.abs(mean) > (limits[k] as number)) gone = false;
    }
  }
  return gone;
}

/** Subtracts the means and sums for the next factor, in one pass. */
function takeOut({ values, width }: Table, { levels, sums: means }: Frame, next: Frame): void {
  const isSame = next.sums === means;
  if (!isSame) next.sums.fill(0);
  for (let row = 0; row < levels.length; row++) {
    const from = row * width;
    const own = (levels[row] as number) * width;
    const other = (next.levels[row] as number) * width;
    for (let k = 0; k < width; k++) {
      const left = (values[from + k] as number) - (means[own + k] as number);
      values[from + k] = left;
      if (!isSame) next.sums[other + k] = (next.sums[other + k] as number) + left;
    }
  }
}

function rootMeanSquares({ values, width }: Table): readonly number[] {
  const squares = Array.from({ length: width }, () => 0);
  for (let at = 0; at < values.length; at++) squares[at % width] = (squares[at % width] as number) + (values[at] as number) ** 2;
  return squares.map((sum) => Math.sqrt((sum * width) / Math.max(1, values.length)));
}

/**
 * The factor of a symmetric positive semi-definite matrix, which may be singular: the lower triangle by rows. An empty
 * row (pivot 0) belongs to a variable that is a combination of the earlier ones.
 */
export interface CholeskyFactor {
  readonly rows: readonly Float64Array[];
  readonly empty: readonly boolean[];
}

/** A pivot below this share of the variable's own square is rounding: the variable is a combination of the others. */
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

/** x with matrix x = right; 0 for the variables without their own equation. */
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
