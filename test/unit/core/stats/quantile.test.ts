import { describe, expect, it } from 'vitest';
import { positiveLog } from '../../../../src/core/stats/positive-log.ts';
import { median, medianInterval, middleOf, quantile } from '../../../../src/core/stats/quantile.ts';

describe('quantile, type 7', () => {
  // Position (n - 1) * q: with 1, 2, 4, 8 and q = 0.25 it is 0.75, a quarter below the second value: 1 + 0.75 * (2 - 1).
  it.each([
    [[1, 2, 4, 8], 0, 1],
    [[1, 2, 4, 8], 0.25, 1.75],
    [[1, 2, 4, 8], 0.5, 3],
    [[1, 2, 4, 8], 0.75, 5],
    [[1, 2, 4, 8], 1, 8],
    [[5], 0.3, 5],
    [[7, 7, 7], 0.9, 7],
  ])('of %j at %d is %d', (sample, q, expected) => {
    expect(quantile(sample, q)).toBe(expected);
  });

  it.each([
    [[], 0.5, 'at least one value'],
    [[1, 2], 1.1, 'in [0, 1]'],
    [[1, 2], -0.1, 'in [0, 1]'],
    [[1, 2], Number.NaN, 'in [0, 1]'],
    [[Number.NaN], 0.5, 'finite'],
    [[1, Number.POSITIVE_INFINITY], 0.5, 'finite'],
    [[Number.NaN, 1, 2], 1, 'finite'],
    [[1, 2, Number.NaN], 0, 'finite'],
    [[2, 1, 3], 1, 'ascending'],
  ])('refuses %j at %d', (sample, q, words) => {
    expect(() => quantile(sample, q)).toThrow(expect.objectContaining({ kind: 'bad-input', message: expect.stringContaining(words) }));
  });
});

describe('median', () => {
  it('takes any order and leaves the sample as it was', () => {
    const sample = [10, 9, 100, 1];
    expect(median(sample)).toBe(9.5);
    expect(sample).toEqual([10, 9, 100, 1]);
  });

  it('is unknown for nothing', () => {
    expect(median([])).toBeUndefined();
  });

  it('lies between the two in the middle, the smaller first', () => {
    expect(middleOf([4, 1, 3, 2])).toEqual([2, 3]);
    expect(middleOf([4, 1, 3])).toEqual([3, 3]);
  });

  it.each([24, 25])('is the mean of the middle two, or the middle one, of %d values', (count) => {
    // 0, 7, 14, ... modulo the count: every number from 0 once.
    expect(median(Array.from({ length: count }, (_, i) => (7 * i) % count))).toBe((count - 1) / 2);
  });
});

describe('positiveLog', () => {
  it('is the natural logarithm', () => {
    expect(positiveLog(2)).toBe(Math.LN2);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (value) => {
    expect(() => positiveLog(value)).toThrow('positive finite');
  });
});

describe('the interval of the median', () => {
  const upTo = (size: number) => Array.from({ length: size }, (_, at) => at + 1);

  // P(Binomial(5, 1/2) = 0) = 1/32 is above 2.5 %; 1/64 of six is below. Of nine (1 + 9) / 512 = 2.0 %, with the third 9 %. Of twenty 2.1 % lie below
  // the sixth, 5.8 % below the seventh.
  it.each([
    [5, undefined],
    [6, { low: 1, high: 6 }],
    [8, { low: 1, high: 8 }],
    [9, { low: 2, high: 8 }],
    [20, { low: 6, high: 15 }],
  ])('of 1 to %d is %j', (size, expected) => expect(medianInterval(upTo(size))).toEqual(expected));

  // The summed and the normal distribution: 1.96 * sqrt(1000) / 2 = 31.0 below 500.
  it('of many values lies where the normal distribution has it', () => {
    const [summed, normal] = [medianInterval(upTo(1_000)), medianInterval(upTo(1_002))];
    expect(summed?.low).toBe(469);
    expect(normal?.low).toBe(469);
    expect(normal?.high).toBe(534);
  });
});
