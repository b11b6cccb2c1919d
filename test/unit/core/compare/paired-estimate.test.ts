import { describe, expect, it } from 'vitest';
import { indexLoads } from '../../../../src/core/compare/load-index.ts';
import { blockNoise, pairLoads, pooledVariance } from '../../../../src/core/compare/paired-estimate.ts';

/** Log efficiencies, a row per profile and a column per block. */
function indexOf(rows: Readonly<Record<string, readonly number[]>>) {
  const loads = Object.entries(rows).flatMap(([profileId, logs]) =>
    logs.map((log, block) => ({ profileId, page: 'p', link: 'l', block, valid: true, efficiency: Math.exp(log), loadTimeMs: 1 })),
  );
  return indexLoads(loads, Object.keys(rows));
}

describe('pooledVariance', () => {
  it('is twice the residual of the run less the pair’s own squares', () => {
    // From block 0 to 1 the profiles change by 4, 0 and 0, on average 4/3: residual ((8/3)^2 + 2 (4/3)^2) / 2 = 16/3 with 2 degrees
    // of freedom. The pair a, b has the ratios -1 and 3, own squares 8 with 1. Left: 32/3 - 8 with 1.
    const index = indexOf({ a: [1, 5], b: [2, 2], c: [4, 4] });
    const [lent] = pooledVariance(pairLoads(index, { profileId: 'a', against: 'b' }), blockNoise(index));
    expect(lent?.squares).toBeCloseTo(8 / 3, 12);
    expect(lent?.degreesOfFreedom).toBe(1);
  });

  it('is nothing where there are no others', () => {
    const index = indexOf({ a: [1, 5, 2], b: [2, 2, 7] });
    const [lent] = pooledVariance(pairLoads(index, { profileId: 'a', against: 'b' }), blockNoise(index));
    expect(lent?.squares).toBeCloseTo(0, 12);
    expect(lent?.degreesOfFreedom).toBe(0);
  });
});
