import { PlumbfoxError } from '../errors.ts';

/**
 * The natural logarithm of a positive number.
 * @throws PlumbfoxError bad-input unless it is positive and finite.
 */
export function positiveLog(value: number): number {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new PlumbfoxError('bad-input', `A ratio needs positive finite numbers, not ${value}`);
  }
  return Math.log(value);
}
