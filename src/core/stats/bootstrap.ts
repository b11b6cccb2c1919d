/** The bootstrap: an interval for any statistic, from samples drawn with replacement out of those observed. */
import { PlumbfoxError } from '../errors.ts';
import { type Random, seededRandom } from '../random.ts';
import { normalCdf, normalQuantile } from './distributions.ts';
import { meanAndVariance } from './mean.ts';
import { quantile } from './quantile.ts';
import { requireAlpha, requireFiniteSample } from './sample-checks.ts';

type Sample = readonly number[];

interface BootstrapOptions {
  /** The same seed gives the same interval. */
  readonly seed: number;
  /** 9,999 unless given, as in SciPy. */
  readonly resamples?: number;
  /** 0.05 unless given. */
  readonly alpha?: number;
  /** 'percentile' unless given. */
  readonly method?: 'percentile' | 'bca';
}

interface BootstrapInterval {
  /** The statistic of the samples as they are. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The percentile interval (Efron 1979), or the bias-corrected and accelerated one (Efron, "Better bootstrap confidence intervals", Journal
 * of the American Statistical Association 82 (1987)), as scipy.stats.bootstrap has them. Two samples are resampled independently.
 *
 * Neither has its nominal coverage for a mean of skewed values in small samples, and BCa less so: of lognormal values with log-sd 0.8, 20
 * per group, the interval of nominally 95 % for the difference of means held it in 86.8 % of 250 runs with BCa and in 92.4 % with
 * percentiles (89.0 % and 92.8 % of 1,000 others). Of their logarithms both held it in 93.5 %, Welch's t test and Hodges and Lehmann
 * (`hodgesLehmannInterval`) in 95.3 %: use those where a ratio or a shift answers the question.
 *
 * @param statistic of as many samples as given; finite for every resample.
 * @returns undefined where BCa has no interval: every resample on one side of the estimate, a sample of one value, or a statistic that no
 * single value changes (SciPy says NaN). The percentile interval is then still there, and of equal values is that value.
 * @throws PlumbfoxError bad-input for an empty sample, NaN, an infinity, a statistic that is not finite, alpha outside (0, 1), or resamples
 * that are not a positive integer.
 */
export function bootstrapInterval(
  samples: readonly [Sample],
  statistic: (a: Sample) => number,
  options: BootstrapOptions,
): BootstrapInterval | undefined;
export function bootstrapInterval(
  samples: readonly [Sample, Sample],
  statistic: (a: Sample, b: Sample) => number,
  options: BootstrapOptions,
): BootstrapInterval | undefined;
export function bootstrapInterval(
  samples: readonly Sample[],
  statistic: (...samples: Sample[]) => number,
  { seed, resamples = 9999, alpha = 0.05, method = 'percentile' }: BootstrapOptions,
): BootstrapInterval | undefined {
  requireAlpha(alpha);
  if (!(Number.isSafeInteger(resamples) && resamples > 0)) {
    throw new PlumbfoxError('bad-input', `Resamples are counted, ${resamples} is no number of them`);
  }
  for (const sample of samples) requireFiniteSample(sample);
  const of = (drawn: readonly Sample[]): number => {
    const value = statistic(...drawn);
    if (!Number.isFinite(value)) throw new PlumbfoxError('bad-input', `The statistic of a resample is ${value}, not a finite number`);
    return value;
  };
  const random = seededRandom(seed);
  const estimate = of(samples);
  const values = Float64Array.from({ length: resamples }, () => of(samples.map((sample) => resample(sample, random)))).sort();
  const levels = method === 'percentile' ? ([alpha / 2, 1 - alpha / 2] as const) : bcaLevels({ values, estimate, samples, of, alpha });
  return levels && { estimate, low: quantile(values, levels[0]), high: quantile(values, levels[1]) };
}

function resample(sample: Sample, random: Random): number[] {
  return sample.map(() => sample[random.integer(sample.length)] ?? 0);
}

interface BcaInput {
  /** The statistic of each resample. */
  readonly values: Float64Array;
  readonly estimate: number;
  readonly samples: readonly (readonly number[])[];
  readonly of: (samples: readonly (readonly number[])[]) => number;
  readonly alpha: number;
}

/**
 * Which quantiles of the resamples bound the bias-corrected and accelerated interval: Efron & Tibshirani, "An Introduction to the
 * Bootstrap" (1993), section 14.3 for one sample; for two, the acceleration from both jackknives as in SciPy. `undefined` where bias or
 * acceleration have no value.
 */
function bcaLevels(input: BcaInput): readonly [number, number] | undefined {
  const below = shareBelow(input.values, input.estimate);
  const acceleration = accelerationOf(input);
  if (below <= 0 || below >= 1 || acceleration === undefined) return undefined;
  const bias = normalQuantile(below);
  const level = (z: number) => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)));
  const outer = normalQuantile(input.alpha / 2);
  return [level(outer), level(-outer)];
}

/** The share of resamples below the estimate, equal ones counted as half. */
function shareBelow(values: Float64Array, estimate: number): number {
  let twice = 0;
  for (const value of values) twice += (value < estimate ? 1 : 0) + (value <= estimate ? 1 : 0);
  return twice / (2 * values.length);
}

/** The acceleration, by leaving out one value at a time, in one sample after the other. */
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
