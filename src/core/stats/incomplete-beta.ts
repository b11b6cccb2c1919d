/**
 * The regularised incomplete beta function I_x(a, b), a and b positive, x in [0, 1]: the continued fraction of DLMF 8.17.22
 * by the modified Lentz method (Thompson & Barnett 1986), with I_x(a, b) = 1 - I_(1-x)(b, a) where it converges faster.
 */
import { PlumbfoxError } from '../errors.ts';
import { logGamma } from './log-gamma.ts';

export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) {
    throw new PlumbfoxError('bad-input', `The incomplete beta function is not defined at x=${x}, a=${a}, b=${b}`);
  }
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

const TOLERANCE = 1e-16;
/** Keeps Lentz's ratios off zero; far below any term. */
const TINY = 1e-300;
const MOST_STEPS = 10_000;

function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / offZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= MOST_STEPS; m++) {
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

function offZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
