/** The median of a sample in any order; `undefined` for an empty one. */
import { quantile } from './quantile.ts';

export function median(sample: readonly number[]): number | undefined {
  if (sample.length === 0) return undefined;
  // A typed array sorts numbers by themselves, several times as fast as one that asks for every pair.
  return quantile(Float64Array.from(sample).sort(), 0.5);
}
