/** What no statistic may turn into a number. */
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { binomialTest } from '../../../../src/core/stats/count-tests.ts';
import { normalQuantile, studentTQuantile } from '../../../../src/core/stats/distributions.ts';
import { holm } from '../../../../src/core/stats/multiple-testing.ts';
import { positiveLog } from '../../../../src/core/stats/positive-log.ts';
import { median, quantile } from '../../../../src/core/stats/quantile.ts';
import { upperIncompleteGamma } from '../../../../src/core/stats/special-functions.ts';
import { kolmogorovSmirnovUniform } from '../../../support/stats/kolmogorov-smirnov.ts';
import { spearmanRho } from '../../../support/stats/rank-correlation.ts';
import { welchOnLogs } from '../../../support/stats/welch-on-logs.ts';

type Sample = readonly number[];

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

it.each(UNUSABLE)('welchOnLogs refuses %j, whichever sample it is', (...values) => {
  refused(() => welchOnLogs(values, [1, 2, 3]));
  refused(() => welchOnLogs([1, 2, 3], values));
});

describe.each(Object.entries({ kolmogorovSmirnovUniform, holm }))('%s', (_, statistic) => {
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

it.each([[-0.1], [1.1]])('holm refuses a p of %d', (p) => {
  refused(() => holm([0.5, p]));
});

it.each([0, 1, -1, Number.NaN])('welchOnLogs refuses alpha %d', (alpha) => {
  refused(() => welchOnLogs([1, 2], [3, 4], { alpha }));
});

it('welchOnLogs refuses what has no logarithm', () => {
  refused(() => welchOnLogs([1, 0], [1, 2]));
  refused(() => welchOnLogs([1, 2], [1, -2]));
});

it('distributions refuse what they are not defined for', () => {
  for (const p of [0, 1, -1, Number.NaN]) refused(() => normalQuantile(p));
  refused(() => upperIncompleteGamma(0, 1));
  refused(() => upperIncompleteGamma(1, -1));
  refused(() => upperIncompleteGamma(1, Number.NaN));
  refused(() => upperIncompleteGamma(Number.POSITIVE_INFINITY, 1));
});

/** A refusal says what was wrong with which value: its reader can put that right. */
it.each<readonly [expected: string, call: () => unknown]>([
  ['There is no p-value to adjust', () => holm([])],
  ['A p-value lies in [0, 1]; it cannot be 1.5', () => holm([0.5, 1.5])],
  ['A binomial test needs 0 <= k <= n and a chance in [0, 1], not k=6, n=5, chance 0.5', () => binomialTest(6, 5, 0.5)],
  ['alpha lies between 0 and 1, it cannot be 0', () => welchOnLogs([1], [2], { alpha: 0 })],
  ['A sample of at least 1 is needed, not of 0', () => welchOnLogs([], [1])],
  ['A sample needs finite numbers, not Infinity', () => welchOnLogs([1, Number.POSITIVE_INFINITY], [1])],
  ['The incomplete gamma function is not defined at a=0, x=1', () => upperIncompleteGamma(0, 1)],
  ['Values held against the uniform distribution lie in [0, 1], not at 2', () => kolmogorovSmirnovUniform([0.5, 2])],
  ['A ratio needs positive finite numbers, not 0', () => positiveLog(0)],
  ['A median needs finite values, not NaN', () => median([1, Number.NaN])],
  ['The normal distribution has no quantile 1', () => normalQuantile(1)],
  ['A quantile is asked for in [0, 1], not at 2', () => quantile([1], 2)],
  ['A quantile needs at least one value', () => quantile([], 0.5)],
  ["Student's t has no quantile 1 with 3 degrees of freedom", () => studentTQuantile(1, 3)],
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
