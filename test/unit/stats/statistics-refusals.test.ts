/** What no statistic may turn into a number. */
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { bootstrapInterval } from '../../../src/core/stats/bootstrap.ts';
import { binomialTest, chiSquareTest } from '../../../src/core/stats/count-tests.ts';
import { normalQuantile } from '../../../src/core/stats/distributions.ts';
import { hodgesLehmann, hodgesLehmannInterval } from '../../../src/core/stats/hodges-lehmann.ts';
import { cliffsDelta, mannWhitneyU } from '../../../src/core/stats/mann-whitney.ts';
import { mean } from '../../../src/core/stats/mean.ts';
import { benjaminiHochberg, benjaminiYekutieli, holm } from '../../../src/core/stats/multiple-testing.ts';
import { upperIncompleteGamma } from '../../../src/core/stats/special-functions.ts';
import { wilcoxonSignedRank } from '../../../src/core/stats/wilcoxon-signed-rank.ts';
import { kolmogorovSmirnovUniform } from '../../support/stats/kolmogorov-smirnov.ts';
import { welchOnLogs } from '../../support/stats/welch-on-logs.ts';

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
