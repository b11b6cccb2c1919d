import { describe, expect, it } from 'vitest';
import { crossingProbability, planLoads, precisionFor } from '../../../../src/core/compare/planned-loads.ts';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { sequentialTCritical } from '../../../../src/core/stats/confidence-sequence.ts';

describe('crossingProbability', () => {
  // Armitage, McPherson & Rowe (1969), table 2: the chance to have exceeded 1.96 at any of n looks under no effect, both sides.
  it.each([
    [1, 0.05],
    [2, 0.083],
    [3, 0.107],
    [4, 0.126],
    [5, 0.142],
    [10, 0.193],
  ])('agrees with the published table after %d looks', (looks, both) => {
    const at = (probability: number) => crossingProbability({ effect: 1e-9, boundary: () => 1.96, probability, maxValues: 20 });
    // One side of two, rounded to three places there; the grid adds about 0.001.
    expect(at(both / 2 - 0.0015)).toBeLessThanOrEqual(looks);
    expect(at(both / 2 + 0.0015)).toBe(looks + 1);
  });

  it('is the normal formula where there is one look', () => {
    // P(Z > 1.96 - 0.5 sqrt(n)) reaches 0.8 at sqrt(n) = (1.96 + 0.8416) / 0.5, n = 31.4; looked at there alone.
    const at = (look: number) =>
      crossingProbability({ effect: 0.5, boundary: (n) => (n === look ? 1.96 : undefined), probability: 0.8, maxValues: 60 });
    expect(at(31)).toBeUndefined();
    expect(at(32)).toBe(32);
  });
});

describe('planLoads', () => {
  it('is the sample size of the t test where the loads are looked at once', () => {
    // 2 (1.982 + 0.8416)^2 0.25^2 / ln(1.1)^2 = 109.7.
    expect(planLoads({ logSd: 0.25, change: 0.1, looks: 'once' }).loadsPerProfile).toBe(110);
    // 2 (1.965 + 0.8416)^2 0.5^2 / ln(1.1)^2 = 433.7; a gain takes as many as the loss of the same ratio.
    expect(planLoads({ logSd: 0.5, change: 0.1, looks: 'once' }).loadsPerProfile).toBe(434);
    expect(planLoads({ logSd: 0.25, change: 1 / 1.1 - 1, looks: 'once' }).loadsPerProfile).toBe(110);
  });

  it('asks for the blocks that fitting the pages takes', () => {
    // 38 blocks of three for 110 pairs, as 3 * 38 = 114 >= 110 t-quantiles of 37; 60 pages over 2 * 3 - 1 make 12 more.
    const everyday = (pages: number) => planLoads({ logSd: 0.25, change: 0.1, looks: 'once', everyday: { loadsPerSlot: 3, pages } });
    expect(everyday(0).loadsPerProfile).toBe(114);
    expect(everyday(60).loadsPerProfile).toBe(150);
    expect(() => everyday(-1)).toThrow(PlumbfoxError);
  });

  it('counts on no look but those that there are', () => {
    const needed = (pairsPerLook: number) => planLoads({ logSd: 0.25, change: 0.1, looks: 'any', pairsPerLook }).loadsPerProfile;
    expect(needed(20)).toBeGreaterThan(needed(1));
    expect(needed(20) % 20).toBe(0);
  });

  it('asks for more where the loads may be looked at any time, and for more profiles', () => {
    const once = planLoads({ logSd: 0.25, change: 0.1, looks: 'once' }).loadsPerProfile;
    const any = planLoads({ logSd: 0.25, change: 0.1, looks: 'any' }).loadsPerProfile;
    expect(any).toBeGreaterThan(once);
    expect(any).toBeLessThanOrEqual(200);
    expect(planLoads({ logSd: 0.25, change: 0.1, looks: 'any', intervals: 17 }).loadsPerProfile).toBeGreaterThan(any);
  });

  it.each([
    { logSd: 0, change: 0.1 },
    { logSd: Number.NaN, change: 0.1 },
    { logSd: 0.25, change: 0 },
    { logSd: 0.25, change: -1 },
    { logSd: 0.25, change: 0.1, alpha: 0 },
    { logSd: 3, change: 0.01 },
  ])('refuses %o', (options) => {
    expect(() => planLoads({ looks: 'any', ...options })).toThrow(PlumbfoxError);
  });
});

describe('precisionFor', () => {
  it.each([12, 60, 200, 2000])('makes the interval shortest at %d pairs', (pairs) => {
    const best = precisionFor(pairs, 0.05);
    const width = (precision: number) =>
      sequentialTCritical(0.05, { effectiveCount: pairs, degreesOfFreedom: pairs - 1, precision }) ?? Number.POSITIVE_INFINITY;
    for (const factor of [0.25, 0.5, 0.8, 1.25, 2, 4]) expect(width(best * factor)).toBeGreaterThanOrEqual(width(best));
  });
});
