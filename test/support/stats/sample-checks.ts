/** The requirements of every statistic on its samples: a NaN sorts nowhere, and would still yield a number. */
import { PlumbfoxError } from '../../../src/core/errors.ts';

/**
 * @param fewest values that the statistic needs; 1 unless given.
 * @throws PlumbfoxError bad-input for fewer values, NaN or an infinity.
 */
export function requireFiniteSample(values: readonly number[], fewest = 1): void {
  if (values.length < fewest) {
    throw new PlumbfoxError('bad-input', `A sample of at least ${fewest} is needed, not of ${values.length}`);
  }
  for (const value of values) {
    if (!Number.isFinite(value)) throw new PlumbfoxError('bad-input', `A sample needs finite numbers, not ${value}`);
  }
}

/**
 * The share of intervals that may miss, or of tests that may be false alarms.
 * @throws PlumbfoxError bad-input outside (0, 1).
 */
export function requireAlpha(alpha: number): void {
  if (!(alpha > 0 && alpha < 1)) throw new PlumbfoxError('bad-input', `alpha lies between 0 and 1, it cannot be ${alpha}`);
}

/** A copy in ascending order. */
export function sortedCopy(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
