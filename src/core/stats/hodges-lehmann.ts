/** How far one sample lies above another: the shift at which Mann and Whitney's test has the least evidence of a difference. */
import { normalQuantile } from './distributions.ts';
import { mannWhitneyNull } from './mann-whitney.ts';
import { requireAlpha, requireFiniteSample, sortedCopy } from './sample-checks.ts';

interface ShiftInterval {
  /** The bounds of first less second sample, in the unit of the samples. */
  readonly low: number;
  readonly high: number;
  /** The chance that the interval holds the shift: at least 1 - alpha where it was counted, about that in the approximation. */
  readonly coverage: number;
}

/**
 * The median of all differences a - b, one value of each sample: positive when the first sample is the larger (Hodges & Lehmann, "Estimates
 * of location based on rank tests", Annals of Mathematical Statistics 34 (1963)). Of logarithms, exp(shift) is the ratio of a to b.
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN, an infinity, or a difference too large for a number.
 */
export function hodgesLehmann(a: readonly number[], b: readonly number[]): number {
  const [x, y] = prepared(a, b);
  const count = x.length * y.length;
  const upper = kthDifference(x, y, Math.floor(count / 2) + 1);
  if (count % 2 === 1) return upper;
  return kthDifference(x, y, count / 2) / 2 + upper / 2;
}

/**
 * The shifts a - b that the two-sided Mann-Whitney test does not reject: from the c-th smallest difference to the c-th largest,
 * c the largest for which P(U < c) <= alpha / 2 (Lehmann, "Nonparametrics" (1975), section 2.6; R's wilcox.test). Counted exactly
 * while that takes at most 2e7 steps (about 340 values against 340), from the normal approximation with continuity correction
 * above. Ties make it wider than need be, never too narrow. It assumes that one distribution is the other one, shifted: of loading
 * times take logarithms, where a shift is a ratio.
 *
 * @param options.alpha 0.05 unless given.
 * @returns undefined where the samples are too small for any bound: 3 against 3 cannot exclude anything at 5 %.
 * @throws PlumbfoxError bad-input as `hodgesLehmann`, or for alpha outside (0, 1).
 */
export function hodgesLehmannInterval(
  a: readonly number[],
  b: readonly number[],
  { alpha = 0.05 }: { readonly alpha?: number } = {},
): ShiftInterval | undefined {
  requireAlpha(alpha);
  const [x, y] = prepared(a, b);
  const count = x.length * y.length;
  const exact = Math.min(x.length, y.length) * (count / 2) <= MAX_EXACT_STEPS;
  const { rank, missed } = exact ? countedRank(x.length, y.length, alpha) : approximateRank(x.length, y.length, alpha);
  if (rank < 1) return undefined;
  return { low: kthDifference(x, y, rank), high: kthDifference(x, y, count + 1 - rank), coverage: 1 - missed };
}

/** A tenth of a second in Node on the machine of 2024 it was tried on. */
const MAX_EXACT_STEPS = 2e7;

function prepared(a: readonly number[], b: readonly number[]): readonly [Float64Array, Float64Array] {
  requireFiniteSample(a);
  requireFiniteSample(b);
  const x = sortedCopy(a);
  const y = sortedCopy(b);
  requireFiniteSample([(x[0] ?? 0) - (y[y.length - 1] ?? 0), (x[x.length - 1] ?? 0) - (y[0] ?? 0)]);
  return [x, y];
}

interface BoundRank {
  readonly rank: number;
  /** The chance that the shift is outside. */
  readonly missed: number;
}

function countedRank(n: number, m: number, alpha: number): BoundRank {
  const chances = mannWhitneyNull(n, m);
  let below = 0;
  let rank = 0;
  // Past the middle the interval would be empty; only an alpha near 1 gets there.
  for (; rank < chances.length - 1; rank++) {
    const next = below + (chances[rank] ?? 0);
    if (next > alpha / 2) break;
    below = next;
  }
  return { rank, missed: 2 * below };
}

/** P(U <= rank - 1) is about Phi((rank - 1/2 - n m / 2) / sd). */
function approximateRank(n: number, m: number, alpha: number): BoundRank {
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12);
  return { rank: Math.floor((n * m + 1) / 2 + normalQuantile(alpha / 2) * deviation), missed: alpha };
}

/**
 * The k-th smallest of all n m differences x - y, without forming them; k from 1 to n m.
 *
 * Row by row the differences rise, so that how many are at most t is counted in one pass over both samples (Johnson & Mizoguchi,
 * "Selecting the kth element in X + Y and X_1 + X_2 + ... + X_m", SIAM Journal on Computing 7 (1978)); Monahan, "Fast computation of
 * the Hodges-Lehmann location estimator", ACM TOMS 10 (1984), narrows the bounds the same way from pivots drawn at random.
 * Here t halves what lies between two differences, and each pass moves a bound to the difference next to t: the answer is a
 * difference itself, and nothing is random. A pass costs n + m; about 50 are needed unless magnitudes are far apart, at most 2,100.
 *
 * @param x ascending, finite, not empty; as is y. Their differences are finite.
 */
export function kthDifference(x: Float64Array, y: Float64Array, k: number): number {
  let low = (x[0] ?? 0) - (y[y.length - 1] ?? 0);
  let high = (x[x.length - 1] ?? 0) - (y[0] ?? 0);
  while (low < high) {
    const middle = low / 2 + high / 2;
    // Rounding may put the middle on the upper bound when they are next to each other.
    const split = splitAt(x, y, middle < high ? middle : low);
    if (split.count >= k) high = split.largestWithin;
    else low = split.smallestBeyond;
  }
  return low;
}

interface Split {
  /** Differences of at most t. */
  readonly count: number;
  readonly largestWithin: number;
  readonly smallestBeyond: number;
}

function splitAt(x: Float64Array, y: Float64Array, t: number): Split {
  let count = 0;
  let largestWithin = Number.NEGATIVE_INFINITY;
  let smallestBeyond = Number.POSITIVE_INFINITY;
  /** y[from] is the first, and the differences with those after it are within t: it moves up as x rises. */
  let from = 0;
  for (const value of x) {
    while (from < y.length && value - (y[from] ?? 0) > t) from++;
    count += y.length - from;
    if (from < y.length) largestWithin = Math.max(largestWithin, value - (y[from] ?? 0));
    if (from > 0) smallestBeyond = Math.min(smallestBeyond, value - (y[from - 1] ?? 0));
  }
  return { count, largestWithin, smallestBeyond };
}
