/** Whether values lie evenly between 0 and 1, as p-values do when there is no effect. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { halfDeviance, stirlingError } from '../../../src/core/stats/special-functions.ts';
import { requireFiniteSample, sortedCopy } from './sample-checks.ts';

export interface KolmogorovSmirnov {
  /** The largest distance between the share of values up to x and x itself; in [1 / (2 n), 1]. */
  readonly statistic: number;
  /** The chance of one at least as large, in [0, 1]. */
  readonly p: number;
}

/**
 * Two-sided, against the uniform distribution on [0, 1], as scipy.stats.kstest(values, 'uniform'). The chance is for values all different
 * from each other; with ties it comes out too large.
 *
 * @throws PlumbfoxError bad-input for an empty sample, or a value outside [0, 1], which no p-value is; SciPy takes it as the nearer end.
 */
export function kolmogorovSmirnovUniform(values: readonly number[]): KolmogorovSmirnov {
  requireFiniteSample(values);
  const outside = values.find((value) => value < 0 || value > 1);
  if (outside !== undefined)
    throw new PlumbfoxError('bad-input', `Values held against the uniform distribution lie in [0, 1], not at ${outside}`);
  const count = values.length;
  let statistic = 0;
  sortedCopy(values).forEach((value, index) => {
    statistic = Math.max(statistic, (index + 1) / count - value, value - index / count);
  });
  return { statistic, p: kolmogorovUpperTail(count, statistic) };
}

/**
 * P(D > d) of the two-sided statistic of n values, n at least 1, each region by the method that Simard & L'Ecuyer choose for it, "Computing the
 * two-sided Kolmogorov-Smirnov distribution", Journal of Statistical Software 39 (2011), as in SciPy. Exact up to 140 values and in the
 * upper tail; between, up to 100,000 values at 1e-5 or better.
 */
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

/**
 * P(D <= d) exactly, as an entry of the n-th power of Durbin's matrix: Marsaglia, Tsang & Wang, "Evaluating Kolmogorov's distribution",
 * Journal of Statistical Software 8 (2003). No entry is negative, so no digits cancel. Cost: (2 n d)^3 log n steps.
 */
export function kolmogorovMatrixCdf(n: number, d: number): number {
  const half = Math.ceil(n * d);
  const size = 2 * half - 1;
  const power = raised({ cells: durbinMatrix(size, half - n * d), exponent: 0 }, n, size);
  let chance = power.cells[(half - 1) * size + half - 1] ?? 0;
  let exponent = power.exponent;
  for (let i = 1; i <= n; i++) {
    chance *= i / n;
    if (chance < 1 / SCALE) {
      chance *= SCALE;
      exponent -= SCALE_EXPONENT;
    }
  }
  return chance * 10 ** exponent;
}

/** Theirs: entries are kept below it, the powers of ten beside them. */
const SCALE = 1e140;
const SCALE_EXPONENT = 140;

/** `gap` is what n d lacks to the next integer: h in the paper. */
function durbinMatrix(size: number, gap: number): Float64Array {
  const cells = new Float64Array(size * size);
  const inverseFactorials = [1];
  for (let i = 1; i <= size; i++) inverseFactorials.push((inverseFactorials[i - 1] ?? 0) / i);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const order = row - column + 1;
      const corner = row === size - 1 && column === 0;
      let numerator = 1;
      if (corner) numerator += -2 * gap ** size + Math.max(0, 2 * gap - 1) ** size;
      else if (column === 0) numerator -= gap ** (row + 1);
      else if (row === size - 1) numerator -= gap ** (size - column);
      // Beyond the place right of the diagonal the order is negative, and the entry 0.
      cells[row * size + column] = numerator * (inverseFactorials[order] ?? 0);
    }
  }
  return cells;
}

interface Scaled {
  readonly cells: Float64Array;
  /** The matrix is cells * 10^exponent. */
  readonly exponent: number;
}

function raised(base: Scaled, power: number, size: number): Scaled {
  if (power === 1) return base;
  const root = raised(base, Math.floor(power / 2), size);
  const square = product(root, root, size);
  return power % 2 === 0 ? square : product(square, base, size);
}

function product(left: Scaled, right: Scaled, size: number): Scaled {
  const cells = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < size; k++) {
      const factor = left.cells[row * size + k] ?? 0;
      for (let column = 0; column < size; column++) {
        const cell = row * size + column;
        cells[cell] = (cells[cell] ?? 0) + factor * (right.cells[k * size + column] ?? 0);
      }
    }
  }
  const exponent = left.exponent + right.exponent;
  const centre = cells[((size - 1) / 2) * (size + 1)] ?? 0;
  if (centre <= SCALE) return { cells, exponent };
  return { cells: cells.map((cell) => cell / SCALE), exponent: exponent + SCALE_EXPONENT };
}

/**
 * P(D <= d) for many values: Pelz & Good, "Approximating the lower tail-areas of the Kolmogorov-Smirnov one-sample statistic",
 * Journal of the Royal Statistical Society B 38 (1976): Kolmogorov's limit and three terms in 1 / sqrt(n), each by Jacobi's theta
 * functions in the form that converges for small z = d sqrt(n). As Simard & L'Ecuyer (2011) write it.
 */
function pelzGoodCdf(n: number, d: number): number {
  const z = d * Math.sqrt(n);
  const last = Math.ceil((16 * z) / Math.PI);
  const terms = [0, 0, 0, 0];
  const add = (index: number, value: number) => {
    terms[index] = (terms[index] ?? 0) + value;
  };
  for (let k = last; k >= 1; k--) {
    const odd = 2 * k - 1;
    const weight = Math.exp((-(odd ** 2) * PI_2) / (8 * z ** 2));
    oddCoefficients(z, odd).forEach((coefficient, index) => {
      add(index, coefficient * weight);
    });
  }
  const scale = [z, 6 * z ** 4, 72 * z ** 7, 6480 * z ** 10];
  const sums = terms.map((term, index) => (term * ROOT_2_PI) / (scale[index] ?? 1));
  let second = 0;
  let third = 0;
  for (let k = last; k >= 1; k--) {
    const weight = k ** 2 * Math.exp((-(k ** 2) * PI_2) / (2 * z ** 2));
    second += weight;
    third += (3 * z ** 2 - PI_2 * k ** 2) * weight;
  }
  sums[2] = (sums[2] ?? 0) - (PI_2 * ROOT_2_PI * second) / (36 * z ** 3);
  sums[3] = (sums[3] ?? 0) + (PI_2 * ROOT_2_PI * third) / (216 * z ** 6);
  return sums.reduce((total, sum, index) => total + sum / n ** (index / 2), 0);
}

const PI_2 = Math.PI ** 2;
const ROOT_2_PI = Math.sqrt(2 * Math.PI);

/** Of the sums over odd m in K0 to K3. */
function oddCoefficients(z: number, m: number): readonly number[] {
  const z2 = z ** 2;
  const m2 = (PI_2 * m ** 2) / 4;
  return [
    1,
    m2 - z2,
    6 * z ** 6 + 2 * z ** 4 + (2 * z ** 4 - 5 * z2) * m2 + (1 - 2 * z2) * m2 ** 2,
    -30 * z ** 6 - 90 * z ** 8 + (135 * z ** 4 - 96 * z ** 6) * m2 + (212 * z ** 4 - 60 * z2) * m2 ** 2 + (5 - 30 * z2) * m2 ** 3,
  ];
}
