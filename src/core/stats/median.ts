/** The median of a sample in any order; `undefined` for an empty one. */
import { quantile } from './quantile.ts';

export function median(sample: readonly number[]): number | undefined {
  if (sample.length === 0) return undefined;
  return quantile(
    [...sample].sort((a, b) => a - b),
    0.5,
  );
}
