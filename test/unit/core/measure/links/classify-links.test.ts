/** Networks told apart by simulated loads: log-normal spread of 0.2 in the round trip and of 0.4 in the rate, seeded. */
import { describe, expect, it } from 'vitest';
import { classifyLinks, mergeSimilar, UNKNOWN_LINK } from '../../../../../src/core/measure/links/classify-links.ts';
import {
  type LinkCluster,
  type LinkObservation,
  meanDeviation,
  newCluster,
  update,
} from '../../../../../src/core/measure/links/cluster.ts';
import { type Random, seededRandom } from '../../../../../src/core/random.ts';
import { everydayFigures } from '../../../../support/everyday-figures.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Network {
  readonly rttMs: number;
  readonly downKbps: number;
}

/** Sum of 12 uniforms less 6: standard deviation 1, and normal enough out to 4. */
function normal(random: Random): number {
  let sum = -6;
  for (let at = 0; at < 12; at++) sum += random.next();
  return sum;
}

interface Browsing {
  readonly seed: number;
  readonly loads: number;
  readonly sites?: number;
  /** Log-sd between sites: servers that are further away and slower. */
  readonly siteSpread?: number;
  readonly everyMs?: number;
  /** The network of each load. */
  readonly over: (at: number, startedAt: number) => Network;
}

/** Sites differ in how far they are and in how fast they send; each load adds noise; a third of the loads shows no rate. */
function browse({ seed, loads, sites = 12, siteSpread = 0.5, everyMs = 2 * MINUTE, over }: Browsing): readonly LinkObservation[] {
  const random = seededRandom(seed);
  const far = Array.from({ length: sites }, () => Math.exp(siteSpread * Math.abs(normal(random))));
  const slow = Array.from({ length: sites }, () => Math.exp(siteSpread * Math.abs(normal(random))));
  return Array.from({ length: loads }, (_, at) => {
    const site = random.integer(sites);
    const startedAt = at * everyMs;
    const { rttMs, downKbps } = over(at, startedAt);
    const [rttNoise, downNoise] = [Math.exp(0.2 * normal(random)), Math.exp(0.4 * normal(random))];
    return {
      startedAt,
      site,
      rttMs: rttMs * (far[site] ?? 1) * rttNoise,
      downKbps: random.next() < 1 / 3 ? undefined : (downKbps / (slow[site] ?? 1)) * downNoise,
    };
  });
}

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);

/** Share of the loads that are in the class which most loads of their own network are in. */
function shareRight(classOf: Int32Array, truth: readonly number[]): number {
  const counts = new Map<string, number>();
  for (const [at, own] of truth.entries()) counts.set(`${own} ${classOf[at]}`, (counts.get(`${own} ${classOf[at]}`) ?? 0) + 1);
  const networks = [...new Set(truth)];
  const chosen = networks.map(
    (own) => [...counts].filter(([key]) => key.startsWith(`${own} `) && !key.endsWith(String(UNKNOWN_LINK))).sort((a, b) => b[1] - a[1])[0],
  );
  if (new Set(chosen.map((one) => one?.[0].split(' ')[1])).size < networks.length) return 0;
  return chosen.reduce((sum, one) => sum + (one?.[1] ?? 0), 0) / truth.length;
}

describe('one network', () => {
  it.each([
    ['one site', { sites: 1 }],
    ['sites alike', { sites: 12, siteSpread: 0 }],
    ['sites near and far', { sites: 12, siteSpread: 0.5 }],
    ['many sites, mostly seen once', { sites: 400, siteSpread: 1 }],
  ])('stays in one class: %s', (_, own) => {
    for (const seed of SEEDS) {
      const { classOf } = classifyLinks(browse({ seed, loads: 500, over: () => ({ rttMs: 40, downKbps: 20_000 }), ...own }));
      expect(
        shareRight(
          classOf,
          Array.from(classOf, () => 0),
        ),
      ).toBeGreaterThanOrEqual(0.99);
    }
  });

  it('may drift without becoming many', () => {
    for (const seed of SEEDS) {
      // Three times slower and back, every 1000 loads.
      const over = (at: number) => ({ rttMs: 40 * 3 ** Math.sin((2 * Math.PI * at) / 1000), downKbps: 20_000 });
      expect(classifyLinks(browse({ seed, loads: 10_000, over })).founders.length).toBeLessThanOrEqual(4);
    }
  });
});

