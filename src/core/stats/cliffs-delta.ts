/** How often a value of one sample is larger than a value of the other. */

import { mannWhitneyStatistic } from './mann-whitney.ts';
import { requireFiniteSample } from './sample-checks.ts';

/**
 * P(a > b) - P(a < b) over all pairs: 1 when every value of a is larger than every one of b, -1 the other way round, 0 when neither
 * tends to be (Cliff, "Dominance statistics", Psychological Bulletin 114 (1993)). From ranks: n log n.
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN or an infinity.
 */
export function cliffsDelta(a: readonly number[], b: readonly number[]): number {
  const pairs = pairsOf(a, b);
  return (2 * mannWhitneyStatistic(a, b).u - pairs) / pairs;
}

/**
 * P(a > b) + P(a = b) / 2 over all pairs, in [0, 1]: the common language effect size of McGraw & Wong (Psychological Bulletin 111
 * (1992)), with ties as Vargha & Delaney's A (Journal of Educational and Behavioral Statistics 25 (2000)). 0.62 reads "in 62 of 100
 * pairs the value of a is the larger".
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN or an infinity.
 */
export function commonLanguageEffect(a: readonly number[], b: readonly number[]): number {
  return mannWhitneyStatistic(a, b).u / pairsOf(a, b);
}

function pairsOf(a: readonly number[], b: readonly number[]): number {
  requireFiniteSample(a);
  requireFiniteSample(b);
  return a.length * b.length;
}
