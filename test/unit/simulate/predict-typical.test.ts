import { describe, expect, it } from 'vitest';
import { predict } from '../../../src/core/simulate/predict.ts';
import { predictTypical, runsFor } from '../../../src/core/simulate/predict-typical.ts';

const PAGE = {
  requests: [
    { id: 'index', bytes: 14_600 },
    { id: 'picture', bytes: 146_000, after: { id: 'index' } },
  ],
};
const LINK = { rttMs: 100, downKbps: 2000 };
const PROFILES = [{ id: 'one', connections: 1 }, { id: 'two' }];

describe('how many loads are simulated', () => {
  const runs = (link: object, requests = PAGE.requests, profiles = PROFILES) =>
    runsFor({ page: { requests }, link: { ...LINK, ...link }, profiles });
  /** 10,001 packets: an object of 10,000 segments, and its request. */
  const large = [{ id: 'film', bytes: 14_600_000 }];

  it.each([{ lossDown: 0.01 }, { lossUp: 0.01 }, { jitterMs: 1 }])('is odd and bounded with %j', (link) => {
    // 112 packets and 2 profiles: 1,000,000 / 224 would be 4,464.
    expect(runs(link)).toBe(51);
    // 1,000,000 / (10,001 x 4) = 24.99, made odd.
    expect(runs(link, large, [...PROFILES, ...PROFILES])).toBe(23);
    expect(
      runs(
        link,
        [...large, ...large, ...large].map((each, at) => ({ ...each, id: `${at}` })),
        Array(100).fill({ id: 'a' }),
      ),
    ).toBe(5);
  });

  it('is one where nothing is left to chance', () => {
    expect(runs({})).toBe(1);
    expect(runs({ lossDown: 0, lossUp: 0, jitterMs: 0 })).toBe(1);
  });
});

describe('predictTypical', () => {
  it('is the one prediction where nothing is left to chance', () => {
    expect(predictTypical({ page: PAGE, link: LINK, profiles: PROFILES, seed: 3 })).toEqual({
      runs: 1,
      predictions: predict({ page: PAGE, link: LINK, profiles: PROFILES, seed: 3 }),
    });
  });

  it('is the load in the middle of its runs, by seeds that follow each other and begin anew at the end', () => {
    const link = { ...LINK, lossDown: 0.03 };
    const seed = 2 ** 32 - 20;
    const { runs, predictions } = predictTypical({ page: PAGE, link, profiles: PROFILES, seed });
    expect(runs).toBe(51);
    PROFILES.forEach((profile, at) => {
      const loads = Array.from(
        { length: runs },
        (_, run) => predict({ page: PAGE, link, profiles: [profile], seed: (seed + run) % 2 ** 32 })[0],
      );
      const sorted = loads.map((load) => load?.loadTimeMs ?? 0).sort((a, b) => a - b);
      expect(new Set(sorted).size).toBeGreaterThan(5);
      expect(predictions[at]?.loadTimeMs).toBe(sorted[25]);
      expect(loads).toContainEqual(predictions[at]);
    });
  });
});
