/** How far an estimate of a link may be off: bounds from the order of the samples only, without a model of their spread. */

/** The chance that a bound of an estimated link holds; each bound is one-sided. A bound at 99 % needs twice the samples. */
export const LINK_CONFIDENCE = 0.9;

/**
 * The lowest value there can be, from samples that only ever lie above it: between x1 - (x2 - x1) c / (1 - c) and x1, for x1 <= x2 the
 * lowest two and c the confidence. D. S. Robson and J. H. Whitlock, "Estimation of a truncation point", Biometrika 51 (1964), exact as
 * long as the density does not vanish at the floor. One sample has no lower bound but 0.
 *
 * @param ascending at least one sample, none negative.
 * @param confidence in (0, 1).
 * @returns bounds in the unit of the samples; `low` is never below 0, `high` is the lowest sample.
 */
export function floorInterval(
  ascending: readonly [number, ...number[]],
  confidence: number,
): { readonly low: number; readonly high: number } {
  const [lowest, next] = ascending;
  if (next === undefined) return { low: 0, high: lowest };
  return { low: Math.max(0, lowest - ((next - lowest) * confidence) / (1 - confidence)), high: lowest };
}

/** `undefined`: the samples are too few for this bound. */
export interface RankInterval {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/**
 * Bounds of a quantile, whatever the distribution: the order statistics between which it lies with the confidence, by the binomial law of
 * the number of samples below it (W. J. Conover, "Practical Nonparametric Statistics", 3rd ed. 1999, section 3.2).
 *
 * @param ascending samples in order.
 * @param q in (0, 1).
 */
export function quantileInterval(ascending: readonly number[], q: number): RankInterval {
  const below = cumulativeBinomial(ascending.length, q);
  // The k-th smallest exceeds the quantile with the chance that fewer than k samples lie below it.
  const low = below.findLastIndex((chance) => chance <= 1 - LINK_CONFIDENCE + ROUNDING);
  const high = below.findIndex((chance) => chance >= LINK_CONFIDENCE - ROUNDING);
  return { low: ascending[low], high: ascending[high] };
}

/** A chance that is exactly the confidence counts as such. */
const ROUNDING = 1e-9;

/** The chance of at most k successes of n, for each k below n; in logs, to avoid underflow. */
function cumulativeBinomial(n: number, p: number): readonly number[] {
  const chances: number[] = [];
  let logChance = n * Math.log1p(-p);
  let sum = 0;
  for (let k = 0; k < n; k++) {
    sum += Math.exp(logChance);
    chances.push(sum);
    logChance += Math.log((n - k) / (k + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return chances;
}
