import { describe, expect, it } from 'vitest';
import { formatLoadsNeeded } from '../../../../src/core/compare/format-verdict.ts';
import { loadsNeeded } from '../../../../src/core/compare/loads-needed.ts';

const RULE = { alpha: 0.05 / 6, looks: 'any', precision: 0.1 } as const;

describe('loadsNeeded', () => {
  it('counts on what the other profiles lend, and that it grows with the blocks', () => {
    // 25 % at a spread of 10 % per load after 2 blocks, variance of a ratio 2 * 0.1^2. From the formula with alpha 0.05 / 6, by hand:
    // 5 blocks of 4 have r = 0.1 / 20.1. Alone 16 degrees of freedom: k = exp(2/17 * (4.787 + 2.652)) = 2.399, t = 4.759,
    // (4.759 + 0.842) * sqrt(0.02 / 20) = 0.177 <= ln 1.25 = 0.223; 4 blocks, 12: r = 0.1 / 16.1, k = exp(2/13 * 7.328) = 3.087,
    // t = 5.054, 0.208: enough; 3 blocks, 8: 5.73, 0.268: not. Lent 3 more for each block less one, 3 blocks have 32: 4.21, 0.206.
    const seen = { mean: Math.log(1.25), strata: 4, count: 8, effectiveCount: 8 };
    const separate = { standardError: 0.05, degreesOfFreedom: 16, variance: 0.02, alikeStrata: 4 };
    const alone = loadsNeeded({ ...seen, separate: { ...separate, priorDegrees: 0, maxPriorDegrees: 6 } }, RULE);
    const lent = loadsNeeded({ ...seen, separate: { ...separate, priorDegrees: 3, maxPriorDegrees: 6 } }, RULE);
    expect(alone).toMatchObject({ more: 8, blocks: 2 });
    expect(lent).toMatchObject({ more: 4, blocks: 1 });
  });
});

describe('loadsNeeded before the third block', () => {
  it('counts on three, however sure the first already is', () => {
    const separate = { standardError: 0.001, degreesOfFreedom: 24, variance: 1e-6, alikeStrata: 4, priorDegrees: 6, maxPriorDegrees: 6 };
    const seen = { mean: Math.log(1.5), strata: 4, count: 4, effectiveCount: 4, separate };
    expect(loadsNeeded(seen, RULE)).toEqual({ more: 8, blocks: 2, atMost: 8 });
  });
});

describe('formatLoadsNeeded', () => {
  it.each([
    [{ more: 1, blocks: 1, atMost: 3 }, 'about 1 more load per profile in this run (1 block), at most 3, would decide it'],
    [{ more: 12, atMost: 12 }, 'about 12 more loads per profile in this run would decide it'],
    [{ more: 400, atMost: 1200 }, 'about 400 more loads per profile in this run would decide it'],
    [{ more: 1000 }, 'about 1000 more loads per profile in this run would decide it'],
    [{ more: 1001 }, 'it would take more than 1000 more loads per profile'],
    [{ more: 1471, blocks: 368, atMost: 2000 }, 'it would take more than 1000 more loads per profile'],
    [undefined, 'how many more loads that takes is unknown'],
  ])('writes %o', (needed, words) => {
    expect(formatLoadsNeeded(needed)).toBe(words);
  });
});
