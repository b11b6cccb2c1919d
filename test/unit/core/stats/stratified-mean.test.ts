import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/random.ts';
import { meanOverStrata, moderatedVariances, stratifiedMean, welchAnovaP } from '../../../../src/core/stats/stratified-mean.ts';

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
        prior: [
          { squares: 4, degreesOfFreedom: 2 },
          { squares: 12, degreesOfFreedom: 2 },
        ],
      },
    )?.separate;
    expect(separate?.standardError).toBeCloseTo(Math.sqrt(10 / 3) / 2, 14);
    expect(separate?.degreesOfFreedom).toBeCloseTo(150 / 29, 13);
    expect(separate).toMatchObject({ priorDegrees: 2, maxPriorDegrees: 6 });
  });

  it('has no variance below that of the instrument, whose error no mean takes out', () => {
    // Variances 2 and 8 of two values each: the first is below the 3 of its instrument, so its mean has a variance of 3; the second's has 8 / 2.
    // Standard error sqrt(3 + 4) / 2; Satterthwaite 49 / (9 + 16); variances 3 and 8, alike strata 121 / (9 + 64).
    const separate = stratifiedMean(
      [
        [1, 3],
        [4, 8],
      ],
      { minVariances: [3, 3] },
    )?.separate;
    expect(separate?.standardError).toBeCloseTo(Math.sqrt(7) / 2, 14);
    expect(separate?.degreesOfFreedom).toBeCloseTo(49 / 25, 13);
    expect(separate?.variance).toBeCloseTo(11 / 2, 14);
    expect(separate?.alikeStrata).toBeCloseTo(121 / 73, 13);
  });

  it('divides by the values a variance that is just that of the instrument', () => {
    const separate = stratifiedMean([[1, 3]], { minVariances: [2] })?.separate;
    expect(separate?.standardError).toBeCloseTo(1, 14);
  });

  it('knows the instrument of the right stratum past an empty one', () => {
    const separate = stratifiedMean([[], [1, 3]], { minVariances: [50, 3] })?.separate;
    expect(separate?.variance).toBe(3);
  });

  it('knows the variance of a single value from what is lent, and lends to the right stratum past an empty one', () => {
    const summary = stratifiedMean([[], [5]], { prior: [undefined, { squares: 12, degreesOfFreedom: 3 }] });
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
    ).toEqual({ standardError: 0, variance: 0, degreesOfFreedom: 2, alikeStrata: 2, priorDegrees: 0, maxPriorDegrees: 6 });
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

const spread = (variance: number, degreesOfFreedom: number) => ({ squares: variance * degreesOfFreedom, degreesOfFreedom });

describe('moderatedVariances', () => {
  it('weighs own and lent by their degrees of freedom', () => {
    // (2 * 1 + 6 * 3) / 8; the own is smaller than both together, so all six are lent.
    const moderated = moderatedVariances([{ own: spread(1, 2), prior: spread(3, 6) }]);
    expect(moderated).toEqual({ variances: [{ variance: 2.5, degreesOfFreedom: 8, priorDegrees: 6 }], maxPriorDegrees: 6 });
  });

  it('lends six degrees of freedom at most', () => {
    // (4 * 1 + 6 * 3) / 10.
    const moderated = moderatedVariances([{ own: spread(1, 4), prior: spread(3, 600) }]);
    expect(moderated?.variances[0]?.variance).toBeCloseTo(2.2, 12);
    expect(moderated?.variances[0]?.degreesOfFreedom).toBeCloseTo(10, 12);
  });

  it('lends less to a noisy pair, by the square of how much noisier it is', () => {
    // Own 10, together (2 * 10 + 6 * 1) / 8 = 3.25; lent 6 * 0.325^2 = 0.63375.
    const moderated = moderatedVariances([{ own: spread(10, 2), prior: spread(1, 6) }]);
    expect(moderated?.maxPriorDegrees).toBeCloseTo(0.63375, 12);
    expect(moderated?.variances[0]?.variance).toBeCloseTo((20 + 0.63375) / 2.63375, 12);
  });

  it('lends by the noisier of the stratum itself and the average of all', () => {
    // F of the first 10 / 3.25 = 3.0769, of the second 1 / 2.5 = 0.4; on average 1.73846, and 6 / 1.73846^2 = 1.98528.
    const moderated = moderatedVariances([
      { own: spread(10, 2), prior: spread(1, 6) },
      { own: spread(1, 2), prior: spread(3, 6) },
    ]);
    expect(moderated?.variances.map(({ priorDegrees }) => priorDegrees)).toEqual([expect.closeTo(0.63375, 10), expect.closeTo(1.98528, 4)]);
    expect(moderated?.maxPriorDegrees).toBeCloseTo((0.63375 + 1.98528) / 2, 4);
  });

  it('does not average over a stratum that is lent nothing', () => {
    const moderated = moderatedVariances([
      { own: spread(10, 2), prior: spread(1, 6) },
      { own: spread(4, 2), prior: spread(0, 0) },
    ]);
    expect(moderated?.maxPriorDegrees).toBeCloseTo(0.63375, 10);
  });

  it('lends less of little, too', () => {
    // Together (20 + 2) / 4 = 5.5, F = 10 / 5.5, 6 / F^2 = 1.815: of the two degrees of freedom 1.815 / 6.
    expect(moderatedVariances([{ own: spread(10, 2), prior: spread(1, 2) }])?.variances[0]?.priorDegrees).toBeCloseTo(0.605, 10);
  });

  it('has the own where nothing is lent', () => {
    const moderated = moderatedVariances([{ own: spread(4, 2), prior: spread(0, 0) }]);
    expect(moderated?.variances).toEqual([{ variance: 4, degreesOfFreedom: 2, priorDegrees: 0 }]);
  });

  it('is unknown where a stratum has nothing at all', () => {
    expect(
      moderatedVariances([
        { own: spread(4, 2), prior: spread(1, 6) },
        { own: spread(0, 0), prior: spread(0, 0) },
      ]),
    ).toBeUndefined();
  });

  it('finds no variance in no noise', () => {
    expect(moderatedVariances([{ own: spread(0, 2), prior: spread(0, 6) }])?.variances[0]?.variance).toBe(0);
  });
});

const stratum = (mean: number, varianceOfMean: number, degreesOfFreedom: number) => ({ mean, varianceOfMean, degreesOfFreedom });

describe('welchAnovaP', () => {
  it('is Welch’s t test of two', () => {
    // F = 2^2 / (1 + 1) = 2; c = 2 (1/2)^2 / 1 = 1/2, so (4 - 1) / (3 / 2) = 2 degrees of freedom. Of t with 2 of them, P(|T| > sqrt 2) = 1 - sqrt(2 / 4).
    expect(welchAnovaP([stratum(0, 1, 1), stratum(2, 1, 1)])).toBeCloseTo(1 - Math.SQRT1_2, 12);
  });

  it('allows for few degrees of freedom of three', () => {
    // Between: 2 / 2. c = 3 (2/3)^2 = 4/3; F = 1 / (1 + 2 c / 8) = 3/4 with 2 and 8 / (3 c) = 2 degrees of freedom: P = 1 / (1 + F).
    expect(welchAnovaP([stratum(-1, 1, 1), stratum(0, 1, 1), stratum(1, 1, 1)])).toBeCloseTo(4 / 7, 12);
  });

  it('is 1 where the means are the same, whatever the variances', () => {
    expect(welchAnovaP([stratum(3, 1, 4), stratum(3, 100, 2), stratum(3, 0.01, 9)])).toBeCloseTo(1, 12);
  });

  it('is not known of one stratum, nor where one does not vary', () => {
    expect(welchAnovaP([stratum(1, 1, 4)])).toBeUndefined();
    expect(welchAnovaP([stratum(1, 1, 4), stratum(2, 0, 4)])).toBeUndefined();
  });
});
