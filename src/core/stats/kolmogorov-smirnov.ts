/** Whether values lie evenly between 0 and 1, as p-values do when there is no effect. */
import { PlumbfoxError } from '../errors.ts';
import { kolmogorovUpperTail } from './kolmogorov-distribution.ts';
import { requireFiniteSample, sortedCopy } from './sample-checks.ts';

export interface KolmogorovSmirnov {
  /** The largest distance between the share of values up to x and x itself; in [1 / (2 n), 1]. */
  readonly statistic: number;
  /** The chance of one at least as large, in [0, 1]. */
  readonly p: number;
}

/**
 * Two-sided, against the uniform distribution on [0, 1], as scipy.stats.kstest(values, 'uniform'). The chance is for values all different from each other; with ties it comes out too large.
 *
 * @throws PlumbfoxError bad-input for an empty sample, or a value outside [0, 1], which no p-value is; SciPy takes it as the nearer end.
 */
export function kolmogorovSmirnovUniform(values: readonly number[]): KolmogorovSmirnov {
  requireFiniteSample(values);
  const outside = values.find((value) => value < 0 || value > 1);
  if (outside !== undefined)
    throw new PlumbfoxError('bad-input', `Values held against the uniform distribution lie in [0, 1], not at ${outside}`);
  const count = values.length;
  let statistic = 0;
  sortedCopy(values).forEach((value, index) => {
    statistic = Math.max(statistic, (index + 1) / count - value, value - index / count);
  });
  return { statistic, p: kolmogorovUpperTail(count, statistic) };
}
