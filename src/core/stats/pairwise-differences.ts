/** Order statistics of the n m differences between two samples, without forming them. */

/**
 * The k-th smallest of all x - y, k from 1 to n m.
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
