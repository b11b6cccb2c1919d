/**
 * The distribution of the two-sided Kolmogorov-Smirnov statistic of n values, each region by the method that Simard & L'Ecuyer
 * choose for it, "Computing the two-sided Kolmogorov-Smirnov distribution", Journal of Statistical Software 39 (2011), as in SciPy.
 */
import { kolmogorovMatrixCdf } from './kolmogorov-matrix.ts';
import { pelzGoodCdf } from './pelz-good.ts';
import { halfDeviance, stirlingError } from './special-functions.ts';

/** P(D > d), n at least 1. Exact up to 140 values and in the upper tail; between, up to 100,000 values at 1e-5 or better. */
export function kolmogorovUpperTail(n: number, d: number): number {
  const scaled = n * d;
  if (d >= 1) return 0;
  if (scaled <= 0.5) return 1;
  // Ruben & Gambino's closed form at the lower end.
  if (scaled <= 1) return 1 - Math.exp(logFactorialRatio(n) + n * Math.log(2 * scaled - 1));
  const square = scaled * d;
  const bothSides = d >= 0.5 || square > (n <= EXACT_UP_TO ? 4 : 2.2);
  if (bothSides) return Math.min(1, 2 * oneSidedUpperTail(n, d));
  const counted = n <= EXACT_UP_TO || (n <= 100_000 && n * d ** 1.5 <= 1.4);
  return Math.min(1, Math.max(0, 1 - (counted ? kolmogorovMatrixCdf(n, d) : pelzGoodCdf(n, d))));
}

/** Simard & L'Ecuyer's bound. */
const EXACT_UP_TO = 140;

/** ln(n! / n^n). */
function logFactorialRatio(n: number): number {
  return stirlingError(n) - n + Math.log(2 * Math.PI * n) / 2;
}

/** P(D+ >= d): d sum over j of C(n, j) (d + j/n)^(j-1) (1 - d - j/n)^(n-j) (Smirnov 1944), each term in Loader's form. */
function oneSidedUpperTail(n: number, d: number): number {
  let sum = (1 - d) ** n;
  for (let j = 1; j < n * (1 - d); j++) {
    const share = d + j / n;
    const rest = n - j;
    const expected = n * (1 - d) - j;
    const log = stirlingError(n) - stirlingError(j) - stirlingError(rest) - halfDeviance(j, n * share) - halfDeviance(rest, expected);
    sum += (d / share) * Math.sqrt(n / (2 * Math.PI * j * rest)) * Math.exp(log);
  }
  return sum;
}
