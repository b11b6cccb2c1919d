/** One profile against another out of the fit of all of them (see `adjusted-fit.ts`). */
import { solve } from '../stats/cholesky.ts';
import type { StratifiedMean } from '../stats/stratified-mean.ts';
import type { AdjustedFit } from './adjusted-fit.ts';
import type { EffectEstimate } from './effect-estimate.ts';
import type { LoadColumns } from './load-columns.ts';

/** Positions among the profiles of the fit. */
export interface AdjustedPair {
  readonly profile: number;
  readonly against: number;
}

export function adjustedEstimate(fit: AdjustedFit, columns: LoadColumns, pair: AdjustedPair): EffectEstimate {
  const { pairs, pairsAhead, incomplete, loads } = blockwise(fit, columns, pair);
  const counts = { pairs, pairsAhead, incomplete, loadsPerPair: pairs === 0 ? 1 : loads / pairs };
  return { summary: pairs === 0 ? undefined : summaryOf(fit, pair), ...counts };
}

function summaryOf(fit: AdjustedFit, { profile, against }: AdjustedPair): StratifiedMean | undefined {
  const { coefficients, factor, smallSample } = fit;
  const contrast = new Float64Array(coefficients.length);
  for (const [position, sign] of [
    [profile, 1],
    [against, -1],
  ] as const) {
    if (position === 0) continue;
    if (factor.empty[position - 1]) return undefined;
    contrast[position - 1] = sign;
  }
  const weights = solve(factor, contrast);
  const mean = coefficients.reduce((sum, coefficient, at) => sum + coefficient * (contrast[at] as number), 0);
  const { squares, effective } = overBlocks(fit, weights);
  const degreesOfFreedom = effective - 1;
  const standardError = Math.sqrt(squares * smallSample);
  const known = degreesOfFreedom > 0 && Number.isFinite(standardError);
  const spread = {
    standardError,
    degreesOfFreedom,
    variance: standardError ** 2 * effective,
    alikeStrata: 1,
    lentToStratum: 0,
    mostLent: 0,
  };
  return { mean, strata: 1, count: effective, effectiveCount: effective, pooled: undefined, separate: known ? spread : undefined };
}

/**
 * The variance of the contrast over the blocks, and how many equal blocks would tell as much: with w the part of a block in the
 * contrast's precision, (sum w)^2 / sum w^2, of which the degrees of freedom are one less (Carter, Schnepel & Steigerwald, "Asymptotic
 * behavior of a t-test robust to cluster heterogeneity", Review of Economics and Statistics 99 (2017)).
 */
function overBlocks({ scores, products }: AdjustedFit, weights: Float64Array): { readonly squares: number; readonly effective: number } {
  let squares = 0;
  let sum = 0;
  let sumOfSquares = 0;
  scores.forEach((score, block) => {
    let own = 0;
    for (let k = 0; k < weights.length; k++) own += (weights[k] as number) * (score[k] as number);
    squares += own * own;
    const part = quadratic(products[block] as Float64Array, weights);
    sum += part;
    sumOfSquares += part * part;
  });
  return { squares, effective: sumOfSquares === 0 ? 0 : (sum * sum) / sumOfSquares };
}

function quadratic(matrix: Float64Array, vector: Float64Array): number {
  let sum = 0;
  const size = vector.length;
  for (let row = 0; row < size; row++) {
    const own = vector[row] as number;
    if (own === 0) continue;
    for (let column = 0; column < size; column++) sum += own * (vector[column] as number) * (matrix[row * size + column] as number);
  }
  return sum;
}

interface Blockwise {
  readonly pairs: number;
  readonly pairsAhead: number;
  readonly incomplete: number;
  /** Of the profile, in blocks that have both. */
  readonly loads: number;
}

function blockwise({ adjusted }: AdjustedFit, { profile, block }: LoadColumns, pair: AdjustedPair): Blockwise {
  const sums = [new Float64Array(block.count), new Float64Array(block.count)] as const;
  const sizes = [new Int32Array(block.count), new Int32Array(block.count)] as const;
  for (let at = 0; at < adjusted.length; at++) {
    const side = profile[at] === pair.profile ? 0 : profile[at] === pair.against ? 1 : undefined;
    if (side === undefined) continue;
    const level = block.levels[at] as number;
    sums[side][level] = (sums[side][level] as number) + (adjusted[at] as number);
    sizes[side][level] = (sizes[side][level] as number) + 1;
  }
  let pairs = 0;
  let pairsAhead = 0;
  let incomplete = 0;
  let loads = 0;
  for (let level = 0; level < block.count; level++) {
    const own = sizes[0][level] as number;
    const other = sizes[1][level] as number;
    if (own === 0 || other === 0) {
      incomplete += own === other ? 0 : 1;
      continue;
    }
    pairs += 1;
    loads += own;
    if ((sums[0][level] as number) / own > (sums[1][level] as number) / other) pairsAhead += 1;
  }
  return { pairs, pairsAhead, incomplete, loads };
}
