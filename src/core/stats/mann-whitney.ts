/**
 * Two independent samples compared by their ranks: the test of Mann and Whitney, which is also Wilcoxon's rank sum test, its exact
 * distribution, and the effect size that comes of the same count of pairs.
 */
import { assertNever, PlumbfoxError } from '../errors.ts';
import { normalUpperTail } from './distributions.ts';
import { requireFiniteSample } from './sample-checks.ts';

/** The alternative of a test: that the first sample tends to be less, greater, or either. */
type Alternative = 'two-sided' | 'less' | 'greater';

interface MannWhitneyOptions {
  /** What the first sample tends to be, compared with the second. 'two-sided' unless given. */
  readonly alternative?: Alternative;
  /**
   * 'exact' counts the orderings, and only holds without ties; 'asymptotic' is the normal approximation, its variance
   * corrected for ties; 'auto' (the default) is exact when a sample has at most 8 values and there are no ties, as in SciPy.
   */
  readonly method?: 'exact' | 'asymptotic' | 'auto';
  /** Half a step towards the mean, only in the normal approximation. True unless given. */
  readonly continuity?: boolean;
}

interface MannWhitney {
  /** Pairs in which the value of the first sample is the larger one, equal pairs counted as half: 0 to n m. SciPy's statistic. */
  readonly u: number;
  /** The chance of a `u` at least as far out when both samples come from one distribution, in (0, 1]. */
  readonly p: number;
}

/**
 * `u` and `p` as scipy.stats.mannwhitneyu has them, except for two cases. With ties, 'exact' is refused: SciPy uses the
 * distribution without ties, which is then not exact. When every value is the same, p is 1, also one-sided and without continuity
 * correction, where SciPy divides 0 by 0.
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN or an infinity, or 'exact' with ties.
 */
export function mannWhitneyU(a: readonly number[], b: readonly number[], options: MannWhitneyOptions = {}): MannWhitney {
  requireFiniteSample(a);
  requireFiniteSample(b);
  const { u, tieTerm } = mannWhitneyStatistic(a, b);
  const most = a.length * b.length;
  const { outer, sides } = side(u, most, options.alternative ?? 'two-sided');
  const tail = isExact(options.method ?? 'auto', Math.min(a.length, b.length), tieTerm > 0)
    ? mannWhitneyUpperTail(outer, a.length, b.length)
    : asymptoticTail(outer, [a.length, b.length], tieTerm, options.continuity ?? true);
  return { u, p: Math.min(1, sides * tail) };
}

/** `u` as in `MannWhitney`, from the ranks of both samples together, and their tie term; samples finite. */
function mannWhitneyStatistic(a: readonly number[], b: readonly number[]): { readonly u: number; readonly tieTerm: number } {
  const { ranks, tieTerm } = midranks([...a, ...b]);
  let rankSum = 0;
  for (let i = 0; i < a.length; i++) rankSum += ranks[i] ?? 0;
  return { u: rankSum - (a.length * (a.length + 1)) / 2, tieTerm };
}

interface Midranks {
  /** In the order of the values; multiples of 1/2. */
  readonly ranks: Float64Array;
  /** The sum over groups of equal values of t^3 - t, t values in the group: 0 without ties. */
  readonly tieTerm: number;
}

/** Ranks from 1, equal values sharing the mean of the ranks they take together. @param values finite. */
export function midranks(values: ArrayLike<number>): Midranks {
  const at = (index: number) => values[index] ?? 0;
  const order = Uint32Array.from(values, (_, index) => index).sort((i, j) => at(i) - at(j));
  const position = (place: number) => order[place] ?? 0;
  const ranks = new Float64Array(values.length);
  let tieTerm = 0;
  for (let first = 0; first < order.length; ) {
    let after = first + 1;
    while (after < order.length && at(position(after)) === at(position(first))) after++;
    for (let place = first; place < after; place++) ranks[position(place)] = (first + 1 + after) / 2;
    const tied = after - first;
    tieTerm += tied ** 3 - tied;
    first = after;
  }
  return { ranks, tieTerm };
}

/** SciPy's bound. */
const EXACT_UP_TO = 8;

