/** Sample quantiles. */
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

/** Wherever it stands: a NaN that the quantile does not touch has still put the others out of order. */
function requireSorted(sample: ArrayLike<number>): void {
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < sample.length; i++) {
    const value = sample[i] ?? Number.NaN;
    if (!Number.isFinite(value)) throw new PlumbfoxError('bad-input', `A quantile needs finite values, not ${value}`);
    if (value < before) throw new PlumbfoxError('bad-input', `A quantile needs an ascending sample: ${value} follows ${before}`);
    before = value;
  }
}
