/** The standard normal distribution, the mean of a normal variable that is known to lie within limits, and Student's t distribution. */
import { PlumbfoxError } from '../errors.ts';
import { incompleteBeta, upperIncompleteGamma } from './special-functions.ts';

/** P(Z > z): Q(1/2, z^2 / 2) / 2 for z > 0 (DLMF 7.11.2). Keeps its relative accuracy far into the tail. */
export function normalUpperTail(z: number): number {
  const beyond = upperIncompleteGamma(0.5, (z * z) / 2) / 2;
  return z >= 0 ? beyond : 1 - beyond;
}

/** P(Z <= z). */
export function normalCdf(z: number): number {
  return normalUpperTail(-z);
}

/**
 * The z with P(Z <= z) = p: algorithm AS 241, PPND16 (Wichura, "The percentage points of the normal distribution", Applied
 * Statistics 37 (1988)), relative error about 1e-16.
 * @param p in (0, 1).
 * @throws PlumbfoxError bad-input outside it.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new PlumbfoxError('bad-input', `The normal distribution has no quantile ${p}`);
  const fromMiddle = p - 0.5;
  if (Math.abs(fromMiddle) <= 0.425) return fromMiddle * rational(MIDDLE, 0.180625 - fromMiddle * fromMiddle);
  const depth = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
  const size = depth <= 5 ? rational(TAIL, depth - 1.6) : rational(FAR_TAIL, depth - 5);
  return fromMiddle < 0 ? -size : size;
}

interface Rational {
  readonly above: readonly number[];
  readonly below: readonly number[];
}

function rational({ above, below }: Rational, x: number): number {
  const polynomial = (coefficients: readonly number[]) => coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0);
  return polynomial(above) / polynomial(below);
}

/** The coefficients of AS 241, lowest power first. */
const MIDDLE: Rational = {
  above: [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087, 33430.57558358813,
    2509.0809287301227,
  ],
  below: [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
    5226.495278852546,
  ],
};
const TAIL: Rational = {
  above: [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
    0.022723844989269184, 0.0007745450142783414,
  ],
  below: [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457, 0.0005475938084995345,
    1.0507500716444169e-9,
  ],
};
const FAR_TAIL: Rational = {
  above: [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124, 0.0012426609473880784,
    2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  below: [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5, 1.421511758316446e-7,
    2.0442631033899397e-15,
  ],
};

interface TruncatedValue {
  /** What was seen, from 0 to the limit. */
  readonly value: number;
  /** The value is known to lie within plus and minus this. */
  readonly limit: number;
  /** Standard deviation without the limits; > 0. */
  readonly sd: number;
}

const STEPS = 40;

/**
 * The mean under which a value up to that seen has the chance `chance` among values within the limits: with 0.5 the median-unbiased estimate
 * (Pfanzagl 1970; after a test that did not reject, its limits are the test's). Found by halving in [0, most]; the chance falls as the mean grows.
 */
export function truncatedMean(
  { value, limit, sd }: TruncatedValue,
  { chance, most }: { readonly chance: number; readonly most: number },
): number {
  const upTo = (x: number, mean: number) => normalCdf((x - mean) / sd) - normalCdf((-limit - mean) / sd);
  let low = 0;
  let high = most;
  for (let step = 0; step < STEPS; step++) {
    const mean = (low + high) / 2;
    if (upTo(value, mean) > chance * upTo(limit, mean)) low = mean;
    else high = mean;
  }
  return (low + high) / 2;
}

/** Student's t: P(|T| > |t|) with the degrees of freedom given: I_x(df / 2, 1 / 2) at x = df / (df + t^2) (A&S 26.7.1). */
export function studentTTwoSided(t: number, degreesOfFreedom: number): number {
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

/**
 * Student's quantile: the t with P(T <= t) = p, by bisection on the tail.
 * @param p in (0, 1).
 * @throws PlumbfoxError bad-input outside it, or unless the degrees of freedom are positive.
 */
export function studentTQuantile(p: number, degreesOfFreedom: number): number {
  if (!(p > 0 && p < 1 && degreesOfFreedom > 0)) {
    throw new PlumbfoxError('bad-input', `Student's t has no quantile ${p} with ${degreesOfFreedom} degrees of freedom`);
  }
  if (p === 0.5) return 0;
  const bothTails = 2 * Math.min(p, 1 - p);
  let low = 0;
  let high = 1;
  while (studentTTwoSided(high, degreesOfFreedom) > bothTails) {
    low = high;
    high *= 2;
  }
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return p < 0.5 ? -middle : middle;
    if (studentTTwoSided(middle, degreesOfFreedom) > bothTails) low = middle;
    else high = middle;
  }
}
