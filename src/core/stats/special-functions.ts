/**
 * The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x), a > 0, x >= 0: the series of DLMF 8.7.1 below a + 1,
 * the continued fraction of DLMF 8.9.2 by the modified Lentz method above, each where it converges quickly.
 */
import { PlumbfoxError } from '../errors.ts';
import { logGamma } from './log-gamma.ts';
import { halfDeviance, stirlingError } from './saddle-point.ts';

/** @throws PlumbfoxError bad-input unless a is positive and x is 0 or more. */
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

/** Below it the logarithms are small enough to be subtracted. */
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
  for (let i = 1; i <= MOST_STEPS; i++) {
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

/** Keeps Lentz's ratios off zero; far below any term. */
const TINY = 1e-300;
/** About sqrt(a) steps are needed near x = a, so this is reached beyond a = 1e9 only. */
const MOST_STEPS = 100_000;

function offZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
