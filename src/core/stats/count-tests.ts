/** The exact test of a share. */
import { PlumbfoxError } from '../errors.ts';
import { halfDeviance, stirlingError } from './special-functions.ts';

/**
 * Two-sided, as scipy.stats.binomtest and R: the chance of all counts that are at most as likely as k, "as likely" within 1e-7 of it.
 * Cost: some ten standard deviations of terms, 5,000 for n = 1e6.
 *
 * @param k successes, an integer in [0, n].
 * @param n trials, an integer from 1.
 * @param p0 the chance of success to be tested, in [0, 1].
 * @returns p in [0, 1].
 * @throws PlumbfoxError bad-input otherwise.
 */
export function binomialTest(k: number, n: number, p0: number): { readonly p: number } {
  if (!(Number.isSafeInteger(n) && n >= 1 && Number.isInteger(k) && k >= 0 && k <= n && p0 >= 0 && p0 <= 1)) {
    throw new PlumbfoxError('bad-input', `A binomial test needs 0 <= k <= n and a chance in [0, 1], not k=${k}, n=${n}, chance ${p0}`);
  }
  if (k === p0 * n) return { p: 1 };
  // Counted from the other end, so that k is always below the mean.
  const trials = k < p0 * n ? { k, n, p: p0, q: 1 - p0 } : { k: n - k, n, p: 1 - p0, q: p0 };
  return { p: Math.min(1, lowerTail(trials) + upperTail(oppositeCount(trials), trials)) };
}

interface Trials {
  /** The count, below n p. */
  readonly k: number;
  readonly n: number;
  readonly p: number;
  readonly q: number;
}

/** SciPy's and R's: chances that differ by less count as equal, because that is rounding. */
const AS_LIKELY = 1e-7;

/** The smallest count from the mean up that is at most as likely as k; n + 1 if none is. */
function oppositeCount({ k, n, p, q }: Trials): number {
  const most = logChance(k, n, p, q) + Math.log1p(AS_LIKELY);
  let low = Math.ceil(n * p);
  let high = n + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (logChance(middle, n, p, q) <= most) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** P(X <= k), from the largest term down. */
function lowerTail({ k, n, p, q }: Trials): number {
  let term = 1;
  let sum = 1;
  for (let x = k; term > sum * NEGLIGIBLE; x--) {
    term *= (x / (n - x + 1)) * (q / p);
    sum += term;
  }
  return Math.exp(logChance(k, n, p, q)) * sum;
}

/** P(X >= from), likewise. */
function upperTail(from: number, { n, p, q }: Trials): number {
  if (from > n) return 0;
  let term = 1;
  let sum = 1;
  for (let x = from; term > sum * NEGLIGIBLE; x++) {
    term *= ((n - x) / (x + 1)) * (p / q);
    sum += term;
  }
  return Math.exp(logChance(from, n, p, q)) * sum;
}

/** The terms fall faster than geometrically, to 0 after the last count, so all that follow a term this small make no difference to a double. */
const NEGLIGIBLE = 1e-20;

/** ln P(X = x), by Loader's form; p and q in [0, 1]: where they are 0 and 1, what cannot be has the logarithm of 0. */
function logChance(x: number, n: number, p: number, q: number): number {
  if (x === 0) return n * (p < 0.5 ? Math.log1p(-p) : Math.log(q));
  if (x === n) return n * (p < 0.5 ? Math.log(p) : Math.log1p(-q));
  const deviance = halfDeviance(x, n * p) + halfDeviance(n - x, n * q);
  return stirlingError(n) - stirlingError(x) - stirlingError(n - x) - deviance + Math.log(n / (2 * Math.PI * x * (n - x))) / 2;
}
