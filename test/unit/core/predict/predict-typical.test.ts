import { describe, expect, it } from 'vitest';
import { predict, predictTypical, runsFor, SHAKEN_BY, shakenLink } from '../../../../src/core/predict/predict.ts';
import { bandOf } from '../../../../src/core/predict/run-band.ts';
import { seededRandom } from '../../../../src/core/random.ts';

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
    const largest = [...large, ...large, ...large].map((each, at) => ({ ...each, id: `${at}` }));
    expect(runs(link, largest, Array(100).fill({ id: 'a' }))).toBe(19);
  });

  it('is 19 where only the link is shaken: the first and the last of 19 are 5 and 95 %', () => {
    expect(runs({})).toBe(19);
    expect(runs({ lossDown: 0, lossUp: 0, jitterMs: 0 })).toBe(19);
  });
});

describe('a link that is shaken', () => {
  it('is off by up to 2 % in round trip and rates, evenly, and by what the seed draws', () => {
    const draws = Array.from({ length: 500 }, (_, seed) => shakenLink(LINK, seed));
    for (const figure of ['rttMs', 'downKbps'] as const) {
      const off = draws.map(({ link }) => (link[figure] as number) / LINK[figure] - 1).sort((a, b) => a - b);
      expect(off[0]).toBeGreaterThanOrEqual(-SHAKEN_BY);
      expect(off.at(-1)).toBeLessThanOrEqual(SHAKEN_BY);
      // Half of an even spread over 4 % lies in its middle 2 %.
      const middle = off.filter((each) => Math.abs(each) < SHAKEN_BY / 2).length / off.length;
      expect(Math.abs(middle - 0.5)).toBeLessThan(0.1);
    }
    expect(shakenLink(LINK, 7)).toEqual(shakenLink(LINK, 7));
  });

  it('has the queue of the link as it was given, and phases of a packet on the line, 5 ms at most', () => {
    // 100 packets, as 100 ms at 2,000 kbit/s are 17; 1,460 bytes at 10 Mbit/s are 1.168 ms, at 240 kbit/s 48.7.
    expect(shakenLink(LINK, 3).link.queuePackets).toBe(100);
    expect(shakenLink({ rttMs: 100, downKbps: 10_000 }, 3).phaseMs).toBeCloseTo(1.168, 6);
    expect(shakenLink({ rttMs: 100, downKbps: 240 }, 3).phaseMs).toBe(5);
  });

  it('is shaken by draws of its own: those that decide which packets are lost are others', () => {
    const shakes = Array.from({ length: 200 }, (_, seed) => (shakenLink(LINK, seed).link.rttMs / LINK.rttMs - 1) / (2 * SHAKEN_BY) + 0.5);
    const losses = Array.from({ length: 200 }, (_, seed) => seededRandom(seed).next());
    const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
    const [a, b] = [mean(shakes), mean(losses)];
    const covariance = mean(shakes.map((each, at) => (each - a) * ((losses[at] as number) - b)));
    // Of two even draws in [0, 1), each of variance 1/12; 200 independent pairs have a correlation within 0.23 in 999 of 1000 cases.
    expect(Math.abs(12 * covariance)).toBeLessThan(0.23);
  });

  it('asks for what is named in a response later by its phase, in the order of the page', () => {
    const requests = [
      { id: 'page', bytes: 1000 },
      ...Array.from({ length: 5 }, (_, at) => ({ id: `r${at}`, bytes: 1000, after: { id: 'page' } })),
    ];
    const discovered = (phaseMs: number) =>
      predict({ page: { requests }, link: LINK, profiles: ['firefox-default'], phaseMs, seed: 5 })[0]?.requests.map(
        (each) => each.discoveredMs,
      ) ?? [];
    const [before, after] = [discovered(0), discovered(4)];
    const later = after.map((ms, at) => ms - (before[at] as number));
    expect(later[0]).toBe(0);
    expect(later[1]).toBeGreaterThan(0);
    expect(later[1]).toBeLessThan(4);
    expect(new Set(later.slice(1)).size).toBe(1);
  });
});

describe('predictTypical', () => {
  it('is the load in the middle of its runs, by seeds that follow each other and begin anew at the end', () => {
    const link = { ...LINK, lossDown: 0.03 };
    const seed = 2 ** 32 - 20;
    const { runs, predictions } = predictTypical({ page: PAGE, link, profiles: PROFILES, seed });
    expect(runs).toBe(51);
    PROFILES.forEach((profile, at) => {
      const loads = Array.from({ length: runs }, (_, run) => {
        const drawn = (seed + run) % 2 ** 32;
        return predict({ page: PAGE, ...shakenLink(link, drawn), profiles: [profile], seed: drawn })[0];
      });
      const sorted = loads.map((load) => load?.loadTimeMs ?? 0).sort((a, b) => a - b);
      expect(predictions[at]?.loadTimeMs).toBe(sorted[25]);
      expect(predictions[at]?.runsMs).toEqual(loads.map((load) => load?.loadTimeMs));
    });
  });

  it('shakes all profiles of a run alike', () => {
    const { predictions } = predictTypical({ page: PAGE, link: LINK, profiles: [{ id: 'one' }, { id: 'the same' }] });
    expect(predictions[0]?.runsMs).toEqual(predictions[1]?.runsMs);
    expect(new Set(predictions[0]?.runsMs).size).toBe(19);
  });

  it('does not hang on one drop more or less', () => {
    // 24 objects of 100 kB over 5 Mbit/s with a queue of 30 packets: half a percent of the rate decides which packets are dropped.
    const requests = Array.from({ length: 24 }, (_, at) => ({ id: `r${at}`, bytes: 100_000 }));
    const over = (downKbps: number) => ({
      page: { requests },
      link: { rttMs: 100, downKbps, queuePackets: 30 },
      profiles: [{ id: 'firefox-default' }],
    });
    const rates = Array.from({ length: 9 }, (_, step) => 5000 * (1 + 0.005 * step));
    const spread = (times: readonly number[]) => Math.max(...times) / Math.min(...times);
    expect(spread(rates.map((rate) => predict(over(rate))[0]?.loadTimeMs ?? 0))).toBeGreaterThan(1.1);
    expect(spread(rates.map((rate) => predictTypical(over(rate)).predictions[0]?.loadTimeMs ?? 0))).toBeLessThan(1.05);
  });
});

describe('the band of runs', () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1).reverse();

  it('is from the first to the last of 19, and between order statistics of more', () => {
    expect(bandOf(upTo(19))).toEqual({ low: 1, high: 19 });
    // 5 % of 51 + 1 is 2.6.
    expect(bandOf(upTo(51))?.low).toBeCloseTo(2.6, 9);
    expect(bandOf(upTo(51))?.high).toBeCloseTo(49.4, 9);
  });

  it('is not told from fewer', () => {
    expect(bandOf(upTo(18))).toBeUndefined();
  });
});
