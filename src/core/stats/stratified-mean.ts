/** The mean over strata of equal weight, with the spread within them. */
import type { ResidualSpread } from './additive-residual.ts';
import { moderatedVariances } from './moderated-variances.ts';

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
  /** A variance for each stratum; `undefined` unless every stratum has two values or is lent degrees of freedom. */
  readonly separate: SeparateSpread | undefined;
}

export interface Spread {
  readonly standardDeviation: number;
  /** `count` less one for each stratum mean. */
  readonly degreesOfFreedom: number;
}

export interface SeparateSpread {
  /** Of `mean`: sqrt(sum(s_j^2 / n_j)) / S, right whether or not the strata vary alike; s_j^2 moderated by what is lent. */
  readonly standardError: number;
  /**
   * Satterthwaite's, with w_j = s_j^2 / n_j and f_j degrees of freedom of s_j^2 (n_j - 1, and what is lent):
   * (sum w_j)^2 / sum(w_j^2 / f_j). Between the fewest of one stratum and the sum of all (Satterthwaite, "An approximate
   * distribution of estimates of variance components", Biometrics Bulletin 2 (1946); Welch, Biometrika 34 (1947)).
   */
  readonly degreesOfFreedom: number;
  /** Mean of the strata's variances. */
  readonly variance: number;
  /** (sum s_j^2)^2 / sum s_j^4: how many strata, were they alike, would vary so; in [1, S]. */
  readonly alikeStrata: number;
  /** Degrees of freedom lent to a stratum, on average. */
  readonly lentToStratum: number;
  /** The most that would be lent to a stratum with more values at the noise seen. */
  readonly mostLent: number;
}

export interface KnownOfVariances {
  /** What is known from elsewhere of the variance of a value, stratum by stratum; independent of the sample's own. */
  readonly lent?: readonly (ResidualSpread | undefined)[];
  /**
   * What the instrument alone adds to a value's variance, stratum by stratum; 0 unless said. A variance is never smaller; and where the values vary by
   * less, they do not dither the instrument's step, so that its error is the same in all of them and no mean takes it out.
   */
  readonly leastVariances?: readonly number[];
}

/** @param samples one per stratum; empty ones are left out. `undefined` when all are empty. */
export function stratifiedMean(
  samples: readonly (readonly number[])[],
  { lent = [], leastVariances = [] }: KnownOfVariances = {},
): StratifiedMean | undefined {
  const strata = samples
    .map((sample, at) => ({ ...momentsOf(sample, lent[at]), leastVariance: leastVariances[at] ?? 0 }))
    .filter(({ n }) => n > 0);
  if (strata.length === 0) return undefined;
  const count = total(strata, ({ n }) => n);
  const degreesOfFreedom = count - strata.length;
  const squares = total(strata, ({ own }) => own.squares);
  return {
    mean: total(strata, ({ mean }) => mean) / strata.length,
    strata: strata.length,
    count,
    effectiveCount: strata.length ** 2 / total(strata, ({ n }) => 1 / n),
    pooled: degreesOfFreedom > 0 ? { standardDeviation: Math.sqrt(squares / degreesOfFreedom), degreesOfFreedom } : undefined,
    separate: separateSpread(strata),
  };
}

/** `stratifiedMean(samples)?.mean`, to the last bit, without the spread, which takes most of the time. */
export function meanOverStrata(samples: readonly (readonly number[])[]): number | undefined {
  const means = samples.filter(({ length }) => length > 0).map((sample) => total(sample, (value) => value) / sample.length);
  return means.length === 0 ? undefined : total(means, (mean) => mean) / means.length;
}

interface Moments {
  readonly n: number;
  readonly mean: number;
  /** Around the mean. */
  readonly own: ResidualSpread;
  readonly lent: ResidualSpread;
}

interface Stratum extends Moments {
  readonly leastVariance: number;
}

const NOTHING: ResidualSpread = { squares: 0, degreesOfFreedom: 0 };

function momentsOf(sample: readonly number[], lent: ResidualSpread = NOTHING): Moments {
  const n = sample.length;
  const mean = total(sample, (value) => value) / n;
  return { n, mean, own: { squares: total(sample, (value) => (value - mean) ** 2), degreesOfFreedom: n - 1 }, lent };
}

function separateSpread(strata: readonly Stratum[]): SeparateSpread | undefined {
  const moderated = moderatedVariances(strata);
  if (moderated === undefined) return undefined;
  const { mostLent } = moderated;
  const variances = moderated.variances.map((one, at) => ({ ...one, variance: Math.max(one.variance, strata[at]?.leastVariance ?? 0) }));
  const shares = strata.map((stratum, at) => varianceOfMean(stratum, moderated.variances[at]?.variance ?? 0));
  const sum = total(shares, (share) => share);
  const variance = total(variances, (one) => one.variance) / strata.length;
  const lending = { lentToStratum: total(variances, ({ lent }) => lent) / strata.length, mostLent };
  // No spread at all: every weighting of nothing is the same.
  if (sum === 0) {
    const degreesOfFreedom = total(variances, (one) => one.degreesOfFreedom);
    return { standardError: 0, variance, degreesOfFreedom, alikeStrata: strata.length, ...lending };
  }
  // Shares of the sum, not the variances themselves, are squared: squares of very small ones would vanish.
  return {
    standardError: Math.sqrt(sum) / strata.length,
    degreesOfFreedom: 1 / total(variances, (one, at) => ((shares[at] ?? 0) / sum) ** 2 / one.degreesOfFreedom),
    variance,
    alikeStrata: 1 / total(variances, (one) => (one.variance / (variance * strata.length)) ** 2),
    ...lending,
  };
}

function varianceOfMean({ n, leastVariance }: Stratum, variance: number): number {
  return variance < leastVariance ? leastVariance : variance / n;
}

function total<T>(items: readonly T[], of: (item: T, at: number) => number): number {
  let sum = 0;
  items.forEach((item, at) => {
    sum += of(item, at);
  });
  return sum;
}
