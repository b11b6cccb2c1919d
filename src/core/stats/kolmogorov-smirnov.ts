/** Whether values lie evenly between 0 and 1, as p-values do when there is no effect. */
import { requireFiniteSample, sortedCopy } from './finite-sample.ts';
import { kolmogorovUpperTail } from './kolmogorov-distribution.ts';

export interface KolmogorovSmirnov {
  /** The largest distance between the share of values up to x and x itself; in [1 / (2 n), 1]. */
  readonly statistic: number;
  /** The chance of one at least as large, in [0, 1]. */
  readonly p: number;
}

/**
 * Two-sided, against the uniform distribution on [0, 1], as scipy.stats.kstest(values, 'uniform'): values below 0 or above 1 are taken as 0
 * and 1. The chance is for values all different from each other; with ties it comes out too large.
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN or an infinity.
 */
export function kolmogorovSmirnovUniform(values: readonly number[]): KolmogorovSmirnov {
  requireFiniteSample(values);
  const count = values.length;
  let statistic = 0;
  sortedCopy(values).forEach((value, index) => {
    const share = Math.min(1, Math.max(0, value));
    statistic = Math.max(statistic, (index + 1) / count - share, share - index / count);
  });
  return { statistic, p: kolmogorovUpperTail(count, statistic) };
}
