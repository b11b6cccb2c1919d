/** Spread that a few wild values cannot move. */

import { quantile } from './quantile.ts';
import { requireFiniteSample, sortedCopy } from './sample-checks.ts';

/**
 * Multiplies a median absolute deviation so that it estimates the standard deviation of normal values: 1 / z(3/4) (Rousseeuw &
 * Croux, "Alternatives to the median absolute deviation", Journal of the American Statistical Association 88 (1993)).
 */
export const NORMAL_CONSISTENT = 1.482602218505602;

/**
 * The median distance from the median, raw: in the unit of the values, multiplied by nothing. `NORMAL_CONSISTENT` makes a
 * standard deviation of it. Half of the values may be wild before it is.
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN or an infinity.
 */
export function medianAbsoluteDeviation(values: readonly number[]): number {
  requireFiniteSample(values);
  const middle = middleOf(values);
  return middleOf(values.map((value) => Math.abs(value - middle)));
}

/**
 * From the first quartile to the third, both of type 7 (`quantile`): 1.349 standard deviations of normal values.
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN or an infinity.
 */
export function interquartileRange(values: readonly number[]): number {
  requireFiniteSample(values);
  const sorted = [...sortedCopy(values)];
  return quantile(sorted, 0.75) - quantile(sorted, 0.25);
}

function middleOf(values: readonly number[]): number {
  return quantile([...sortedCopy(values)], 0.5);
}
