/** Costs are logs: spreads of 0.25 of the round trip (coordinate 0) and of 0.5 of the rate (1). */
import { describe, expect, it } from 'vitest';
import {
  absorb,
  bestApart,
  clustersApart,
  costOf,
  deviation,
  isInformative,
  type LinkCluster,
  type LoadCost,
  lastShift,
  meanDeviation,
  newCluster,
  translatedDeviation,
  update,
} from '../../../../../src/core/measure/links/cluster.ts';

/** Of site 1 unless said. */
const rtt = (cost: number, more: Partial<LoadCost> = {}): LoadCost => ({ site: 1, cost: [cost, undefined], leastRtt: undefined, ...more });
const rate = (cost: number, site = 1): LoadCost => ({ site, cost: [undefined, cost], leastRtt: undefined });
const network = (...loads: readonly LoadCost[]): LinkCluster => {
  const cluster = newCluster(0);
  for (const load of loads) update(cluster, load);
  return cluster;
};
const times = (count: number, load: LoadCost) => Array.from({ length: count }, () => load);

describe('what a load cost', () => {
  it('is the log of its round trip and less the log of its rate', () => {
    const load = costOf({ startedAt: 0, site: 3, rttMs: Math.E ** 2, rttLowMs: Math.E, downKbps: Math.E ** 9 });
    expect(load).toEqual({ site: 3, cost: [expect.closeTo(2, 9), expect.closeTo(-9, 9)], leastRtt: expect.closeTo(1, 9) });
    expect(isInformative(load)).toBe(true);
  });

  it.each([{}, { rttMs: 0, downKbps: 0 }, { rttMs: -1, downKbps: -1 }])('is unknown of %j', (figures) => {
    const load = costOf({ startedAt: 0, site: 3, ...figures });
    expect(load).toEqual({ site: 3, cost: [undefined, undefined], leastRtt: undefined });
    expect(isInformative(load)).toBe(false);
  });

  it('tells something with either figure', () => {
    expect([rtt(4), rate(-9)].map(isInformative)).toEqual([true, true]);
  });

  it('has no least where the least round trip is 0', () => {
    expect(costOf({ startedAt: 0, site: 3, rttMs: 20, rttLowMs: 0 }).leastRtt).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('how far a load is from what is expected of its site', () => {
  it('is told in spreads, wider while the site was seen once: by the root of 2', () => {
    const known = network({ site: 1, cost: [4, -9], leastRtt: undefined });
    expect(deviation(known, rtt(4.25), 0)).toBeCloseTo(Math.SQRT1_2, 9);
    expect(deviation(known, rtt(3.75), 0)).toBeCloseTo(-Math.SQRT1_2, 9);
    expect(deviation(known, rate(-8.5), 1)).toBeCloseTo(Math.SQRT1_2, 9);
    expect(deviation(known, rate(-9.5), 1)).toBeCloseTo(-Math.SQRT1_2, 9);
  });

  it('is unknown of a figure that the load does not have', () => {
    const known = network({ site: 1, cost: [4, -9], leastRtt: undefined });
    expect(deviation(known, rtt(4), 1)).toBeUndefined();
    expect(deviation(known, rate(-9), 0)).toBeUndefined();
    expect(meanDeviation(known, rtt(4), 1)).toBeUndefined();
  });

  it('is at most what the least round trip allows, and only if slower', () => {
    const known = network({ site: 1, cost: [4, -9], leastRtt: undefined });
    expect(deviation(known, rtt(6, { leastRtt: 4.25 }), 0)).toBeCloseTo(Math.SQRT1_2, 9);
    expect(deviation(known, rtt(6, { leastRtt: 3 }), 0)).toBe(0);
    expect(deviation(known, rtt(3.75, { leastRtt: 2 }), 0)).toBeCloseTo(-Math.SQRT1_2, 9);
    expect(deviation(known, { site: 1, cost: [6, -8.5], leastRtt: 2 }, 1)).toBeCloseTo(Math.SQRT1_2, 9);
  });

  it('counts for a site that is new only below the best there was', () => {
    const known = network(rtt(4), rate(-9, 2));
    expect(deviation(known, rtt(3.5, { site: 7 }), 0)).toBe(-2);
    expect(deviation(known, rate(-10, 7), 1)).toBe(-2);
    for (const cost of [4, 4.5]) expect(deviation(known, rtt(cost, { site: 7 }), 0)).toBeUndefined();
    // Site 2 was seen, but not its round trip; nothing was seen of an empty network.
    expect(deviation(known, rtt(3.5, { site: 2 }), 0)).toBe(-2);
    expect(meanDeviation(known, rtt(3.5, { site: 2 }), 0)).toBe('site-unknown');
    expect(meanDeviation(known, rtt(3.5, { site: 7 }), 0)).toBe('site-unknown');
    expect(deviation(network(), rtt(-4), 0)).toBeUndefined();
  });

  it('is from the mean of what the site cost, to begin with', () => {
    const known = network(rtt(4), rtt(4.4));
    // Mean 4.2; known from two loads: a spread of 0.25 sqrt(1.5).
    expect(deviation(known, rtt(4.2 + 0.25), 0)).toBeCloseTo(1 / Math.sqrt(1.5), 9);
    expect(meanDeviation(known, rtt(4.2 + 0.25), 0)).toBeCloseTo(1, 9);
  });

  it('follows with a twentieth of what a later load is off', () => {
    // 4 + 0.2 / 20, after 20 loads as after 40.
    for (const count of [20, 40]) expect(deviation(network(...times(count, rtt(4)), rtt(4.2)), rtt(4.01), 0)).toBeCloseTo(0, 9);
  });

  it.each([1, -1])('is pulled by no load further than three spreads count: %j', (side) => {
    // Half of 3 x 0.25.
    expect(deviation(network(rtt(4), rtt(4 + side * 2)), rtt(4 + side * 0.375), 0)).toBeCloseTo(0, 9);
    expect(deviation(network(rate(-9), rate(-9 + side * 4)), rate(-9 + side * 0.75), 1)).toBeCloseTo(0, 9);
  });

  it('moves with the level, which other sites move', () => {
    const known = network(rtt(4), rtt(5, { site: 2 }), rtt(5.4, { site: 2 }));
    expect(deviation(known, rtt(5.2, { site: 2 }), 0)).toBeCloseTo(0, 9);
    // A twentieth of the 0.4 that site 2 was off.
    expect(deviation(known, rtt(4.02), 0)).toBeCloseTo(0, 9);
    expect(meanDeviation(known, rtt(4), 0)).toBe(0);
  });
});

describe('the best of a network', () => {
  /** From its best to a load of cost 2, in spreads. */
  const below = (...loads: readonly LoadCost[]) => deviation(network(...loads), rtt(2, { site: 7 }), 0);

  it('is the least of the first nine loads', () => {
    expect(below(rtt(4), rtt(3), rtt(5), ...times(6, rtt(4)))).toBeCloseTo((2 - 3) / 0.25, 9);
  });

  it('rises by a hundredth after, or falls by nine for a load below it', () => {
    const nine = times(9, rtt(3));
    expect(below(...nine, rtt(5))).toBeCloseTo((2 - 3.01) / 0.25, 9);
    expect(below(...nine, rtt(3))).toBeCloseTo((2 - 3.01) / 0.25, 9);
    expect(below(...nine, rtt(1))).toBeCloseTo((2 - 2.91) / 0.25, 9);
  });

  it('is compared with the best of other loads, either way', () => {
    expect(bestApart(network(rtt(4)), [rtt(5), rtt(4.5), rate(-9)], 0)).toBe(2);
    expect(bestApart(network(rtt(5)), [rtt(4.5)], 0)).toBe(2);
    expect(bestApart(network(rate(-9)), [rate(-8)], 1)).toBe(2);
  });

  it('is compared with nothing where one of them is unknown', () => {
    expect(bestApart(network(), [rtt(4)], 0)).toBeUndefined();
    expect(bestApart(network(rtt(4)), [rate(-9)], 0)).toBeUndefined();
    expect(bestApart(network(rtt(4)), [], 0)).toBeUndefined();
  });
});

describe('the shift between two networks', () => {
  // Site 1: means 4.1 of two loads and 5 of one, so 0.9 at 1 / (1/2 + 1); site 2: 4 and 6 of one each, so 2 at 1/2.
  const mean = ((2 / 3) * 0.9 + 0.5 * 2) / (2 / 3 + 0.5);
  const near = () => network(rtt(4), rtt(4.2), rtt(4, { site: 2 }));
  const far = () => network(rtt(5), rtt(6, { site: 2 }));

  it('is the mean over the sites that both know, by how well it is known of each', () => {
    expect(lastShift(near(), far(), 0)).toBeCloseTo(mean, 9);
    expect(lastShift(far(), near(), 0)).toBeCloseTo(-mean, 9);
    expect(clustersApart(near(), far(), 0)).toBeCloseTo(mean / 0.25, 9);
    expect(clustersApart(far(), near(), 0)).toBeCloseTo(mean / 0.25, 9);
  });

  it.each([
    ['a site of its own', rtt(9, { site: 3 })],
    ['a site without the figure', rate(-9, 2)],
  ])('takes no notice of %s, in the one as in the other', (_, stranger) => {
    const [one, other] = [network(rtt(4), stranger), network(rtt(5), rtt(8, { site: 4 }), rtt(8, { site: 2 }))];
    expect(lastShift(one, other, 0)).toBeCloseTo(1, 9);
    expect(lastShift(other, one, 0)).toBeCloseTo(-1, 9);
    const more = network(rtt(4), stranger, rtt(7, { site: 5 }), rtt(7, { site: 6 }));
    expect(lastShift(more, other, 0)).toBeCloseTo(1, 9);
  });

  it('is unknown without such a site: their bests are compared', () => {
    const [one, other] = [network(rtt(4), rtt(6)), network(rtt(4.5, { site: 2 }), rate(-9))];
    expect(lastShift(one, other, 0)).toBeUndefined();
    expect(clustersApart(one, other, 0)).toBe(2);
    expect(clustersApart(other, one, 0)).toBe(2);
    expect(clustersApart(one, other, 1)).toBeUndefined();
    expect(clustersApart(other, one, 1)).toBeUndefined();
    expect(clustersApart(network(rate(-9)), network(rate(-8)), 1)).toBe(2);
  });

  it('is worked out anew when there are more than a tenth more loads', () => {
    const [one, other] = [network(...times(15, rtt(4))), network(...times(15, rtt(5)))];
    expect(lastShift(one, other, 0)).toBeCloseTo(1, 9);
    expect(lastShift(one, other, 1)).toBeUndefined();
    // 33 of 30: still as it was.
    for (const load of times(3, rtt(9))) update(other, load);
    expect(lastShift(one, other, 0)).toBeCloseTo(1, 9);
    update(one, rate(-9));
    // Mean of the other: (15 x 5 + 3 x 9) / 18.
    expect(lastShift(one, other, 0)).toBeCloseTo(102 / 18 - 4, 9);
  });

  it('carries what a site costs over one network to another', () => {
    const from = network(rtt(4), rate(-9, 2));
    // (5 - 4 - 0.5) in spreads of a mean of one load.
    expect(translatedDeviation(rtt(5), 0, { from, shift: 0.5 })).toBeCloseTo(0.5 / (0.25 * Math.SQRT2), 9);
    expect(translatedDeviation(rate(-8, 2), 1, { from, shift: 0.5 })).toBeCloseTo(0.5 / (0.5 * Math.SQRT2), 9);
    expect(translatedDeviation(rtt(5), 0, { from, shift: undefined })).toBeUndefined();
    expect(translatedDeviation(rtt(5, { site: 7 }), 0, { from, shift: 0.5 })).toBeUndefined();
    expect(translatedDeviation(rtt(5, { site: 2 }), 0, { from, shift: 0.5 })).toBeUndefined();
    expect(translatedDeviation(rate(5), 0, { from, shift: 0.5 })).toBeUndefined();
  });

  it('carries the mean of several loads', () => {
    const from = network(rtt(4), rtt(4.4));
    expect(translatedDeviation(rtt(5.2), 0, { from, shift: 0.5 })).toBeCloseTo(0.5 / (0.25 * Math.sqrt(1.5)), 9);
  });
});

it('becomes a part of another: their sites are counted together', () => {
  const [into, from] = [network(rtt(4), rate(-9)), network(rtt(5), rtt(5), rtt(6, { site: 2 }), rate(-8))];
  absorb(into, from);
  expect(into.loads).toBe(6);
  // (4 + 5 + 5) / 3, (-9 - 8) / 2, and what only the other knew.
  expect(meanDeviation(into, rtt(14 / 3), 0)).toBeCloseTo(0, 9);
  expect(meanDeviation(into, rate(-8.5), 1)).toBeCloseTo(0, 9);
  expect(meanDeviation(into, rtt(6, { site: 2 }), 0)).toBeCloseTo(0, 9);
  // Three loads and one: 1 / (1/3 + 1) of 1, and site 2 with one and one: 1/2 of 3.
  expect(lastShift(into, network(rtt(14 / 3 + 1), rtt(9, { site: 2 })), 0)).toBeCloseTo((0.75 + 1.5) / 1.25, 9);
});
