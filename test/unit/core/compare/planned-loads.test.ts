import { describe, expect, it } from 'vitest';
import { planLoads, precisionFor } from '../../../../src/core/compare/planned-loads.ts';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { sequentialTCritical } from '../../../../src/core/stats/confidence-sequence.ts';

describe('planLoads', () => {
  it('is the sample size of the t test', () => {
    // 2 (1.982 + 0.8416)^2 0.25^2 / ln(1.1)^2 = 109.7.
    expect(planLoads({ logSd: 0.25, change: 0.1 }).loadsPerProfile).toBe(110);
    // 2 (1.965 + 0.8416)^2 0.5^2 / ln(1.1)^2 = 433.7; a gain takes as many as the loss of the same ratio.
    expect(planLoads({ logSd: 0.5, change: 0.1 }).loadsPerProfile).toBe(434);
    expect(planLoads({ logSd: 0.25, change: 1 / 1.1 - 1 }).loadsPerProfile).toBe(110);
  });

  it('asks for the draws that fitting the pages takes', () => {
    // 38 draws of three for 110 pairs, as 3 * 38 = 114 >= 110 t-quantiles of 37; 60 pages over 2 * 3 - 1 make 12 more.
    const everyday = (pages: number) => planLoads({ logSd: 0.25, change: 0.1, everyday: { loadsPerDraw: 3, pages } });
    expect(everyday(0).loadsPerProfile).toBe(114);
    expect(everyday(60).loadsPerProfile).toBe(150);
    expect(() => everyday(-1)).toThrow(PlumbfoxError);
  });

  it('asks for more where more profiles share alpha', () => {
    const needed = (intervals: number) => planLoads({ logSd: 0.25, change: 0.1, intervals }).loadsPerProfile;
    expect(needed(17)).toBeGreaterThan(needed(1));
  });

  it.each([
    { logSd: 0, change: 0.1 },
    { logSd: Number.NaN, change: 0.1 },
    { logSd: 0.25, change: 0 },
    { logSd: 0.25, change: -1 },
    { logSd: 0.25, change: 0.1, alpha: 0 },
    { logSd: 3, change: 0.01 },
  ])('refuses %o', (options) => {
    expect(() => planLoads(options)).toThrow(PlumbfoxError);
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
