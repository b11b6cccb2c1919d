/**
 * Effects of factors with many levels, taken out of a variable: what is left when every level's own mean has been allowed for, in all
 * factors together. By alternating projections (von Neumann 1949; Gaure, "OLS with multiple high dimensional category variables",
 * Computational Statistics & Data Analysis 66 (2013)): take each factor's level means out in turn until they are gone.
 */
export interface Factor {
  /** Of each value, the level from 0. */
  readonly levels: Int32Array;
  readonly count: number;
}

/** Level means smaller than this share of the variable's root mean square are rounding. */
const TOLERANCE = 1e-9;
/** Factors that are joined by few values converge slowly; what is left by then is far below any noise. */
const MOST_ROUNDS = 300;

/** Takes the factors' effects out of `values`, in place. */
export function absorbEffects(values: Float64Array, factors: readonly Factor[]): void {
  const limit = TOLERANCE * rootMeanSquare(values);
  const frames = factors.map((factor) => frameOf(factor));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let largest = 0;
    for (const frame of frames) largest = Math.max(largest, takeOut(values, frame));
    if (largest <= limit || frames.length === 1) return;
  }
}

interface Frame extends Factor {
  readonly sizes: Float64Array;
  readonly means: Float64Array;
}

function frameOf({ levels, count }: Factor): Frame {
  const sizes = new Float64Array(count);
  for (const level of levels) sizes[level] = (sizes[level] ?? 0) + 1;
  return { levels, count, sizes, means: new Float64Array(count) };
}

/** Answers the largest mean that was taken out. */
function takeOut(values: Float64Array, { levels, sizes, means }: Frame): number {
  means.fill(0);
  for (let at = 0; at < values.length; at++) {
    const level = levels[at] as number;
    means[level] = (means[level] as number) + (values[at] as number);
  }
  let largest = 0;
  for (let level = 0; level < means.length; level++) {
    const mean = (means[level] as number) / Math.max(1, sizes[level] as number);
    means[level] = mean;
    largest = Math.max(largest, Math.abs(mean));
  }
  for (let at = 0; at < values.length; at++) values[at] = (values[at] as number) - (means[levels[at] as number] as number);
  return largest;
}

function rootMeanSquare(values: Float64Array): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return values.length === 0 ? 0 : Math.sqrt(squares / values.length);
}
