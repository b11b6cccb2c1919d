import { describe, expect, it } from 'vitest';
import { signFlipP } from '../../../../src/core/stats/sign-flip-test.ts';

describe('signFlipP', () => {
  it('counts the ways to flip signs that are as extreme: by hand', () => {
    // All of one sign: two of 2^n ways.
    expect(signFlipP([1, 2, 3])).toBeCloseTo(2 / 8, 12);
    expect(signFlipP([-1, -2, -3, -4])).toBeCloseTo(2 / 16, 12);
    // 3 - 1 + 2 = 4 of sums 6, 4, 2, 0 and their opposites: 6 and 4 of either sign.
    expect(signFlipP([3, -1, 2])).toBeCloseTo(4 / 8, 12);
    expect(signFlipP([0, 0])).toBe(1);
  });

  it('does not depend on the unit', () => {
    expect(signFlipP([1e-9, 2e-9, 3e-9])).toBeCloseTo(2 / 8, 12);
    expect(signFlipP([3e9, -1e9, 2e9])).toBeCloseTo(4 / 8, 12);
  });

  it('counts up to 512 differences', () => {
    expect(signFlipP(Array.from({ length: 512 }, () => 1))).toBe(2 ** -511);
    // Of one more the normal tail beyond sqrt(513) = 22.6 deviations, some 1e-113.
    const normal = signFlipP(Array.from({ length: 513 }, () => 1));
    expect(normal).toBeGreaterThan(1e-116);
    expect(normal).toBeLessThan(1e-110);
  });

  it('goes over to the normal sum with many differences, and sees one sign among thousands', () => {
    // 600 equal values, 330 of them positive: z = 60 / sqrt(600) = 2.449, two-sided p = .0143; exactly, 330 or more or 270 or fewer of 600: .0159.
    const p = signFlipP(Array.from({ length: 600 }, (_, at) => (at < 330 ? 1 : -1)));
    expect(p).toBeCloseTo(0.0143, 4);
    expect(signFlipP(Array.from({ length: 12_000 }, () => 0.01))).toBeLessThan(1e-9);
  });

  it('does not let quiet terms outvote noisy ones', () => {
    // The three large ones decide: 2 of 8 ways, halved by the quiet sum, of which +0.03 is the most extreme of its 8.
    expect(signFlipP([1, 1, 1, 0.01, 0.01, 0.01])).toBeCloseTo(2 / 64, 12);
    expect(signFlipP([1, 1, 1, 0.01, -0.01, 0])).toBeCloseTo((2 / 8) * (3 / 4), 12);
  });
});
