/**
 * Gamma and beta functions, and the two parts of Loader's form of binomial, Poisson and gamma densities, "Fast and accurate computation of
 * binomial probabilities" (2000), as R has them: no difference of large logarithms, so no digits are lost at large counts.
 */
import { PlumbfoxError } from '../errors.ts';

/**
 * ln of the gamma function for x > 0: Stirling's series (Abramowitz & Stegun 6.1.40) at x >= 12, where its first omitted
 * term is below 1e-16, reached from below by the recurrence gamma(x + 1) = x * gamma(x).
 */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < STIRLING_FROM) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  let series = 0;
  for (const coefficient of STIRLING) series = series * square + coefficient;
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + series * inverse - Math.log(product);
}

const STIRLING_FROM = 12;
const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;
/** B(2k) / (2k (2k - 1)), highest power first: A&S 6.1.40 with Bernoulli numbers of table 23.2. */
const STIRLING = [1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12];

/** ln(n!) - ln(sqrt(2 pi n) (n / e)^n), n > 0: what Stirling's formula lacks. */
export function stirlingError(n: number): number {
  if (n < STIRLING_ERROR_FROM) return logGamma(n + 1) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI;
  const square = 1 / (n * n);
  let series = 0;
  for (const coefficient of STIRLING_ERROR) series = series * square + coefficient;
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

/** The smallest n at which the first omitted term, 1/156 n^-13, is below 1e-16. */
const STIRLING_ERROR_FROM = 16;
/** Abramowitz & Stegun 6.1.41, highest power first. */
const STIRLING_ERROR = [-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12];

/** Keeps Lentz's ratios off zero; far below any term. */
const TINY = 1e-300;
function offZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/**
 * The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x), a > 0, x >= 0: the series of DLMF 8.7.1 below a + 1,
 * the continued fraction of DLMF 8.9.2 by the modified Lentz method above, each where it converges quickly.
 *
 * @throws PlumbfoxError bad-input unless a is positive and x is 0 or more.
 */
export function upperIncompleteGamma(a: number, x: number): number {
  if (!(a > 0 && x >= 0 && Number.isFinite(a))) {
    throw new PlumbfoxError('bad-input', `The incomplete gamma function is not defined at a=${a}, x=${x}`);
  }
  if (x === Number.POSITIVE_INFINITY) return 0;
  const density = poissonDensity(a, x);
  return x < a + 1 ? 1 - density * lowerSeries(a, x) : density * a * upperFraction(a, x);
}

/** x^a e^-x / gamma(a + 1). */
function poissonDensity(a: number, x: number): number {
  if (a < SADDLE_POINT_FROM) return Math.exp(a * Math.log(x) - x - logGamma(a + 1));
  return Math.exp(-stirlingError(a) - halfDeviance(a, x)) / Math.sqrt(2 * Math.PI * a);
}

/** Below this the logarithms are small enough to be subtracted. */
const SADDLE_POINT_FROM = 10;

/** sum of x^k / ((a + 1) ... (a + k)). */
function lowerSeries(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; ; k++) {
    term *= x / (a + k);
    const next = sum + term;
    if (next === sum) return sum;
    sum = next;
  }
}

/** 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))); every denominator is positive for x >= a + 1. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let value = d;
  for (let i = 1; i <= MAX_GAMMA_STEPS; i++) {
    const numerator = -i * (i - a);
    b += 2;
    d = 1 / offZero(numerator * d + b);
    c = offZero(b + numerator / c);
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) <= Number.EPSILON) return value;
  }
  return value;
}

/** About sqrt(a) steps are needed near x = a, so this is reached beyond a = 1e9 only. */
const MAX_GAMMA_STEPS = 100_000;

/**
 * The regularised incomplete beta function I_x(a, b), a and b positive, x in [0, 1]: the continued fraction of DLMF 8.17.22
 * by the modified Lentz method (Thompson & Barnett 1986), with I_x(a, b) = 1 - I_(1-x)(b, a) where it converges faster.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) {
    throw new PlumbfoxError('bad-input', `The incomplete beta function is not defined at x=${x}, a=${a}, b=${b}`);
  }
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

const TOLERANCE = 1e-16;
const MAX_BETA_STEPS = 10_000;

function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / offZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= MAX_BETA_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / offZero(1 + even * d);
    c = offZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / offZero(1 + odd * d);
    c = offZero(1 + odd / c);
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) <= TOLERANCE) return value;
  }
  return value;
}
