/** What no statistic may turn into a number. */
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { bootstrapInterval } from '../../../../src/core/stats/bootstrap.ts';
import { confidenceSequence } from '../../../../src/core/stats/confidence-sequence.ts';
import { binomialTest, chiSquareTest } from '../../../../src/core/stats/count-tests.ts';
import { normalQuantile, studentTQuantile } from '../../../../src/core/stats/distributions.ts';
import { hodgesLehmann, hodgesLehmannInterval } from '../../../../src/core/stats/hodges-lehmann.ts';
import { cliffsDelta, mannWhitneyU } from '../../../../src/core/stats/mann-whitney.ts';
import { mean } from '../../../../src/core/stats/mean.ts';
import { benjaminiHochberg, benjaminiYekutieli, holm } from '../../../../src/core/stats/multiple-testing.ts';
import { median, quantile } from '../../../../src/core/stats/quantile.ts';
import { positiveLog } from '../../../../src/core/stats/sample-checks.ts';
import { upperIncompleteGamma } from '../../../../src/core/stats/special-functions.ts';
import { wilcoxonSignedRank } from '../../../../src/core/stats/wilcoxon-signed-rank.ts';
import { kolmogorovSmirnovUniform } from '../../../support/stats/kolmogorov-smirnov.ts';
import { spearmanRho } from '../../../support/stats/rank-correlation.ts';
import { welchOnLogs } from '../../../support/stats/welch-on-logs.ts';

type Sample = readonly number[];

const OF_TWO_SAMPLES: Record<string, (a: Sample, b: Sample) => unknown> = {
  mannWhitneyU: (a, b) => mannWhitneyU(a, b),
  wilcoxonSignedRank: (a, b) => wilcoxonSignedRank(a, b),
  hodgesLehmann,
  hodgesLehmannInterval: (a, b) => hodgesLehmannInterval(a, b),
  cliffsDelta,
  welchOnLogs: (a, b) => welchOnLogs(a, b),
  bootstrapInterval: (a, b) => bootstrapInterval([a, b], (x, y) => mean(x) - mean(y), { seed: 1 }),
};
const OF_ONE_SAMPLE: Record<string, (values: Sample) => unknown> = {
  kolmogorovSmirnovUniform,
  chiSquareTest: (values) => chiSquareTest(values),
  holm,
  benjaminiHochberg,
  benjaminiYekutieli,
  bootstrapInterval: (values) => bootstrapInterval([values], mean, { seed: 1 }),
};
const UNUSABLE: readonly Sample[] = [
  [],
  [1, Number.NaN, 2],
  [Number.NaN, 1, 2],
  [1, 2, Number.POSITIVE_INFINITY],
  [Number.NEGATIVE_INFINITY, 1, 2],
];

/** A `PlumbfoxError` of the kind that its reader can put right. */
function refused(call: () => unknown): void {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(PlumbfoxError);
  expect(thrown).toMatchObject({ kind: 'bad-input' });
}

describe.each(Object.entries(OF_TWO_SAMPLES))('%s', (_, statistic) => {
  it.each(UNUSABLE)('refuses %j, whichever sample it is', (...values) => {
    refused(() => statistic(values, [1, 2, 3]));
    refused(() => statistic([1, 2, 3], values));
  });
});

describe.each(Object.entries(OF_ONE_SAMPLE))('%s', (_, statistic) => {
  it.each(UNUSABLE)('refuses %j', (...values) => {
    refused(() => statistic(values));
  });
});

it.each([
  [-1, 5, 0.5],
  [6, 5, 0.5],
  [1.5, 5, 0.5],
  [0, 0, 0.5],
  [1, 2.5, 0.5],
  [1, 5, -0.1],
  [1, 5, 1.1],
  [1, 5, Number.NaN],
  [Number.NaN, 5, 0.5],
  [1, Number.NaN, 0.5],
  [1, Number.POSITIVE_INFINITY, 0.5],
])('binomialTest refuses k=%d, n=%d, chance %d', (k, n, p0) => {
  refused(() => binomialTest(k, n, p0));
});

it('chiSquareTest refuses one count, negative ones, and expectations that are none', () => {
  refused(() => chiSquareTest([5]));
  refused(() => chiSquareTest([5, -1]));
  refused(() => chiSquareTest([0, 0]));
  refused(() => chiSquareTest([5, 5], [10]));
  refused(() => chiSquareTest([5, 5], [5, 3, 2]));
  refused(() => chiSquareTest([5, 5], [10, 0]));
  refused(() => chiSquareTest([5, 5], [5, 6]));
  refused(() => chiSquareTest([5, 5], [5, Number.NaN]));
});

it.each([[-0.1], [1.1]])('the adjustments refuse a p of %d', (p) => {
  for (const adjust of [holm, benjaminiHochberg, benjaminiYekutieli]) refused(() => adjust([0.5, p]));
});

