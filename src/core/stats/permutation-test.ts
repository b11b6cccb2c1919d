/** Whether two samples differ, judged by dealing their values anew. */
import { PlumbfoxError } from '../errors.ts';
import { seededRandom } from '../random.ts';
import { combinations, numberOfCombinations } from './combinations.ts';
import { meanAndVariance } from './mean.ts';
import { requireFiniteSample } from './sample-checks.ts';

/** Must not be NaN for any way to deal the values. 0: they do not differ. */
export type TwoSampleStatistic = (a: readonly number[], b: readonly number[]) => number;

export interface PermutationOptions {
  /** The same seed gives the same p. */
  readonly seed: number;
  /** 9,999 unless given. Where there are no more ways to deal than that, every one is taken, and the seed does not matter. */
  readonly resamples?: number;
  /**
   * What is compared, its sign left aside. 'studentised' (the default) is the difference of means over its standard error,
   * 'mean-difference' the plain one; or a function of one's own, never NaN.
   */
  readonly statistic?: 'studentised' | 'mean-difference' | TwoSampleStatistic;
}

export interface Permutation {
  /** Of the samples as they are; an infinity where the means differ and neither sample varies. */
  readonly statistic: number;
  /** Two-sided, in (0, 1]: never 0, because the deal that was seen counts too. */
  readonly p: number;
  /** Whether every deal was taken. */
  readonly exact: boolean;
}

/**
 * The share of deals whose statistic is at least as far from 0. Dealing makes both groups vary alike, so a plain difference of means
 * cries wolf when the smaller group varies more; the studentised one keeps its level in large samples whatever the variances
 * (Janssen, "Studentized permutation tests for non-i.i.d. hypotheses", Statistics & Probability Letters 36 (1997); Chung & Romano,
 * "Exact and asymptotically robust permutation tests", Annals of Statistics 41 (2013)), and exactly when the distributions are equal.
 * Of 10 normal values that vary three times as much as 50 others, all of one mean, the plain one alarms in 27 % of 1,000 runs at 5 %, the
 * studentised one in 5.1 %; of 5 against 25 in 29 % and 7.8 %.
 * With a sample of one value, whose spread is unknown, 'studentised' compares the plain difference.
 * Of deals drawn at random, p = (1 + as far) / (1 + drawn): Phipson & Smyth, "Permutation P-values should never be zero", Statistical
 * Applications in Genetics and Molecular Biology 9 (2010).
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN, an infinity, a statistic that is NaN, or resamples that are not a positive
 *   integer.
 */
export function permutationTest(
  a: readonly number[],
  b: readonly number[],
  { seed, resamples = 9999, statistic = 'studentised' }: PermutationOptions,
): Permutation {
  requireFiniteSample(a);
  requireFiniteSample(b);
  if (!(Number.isSafeInteger(resamples) && resamples > 0)) {
    throw new PlumbfoxError('bad-input', `Resamples are counted, ${resamples} is no number of them`);
  }
  const { of, rounding } = chosen(statistic, a, b);
  const seen = of(a, b);
  const asFar = Math.abs(seen) * (1 - ROUNDING) - rounding;
  const isAsFar = (first: readonly number[], second: readonly number[]) => checked(Math.abs(of(first, second))) >= checked(asFar);
  if (numberOfCombinations(a.length + b.length, a.length) <= resamples) {
    return { statistic: seen, p: shareOfAllDeals([...a, ...b], a.length, isAsFar), exact: true };
  }
  const random = seededRandom(seed);
  const pool = [...a, ...b];
  let count = 1;
  for (let drawn = 0; drawn < resamples; drawn++) {
    const dealt = random.shuffle(pool);
    if (isAsFar(dealt.slice(0, a.length), dealt.slice(a.length))) count++;
  }
  return { statistic: seen, p: count / (1 + resamples), exact: false };
}

/** Deals of the same statistic differ by rounding, because they add in another order: our own choice, some thousand roundings. */
const ROUNDING = 1e-12;

interface Chosen {
  readonly of: TwoSampleStatistic;
  /** What rounding can make of a statistic that is 0. */
  readonly rounding: number;
}

function chosen(statistic: 'studentised' | 'mean-difference' | TwoSampleStatistic, a: readonly number[], b: readonly number[]): Chosen {
  if (typeof statistic === 'function') return { of: statistic, rounding: 0 };
  if (statistic === 'studentised' && a.length > 1 && b.length > 1) return { of: studentised, rounding: ROUNDING };
  const range = [...a, ...b].reduce((largest, value) => Math.max(largest, Math.abs(value - (a[0] ?? 0))), 0);
  return { of: meanDifference, rounding: ROUNDING * range };
}

function meanDifference(a: readonly number[], b: readonly number[]): number {
  return meanAndVariance(a).mean - meanAndVariance(b).mean;
}

function studentised(a: readonly number[], b: readonly number[]): number {
  const first = meanAndVariance(a);
  const second = meanAndVariance(b);
  const difference = first.mean - second.mean;
  if (difference === 0) return 0;
  return difference / Math.sqrt((first.variance ?? 0) / a.length + (second.variance ?? 0) / b.length);
}

function shareOfAllDeals(
  pool: readonly number[],
  first: number,
  isAsFar: (first: readonly number[], second: readonly number[]) => boolean,
): number {
  let count = 0;
  let all = 0;
  for (const taken of combinations(pool.length, first)) {
    const inFirst = new Set(taken);
    all++;
    if (
      isAsFar(
        taken.map((index) => pool[index] ?? 0),
        pool.filter((_, index) => !inFirst.has(index)),
      )
    )
      count++;
  }
  return count / all;
}

function checked(value: number): number {
  if (Number.isNaN(value)) throw new PlumbfoxError('bad-input', 'The statistic of a deal is not a number');
  return value;
}
