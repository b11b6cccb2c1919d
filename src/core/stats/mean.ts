/** The mean of a sample, alone or with the variance around it. */

/** @param values at least one. */
export function mean(values: Iterable<number> & { readonly length: number }): number {
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}

export interface MeanAndVariance {
  readonly mean: number;
  /** With n - 1 in the denominator; `undefined` for a single value. Exactly 0 when all values are equal. */
  readonly variance: number | undefined;
}

/** The mean and the variance, in two passes from the first value, so that a large common part costs no digits. @param values finite, not empty. */
export function meanAndVariance(values: ArrayLike<number>): MeanAndVariance {
  const origin = values[0] ?? 0;
  const count = values.length;
  let offset = 0;
  for (let i = 0; i < count; i++) offset += (values[i] ?? 0) - origin;
  offset /= count;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += ((values[i] ?? 0) - origin - offset) ** 2;
  return { mean: origin + offset, variance: count > 1 ? squares / (count - 1) : undefined };
}
