/** The sequential t-test that confidence sequences rest on: intervals that hold at every look and with any rule for stopping. */

/**
 * An interval for a mean that holds at every look: the sequential t-test with a Gaussian mixture over the effect size.
 *
 * Model: values y = mu + (offset of the stratum) + sigma * noise, noise normal, mu the mean over strata. With the right Haar prior on the
 * nuisances (offsets, sigma) and mu / sigma ~ N(0, 1 / precision), the ratio of the likelihoods of the t statistic T with nu degrees of
 * freedom and n effective values is
 *
 *     e = sqrt(r) * ((1 + T^2 / nu) / (1 + r * T^2 / nu))^((nu + 1) / 2),   r = precision / (precision + n).
 *
 * Under mu = mu0 it is a non-negative martingale of expectation 1 (T is the maximal invariant), so by Ville's inequality the chance that it
 * ever reaches 1 / alpha is at most alpha; the interval is the set of mu0 for which it has not.
 *
 * That is exact for normal noise of one sigma. Pages and links do not vary alike, and with one stratum ten times as noisy as three others a
 * pooled sigma is wrong far too often (12 % of simulated runs at alpha = 5 %, and 5 % at 0.8 %). So T has a variance for each stratum and
 * Satterthwaite's degrees of freedom: approximate, but wrong in at most 5 % of the same runs (test/calibration/single-comparison.test.ts),
 * and in 1 % where the strata are alike. The variances are moderated by the residual of the whole run where there is one
 * (`moderatedVariances`; test/calibration/run-comparison.test.ts). Sources: Lai, "On confidence sequences", Annals of Statistics 4 (1976);
 * Gonen, Johnson, Lu & Westfall, "The Bayesian two-sample t test", The American Statistician 59 (2005); Hendriksen, de Heide & Grunwald,
 * "Optional stopping with Bayes factors", Bayesian Analysis 16 (2021); Lindon, Ham, Tingley & Bojinov, "Anytime-valid linear models and
 * regression adjusted causal inference" (arXiv:2210.08589), which has the form with nuisance regressors; Wang & Ramdas, "Anytime-valid
 * t-tests and confidence sequences for Gaussian means with unknown variance" (arXiv:2310.03722).
 */
interface SequentialDesign {
  /** Values the variance of the mean is divided by. */
  readonly effectiveCount: number;
  readonly degreesOfFreedom: number;
  /** Precision of the mixture over mu / sigma; chosen before the data are seen. */
  readonly precision: number;
}

/** ln e at the statistic `t`; `undefined` without degrees of freedom. */
export function sequentialTLogEvidence(t: number, design: SequentialDesign): number | undefined {
  const { degreesOfFreedom: nu } = design;
  if (nu <= 0) return undefined;
  const r = shrinkage(design);
  return Math.log(r) / 2 + ((nu + 1) / 2) * (Math.log1p(t ** 2 / nu) - Math.log1p((r * t ** 2) / nu));
}

/**
 * The |t| at which e reaches 1 / alpha; `undefined` when it never does, because e stays below r^(-nu / 2): too few values.
 * From (1 + x) / (1 + r * x) = k with x = t^2 / nu and k = (alpha * sqrt(r))^(-2 / (nu + 1)): x = (k - 1) / (1 - r * k).
 */
export function sequentialTCritical(alpha: number, design: SequentialDesign): number | undefined {
  const { degreesOfFreedom: nu } = design;
  if (nu <= 0) return undefined;
  const r = shrinkage(design);
  const excess = Math.expm1((-2 / (nu + 1)) * (Math.log(alpha) + Math.log(r) / 2));
  const denominator = 1 - r * (excess + 1);
  return denominator > 0 ? Math.sqrt((nu * excess) / denominator) : undefined;
}

function shrinkage({ precision, effectiveCount }: SequentialDesign): number {
  return precision / (precision + effectiveCount);
}