describe('two networks by turns of an hour', () => {
  it.each([
    ['RTT 30 and 80 ms', { rttMs: 30, downKbps: 10_000 }, { rttMs: 80, downKbps: 10_000 }],
    ['10 and 2 Mbit/s', { rttMs: 50, downKbps: 10_000 }, { rttMs: 50, downKbps: 2_000 }],
    ['near and slow, far and fast', { rttMs: 30, downKbps: 2_000 }, { rttMs: 80, downKbps: 10_000 }],
  ])('are told apart: %s', (_, one, other) => {
    const shares = [{ sites: 1 }, { sites: 12, siteSpread: 0 }, { sites: 12, siteSpread: 0.5 }].flatMap((own) =>
      SEEDS.map((seed) => {
        const turn = (startedAt: number) => Math.floor(startedAt / HOUR) % 2;
        const loads = browse({ seed, loads: 600, over: (__, startedAt) => (turn(startedAt) === 0 ? one : other), ...own });
        return shareRight(
          classifyLinks(loads).classOf,
          loads.map(({ startedAt }) => turn(startedAt)),
        );
      }),
    );
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.95);
  });
});

it('tells two networks apart over thousands of pages, however often they take turns', () => {
  const figures = everydayFigures(8_000, 3);
  const { classOf, founders } = classifyLinks(figures);
  expect(founders).toHaveLength(2);
  // 75 loads on one network, then 75 on the other.
  expect(
    shareRight(
      classOf,
      figures.map((_, at) => Math.floor(at / 75) % 2),
    ),
  ).toBeGreaterThanOrEqual(0.99);
});