it.each([0, 1, -1, Number.NaN])('an interval refuses alpha %d', (alpha) => {
  refused(() => hodgesLehmannInterval([1, 2], [3, 4], { alpha }));
  refused(() => welchOnLogs([1, 2], [3, 4], { alpha }));
  refused(() => bootstrapInterval([[1, 2]], mean, { seed: 1, alpha }));
});

it.each([0, -3, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d resamples are refused', (resamples) => {
  refused(() => bootstrapInterval([[1, 2]], mean, { seed: 1, resamples }));
});

it('a statistic that is not a number is refused', () => {
  refused(() => bootstrapInterval([[1, 2]], () => Number.NaN, { seed: 1 }));
});

it('welchOnLogs refuses what has no logarithm', () => {
  refused(() => welchOnLogs([1, 0], [1, 2]));
  refused(() => welchOnLogs([1, 2], [1, -2]));
});

it('hodgesLehmann refuses differences beyond the largest number', () => {
  refused(() => hodgesLehmann([1.7e308], [-1.7e308]));
  // The least difference alone, and the largest alone.
  refused(() => hodgesLehmann([-1.7e308, 0], [0, 1.7e308]));
  refused(() => hodgesLehmann([0, 1.7e308], [-1.7e308, 0]));
});

it('distributions refuse what they are not defined for', () => {
  for (const p of [0, 1, -1, Number.NaN]) refused(() => normalQuantile(p));
  refused(() => upperIncompleteGamma(0, 1));
  refused(() => upperIncompleteGamma(1, -1));
  refused(() => upperIncompleteGamma(1, Number.NaN));
  refused(() => upperIncompleteGamma(Number.POSITIVE_INFINITY, 1));
});

/** A refusal says what was wrong with which value: its reader can put that right. */
const sequence = () => confidenceSequence({ alpha: 0.05 });

it.each<readonly [expected: string, call: () => unknown]>([
  ['There is no p-value to adjust', () => holm([])],
  ['A p-value lies in [0, 1]; it cannot be 1.5', () => holm([0.5, 1.5])],
  ['A binomial test needs 0 <= k <= n and a chance in [0, 1], not k=6, n=5, chance 0.5', () => binomialTest(6, 5, 0.5)],
  ['Resamples are counted, 0.5 is no number of them', () => bootstrapInterval([[1, 2]], mean, { seed: 1, resamples: 0.5 })],
  ['Resamples are counted, 0 is no number of them', () => bootstrapInterval([[1, 2]], mean, { seed: 1, resamples: 0 })],
  ['The statistic of a resample is NaN, not a finite number', () => bootstrapInterval([[1, 2]], () => Number.NaN, { seed: 1 })],
  ['A chi-square test needs counts of 0 or more and as many expected ones above 0', () => chiSquareTest([1, -1])],
  ['The counts add up to 3, the expected ones to 5', () => chiSquareTest([1, 2], [2, 3])],
  ['alpha is a chance in (0, 1), not 1', () => confidenceSequence({ alpha: 1 })],
  ['rho is positive and finite, not 0', () => confidenceSequence({ alpha: 0.05, rho: 0 })],
  ['A confidence sequence is of finite values, not NaN', () => sequence().add(Number.NaN)],
  ['The squares of values as large as 1e+200 are not finite', () => sequence().add(0).add(1e200)],
  ['alpha lies between 0 and 1, it cannot be 0', () => hodgesLehmannInterval([1], [2], { alpha: 0 })],
  ['A sample of at least 1 is needed, not of 0', () => mannWhitneyU([], [1])],
  ['A sample needs finite numbers, not Infinity', () => mannWhitneyU([1, Number.POSITIVE_INFINITY], [1])],
  ['The incomplete gamma function is not defined at a=0, x=1', () => upperIncompleteGamma(0, 1)],
  ['Values held against the uniform distribution lie in [0, 1], not at 2', () => kolmogorovSmirnovUniform([0.5, 2])],
  ['A ratio needs positive finite numbers, not 0', () => positiveLog(0)],
  ['Samples with ties have no exact Mann-Whitney test: use auto or asymptotic', () => mannWhitneyU([1, 1], [1, 2], { method: 'exact' })],
  ['A median needs finite values, not NaN', () => median([1, Number.NaN])],
  ['The normal distribution has no quantile 1', () => normalQuantile(1)],
  ['A quantile is asked for in [0, 1], not at 2', () => quantile([1], 2)],
  ['A quantile needs at least one value', () => quantile([], 0.5)],
  ["Student's t has no quantile 1 with 3 degrees of freedom", () => studentTQuantile(1, 3)],
  ['Pairs are needed, not 2 values against 1', () => wilcoxonSignedRank([1, 2], [1])],
  ['A rank correlation needs two figures of each thing, not 3 of one and 2', () => spearmanRho([1, 2, 3], [1, 2])],
])('%s', (expected, call) => {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(PlumbfoxError);
  expect(thrown).toMatchObject({ kind: 'bad-input', message: expected });
});
