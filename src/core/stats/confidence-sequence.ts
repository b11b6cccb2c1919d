/** A confidence sequence for a mean: an interval that may be looked at after every value, and stopped at whenever it is liked. */
import { PlumbfoxError } from '../errors.ts';
import { sequentialTCritical } from './sequential-t.ts';

export interface ConfidenceSequenceOptions {
  /** Chance that any of all intervals, at whatever look, misses the mean; in (0, 1). */
  readonly alpha: number;
  /**
   * Standard deviation of the mixture over mean / standard deviation: effects of about this size are found soonest. Chosen before the first
   * value; > 0. Unless said 0.4, with which the interval is shortest near 60 values (as the comparison of everyday loads has it).
   */
  readonly rho?: number;
}

export interface ConfidenceSequence {
  /** One more value, such as a log ratio of a pair of loads. @throws PlumbfoxError bad-input unless it is finite, and its square with it. */
  readonly add: (value: number) => ConfidenceSequence;
  /** For the mean, on the scale of the values; `undefined`: too few values to bound it. */
  readonly interval: () => { readonly low: number; readonly high: number } | undefined;
}

const DEFAULT_RHO = 0.4;

/**
 * The normal mixture of Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical Statistics 41
 * (1970), in the form for an unknown standard deviation (see `sequential-t.ts`): exact for normal values from the second on. For
 * others it holds as the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, "Time-uniform central limit
 * theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), which it becomes with many values, rho being the same.
 *
 * @throws PlumbfoxError bad-input for alpha outside (0, 1) or a rho that is not positive and finite.
 */
export function confidenceSequence({ alpha, rho = DEFAULT_RHO }: ConfidenceSequenceOptions): ConfidenceSequence {
  if (!(alpha > 0 && alpha < 1)) throw new PlumbfoxError('bad-input', `alpha is a chance in (0, 1), not ${alpha}`);
  if (!(rho > 0 && rho < Number.POSITIVE_INFINITY)) throw new PlumbfoxError('bad-input', `rho is positive and finite, not ${rho}`);
  const precision = 1 / rho ** 2;
  // Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4 (1962).
  let count = 0;
  let mean = 0;
  let squares = 0;
  const sequence: ConfidenceSequence = {
    add: (value) => {
      if (!Number.isFinite(value)) throw new PlumbfoxError('bad-input', `A confidence sequence is of finite values, not ${value}`);
      const change = value - mean;
      const moved = mean + change / (count + 1);
      const spread = squares + change * (value - moved);
      if (!Number.isFinite(spread)) throw new PlumbfoxError('bad-input', `The squares of values as large as ${value} are not finite`);
      count += 1;
      mean = moved;
      squares = spread;
      return sequence;
    },
    interval: () => {
      const critical =
        count < 2 ? undefined : sequentialTCritical(alpha, { effectiveCount: count, degreesOfFreedom: count - 1, precision });
      if (critical === undefined) return undefined;
      const half = critical * Math.sqrt(squares / (count - 1) / count);
      return { low: mean - half, high: mean + half };
    },
  };
  return sequence;
}
