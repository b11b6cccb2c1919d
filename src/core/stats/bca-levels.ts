/** Which quantiles of the resamples bound the bias-corrected and accelerated interval. */

import { normalCdf, normalQuantile } from './distributions.ts';
import { meanAndVariance } from './mean-and-variance.ts';

export interface BcaInput {
  /** The statistic of each resample. */
  readonly values: Float64Array;
  readonly estimate: number;
  readonly samples: readonly (readonly number[])[];
  readonly of: (samples: readonly (readonly number[])[]) => number;
  readonly alpha: number;
}

/**
 * Efron & Tibshirani, "An Introduction to the Bootstrap" (1993), section 14.3 for one sample; for two, the acceleration from both
 * jackknives as in SciPy. `undefined` where bias or acceleration have no value.
 */
export function bcaLevels(input: BcaInput): readonly [number, number] | undefined {
  const below = shareBelow(input.values, input.estimate);
  const acceleration = accelerationOf(input);
  if (below <= 0 || below >= 1 || acceleration === undefined) return undefined;
  const bias = normalQuantile(below);
  const level = (z: number) => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)));
  const outer = normalQuantile(input.alpha / 2);
  return [level(outer), level(-outer)];
}

/** Of the resamples, those equal to the estimate counted as half. */
function shareBelow(values: Float64Array, estimate: number): number {
  let twice = 0;
  for (const value of values) twice += (value < estimate ? 1 : 0) + (value <= estimate ? 1 : 0);
  return twice / (2 * values.length);
}

/** From leaving out one value at a time, of one sample after the other. */
function accelerationOf({ samples, of }: BcaInput): number | undefined {
  let cubes = 0;
  let squares = 0;
  for (const [which, sample] of samples.entries()) {
    const n = sample.length;
    if (n < 2) return undefined;
    const without = sample.map((_, left) => of(samples.map((other, index) => (index === which ? other.toSpliced(left, 1) : other))));
    const middle = meanAndVariance(without).mean;
    for (const value of without) {
      const influence = ((n - 1) * (middle - value)) / n;
      cubes += influence ** 3;
      squares += influence ** 2;
    }
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : undefined;
}
