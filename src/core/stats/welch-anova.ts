/**
 * Whether the means of several strata differ, each with a variance of its own: Welch, "On the comparison of several mean values: an alternative
 * approach", Biometrika 38 (1951). With weights w = 1 / variance of the mean, W the sum of them, m the weighted mean, f the degrees of freedom,
 * and c = sum of (1 - w / W)^2 / f over k strata:
 *
 *     F = (sum of w (mean - m)^2 / (k - 1)) / (1 + 2 (k - 2) c / (k^2 - 1)),   with k - 1 and (k^2 - 1) / (3 c) degrees of freedom.
 */
import { incompleteBeta } from './special-functions.ts';
import type { StratumMean } from './stratified-mean.ts';

/** A variance of logs below this is rounding. */
const NO_VARIANCE = 1e-18;

/** @returns p, in [0, 1]; `undefined` for fewer than two strata, or where one does not vary at all. */
export function welchAnovaP(strata: readonly StratumMean[]): number | undefined {
  const k = strata.length;
  if (k < 2 || strata.some(({ varianceOfMean }) => varianceOfMean < NO_VARIANCE)) return undefined;
  const weights = strata.map(({ varianceOfMean }) => 1 / varianceOfMean);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let centre = 0;
  strata.forEach(({ mean }, at) => {
    centre += ((weights[at] as number) / sum) * mean;
  });
  let between = 0;
  let c = 0;
  strata.forEach(({ mean, degreesOfFreedom }, at) => {
    const weight = weights[at] as number;
    between += weight * (mean - centre) ** 2;
    c += (1 - weight / sum) ** 2 / degreesOfFreedom;
  });
  const f = between / (k - 1) / (1 + (2 * (k - 2) * c) / (k ** 2 - 1));
  const below = (k ** 2 - 1) / (3 * c);
  return incompleteBeta(below / (below + (k - 1) * f), below / 2, (k - 1) / 2);
}
