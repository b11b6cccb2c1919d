/**
 * One network as loads have shown it so far: its level, how much each site adds, and how quick it is at its best. Both figures of a link
 * are costs on the log scale here, the higher the slower: ln of the round trip, and less ln of the rate. Servers and pages only ever add
 * to a cost, so a load can be slower than its network for its own reasons, but hardly faster.
 */

/** One load, in the order of time. */
export interface LinkObservation {
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  /** Same site, same number: what a load costs is compared with what its own site cost before. */
  readonly site: number;
  readonly rttMs?: number | undefined;
  /** A lower bound of the round trip that holds in half of the cases. */
  readonly rttLowMs?: number | undefined;
  readonly downKbps?: number | undefined;
}

/** The costs of one load, whose logs are taken once. `undefined`: the load does not show this figure. */
export interface LoadCost {
  readonly site: number;
  readonly cost: readonly [number | undefined, number | undefined];
  /** A lower bound of what the round trip cost. */
  readonly leastRtt: number | undefined;
}

/** The costs of a load. A figure that is missing or not above 0 costs `undefined`. A lower bound of 0 bounds nothing: minus infinity. */
export const costOf = ({ site, rttMs, rttLowMs, downKbps }: LinkObservation): LoadCost => ({
  site,
  cost: [logOf(rttMs), downKbps === undefined || downKbps <= 0 ? undefined : -Math.log(downKbps)],
  leastRtt: rttLowMs === 0 ? Number.NEGATIVE_INFINITY : logOf(rttLowMs),
});

const logOf = (value: number | undefined): number | undefined => (value === undefined || value <= 0 ? undefined : Math.log(value));

/** 0 is the round trip, 1 the rate. */
type Coordinate = 0 | 1;
export const COORDINATES: readonly Coordinate[] = [0, 1];

/**
 * Log-sd of single loads of one site over one network: of the round trip, and of the rate. 0.03 to 0.2 and 0.1 to 0.2 were
 * measured with the wiki page over emulated links (test/browser/extension-field-links.test.ts), but the pages of a site differ, and its own
 * ways must not pass for another network.
 */
const SPREAD = [0.25, 0.5] as const;

/**
 * The level follows the last 20 loads, and a site's share the last 20 of its own: it follows drift, while one load moves it little. Our
 * own choice.
 */
const MIN_WEIGHT = 1 / 20;
/** A load further away than this pulls no harder, in spreads. */
const MAX_PULL = 3;
/** The best a network has shown is its lower decile, as in `estimateLink`, tracked in steps of a tenth. */
const BEST_RANK = 0.1;
const BEST_STEP = 0.1;
/** With fewer loads the minimum itself is taken. */
const BEST_SETTLES = 10;

interface Level {
  cost: number;
  loads: number;
  /** The sum of all costs. */
  sum: number;
}

/** The figures of one network. */
export interface LinkCluster {
  /** The position of the load it began with. */
  readonly founder: number;
  loads: number;
  readonly level: readonly [Level, Level];
  readonly best: readonly [Level, Level];
  /** What a site adds to the level. */
  readonly sites: Map<number, readonly [Level, Level]>;
  /** See `lastShift`. */
  readonly shifts: Map<LinkCluster, LastShift>;
}

interface LastShift {
  /** How many loads both networks had when it was computed. */
  readonly loads: number;
  readonly by: readonly [number | undefined, number | undefined];
}

const unknownLevels = (): readonly [Level, Level] => [
  { cost: 0, loads: 0, sum: 0 },
  { cost: 0, loads: 0, sum: 0 },
];

/** An empty network; the founder's own costs are still to be added. @param founder - Position of the load. */
export const newCluster = (founder: number): LinkCluster => ({
  founder,
  loads: 0,
  level: unknownLevels(),
  best: unknownLevels(),
  sites: new Map(),
  shifts: new Map(),
});

/** Whether the load shows anything of its network. */
export const isInformative = ({ cost: [rtt, rate] }: LoadCost): boolean => rtt !== undefined || rate !== undefined;

/**
 * How far the load is from what the network makes one expect of its site, in spreads: above 0 slower, below faster. Of a site that is new
 * to the network only what is faster than the network's best counts. `undefined`: the load says nothing of this.
 */
export function deviation(cluster: LinkCluster, load: LoadCost, coordinate: Coordinate): number | undefined {
  const cost = load.cost[coordinate];
  if (cost === undefined) return undefined;
  const site = cluster.sites.get(load.site)?.[coordinate];
  if (site === undefined || site.loads === 0) {
    const best = cluster.best[coordinate];
    return best.loads > 0 && cost < best.cost ? (cost - best.cost) / SPREAD[coordinate] : undefined;
  }
  // The expectation itself rests on this many loads only.
  const spread = SPREAD[coordinate] * Math.sqrt(1 + 1 / site.loads);
  const expected = cluster.level[coordinate].cost + site.cost;
  if (cost <= expected) return (cost - expected) / spread;
  return Math.max(0, ((coordinate === 0 ? load.leastRtt : undefined) ?? cost) - expected) / spread;
}

/** The deviation from the average of all loads of the site, rather than from what was known at the time (`deviation`). */
export function meanDeviation(cluster: LinkCluster, load: LoadCost, coordinate: Coordinate): number | 'site-unknown' | undefined {
  const cost = load.cost[coordinate];
  if (cost === undefined) return undefined;
  const site = cluster.sites.get(load.site)?.[coordinate];
  if (site === undefined || site.loads === 0) return 'site-unknown';
  return (cost - site.sum / site.loads) / SPREAD[coordinate];
}

