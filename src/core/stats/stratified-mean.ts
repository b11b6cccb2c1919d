/** The mean over strata of equal weight, with the spread within them. */

export interface StratifiedMean {
  /** Mean over the strata of the strata's means: every stratum counts the same, however many values it has. */
  readonly mean: number;
  readonly strata: number;
  /** Values in all strata together. */
  readonly count: number;
  /**
   * The number of values n for which the variance of `mean` is sigma^2 / n, were sigma the same everywhere. The mean of S
   * independent stratum means has variance (1/S^2) * sum(sigma^2 / n_j), so n = S^2 / sum(1 / n_j); with equal strata that
   * is `count`, else less.
   */
  readonly effectiveCount: number;
  /** One standard deviation for all strata, from the squares around the stratum means; `undefined` without a second value. */
  readonly pooled: Spread | undefined;
  /** A variance for each stratum; `undefined` unless every stratum has two values. */
  readonly separate: SeparateSpread | undefined;
}

export interface Spread {
  readonly standardDeviation: number;
  /** `count` less one for each stratum mean. */
  readonly degreesOfFreedom: number;
}

export interface SeparateSpread {
  /** Of `mean`: sqrt(sum(s_j^2 / n_j)) / S, right whether or not the strata vary alike. */
  readonly standardError: number;
  /**
   * Satterthwaite's, with w_j = s_j^2 / n_j: (sum w_j)^2 / sum(w_j^2 / (n_j - 1)). Between the fewest of one stratum and
   * `count` - S (Satterthwaite, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2
   * (1946); Welch, Biometrika 34 (1947)).
   */
  readonly degreesOfFreedom: number;
  /** Mean of the strata's variances. */
  readonly variance: number;
  /** (sum s_j^2)^2 / sum s_j^4: how many strata, were they alike, would vary so; in [1, S]. */
  readonly alikeStrata: number;
}

/** @param samples one per stratum; empty ones are left out. `undefined` when all are empty. */
export function stratifiedMean(samples: readonly (readonly number[])[]): StratifiedMean | undefined {
  const strata = samples.filter((sample) => sample.length > 0).map(momentsOf);
  if (strata.length === 0) return undefined;
  const count = total(strata, ({ n }) => n);
  const degreesOfFreedom = count - strata.length;
  const squares = total(strata, (stratum) => stratum.squares);
  return {
    mean: total(strata, ({ mean }) => mean) / strata.length,
    strata: strata.length,
    count,
    effectiveCount: strata.length ** 2 / total(strata, ({ n }) => 1 / n),
    pooled: degreesOfFreedom > 0 ? { standardDeviation: Math.sqrt(squares / degreesOfFreedom), degreesOfFreedom } : undefined,
    separate: separateSpread(strata),
  };
}

interface Moments {
  readonly n: number;
  readonly mean: number;
  /** Sum of squares around the mean. */
  readonly squares: number;
}

function momentsOf(sample: readonly number[]): Moments {
  const mean = total(sample, (value) => value) / sample.length;
  return { n: sample.length, mean, squares: total(sample, (value) => (value - mean) ** 2) };
}

function separateSpread(strata: readonly Moments[]): SeparateSpread | undefined {
  if (strata.some(({ n }) => n < 2)) return undefined;
  const variances = strata.map(({ n, squares }) => squares / (n - 1));
  const shares = strata.map(({ n }, at) => (variances[at] ?? 0) / n);
  const sum = total(shares, (share) => share);
  const variance = total(variances, (value) => value) / strata.length;
  const alike = { degreesOfFreedom: total(strata, ({ n }) => n - 1), alikeStrata: strata.length };
  // No spread at all: every weighting of nothing is the same.
  if (sum === 0) return { standardError: 0, variance, ...alike };
  // Shares of the sum, not the variances themselves, are squared: squares of very small ones would vanish.
  return {
    standardError: Math.sqrt(sum) / strata.length,
    degreesOfFreedom: 1 / total(strata, ({ n }, at) => ((shares[at] ?? 0) / sum) ** 2 / (n - 1)),
    variance,
    alikeStrata: 1 / total(variances, (value) => (value / (variance * strata.length)) ** 2),
  };
}

function total<T>(items: readonly T[], of: (item: T, at: number) => number): number {
  let sum = 0;
  items.forEach((item, at) => {
    sum += of(item, at);
  });
  return sum;
}
