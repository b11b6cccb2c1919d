/** Quantiles of a sample, the median among them. */
import { PlumbfoxError } from '../errors.ts';

/**
 * The quantile of a sample that is already sorted upwards, type 7 of Hyndman & Fan, "Sample Quantiles in Statistical
 * Packages", The American Statistician 50 (1996): linear between the order statistics, as R, NumPy and spreadsheets do.
 *
 * @param sorted ascending, finite; at least one value.
 * @param q in [0, 1].
 * @throws PlumbfoxError bad-input for an empty sample, NaN, an infinity or a step downwards anywhere in it, or q outside [0, 1].
 */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (!(q >= 0 && q <= 1)) throw new PlumbfoxError('bad-input', `A quantile is asked for in [0, 1], not at ${q}`);
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new PlumbfoxError('bad-input', 'A quantile needs at least one value');
  requireSorted(sorted);
  return below + (above - below) * (position - Math.floor(position));
}

/** The whole sample is checked: a NaN that the quantile does not touch has still put the others out of order. */
function requireSorted(sample: ArrayLike<number>): void {
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < sample.length; i++) {
    const value = sample[i] ?? Number.NaN;
    if (!Number.isFinite(value)) throw new PlumbfoxError('bad-input', `A quantile needs finite values, not ${value}`);
    if (value < before) throw new PlumbfoxError('bad-input', `A quantile needs an ascending sample: ${value} follows ${before}`);
    before = value;
  }
}

/** The median of a sample in any order; `undefined` for an empty one. @throws PlumbfoxError bad-input when a value is not finite. */
export function median(sample: ArrayLike<number>): number | undefined {
  const middle = middleOf(sample);
  return middle && (middle[0] + middle[1]) / 2;
}

/** The two values in the middle, the same twice in a sample of odd size. @throws PlumbfoxError bad-input when a value is not finite. */
export function middleOf(sample: ArrayLike<number>): readonly [number, number] | undefined {
  if (sample.length === 0) return undefined;
  for (let at = 0; at < sample.length; at++) {
    if (!Number.isFinite(sample[at])) throw new PlumbfoxError('bad-input', `A median needs finite values, not ${sample[at]}`);
  }
  const sorted = sample.length <= FEW ? insertionSorted(sample) : Float64Array.from(sample).sort();
  const below = sorted[(sorted.length - 1) >> 1] as number;
  return [below, sorted[sorted.length >> 1] as number];
}

/** Up to this size, insertion beats a sort that has to be set up: everyday loads come as thousands of small samples. */
const FEW = 24;

function insertionSorted(sample: ArrayLike<number>): readonly number[] {
  const sorted: number[] = [];
  for (let at = 0; at < sample.length; at++) {
    const value = sample[at] as number;
    let place = at;
    for (; place > 0 && (sorted[place - 1] as number) > value; place--) sorted[place] = sorted[place - 1] as number;
    sorted[place] = value;
  }
  return sorted;
}

/** Half of what a 95 % interval leaves out, and the quantile of the normal distribution there. */
const TAIL = 0.025;
const TAIL_QUANTILE = 1.959964;
/** Up to this size the binomial distribution is summed; 2^-n of more is below what a number holds. */
const MAX_SUMMED = 1_000;

/**
 * The 95 % interval of the median that assumes nothing of the distribution: from one order statistic to another, whose ranks follow from the binomial
 * distribution with a chance of 1/2 (David & Nagaraja, "Order Statistics", 3rd edition 2003, section 7.1). `undefined`: a sample of fewer than six
 * values has none.
 *
 * @param sorted ascending.
 */
export function medianInterval(sorted: ArrayLike<number>): { readonly low: number; readonly high: number } | undefined {
  const rank = outerRank(sorted.length);
  const [low, high] = [sorted[rank - 1], sorted[sorted.length - rank]];
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** The highest rank, from either end, below which the median lies with a chance of at most 2.5 %; 0: there is none. */
function outerRank(size: number): number {
  if (size > MAX_SUMMED) return Math.floor((size - TAIL_QUANTILE * Math.sqrt(size)) / 2);
  let chance = 2 ** -size;
  let below = chance;
  let rank = 0;
  while (below <= TAIL) {
    chance *= (size - rank) / (rank + 1);
    below += chance;
    rank += 1;
  }
  return rank;
}
