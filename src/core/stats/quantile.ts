/** Sample quantiles. */
import { PlumbfoxError } from '../errors.ts';

/**
 * The quantile of a sample that is already sorted upwards, type 7 of Hyndman & Fan, "Sample Quantiles in Statistical
 * Packages", The American Statistician 50 (1996): linear between the order statistics, as R, NumPy and spreadsheets do.
 *
 * @param sorted ascending, finite; at least one value.
 * @param q in [0, 1].
 * @throws PlumbfoxError bad-input for an empty sample, a value that is not finite, or q outside [0, 1].
 */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (!(q >= 0 && q <= 1)) throw new PlumbfoxError('bad-input', `A quantile is asked for in [0, 1], not at ${q}`);
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new PlumbfoxError('bad-input', 'A quantile needs at least one value');
  if (!Number.isFinite(below) || !Number.isFinite(above)) {
    throw new PlumbfoxError('bad-input', `A quantile needs finite values, not ${below} and ${above}`);
  }
  return below === above ? below : below + (above - below) * (position - Math.floor(position));
}
