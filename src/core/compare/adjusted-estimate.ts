/** One profile against another out of the fit of all of them (see `adjusted-fit.ts`). */
import { solve } from '../stats/least-squares.ts';
import type { StratifiedMean } from '../stats/stratified-mean.ts';
import type { AdjustedFit, LoadColumns } from './adjusted-fit.ts';
import type { EffectEstimate, PairCounts } from './paired-estimate.ts';

/** Positions among the profiles of the fit. */
interface AdjustedPair {
  readonly profile: number;
  readonly against: number;
}

/** Which draws were tried is not known here: the fit has only usable loads. */
export function adjustedEstimate(fit: AdjustedFit, columns: LoadColumns, pair: AdjustedPair): Omit<EffectEstimate, 'tried'> {
  const { pairs, pairsAhead, incomplete, loads } = drawwise(fit, columns, pair);
  const counts = { pairs, pairsAhead, incomplete, loadsPerPair: pairs === 0 ? 1 : loads / pairs, blocks: pairs, pairsPerBlock: 1 };
  return { summary: pairs === 0 ? undefined : summaryOf(fit, pair), ...counts };
}

/** The variance of the pair's effect, if each load varied by 1 by itself; `undefined`: the loads do not tell the two apart. */
export function contrastVariance({ factor, coefficients }: AdjustedFit, pair: AdjustedPair): number | undefined {
  const contrast = contrastOf(factor, pair, coefficients.length);
  return contrast && dot(solve(factor, contrast), contrast);
}

function contrastOf({ empty }: AdjustedFit['factor'], { profile, against }: AdjustedPair, length: number): Float64Array | undefined {
  const contrast = new Float64Array(length);
  for (const [position, sign] of [
    [profile, 1],
    [against, -1],
  ] as const) {
    if (position === 0) continue;
    if (empty[position - 1]) return undefined;
    contrast[position - 1] = sign;
  }
  return contrast;
}

function summaryOf(fit: AdjustedFit, pair: AdjustedPair): StratifiedMean | undefined {
  const { coefficients, factor } = fit;
  const contrast = contrastOf(factor, pair, coefficients.length);
  if (contrast === undefined) return undefined;
  const mean = coefficients.reduce((sum, coefficient, at) => sum + coefficient * (contrast[at] as number), 0);
  const { variance, effective } = overDraws(fit, { weights: solve(factor, contrast), contrast, mean });
  const spread = { standardError: Math.sqrt(variance), degreesOfFreedom: effective - 1, variance: variance * effective };
  const separate = effective > 1 ? { ...spread, alikeStrata: 1, priorDegrees: 0, maxPriorDegrees: 0 } : undefined;
  return { mean, strata: 1, count: effective, effectiveCount: effective, separate };
}

interface Contrast {
  /** Weights of the draws' scores. */
  readonly weights: Float64Array;
  readonly contrast: Float64Array;
  readonly mean: number;
}

/**
 * The variance of the contrast over the draws, under no difference between the two: their terms get back what the fit has taken
 * for their difference. `effective` is the number of equal draws that would say as much: with w a draw's part of the contrast's
 * precision, (sum w)^2 / sum w^2; the degrees of freedom are one less (Carter, Schnepel & Steigerwald, "Asymptotic behavior of
 * a t-test robust to cluster heterogeneity", Review of Economics and Statistics 99 (2017)).
 */
function overDraws(
  { scores, parts, counts }: AdjustedFit,
  { weights, contrast, mean }: Contrast,
): { readonly variance: number; readonly effective: number } {
  const back = weights.map((weight) => (weight * mean) / dot(weights, contrast));
  let squares = 0;
  let draws = 0;
  let sum = 0;
  let sumOfSquares = 0;
  scores.forEach((score, draw) => {
    const precision = precisionOf(counts[draw] as Float64Array, weights);
    if (precision === 0) return;
    const own = dot(weights, score) + between(parts[draw] as Float64Array, weights, back);
    squares += own * own;
    draws += 1;
    sum += precision;
    sumOfSquares += precision * precision;
  });
  const centred = Math.max(0, squares - mean ** 2 / Math.max(1, draws));
  return { variance: draws > 1 ? (centred * draws) / (draws - 1) : 0, effective: sumOfSquares === 0 ? 0 : (sum * sum) / sumOfSquares };
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < one.length; k++) sum += (one[k] as number) * (other[k] as number);
  return sum;
}

function between(matrix: Float64Array, left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < left.length; row++) {
    for (let k = 0; k < right.length; k++) sum += (left[row] as number) * (matrix[row * right.length + k] as number) * (right[k] as number);
  }
  return sum;
}

/** Below this share, what is left of a draw's squares is rounding: all its weights are the same. */
const NOTHING_LEFT = 1e-9;

/** Squares of a draw's weights around their mean, 0 where they do not differ; the first profile's weight is 0. */
function precisionOf(counts: Float64Array, weights: Float64Array): number {
  let loads = counts[0] as number;
  let total = 0;
  let squares = 0;
  for (let k = 0; k < weights.length; k++) {
    const count = counts[k + 1] as number;
    const weight = weights[k] as number;
    loads += count;
    total += count * weight;
    squares += count * weight * weight;
  }
  const left = loads === 0 ? 0 : squares - (total * total) / loads;
  return left > NOTHING_LEFT * squares ? left : 0;
}

interface Drawwise extends Omit<PairCounts, 'blocks'> {
  /** Loads of the profile in draws that have both. */
  readonly loads: number;
}

function drawwise({ adjusted }: AdjustedFit, { profile, draw }: LoadColumns, pair: AdjustedPair): Drawwise {
  const sums = [new Float64Array(draw.count), new Float64Array(draw.count)] as const;
  const sizes = [new Int32Array(draw.count), new Int32Array(draw.count)] as const;
  for (let at = 0; at < adjusted.length; at++) {
    const side = profile[at] === pair.profile ? 0 : profile[at] === pair.against ? 1 : undefined;
    if (side === undefined) continue;
    const level = draw.levels[at] as number;
    sums[side][level] = (sums[side][level] as number) + (adjusted[at] as number);
    sizes[side][level] = (sizes[side][level] as number) + 1;
  }
  let pairs = 0;
  let pairsAhead = 0;
  let incomplete = 0;
  let loads = 0;
  for (let level = 0; level < draw.count; level++) {
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