function isExact(method: 'exact' | 'asymptotic' | 'auto', fewer: number, tied: boolean): boolean {
  switch (method) {
    case 'exact':
      if (tied) throw new PlumbfoxError('bad-input', 'Samples with ties have no exact Mann-Whitney test: use auto or asymptotic');
      return true;
    case 'asymptotic':
      return false;
    case 'auto':
      return fewer <= EXACT_UP_TO && !tied;
    default:
      return assertNever(method);
  }
}

/** The U whose upper tail is requested, and of how many sides. */
function side(u: number, most: number, alternative: Alternative): { readonly outer: number; readonly sides: 1 | 2 } {
  switch (alternative) {
    case 'two-sided':
      return { outer: Math.max(u, most - u), sides: 2 };
    case 'greater':
      return { outer: u, sides: 1 };
    case 'less':
      return { outer: most - u, sides: 1 };
    default:
      return assertNever(alternative);
  }
}

/** Variance with ties: n m / 12 ((N + 1) - tieTerm / (N (N - 1))), Lehmann, "Nonparametrics" (1975), (1.34). */
function asymptoticTail(u: number, [n, m]: readonly [number, number], tieTerm: number, continuity: boolean): number {
  const all = n + m;
  if (tieTerm === all ** 3 - all) return 1;
  const variance = ((n * m) / 12) * (all + 1 - tieTerm / (all * (all - 1)));
  return normalUpperTail((u - (n * m) / 2 - (continuity ? 0.5 : 0)) / Math.sqrt(variance));
}

/**
 * The distribution of U when both samples come from one continuous distribution: P(U = u) for u from 0 to floor(n m / 2); the rest is its
 * mirror image, P(U = n m - u) = P(U = u).
 *
 * The numbers of orderings are the coefficients of the Gaussian binomial [n + m choose n], the product over i = 1..n of (1 - q^(m+i)) / (1
 * - q^i) (Mann & Whitney, Annals of Mathematical Statistics 18 (1947); Andrews, "The Theory of Partitions" (1976), ch. 3). Factor by
 * factor, each scaled by i / (m + i), the coefficients are chances and nothing overflows; of each product only the lower half is computed,
 * where the subtraction takes away less than it leaves except for a factor of a few. Cost: min(n, m) * n m / 2 steps.
 */
export function mannWhitneyNull(n: number, m: number): Float64Array {
  const [few, many] = n < m ? [n, m] : [m, n];
  const chances = new Float64Array(Math.floor((n * m) / 2) + 1);
  const at = (u: number) => chances[u] ?? 0;
  chances[0] = 1;
  for (let i = 1; i <= few; i++) {
    const top = (i - 1) * many;
    const middle = Math.floor((i * many) / 2);
    for (let u = Math.floor(top / 2) + 1; u <= Math.min(top, middle); u++) chances[u] = at(top - u);
    for (let u = i; u <= middle; u++) chances[u] = at(u) + at(u - i);
    for (let u = middle; u >= many + i; u--) chances[u] = at(u) - at(u - many - i);
    const scale = i / (many + i);
    for (let u = 0; u <= middle; u++) chances[u] = at(u) * scale;
  }
  return chances;
}

/** P(U >= u), u an integer in [0, n m]. */
export function mannWhitneyUpperTail(u: number, n: number, m: number): number {
  const chances = mannWhitneyNull(n, m);
  const mirrored = n * m - u;
  if (mirrored < u) return sumTo(chances, mirrored);
  return 1 - sumTo(chances, u - 1);
}

function sumTo(chances: Float64Array, last: number): number {
  let sum = 0;
  for (let u = 0; u <= last; u++) sum += chances[u] ?? 0;
  return sum;
}

/**
 * P(a > b) - P(a < b) over all pairs: 1 when every value of a is larger than every one of b, -1 the other way round, 0 when neither
 * tends to be (Cliff, "Dominance statistics", Psychological Bulletin 114 (1993)). From ranks: n log n.
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN or an infinity.
 */
export function cliffsDelta(a: readonly number[], b: readonly number[]): number {
  requireFiniteSample(a);
  requireFiniteSample(b);
  const pairs = a.length * b.length;
  return (2 * mannWhitneyStatistic(a, b).u - pairs) / pairs;
}
