/**
 * The randomisation test of paired differences: whichever of a pair was drawn to be which, under no effect each difference might as well have had the
 * other sign (Fisher, "The Design of Experiments" (1935), section 21). Exact for every distribution, as long as a pair's two values are
 * exchangeable or their difference is symmetric.
 */
import { normalUpperTail } from './distributions.ts';

/** The weights are rounded to this part of their sum; the observed signs are compared by the rounded weights too, so that ties stay ties. */
const GRID = 4096;

/** With more differences the grid would no longer distinguish their weights; the sum of so many signs is practically normal. */
const MAX_EXACT = 512;

function normalP(weighted: readonly number[]): number {
  const total = weighted.reduce((sum, value) => sum + value, 0);
  const squares = weighted.reduce((sum, value) => sum + value * value, 0);
  return Math.min(1, 2 * normalUpperTail(Math.abs(total) / Math.sqrt(squares)));
}

/**
 * Two-sided p of the sum of the terms: the share of all ways to flip their signs in which it is at least as far from 0 as seen; in [2^(1 - n), 1]
 * for n terms that are not 0. 1 where there are none.
 */
export function signFlipP(weighted: readonly number[]): number {
  const sum = weighted.reduce((total, value) => total + Math.abs(value), 0);
  if (sum === 0) return 1;
  if (weighted.length > MAX_EXACT) return normalP(weighted);
  const weights = weighted.map((value) => Math.round((value / sum) * GRID));
  const seen = Math.abs(weights.reduce((total, weight) => total + weight, 0));
  let reach = 0;
  let chances = Float64Array.of(1);
  // chances[k] is the chance of the sum k - reach.
  for (const weight of weights) {
    const size = Math.abs(weight);
    if (size === 0) continue;
    const next = new Float64Array(chances.length + 2 * size);
    for (let at = 0; at < chances.length; at++) {
      const half = (chances[at] as number) / 2;
      next[at] = (next[at] as number) + half;
      next[at + 2 * size] = (next[at + 2 * size] as number) + half;
    }
    reach += size;
    chances = next;
  }
  let p = 0;
  for (let at = 0; at < chances.length; at++) if (Math.abs(at - reach) >= seen) p += chances[at] as number;
  return Math.min(1, p);
}
