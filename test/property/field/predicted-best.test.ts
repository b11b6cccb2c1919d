/** The profiles a trial may begin with, whatever is predicted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BEST, predictedBest } from '../../../src/core/field/predict-field.ts';
import type { PredictedProfile } from '../../../src/core/predict/predicted-profiles.ts';
import { resolveProfiles } from '../../../src/core/profiles/resolve-profiles.ts';

const PROFILES = resolveProfiles(['connections-sweep']);

function predicted(ratios: readonly number[]): readonly PredictedProfile[] {
  return ratios.flatMap((ratio, at) => {
    const profile = PROFILES[at];
    if (profile === undefined) return [];
    const boundShares = { bandwidth: 1, 'queue-wait': 0, 'round-trips': 0, loss: 0, server: 0, page: 0 };
    const figures = { loadTimeMs: 1000 / ratio, efficiency: ratio / 4, ratio, connections: 1, bound: 'bandwidth' as const, boundShares };
    return [{ profile, carrier: 'none' as const, coverage: { state: 'modelled' as const }, unproven: [], ...figures }];
  });
}
/** Of 1, 2, 4, 6, 8, 10 and 16 connections. */
const best = (...ratios: readonly number[]) => predictedBest(predicted(ratios)).map(({ profile }) => profile.id);

describe('the predicted best', () => {
  it('are the three most efficient, in that order', () => {
    expect(best(0.5, 0.8, 1.1, 1, 1.2, 1.3, 1.4)).toEqual(['c16-d1', 'c10-d1', 'c8-d1']);
  });

  it('are none where nothing is gained', () => {
    expect(best(0.5, 0.8, 0.9, 1, 1.009, 1.009, 1.009)).toEqual([]);
    expect(best(0.5, 0.8, 0.9, 1, 1.011, 1, 1)).toEqual(['c8-d1']);
  });

  it('are the cheapest of those that are predicted alike', () => {
    expect(best(0.5, 0.8, 0.9, 1, 1.195, 1.2, 1.203)).toEqual(['c8-d1']);
    expect(best(0.5, 0.8, 1.1, 1, 1.195, 1.2, 1.203)).toEqual(['c8-d1', 'c4-d1']);
  });

  it('each gain something, are not alike, and leave out nothing that is better than the last of them', () => {
    const ratio = fc.double({ min: 0.5, max: 2, noNaN: true });
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 0, maxLength: PROFILES.length }), (ratios) => {
        const all = predicted(ratios);
        const chosen = predictedBest(all);
        expect(chosen.length).toBeLessThanOrEqual(MAX_BEST);
        expect(chosen.length === 0).toBe(all.every((one) => one.ratio < 1.01));
        for (const [at, one] of chosen.entries()) {
          expect(one.ratio).toBeGreaterThanOrEqual(1.01);
          const next = chosen[at + 1];
          if (next) expect(next.ratio).toBeLessThan(one.ratio);
        }
        const last = chosen.at(-1);
        const better = all.filter((one) => last !== undefined && !chosen.includes(one) && one.ratio > last.ratio * 1.011);
        // Each of them is alike with one that is there.
        for (const one of better) expect(chosen.some((other) => Math.abs(Math.log(other.ratio / one.ratio)) <= 0.01)).toBe(true);
      }),
    );
  });
});
