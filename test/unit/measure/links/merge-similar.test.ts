import { describe, expect, it } from 'vitest';
import { mergeSimilar } from '../../../../src/core/measure/links/classify-links.ts';
import { type LinkCluster, meanDeviation, newCluster, update } from '../../../../src/core/measure/links/cluster.ts';

/** Site, cost of the round trip (spread 0.25), cost of the rate (spread 0.5). */
type Seen = readonly [number, number | undefined, number?];

const network = (founder: number, ...loads: readonly Seen[]): LinkCluster => {
  const cluster = newCluster(founder);
  for (const [site, rtt, rate] of loads) update(cluster, { site, cost: [rtt, rate], leastRtt: undefined });
  return cluster;
};
/** Founders of what is left. */
const merged = (...clusters: readonly LinkCluster[]) => mergeSimilar(clusters).map(({ founder }) => founder);

describe('networks that are alike', () => {
  it('are one if they are less than 1.5 spreads apart', () => {
    expect(merged(network(0, [1, 4, -9]), network(5, [1, 4.25, -8.5]))).toEqual([0]);
    expect(merged(network(0, [1, 4, -9]), network(5, [1, 4.25, -8.25]))).toEqual([0, 5]);
  });

  it('are apart if one of the figures is', () => {
    expect(merged(network(0, [1, 4, -9]), network(5, [1, 6, -9]))).toEqual([0, 5]);
    expect(merged(network(0, [1, 4, -9]), network(5, [1, 4, -7]))).toEqual([0, 5]);
  });

  it('are one where nothing tells them apart', () => {
    expect(merged(network(0, [1, 4]), network(5, [1, undefined, -9]))).toEqual([0]);
  });

  it('keep their order, whichever goes', () => {
    const [slow, fast, other] = [network(0, [1, 8]), network(3, [1, 4]), network(6, [1, 6])];
    expect(merged(slow, fast, other, network(9, [1, 4.1]))).toEqual([0, 3, 6]);
    expect(merged(network(9, [1, 8.1]), slow, fast, other)).toEqual([9, 3, 6]);
  });

  it('are one the most alike first', () => {
    // 1.2 spreads and 0.8: with the nearer one merged, the mean of the two is 1.6 from the first.
    const [first, middle, last] = [network(0, [1, 4]), network(3, [1, 4.3]), network(6, [1, 4.5])];
    expect(merged(first, middle, last)).toEqual([0, 3]);
  });

  it('are compared anew, with older and with younger ones, as what is known of them grows', () => {
    // 2 spreads from each, one slower, one faster: none from the two together, which site 3 shows to be one.
    const between = () => network(0, [1, 4], [2, 4]);
    const [slower, faster] = [() => network(3, [1, 4.5], [3, 5]), () => network(6, [2, 3.5], [3, 5])];
    expect(merged(between(), slower(), faster())).toEqual([0]);
    expect(merged(slower(), faster(), between())).toEqual([3]);
    expect(merged(slower(), between(), faster())).toEqual([3]);
  });

  it('add up in the older', () => {
    const left = mergeSimilar([network(0, [1, 4]), network(5, [1, 4.2])]);
    expect(left.map((cluster) => meanDeviation(cluster, { site: 1, cost: [4.1, undefined], leastRtt: undefined }, 0))).toEqual([
      expect.closeTo(0, 9),
    ]);
  });
});
