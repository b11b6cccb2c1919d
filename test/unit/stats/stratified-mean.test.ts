import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/random.ts';
import { meanOverStrata, stratifiedMean } from '../../../src/core/stats/stratified-mean.ts';

describe('stratifiedMean', () => {
  it('weighs strata alike, whatever their size', () => {
    // Means 2 and 10; the mean of all six values would be 4.67.
    expect(
      stratifiedMean([
        [1, 2, 3, 2],
        [9, 11],
      ])?.mean,
    ).toBe(6);
  });

  it('has the variance of a mean of unequal strata', () => {
    // (1/4) * (s^2/4 + s^2/2) = 3/16 s^2, so n = 16/3.
    expect(
      stratifiedMean([
        [1, 2, 3, 2],
        [9, 11],
      ])?.effectiveCount,
    ).toBeCloseTo(16 / 3, 14);
    expect(
      stratifiedMean([
        [1, 2],
        [3, 4],
        [5, 6],
      ])?.effectiveCount,
    ).toBeCloseTo(6, 14);
  });

  it('pools the spread around the stratum means', () => {
    // Squares: 1 + 0 + 1 + 0 = 2 and 1 + 1 = 2; degrees of freedom 6 - 2.
    expect(
      stratifiedMean([
        [1, 2, 3, 2],
        [9, 11],
      ])?.pooled,
    ).toEqual({ standardDeviation: 1, degreesOfFreedom: 4 });
  });

  it('gives each stratum its variance', () => {
    // Variances 2/3 and 2; over n: 1/6 and 1. Standard error sqrt(7/6) / 2. Satterthwaite: (7/6)^2 / ((1/6)^2/3 + 1/1) =
    // (49/36) / (1/108 + 1) = (49/36) * (108/109) = 147/109. Alike strata: (8/3)^2 / (4/9 + 4) = (64/9) / (40/9) = 1.6.
    const separate = stratifiedMean([
      [1, 2, 3, 2],
      [9, 11],
    ])?.separate;
    expect(separate?.standardError).toBeCloseTo(Math.sqrt(7 / 6) / 2, 14);
    expect(separate?.degreesOfFreedom).toBeCloseTo(147 / 109, 13);
    expect(separate?.variance).toBeCloseTo(4 / 3, 14);
    expect(separate?.alikeStrata).toBeCloseTo(1.6, 14);
  });

  it('has all degrees of freedom where strata are alike', () => {
    const separate = stratifiedMean([
      [0, 2, 4],
      [10, 12, 14],
      [5, 7, 9],
    ])?.separate;
    expect(separate?.degreesOfFreedom).toBeCloseTo(6, 12);
    expect(separate?.alikeStrata).toBeCloseTo(3, 12);
  });

  it('knows no separate variance while a stratum has one value', () => {
    const summary = stratifiedMean([[1, 2, 3], [9]]);
    expect(summary?.separate).toBeUndefined();
    expect(summary?.pooled).toEqual({ standardDeviation: 1, degreesOfFreedom: 2 });
    expect(stratifiedMean([[1], [9]])?.pooled).toBeUndefined();
  });

  it('takes the variance that is lent into the standard error', () => {
    // Own 2 with 1 degree of freedom in both, lent 2 and 6 with 2 each: (2 + 4) / 3 = 2 and (2 + 12) / 3 = 14/3. The own is less
    // than both together (2 / 2 and 2 / (14/3) are 5/7 on average), so all is lent. Over n = 2: 1 and 7/3; standard error
    // sqrt(10/3) / 2; Satterthwaite (10/3)^2 / ((1 + 49/9) / 3) = (100/9) / (58/27) = 150/29.
    const separate = stratifiedMean(
      [
        [1, 3],
        [7, 9],
      ],
      {
        lent: [
          { squares: 4, degreesOfFreedom: 2 },
          { squares: 12, degreesOfFreedom: 2 },
        ],
      },
    )?.separate;
    expect(separate?.standardError).toBeCloseTo(Math.sqrt(10 / 3) / 2, 14);
    expect(separate?.degreesOfFreedom).toBeCloseTo(150 / 29, 13);
    expect(separate).toMatchObject({ lentToStratum: 2, mostLent: 6 });
  });

  it('has no variance below that of the instrument, whose error no mean takes out', () => {
    // Variances 2 and 8 of two values each: the first is below the 3 of its instrument, so its mean has a variance of 3; the second's has 8 / 2.
    // Standard error sqrt(3 + 4) / 2; Satterthwaite 49 / (9 + 16); variances 3 and 8, alike strata 121 / (9 + 64).
    const separate = stratifiedMean(
      [
        [1, 3],
        [4, 8],
      ],
      { leastVariances: [3, 3] },
    )?.separate;
    expect(separate?.standardError).toBeCloseTo(Math.sqrt(7) / 2, 14);
    expect(separate?.degreesOfFreedom).toBeCloseTo(49 / 25, 13);
    expect(separate?.variance).toBeCloseTo(11 / 2, 14);
    expect(separate?.alikeStrata).toBeCloseTo(121 / 73, 13);
  });

  it('divides by the values a variance that is just that of the instrument', () => {
    const separate = stratifiedMean([[1, 3]], { leastVariances: [2] })?.separate;
    expect(separate?.standardError).toBeCloseTo(1, 14);
  });

  it('knows the instrument of the right stratum past an empty one', () => {
    const separate = stratifiedMean([[], [1, 3]], { leastVariances: [50, 3] })?.separate;
    expect(separate?.variance).toBe(3);
  });

  it('knows the variance of a single value from what is lent, and lends to the right stratum past an empty one', () => {
    const summary = stratifiedMean([[], [5]], { lent: [undefined, { squares: 12, degreesOfFreedom: 3 }] });
    expect(summary?.separate).toMatchObject({ standardError: 2, degreesOfFreedom: 3 });
  });

  it('leaves out empty strata, and is unknown with nothing else', () => {
    expect(stratifiedMean([[], [1, 3], []])).toEqual(stratifiedMean([[1, 3]]));
    expect(stratifiedMean([[], []])).toBeUndefined();
  });

  it('finds no spread in equal values', () => {
    expect(
      stratifiedMean([
        [3, 3],
        [4, 4],
      ])?.separate,
    ).toEqual({ standardError: 0, variance: 0, degreesOfFreedom: 2, alikeStrata: 2, lentToStratum: 0, mostLent: 6 });
  });
});

it('is the same mean to the last bit where nothing but the mean is asked for', () => {
  const random = seededRandom(7);
  for (let run = 0; run < 500; run++) {
    const samples = Array.from({ length: random.integer(6) }, () =>
      Array.from({ length: random.integer(9) }, () => 20 * random.next() - 10),
    );
    expect(meanOverStrata(samples)).toBe(stratifiedMean(samples)?.mean);
  }
});
