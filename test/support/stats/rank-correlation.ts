/** Whether two figures of the same things put them into the same order. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { requireFiniteSample } from './sample-checks.ts';

/**
 * Spearman's rho in [-1, 1]: the correlation of the ranks, equal values sharing their mean rank (Spearman, "The proof and measurement
 * of association between two things", American Journal of Psychology 15 (1904)). As scipy.stats.spearmanr.
 *
 * @param a in the order of b: a[i] and b[i] are of one thing.
 * @returns `undefined` when all values of one sample are equal: then there is no order to agree with.
 * @throws PlumbfoxError bad-input for fewer than 2 values, samples of different lengths, NaN or an infinity.
 */
export function spearmanRho(a: readonly number[], b: readonly number[]): number | undefined {
  requirePairs(a, b);
  const [x, y] = [midranks(a), midranks(b)];
  const middle = (a.length + 1) / 2;
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const dx = (x[i] ?? 0) - middle;
    const dy = (y[i] ?? 0) - middle;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx === 0 || yy === 0 ? undefined : bounded(xy / Math.sqrt(xx * yy));
}

/** Ranks from 1, equal values sharing the mean of the ranks they take together. @param values finite. */
function midranks(values: readonly number[]): Float64Array {
  const at = (index: number) => values[index] ?? 0;
  const order = Uint32Array.from(values, (_, index) => index).sort((i, j) => at(i) - at(j));
  const position = (place: number) => order[place] ?? 0;
  const ranks = new Float64Array(values.length);
  for (let first = 0; first < order.length; ) {
    let after = first + 1;
    while (after < order.length && at(position(after)) === at(position(first))) after++;
    for (let place = first; place < after; place++) ranks[position(place)] = (first + 1 + after) / 2;
    first = after;
  }
  return ranks;
}

/**
 * Kendall's tau-b in [-1, 1]: pairs in the same order less pairs in the opposite one, over the geometric mean of the pairs that
 * each sample does not tie (Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945)). n log n after Knight, "A
 * computer method for calculating Kendall's tau with ungrouped data", JASA 61 (1966). As scipy.stats.kendalltau.
 *
 * @param a in the order of b: a[i] and b[i] are of one thing.
 * @returns `undefined` when all values of one sample are equal: then there is no order to agree with.
 * @throws PlumbfoxError bad-input for fewer than 2 values, samples of different lengths, NaN or an infinity.
 */
export function kendallTauB(a: readonly number[], b: readonly number[]): number | undefined {
  requirePairs(a, b);
  const things = a.map((x, i) => ({ x, y: b[i] ?? 0 })).sort((p, q) => p.x - q.x || p.y - q.y);
  const pairs = pairsOf(a.length);
  const tiedX = tiedPairs(things, (one, other) => one.x === other.x);
  const tiedBoth = tiedPairs(things, (one, other) => one.x === other.x && one.y === other.y);
  const byY = Float64Array.from(things, ({ y }) => y);
  const opposite = sortCountingExchanges(byY);
  const tiedY = tiedPairs(byY, (one, other) => one === other);
  if (tiedX === pairs || tiedY === pairs) return undefined;
  const same = pairs - tiedX - tiedY + tiedBoth - opposite;
  return bounded((same - opposite) / Math.sqrt(pairs - tiedX) / Math.sqrt(pairs - tiedY));
}

function requirePairs(a: readonly number[], b: readonly number[]): void {
  requireFiniteSample(a, 2);
  requireFiniteSample(b, 2);
  if (a.length !== b.length) {
    throw new PlumbfoxError('bad-input', `A rank correlation needs two figures of each thing, not ${a.length} of one and ${b.length}`);
  }
}

const pairsOf = (things: number): number => (things * (things - 1)) / 2;
/** Rounding may lead out by one unit in the last place. */
const bounded = (correlation: number): number => Math.min(1, Math.max(-1, correlation));

/** Pairs of things that are equal, where equal ones stand side by side. */
function tiedPairs<T>(sorted: ArrayLike<T>, equal: (one: T, other: T) => boolean): number {
  let pairs = 0;
  let run = 1;
  for (let i = 1; i <= sorted.length; i++) {
    if (i < sorted.length && equal(sorted[i - 1] as T, sorted[i] as T)) run++;
    else {
      pairs += pairsOf(run);
      run = 1;
    }
  }
  return pairs;
}

/** Sorts upwards by merging, in place. @returns pairs that stood in the wrong order: each is an exchange of neighbours. */
function sortCountingExchanges(values: Float64Array): number {
  let exchanges = 0;
  const merged = new Float64Array(values.length);
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      for (let place = start; place < end; place++) {
        const fromRight = left === middle || (right < end && (values[right] as number) < (values[left] as number));
        // Everything still waiting on the left is larger than what overtakes it from the right.
        if (fromRight) exchanges += middle - left;
        merged[place] = values[fromRight ? right++ : left++] as number;
      }
    }
    values.set(merged);
  }
  return exchanges;
}
