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
import { absorbEffects } from '../stats/absorb-effects.ts';
import { type CholeskyFactor, cholesky, solve } from '../stats/cholesky.ts';
import type { LoadColumns } from './load-columns.ts';

export interface AdjustedFit {
  /** Profiles' coefficients and the covariates', in this order; those of the first profile are 0 and have no place. */
  readonly coefficients: Float64Array;
  readonly profiles: number;
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
  const raw = regressorsOf(columns, profiles);
  const scale = raw.map(sumOfSquares);
  const factors = [columns.scenario, columns.block];
  for (const regressor of raw) absorbEffects(regressor, factors);
  const outcome = Float64Array.from(columns.logEfficiency);
  absorbEffects(outcome, factors);
  const factor = cholesky(
    raw.map((one) => Float64Array.from(raw, (other) => dot(one, other))),
    scale,
  );
  const coefficients = solve(
    factor,
    raw.map((one) => dot(one, outcome)),
  );
  const errors = residuals(outcome, raw, coefficients);
  return {
    coefficients,
    profiles,
    factor,
    ...blockSums(columns, raw, errors),
    smallSample: smallSample(columns, raw.length - profiles + 2),
    adjusted: withProfile(columns, errors, coefficients),
  };
}

/** An indicator for every profile but the first, then the covariates that there are. */
function regressorsOf({ count, profile, predicted, logPrediction }: LoadColumns, profiles: number): Float64Array[] {
  const regressors = Array.from({ length: profiles - 1 }, (_, at) => Float64Array.from(profile, (own) => (own === at + 1 ? 1 : 0)));
  const known = predicted.reduce((sum, one) => sum + one, 0);
  if (known > 0) regressors.push(Float64Array.from(logPrediction));
  if (known > 0 && known < count) regressors.push(Float64Array.from(predicted));
  return regressors;
}

function residuals(outcome: Float64Array, regressors: readonly Float64Array[], coefficients: Float64Array): Float64Array {
  const errors = Float64Array.from(outcome);
  regressors.forEach((regressor, k) => {
    const slope = coefficients[k] as number;
    for (let at = 0; at < errors.length; at++) errors[at] = (errors[at] as number) - slope * (regressor[at] as number);
  });
  return errors;
}

function withProfile({ profile }: LoadColumns, errors: Float64Array, coefficients: Float64Array): Float64Array {
  return errors.map((error, at) => error + (profile[at] === 0 ? 0 : (coefficients[(profile[at] as number) - 1] as number)));
}

function blockSums(
  { block }: LoadColumns,
  regressors: readonly Float64Array[],
  errors: Float64Array,
): Pick<AdjustedFit, 'scores' | 'products'> {
  const size = regressors.length;
  const scores = Array.from({ length: block.count }, () => new Float64Array(size));
  const products = Array.from({ length: block.count }, () => new Float64Array(size * size));
  regressors.forEach((one, row) => {
    for (let at = 0; at < errors.length; at++) {
      const own = scores[block.levels[at] as number] as Float64Array;
      own[row] = (own[row] as number) + (one[at] as number) * (errors[at] as number);
    }
    for (let column = 0; column <= row; column++) {
      const other = regressors[column] as Float64Array;
      for (let at = 0; at < errors.length; at++) {
        const sums = products[block.levels[at] as number] as Float64Array;
        const product = (one[at] as number) * (other[at] as number);
        sums[row * size + column] = (sums[row * size + column] as number) + product;
        if (column < row) sums[column * size + row] = (sums[column * size + row] as number) + product;
      }
    }
  });
  return { scores, products };
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

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

const sumOfSquares = (values: Float64Array): number => dot(values, values);
