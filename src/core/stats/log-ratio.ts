/** Ratios on the log scale, where twice as much and half as much are equally far from no change. */
import { PlumbfoxError } from '../errors.ts';

/**
 * ln(value / reference).
 * @throws PlumbfoxError bad-input unless both are positive and finite.
 */
export function logRatio(value: number, reference: number): number {
  return positiveLog(value) - positiveLog(reference);
}

/**
 * ln(value).
 * @throws PlumbfoxError bad-input unless it is positive and finite.
 */
export function positiveLog(value: number): number {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new PlumbfoxError('bad-input', `A ratio needs positive finite numbers, not ${value}`);
  }
  return Math.log(value);
}
