/** The mean over strata of equal weight, with the spread pooled from within them. */

export interface StratifiedMean {
  /** Mean over the strata of the strata's means: every stratum counts the same, however many values it has. */
  readonly mean: number;
  readonly strata: number;
  /** Values in all strata together. */
  readonly count: number;
  /**
   * The number of values n for which the variance of `mean` is sigma^2 / n. The mean of S independent stratum means has
   * variance (1/S^2) * sum(sigma^2 / n_j), so n = S^2 / sum(1 / n_j); with equal strata that is `count`, else less.
   */
  readonly effectiveCount: number;
  /** `count` less one for each stratum mean. */
  readonly degreesOfFreedom: number;
  /** Pooled within strata (sum of squares around the stratum means over the degrees of freedom); `undefined` with none. */
  readonly standardDeviation: number | undefined;
}

/** @param samples one per stratum; empty ones are left out. `undefined` when all are empty. */
export function stratifiedMean(samples: readonly (readonly number[])[]): StratifiedMean | undefined {
  const strata = samples.filter((sample) => sample.length > 0);
  if (strata.length === 0) return undefined;
  let sumOfMeans = 0;
  let sumOfSquares = 0;
  let sumOfReciprocals = 0;
  let count = 0;
  for (const stratum of strata) {
    const mean = sum(stratum, (value) => value) / stratum.length;
    sumOfMeans += mean;
    sumOfSquares += sum(stratum, (value) => (value - mean) ** 2);
    sumOfReciprocals += 1 / stratum.length;
    count += stratum.length;
  }
  const degreesOfFreedom = count - strata.length;
  return {
    mean: sumOfMeans / strata.length,
    strata: strata.length,
    count,
    effectiveCount: strata.length ** 2 / sumOfReciprocals,
    degreesOfFreedom,
    standardDeviation: degreesOfFreedom > 0 ? Math.sqrt(sumOfSquares / degreesOfFreedom) : undefined,
  };
}

function sum(values: readonly number[], of: (value: number) => number): number {
  let total = 0;
  for (const value of values) total += of(value);
  return total;
}
