/** The mean of a normal variable of which it is known that it came to lie within limits. */
import { normalCdf } from './normal-distribution.ts';

export interface TruncatedValue {
  /** What was seen, from 0 to the limit. */
  readonly value: number;
  /** The value is known to lie within plus and minus this. */
  readonly limit: number;
  /** Standard deviation without the limits; > 0. */
  readonly sd: number;
}

const STEPS = 40;

/**
 * The mean under which a value up to that seen has the chance `chance` among values within the limits: with 0.5 the median-unbiased estimate
 * (Pfanzagl 1970; after a test that did not reject, its limits are the test's). Found by halving in [0, most]; the chance falls as the mean grows.
 */
export function truncatedMean(
  { value, limit, sd }: TruncatedValue,
  { chance, most }: { readonly chance: number; readonly most: number },
): number {
  const upTo = (x: number, mean: number) => normalCdf((x - mean) / sd) - normalCdf((-limit - mean) / sd);
  let low = 0;
  let high = most;
  for (let step = 0; step < STEPS; step++) {
    const mean = (low + high) / 2;
    if (upTo(value, mean) > chance * upTo(limit, mean)) low = mean;
    else high = mean;
  }
  return (low + high) / 2;
}