describe('loads that tell little', () => {
  const load = (minute: number, more: Partial<LinkObservation> = {}): LinkObservation => ({ startedAt: minute * MINUTE, site: 1, ...more });
  const near = { rttMs: 30 };

  it('are of the network of their neighbour in time, at most half an hour away', () => {
    const { classOf } = classifyLinks([load(0), load(1), load(31, near), load(61), load(62)]);
    expect([...classOf]).toEqual([UNKNOWN_LINK, 0, 0, 0, UNKNOWN_LINK]);
  });

  it('are of none where none tells anything', () => {
    expect(classifyLinks([load(0), load(1)])).toEqual({ founders: [], classOf: Int32Array.of(UNKNOWN_LINK, UNKNOWN_LINK) });
    expect(classifyLinks([])).toEqual({ founders: [], classOf: new Int32Array(0) });
  });

  const far = (minute: number) => load(minute, { rttMs: 300 });

  it('are of the one before where the next is as near', () => {
    const loads = [...[0, 1, 2, 3, 4, 5].map((minute) => load(minute, near)), load(10), load(11), ...[15, 16, 17, 18, 19, 20].map(far)];
    expect([...classifyLinks(loads).classOf]).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('are of the nearer of two', () => {
    const loads = [...[0, 1, 2, 3, 4, 5].map((minute) => load(minute, near)), load(8), load(20), ...[24, 25, 26, 27, 28].map(far)];
    expect([...classifyLinks(loads).classOf]).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
  });

  it('make no network of their own: one slow answer changes nothing', () => {
    const loads = [0, 1, 2, 3, 4, 5, 6, 7].map((minute) => load(minute, minute === 4 ? { rttMs: 900 } : near));
    expect([...classifyLinks(loads).classOf]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('are of the network that is left, doubted as they are, where they come last', () => {
    const loads = [...[0, 1, 2, 3, 4, 5].map((minute) => load(minute, near)), load(120, { rttMs: 900 })];
    expect(classifyLinks(loads)).toEqual({ founders: [0], classOf: new Int32Array(7) });
  });

  it('make no network of fewer than four', () => {
    // Both figures speak against each of the first: no network of others would have them.
    const first = (minute: number) => load(minute, { rttMs: 30, downKbps: 50_000 });
    const then = [100, 101, 102, 103, 104, 105, 106, 107].map((minute) => load(minute, { rttMs: 300, downKbps: 500 }));
    const three = classifyLinks([...[0, 1, 2].map(first), ...then]);
    expect(three).toEqual({ founders: [3], classOf: Int32Array.of(-1, -1, -1, ...then.map(() => 0)) });
    const four = classifyLinks([...[0, 1, 2, 3].map(first), ...then]);
    expect(four).toEqual({ founders: [0, 4], classOf: Int32Array.of(0, 0, 0, 0, ...then.map(() => 1)) });
  });

  it('are slower only as far as their own samples allow', () => {
    // Three samples far apart: the floor may be anywhere below the lowest.
    const wide = { rttMs: 90, rttLowMs: 0 };
    const loads = Array.from({ length: 12 }, (_, minute) => load(minute, minute < 6 ? near : wide));
    expect(classifyLinks(loads).founders).toEqual([0]);
    const narrow = { rttMs: 90, rttLowMs: 88 };
    expect(classifyLinks(loads.map((one) => (one.rttMs === 90 ? { ...one, ...narrow } : one))).founders).toEqual([0, 6]);
  });
});

describe('a few loads decide', () => {
  /** So many loads of each round trip, one a minute, of site 1. */
  const inTurn = (...runs: readonly (readonly [rttMs: number, loads: number])[]) =>
    runs
      .flatMap(([rttMs, loads]) => Array.from({ length: loads }, () => rttMs))
      .map((rttMs, at): LinkObservation => ({ startedAt: at * MINUTE, site: 1, rttMs }));
  const judged = (
    loads: readonly LinkObservation[],
    founders: readonly number[],
    ...runs: readonly (readonly [number: number, loads: number])[]
  ) => {
    const classOf = Int32Array.from(runs.flatMap(([number, count]) => Array.from({ length: count }, () => number)));
    expect(classifyLinks(loads)).toEqual({ founders, classOf });
  };

  it('on a new network: five of one site', () => {
    judged(inTurn([30, 5], [3000, 5]), [0, 5], [0, 5], [1, 5]);
    judged(inTurn([30, 5], [3000, 4]), [0], [0, 9]);
  });

  it('on a new network: four of two sites', () => {
    const loads = inTurn([30, 6], [3000, 4]).map((load, at) => ({ ...load, site: at % 2 }));
    judged(loads, [0, 6], [0, 6], [1, 4]);
  });

  it('on a new network, faster than all, where no network knows their site', () => {
    const loads = inTurn([30, 10], [3000, 5], [30, 10], [3, 8]).map((load, at) => ({ ...load, site: at < 25 ? 1 : 2 }));
    judged(loads, [0, 10, 25], [0, 10], [1, 5], [0, 10], [2, 8]);
  });

  it('on a known one at the end: two', () => {
    judged(inTurn([3000, 10], [30, 5], [3000, 2]), [0, 10], [0, 10], [1, 5], [0, 2]);
    judged(inTurn([300, 5], [3000, 10], [30, 5], [3000, 2]), [0, 5, 15], [0, 5], [1, 10], [2, 5], [1, 2]);
    // What was a little faster before has no say.
    judged(inTurn([3000, 10], [30, 5], [20, 3], [3000, 2]), [0, 10], [0, 10], [1, 8], [0, 2]);
  });

  it('on none at the end: they are unlike all', () => {
    judged(inTurn([30, 10], [300, 5], [30, 10], [3000, 2]), [0, 10], [0, 10], [1, 5], [0, 12]);
  });

  it('since when: what was only a little faster before them is of the network that was left', () => {
    // ln(30 / 20) is 1.6 spreads.
    judged(inTurn([30, 10], [20, 5], [3000, 5]), [0, 15], [0, 15], [1, 5]);
    judged(inTurn([30, 10], [3000, 5], [30, 10], [20, 5], [3000, 3]), [0, 10], [0, 10], [1, 5], [0, 15], [1, 3]);
    judged(inTurn([30, 10], [3000, 5], [30, 10], [20, 5], [3000, 2]), [0, 10], [0, 10], [1, 5], [0, 15], [1, 2]);
  });

  it('on the nearer of two that explain them', () => {
    // 300 and 540 ms are 2.35 spreads apart. Of three loads 2.15 are explained; one that is known from five is 2.35 / sqrt(1.2) = 2.145 off.
    const loads = inTurn([30, 10], [300, 20], [30, 10], [540, 5], [30, 10], [300, 5]);
    judged(loads, [0, 10, 40], [0, 10], [1, 20], [0, 10], [2, 5], [0, 10], [1, 5]);
  });

  it('on a network that does not know their site, by how other sites differ there', () => {
    // Site 3 is further away: 220 ms over the first network.
    const over = (rttMs: number, sites: readonly number[]) =>
      sites.map((site) => ({ startedAt: 0, site, rttMs: site === 3 ? (rttMs * 220) / 30 : rttMs }));
    const all = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3];
    const loads = [...over(30, all), ...over(300, [1, 2, 1, 2, 1, 2, 1, 2]), ...over(30, all), ...over(300, [3, 3, 3, 3, 3, 3])];
    judged(loads, [0, 12], [0, 12], [1, 8], [0, 12], [1, 6]);
  });
});

it('knows a network again after years of other loads', () => {
  const home = browse({ seed: 1, loads: 50, over: () => ({ rttMs: 20, downKbps: 50_000 }) });
  const abroad = browse({ seed: 2, loads: 500, over: () => ({ rttMs: 250, downKbps: 2_000 }) }).map((load) => ({
    ...load,
    startedAt: load.startedAt + 1000 * HOUR,
  }));
  const back = browse({ seed: 1, loads: 50, over: () => ({ rttMs: 20, downKbps: 50_000 }) }).map((load) => ({
    ...load,
    startedAt: load.startedAt + 9000 * HOUR,
  }));
  const { classOf, founders } = classifyLinks([...home, ...abroad, ...back]);
  expect(founders).toHaveLength(2);
  expect(shareRight(classOf, [...home.map(() => 0), ...abroad.map(() => 1), ...back.map(() => 0)])).toBeGreaterThanOrEqual(0.99);
});

it('says the same of the same loads', () => {
  const loads = browse({
    seed: 5,
    loads: 300,
    over: (at) => (at % 100 < 50 ? { rttMs: 30, downKbps: 9_000 } : { rttMs: 90, downKbps: 3_000 }),
  });
  expect(classifyLinks(loads)).toEqual(classifyLinks(loads));
});

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
