/** Welch's t test of logarithms: by what factor one sample lies above another. */

import { studentTQuantile, studentTTwoSided } from '../../../src/core/stats/distributions.ts';
import { meanAndVariance } from '../../../src/core/stats/mean.ts';
import { positiveLog } from '../../../src/core/stats/positive-log.ts';
import { requireAlpha, requireFiniteSample } from './sample-checks.ts';

export interface WelchOnLogs {
  /** The geometric mean of the first sample over that of the second; positive. */
  readonly ratio: number;
  /** `undefined` when a sample has one value, or neither varies: nothing is then known of the spread. */
  readonly test: WelchTest | undefined;
}

export interface WelchTest {
  /** Bounds of the ratio, which hold it with confidence 1 - alpha. */
  readonly low: number;
  readonly high: number;
  /** Positive when the first sample is the larger. */
  readonly t: number;
  /** Degrees of freedom of Welch and Satterthwaite. */
  readonly df: number;
  /** Two-sided, in [0, 1]; 0 where it is too small for a number. */
  readonly p: number;
}

/**
 * Welch, "The generalization of 'Student's' problem when several different population variances are involved", Biometrika 34
 * (1947), on natural logarithms; scipy.stats.ttest_ind(log(a), log(b), equal_var=False). Where SciPy says NaN, and where neither
 * sample varies, `test` is undefined.
 *
 * @param options.alpha 0.05 unless given.
 * @throws PlumbfoxError bad-input for an empty sample, a value that is not positive and finite, or alpha outside (0, 1).
 */
export function welchOnLogs(a: readonly number[], b: readonly number[], { alpha = 0.05 }: { readonly alpha?: number } = {}): WelchOnLogs {
  requireAlpha(alpha);
  requireFiniteSample(a);
  requireFiniteSample(b);
  const first = meanAndVariance(a.map(positiveLog));
  const second = meanAndVariance(b.map(positiveLog));
  const difference = first.mean - second.mean;
  const ratio = Math.exp(difference);
  if (first.variance === undefined || second.variance === undefined) return { ratio, test: undefined };
  const ofA = first.variance / a.length;
  const ofB = second.variance / b.length;
  const variance = ofA + ofB;
  if (variance === 0) return { ratio, test: undefined };
  // Shares of the variance, so that a tiny one squared does not vanish.
  const df = 1 / ((ofA / variance) ** 2 / (a.length - 1) + (ofB / variance) ** 2 / (b.length - 1));
  const error = Math.sqrt(variance);
  const t = difference / error;
  const reach = studentTQuantile(1 - alpha / 2, df) * error;
  return { ratio, test: { low: Math.exp(difference - reach), high: Math.exp(difference + reach), t, df, p: studentTTwoSided(t, df) } };
}