/** Adds the load to the network. */
export function update(cluster: LinkCluster, load: LoadCost): void {
  cluster.loads += 1;
  let site = cluster.sites.get(load.site);
  if (site === undefined) {
    site = unknownLevels();
    cluster.sites.set(load.site, site);
  }
  for (const coordinate of COORDINATES) {
    const cost = load.cost[coordinate];
    if (cost === undefined) continue;
    follow(cluster.level[coordinate], site[coordinate], { cost, furthest: MAX_PULL * SPREAD[coordinate] });
    followBest(cluster.best[coordinate], cost);
  }
}

/** How far the best of these loads is from the network's best, in spreads; `undefined`: nothing to compare. */
export function bestApart(cluster: LinkCluster, loads: readonly LoadCost[], coordinate: Coordinate): number | undefined {
  const least = loads.reduce((low, load) => Math.min(low, load.cost[coordinate] ?? low), Number.POSITIVE_INFINITY);
  const best = cluster.best[coordinate];
  return best.loads === 0 || least === Number.POSITIVE_INFINITY ? undefined : Math.abs(least - best.cost) / SPREAD[coordinate];
}

/**
 * How much slower the second of two networks is, on average over all loads of the sites that both know; on the log scale. `undefined`:
 * they know none in common.
 */
function shiftBetween(a: LinkCluster, b: LinkCluster, coordinate: Coordinate): number | undefined {
  let [weights, sum] = [0, 0];
  const [few, many] = a.sites.size <= b.sites.size ? [a, b] : [b, a];
  for (const [site, levels] of few.sites) {
    const [own, other] = [levels[coordinate], many.sites.get(site)?.[coordinate]];
    if (own.loads === 0 || other === undefined || other.loads === 0) continue;
    // Inverse to the variance of the difference of two means.
    const weight = 1 / (1 / own.loads + 1 / other.loads);
    weights += weight;
    sum += weight * (other.sum / other.loads - own.sum / own.loads);
  }
  if (weights === 0) return undefined;
  return few === a ? sum / weights : -sum / weights;
}

/** A tenth more loads change a shift over all of them little. Chosen, not measured. */
const STALE = 1.1;

/** `shiftBetween`, recomputed only when there are a tenth more loads: it goes through all sites and is needed often. */
export function lastShift(a: LinkCluster, b: LinkCluster, coordinate: Coordinate): number | undefined {
  const loads = a.loads + b.loads;
  const held = a.shifts.get(b);
  if (held !== undefined && loads <= held.loads * STALE) return held.by[coordinate];
  const by = [shiftBetween(a, b, 0), shiftBetween(a, b, 1)] as const;
  a.shifts.set(b, { loads, by });
  return by[coordinate];
}

/**
 * How far two networks are apart over all their loads, in spreads: by the sites that both know, else from best to best. `undefined`: nothing
 * to compare.
 */
export function clustersApart(a: LinkCluster, b: LinkCluster, coordinate: Coordinate): number | undefined {
  const shift = shiftBetween(a, b, coordinate);
  if (shift !== undefined) return Math.abs(shift) / SPREAD[coordinate];
  const [own, other] = [a.best[coordinate], b.best[coordinate]];
  return own.loads === 0 || other.loads === 0 ? undefined : Math.abs(own.cost - other.cost) / SPREAD[coordinate];
}

/** The deviation of a load whose site the network does not know, from what the site costs over another network and the shift between the two. */
export function translatedDeviation(
  load: LoadCost,
  coordinate: Coordinate,
  { from, shift }: { readonly from: LinkCluster; readonly shift: number | undefined },
): number | undefined {
  const cost = load.cost[coordinate];
  const site = from.sites.get(load.site)?.[coordinate];
  if (cost === undefined || shift === undefined || site === undefined || site.loads === 0) return undefined;
  return (cost - site.sum / site.loads - shift) / (SPREAD[coordinate] * Math.sqrt(1 + 1 / site.loads));
}

/** Merges `from` into `into`, for comparison with others. */
export function absorb(into: LinkCluster, from: LinkCluster): void {
  into.loads += from.loads;
  for (const [site, levels] of from.sites) {
    const own = into.sites.get(site) ?? unknownLevels();
    for (const coordinate of COORDINATES) {
      own[coordinate].loads += levels[coordinate].loads;
      own[coordinate].sum += levels[coordinate].sum;
    }
    into.sites.set(site, own);
  }
}

function follow(level: Level, site: Level, { cost, furthest }: { readonly cost: number; readonly furthest: number }): void {
  if (level.loads === 0) level.cost = cost;
  level.loads += 1;
  site.loads += 1;
  site.sum += cost;
  if (site.loads === 1) {
    site.cost = cost - level.cost;
    return;
  }
  const off = Math.max(-furthest, Math.min(furthest, cost - level.cost - site.cost));
  level.cost += off * MIN_WEIGHT;
  site.cost += off * (Math.max(MIN_WEIGHT, 1 / site.loads) - MIN_WEIGHT);
}

function followBest(best: Level, cost: number): void {
  best.loads += 1;
  if (best.loads === 1) best.cost = cost;
  else if (best.loads < BEST_SETTLES) best.cost = Math.min(best.cost, cost);
  else best.cost += BEST_STEP * (cost < best.cost ? BEST_RANK - 1 : BEST_RANK);
}
