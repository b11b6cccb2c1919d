/** Pearson's test of whether counts fall as expected. */
import { PlumbfoxError } from '../errors.ts';
import { requireFiniteSample } from './sample-checks.ts';
import { upperIncompleteGamma } from './special-functions.ts';

export interface ChiSquare {
  /** The sum of (observed - expected)^2 / expected. */
  readonly statistic: number;
  /** In [0, 1], from the chi-square distribution with one degree of freedom less than there are counts. */
  readonly p: number;
}

/**
 * Goodness of fit, as scipy.stats.chisquare (Pearson 1900). The distribution holds for expected counts of about 5 and more
 * (Cochran, Annals of Mathematical Statistics 23 (1952)).
 *
 * @param observed counts, at least two: a single one has no degree of freedom, for which SciPy says NaN.
 * @param expected as many, positive, of the same sum within 1.5e-8 of it; equal shares unless given.
 * @throws PlumbfoxError bad-input otherwise, or for a negative count, NaN or an infinity.
 */
export function chiSquareTest(observed: readonly number[], expected?: readonly number[]): ChiSquare {
  requireFiniteSample(observed, 2);
  const total = sum(observed);
  const shares = expected ?? observed.map(() => total / observed.length);
  requireFiniteSample(shares, 2);
  if (shares.length !== observed.length || !observed.every((count) => count >= 0) || !shares.every((share) => share > 0)) {
    throw new PlumbfoxError('bad-input', 'A chi-square test needs counts of 0 or more and as many expected ones above 0');
  }
  const expectedTotal = sum(shares);
  if (Math.abs(total - expectedTotal) > SAME_SUM * Math.min(total, expectedTotal)) {
    throw new PlumbfoxError('bad-input', `The counts add up to ${total}, the expected ones to ${expectedTotal}`);
  }
  const statistic = sum(observed.map((count, index) => (count - (shares[index] ?? 0)) ** 2 / (shares[index] ?? 1)));
  return { statistic, p: upperIncompleteGamma((observed.length - 1) / 2, statistic / 2) };
}

/** SciPy's: the square root of the machine epsilon. */
const SAME_SUM = Math.sqrt(Number.EPSILON);

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
