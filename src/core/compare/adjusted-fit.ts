/**
 * All profiles fitted together to everyday loads, where profiles never load the same pages under the same conditions:
 *
 *     ln efficiency = profile + (page over link) + block + beta * ln prediction + error.
 *
 * Least squares, with the effects of page over link and of block absorbed (Frisch & Waugh 1933, Lovell 1963). The blocks are the
 * randomised units: loads of one slot share its conditions, so errors are taken as independent between blocks only, and the variance
 * is the sandwich over blocks (Liang & Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73 (1986)), times
 * B / (B - 1) * (N - 1) / (N - K) with K the effects of pages and covariates (those of blocks lie within the clusters: Cameron & Miller,
 * "A practitioner's guide to cluster-robust inference", Journal of Human Resources 50 (2015), VI.B).
 *
 * The prediction is known without the load's outcome and is the same whatever profile it had, so it cannot move the effect, only
 * narrow its interval (Deng, Xu, Kohavi & Walker, "Improving the sensitivity of online controlled experiments by utilizing pre-experiment
 * data", WSDM 2013; Lin, "Agnostic notes on regression adjustments to experimental data", Annals of Applied Statistics 7 (2013)).
 * Loads without one have a level of their own.
 */
import { absorbEffects, type Table } from '../stats/absorb-effects.ts';
import { type CholeskyFactor, cholesky, solve } from '../stats/cholesky.ts';
import type { LoadColumns } from './load-columns.ts';

export interface AdjustedFit {
  /** Profiles' coefficients and the covariates', in this order; those of the first profile are 0 and have no place. */
  readonly coefficients: Float64Array;
  readonly factor: CholeskyFactor;
  /** Per block, sum of (residual regressor x error), one per coefficient. */
  readonly scores: readonly Float64Array[];
  /** Per block, sums of products of residual regressors, rows one after the other. */
  readonly products: readonly Float64Array[];
  /** Of the variance of a contrast, for the parameters that were fitted. */
  readonly smallSample: number;
  /** What is left of each load's ln efficiency, the profile's own effect still in it. */
  readonly adjusted: Float64Array;
}

export function adjustedFit(columns: LoadColumns, profiles: number): AdjustedFit {
  const table = designOf(columns, profiles);
  const size = table.width - 1;
  const scale = squaresOf(table).slice(0, size);
  absorbEffects(table, [columns.scenario, columns.block]);
  const products = productsByBlock(table, columns);
  const factor = cholesky(matrixOf(products, size), scale);
  const coefficients = solve(factor, outcomeProducts(products, size));
  const errors = errorsOf(table, coefficients);
  return {
    coefficients,
    factor,
    scores: scoresByBlock(table, columns, errors),
    products: products.map((own) => withoutOutcome(own, size)),
    smallSample: smallSample(columns, size - profiles + 2),
    adjusted: errors.map((error, at) => {
      const profile = columns.profile[at] as number;
      return error + (profile === 0 ? 0 : (coefficients[profile - 1] as number));
    }),
  };
}

/** An indicator for every profile but the first, then the covariates that there are, then the outcome. */
function designOf(columns: LoadColumns, profiles: number): Table {
  const { count, profile, predicted, logPrediction, logEfficiency } = columns;
  const known = predicted.reduce((sum, one) => sum + one, 0);
  const covariates = known === 0 ? [] : known === count ? [logPrediction] : [logPrediction, predicted];
  const rest = [...covariates, logEfficiency];
  const width = profiles - 1 + rest.length;
  const values = new Float64Array(count * width);
  for (let row = 0; row < count; row++) {
    const own = profile[row] as number;
    if (own > 0) values[row * width + own - 1] = 1;
    rest.forEach((column, at) => {
      values[row * width + profiles - 1 + at] = column[row] as number;
    });
  }
  return { values, width };
}

function squaresOf({ values, width }: Table): readonly number[] {
  const squares = Array.from({ length: width }, () => 0);
  for (let at = 0; at < values.length; at++) squares[at % width] = (squares[at % width] as number) + (values[at] as number) ** 2;
  return squares;
}

/** Sums of products of all columns, the outcome included: the lower triangle, rows of the table's width. */
function productsByBlock({ values, width }: Table, { count, block }: LoadColumns): readonly Float64Array[] {
  const products = Array.from({ length: block.count }, () => new Float64Array(width * width));
  for (let row = 0; row < count; row++) {
    const sums = products[block.levels[row] as number] as Float64Array;
    const from = row * width;
    for (let a = 0; a < width; a++) {
      const one = values[from + a] as number;
      for (let b = 0; b <= a; b++) sums[a * width + b] = (sums[a * width + b] as number) + one * (values[from + b] as number);
    }
  }
  return products;
}

function matrixOf(products: readonly Float64Array[], size: number): readonly Float64Array[] {
  const width = size + 1;
  const total = Array.from({ length: size }, () => new Float64Array(size));
  for (const own of products) {
    total.forEach((row, a) => {
      for (let b = 0; b <= a; b++) row[b] = (row[b] as number) + (own[a * width + b] as number);
    });
  }
  return total;
}

/** Of each regressor with the outcome, which is the last row. */
function outcomeProducts(products: readonly Float64Array[], size: number): Float64Array {
  const sums = new Float64Array(size);
  for (const own of products) for (let k = 0; k < size; k++) sums[k] = (sums[k] as number) + (own[size * (size + 1) + k] as number);
  return sums;
}

/** Of the regressors alone, both triangles. */
function withoutOutcome(own: Float64Array, size: number): Float64Array {
  const width = size + 1;
  const square = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      square[a * size + b] = own[a * width + b] as number;
      square[b * size + a] = own[a * width + b] as number;
    }
  }
  return square;
}

function errorsOf({ values, width }: Table, coefficients: Float64Array): Float64Array {
  const errors = new Float64Array(values.length / width);
  for (let row = 0; row < errors.length; row++) {
    let left = values[row * width + width - 1] as number;
    for (let k = 0; k < coefficients.length; k++) left -= (coefficients[k] as number) * (values[row * width + k] as number);
    errors[row] = left;
  }
  return errors;
}

function scoresByBlock({ values, width }: Table, { block }: LoadColumns, errors: Float64Array): readonly Float64Array[] {
  const scores = Array.from({ length: block.count }, () => new Float64Array(width - 1));
  for (let row = 0; row < errors.length; row++) {
    const own = scores[block.levels[row] as number] as Float64Array;
    const error = errors[row] as number;
    for (let k = 0; k < own.length; k++) own[k] = (own[k] as number) + (values[row * width + k] as number) * error;
  }
  return scores;
}

/** Pages of a single load are fitted exactly: they tell nothing and count neither as load nor as effect. */
function smallSample({ count, scenario, block }: LoadColumns, slopes: number): number {
  const sizes = new Int32Array(scenario.count);
  for (const level of scenario.levels) sizes[level] = (sizes[level] as number) + 1;
  const alone = sizes.reduce((sum, size) => sum + (size === 1 ? 1 : 0), 0);
  const left = count - alone - (scenario.count - alone) - slopes;
  if (block.count < 2 || left <= 0) return Number.POSITIVE_INFINITY;
  return (block.count / (block.count - 1)) * ((count - alone - 1) / left);
}
