import { describe, expect, it } from 'vitest';
import { moderatedVariances } from '../../../src/core/stats/stratified-mean.ts';

const spread = (variance: number, degreesOfFreedom: number) => ({ squares: variance * degreesOfFreedom, degreesOfFreedom });

describe('moderatedVariances', () => {
  it('weighs own and lent by their degrees of freedom', () => {
    // (2 * 1 + 6 * 3) / 8; the own is smaller than both together, so all six are lent.
    const moderated = moderatedVariances([{ own: spread(1, 2), lent: spread(3, 6) }]);
    expect(moderated).toEqual({ variances: [{ variance: 2.5, degreesOfFreedom: 8, lent: 6 }], mostLent: 6 });
  });

  it('lends six degrees of freedom at most', () => {
    // (4 * 1 + 6 * 3) / 10.
    const moderated = moderatedVariances([{ own: spread(1, 4), lent: spread(3, 600) }]);
    expect(moderated?.variances[0]?.variance).toBeCloseTo(2.2, 12);
    expect(moderated?.variances[0]?.degreesOfFreedom).toBeCloseTo(10, 12);
  });

  it('lends less to a noisy pair, by the square of how much noisier it is', () => {
    // Own 10, together (2 * 10 + 6 * 1) / 8 = 3.25; lent 6 * 0.325^2 = 0.63375.
    const moderated = moderatedVariances([{ own: spread(10, 2), lent: spread(1, 6) }]);
    expect(moderated?.mostLent).toBeCloseTo(0.63375, 12);
    expect(moderated?.variances[0]?.variance).toBeCloseTo((20 + 0.63375) / 2.63375, 12);
  });

  it('lends by the noisier of the stratum itself and the average of all', () => {
    // F of the first 10 / 3.25 = 3.0769, of the second 1 / 2.5 = 0.4; on average 1.73846, and 6 / 1.73846^2 = 1.98528.
    const moderated = moderatedVariances([
      { own: spread(10, 2), lent: spread(1, 6) },
      { own: spread(1, 2), lent: spread(3, 6) },
    ]);
    expect(moderated?.variances.map(({ lent }) => lent)).toEqual([expect.closeTo(0.63375, 10), expect.closeTo(1.98528, 4)]);
    expect(moderated?.mostLent).toBeCloseTo((0.63375 + 1.98528) / 2, 4);
  });

  it('does not average over a stratum that is lent nothing', () => {
    const moderated = moderatedVariances([
      { own: spread(10, 2), lent: spread(1, 6) },
      { own: spread(4, 2), lent: spread(0, 0) },
    ]);
    expect(moderated?.mostLent).toBeCloseTo(0.63375, 10);
  });

  it('lends less of little, too', () => {
    // Together (20 + 2) / 4 = 5.5, F = 10 / 5.5, 6 / F^2 = 1.815: of the two degrees of freedom 1.815 / 6.
    expect(moderatedVariances([{ own: spread(10, 2), lent: spread(1, 2) }])?.variances[0]?.lent).toBeCloseTo(0.605, 10);
  });

  it('has the own where nothing is lent', () => {
    const moderated = moderatedVariances([{ own: spread(4, 2), lent: spread(0, 0) }]);
    expect(moderated?.variances).toEqual([{ variance: 4, degreesOfFreedom: 2, lent: 0 }]);
  });

  it('is unknown where a stratum has nothing at all', () => {
    expect(
      moderatedVariances([
        { own: spread(4, 2), lent: spread(1, 6) },
        { own: spread(0, 0), lent: spread(0, 0) },
      ]),
    ).toBeUndefined();
  });

  it('finds no variance in no noise', () => {
    expect(moderatedVariances([{ own: spread(0, 2), lent: spread(0, 6) }])?.variances[0]?.variance).toBe(0);
  });
});
