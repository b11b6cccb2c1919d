/**
 * The two parts of Loader's form of binomial, Poisson and gamma densities, "Fast and accurate computation of binomial
 * probabilities" (2000), as R has them: no difference of large logarithms, so no digits are lost at large counts.
 */
import { logGamma } from './log-gamma.ts';

/** ln(n!) - ln(sqrt(2 pi n) (n / e)^n), n > 0: what Stirling's formula lacks. */
export function stirlingError(n: number): number {
  if (n < STIRLING_FROM) return logGamma(n + 1) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI;
  const square = 1 / (n * n);
  let series = 0;
  for (const coefficient of STIRLING) series = series * square + coefficient;
  return series / n;
}

/** x ln(x / expected) + expected - x, x and expected positive: half the deviance of one Poisson count. */
export function halfDeviance(x: number, expected: number): number {
  const difference = x - expected;
  // Near each other the terms cancel; there, Loader's series in v = (x - m) / (x + m).
  if (Math.abs(difference) >= 0.1 * (x + expected)) return x * Math.log(x / expected) + expected - x;
  const v = difference / (x + expected);
  let sum = difference * v;
  let term = 2 * x * v;
  for (let odd = 3; ; odd += 2) {
    term *= v * v;
    const next = sum + term / odd;
    if (next === sum) return sum;
    sum = next;
  }
}

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;
/** From where the first omitted term, 1/156 n^-13, is below 1e-16. */
const STIRLING_FROM = 16;
/** Abramowitz & Stegun 6.1.41, highest power first. */
const STIRLING = [-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12];
