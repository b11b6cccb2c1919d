/**
 * Which network each load was made over, inferred only from the loads: online clustering with hysteresis. Loads stay with the present network
 * until together they speak against it (`ChangeDetector`); then the ones that do go over to the known network that explains them, or begin
 * a new one. Pure and deterministic in the ordered loads, so that the classes can be computed again at any time.
 */
import { median } from '../../stats/quantile.ts';
import { ChangeDetector } from './change-detector.ts';
import {
  absorb,
  bestApart,
  COORDINATES,
  clustersApart,
  costOf,
  deviation,
  isInformative,
  type LinkCluster,
  type LinkObservation,
  type LoadCost,
  lastShift,
  newCluster,
  translatedDeviation,
  update,
} from './cluster.ts';
import { viterbiPath } from './viterbi-path.ts';

/**
 * Thresholds of the change detector: for another known network, for a new one, and for a new one that only a single site supports, since one
 * server may change its ways.
 */
const ENOUGH = 1;
const ENOUGH_FOR_NEW = 1.4;
const ENOUGH_OF_ONE_SITE = 2;
/** At the end no more loads can confirm a change, so half the evidence is enough to switch to a known network. */
const ENOUGH_AT_THE_END = 0.5;
/**
 * A known network explains n loads whose median deviates no more than this, in spreads: less than the shift that raises an alarm where they
 * are many, and what chance makes of few. Of 1,333 changes between two networks 13 begin a new one, to be merged later.
 */
const explained = (n: number): number => 1 + 2 / Math.sqrt(n);
/** Where the network knows none of the sites, it explains the loads if the best of them is no further from its own best. */
const AS_GOOD = 2;
/** A network with fewer loads is dropped. */
const MIN_LOADS = 4;
/**
 * An uninformative load takes the network of its neighbour in time, if that is no further away: people seldom change networks sooner. Our
 * own choice.
 */
const NEIGHBOUR_MS = 30 * 60_000;

/** The class of a load whose network cannot be inferred. */
export const UNKNOWN_LINK = -1;

export interface LinkClasses {
  /** The position of the load each class began with. */
  readonly founders: readonly number[];
  /** The class of each load, or `UNKNOWN_LINK`. */
  readonly classOf: Int32Array;
}

/** The network of each load. @param loads ordered by `startedAt`. */
export function classifyLinks(loads: readonly LinkObservation[]): LinkClasses {
  const costs = loads.map(costOf);
  const walk = new Walk();
  for (const [at, load] of costs.entries()) walk.see({ at, load });
  walk.end();
  const clusters = mergeSimilar(walk.clusters);
  // Each load again, now that all networks are known.
  return fillFromNeighbours(loads, dropSmall(clusters, viterbiPath(clusters, costs)));
}

interface Placed {
  readonly at: number;
  readonly load: LoadCost;
}

/** Goes through the loads one by one; see the head of this file. */
class Walk {
  readonly clusters: LinkCluster[] = [];
  readonly #detector = new ChangeDetector();
  /** Loads since evidence for a change began: no network is updated with them yet. */
  #waiting: Placed[] = [];
  #present = 0;

  see(next: Placed): void {
    if (!isInformative(next.load)) return;
    this.#waiting.push(next);
    const cluster = this.clusters[this.#present];
    if (cluster === undefined) {
      this.#goTo(this.#found(next.at));
      return;
    }
    this.#detector.see(cluster, next);
    if (this.#detector.isCalm) this.#goTo(this.#present);
    else this.#decide();
  }

  /** Switches to another network if there is enough evidence. */
  #decide(): void {
    const change = this.#detector.detect(ENOUGH);
    if (change === undefined) return;
    const doubted = this.#waiting.filter(({ at }) => at >= change.since);
    const known = this.#explaining(doubted);
    if (known === undefined && change.strength < this.#enoughForNew(doubted)) return;
    this.#leave(change.since);
    this.#goTo(known ?? this.#found(change.since));
  }

  end(): void {
    const change = this.#detector.detect(ENOUGH_AT_THE_END);
    const known = change && this.#explaining(this.#waiting.filter(({ at }) => at >= change.since));
    if (change !== undefined) this.#leave(change.since);
    this.#goTo(known ?? this.#present);
  }

  #enoughForNew(doubted: readonly Placed[]): number {
    const sites = new Set(doubted.map(({ load }) => load.site));
    return sites.size === 1 ? ENOUGH_OF_ONE_SITE : ENOUGH_FOR_NEW;
  }

  /** The waiting loads before this one belong to the present network after all. */
  #leave(since: number): void {
    const doubted = this.#waiting.filter(({ at }) => at >= since);
    this.#waiting = this.#waiting.filter(({ at }) => at < since);
    this.#goTo(this.#present);
    this.#waiting = doubted;
  }

  /** The other known network that explains the loads best; `undefined`: none does. */
  #explaining(doubted: readonly Placed[]): number | undefined {
    const loads = doubted.map(({ load }) => load);
    let [found, least] = [undefined as number | undefined, Number.POSITIVE_INFINITY];
    for (const [number, cluster] of this.clusters.entries()) {
      const off = number === this.#present ? undefined : unexplained(cluster, loads, this.clusters[this.#present]);
      if (off !== undefined && off < least) [found, least] = [number, off];
    }
    return found;
  }

  #found(founder: number): number {
    return this.clusters.push(newCluster(founder)) - 1;
  }

  /** Gives the waiting loads to this network, which is the present one from now on. */
  #goTo(number: number): void {
    const cluster = this.clusters[number];
    this.#present = number;
    for (const { load } of this.#waiting) if (cluster !== undefined) update(cluster, load);
    this.#waiting = [];
    this.#detector.clear();
  }
}

/** How far the loads are from the network, in spreads; `undefined`: too far. Sites that it does not know are translated from the present network. */
function unexplained(cluster: LinkCluster, loads: readonly LoadCost[], present: LinkCluster | undefined): number | undefined {
  let sum = 0;
  for (const coordinate of COORDINATES) {
    const isStrange = loads.some(({ site }) => !cluster.sites.has(site));
    const shift = present && isStrange ? lastShift(present, cluster, coordinate) : undefined;
    const offs = loads.flatMap((load) => {
      if (cluster.sites.has(load.site)) return deviation(cluster, load, coordinate) ?? [];
      return (present && translatedDeviation(load, coordinate, { from: present, shift })) ?? [];
    });
    const known = offs.length > 0;
    const apart = known ? Math.abs(median(offs) ?? 0) : (bestApart(cluster, loads, coordinate) ?? 0);
    if (apart > (known ? explained(offs.length) : AS_GOOD)) return undefined;
    sum += apart;
  }
  return sum;
}

/** Drops networks with few loads, unless there is only one, and numbers the rest without gaps. */
function dropSmall(clusters: readonly LinkCluster[], classOf: Int32Array): LinkClasses {
  const loads = new Int32Array(clusters.length);
  for (const number of classOf) if (number !== UNKNOWN_LINK) loads[number] = (loads[number] ?? 0) + 1;
  const kept = [...clusters.entries()].filter(([number]) => (loads[number] ?? 0) >= MIN_LOADS || clusters.length === 1);
  const renumbered = new Map(kept.map(([before], now) => [before, now]));
  return {
    founders: kept.map(([, { founder }]) => founder),
    classOf: classOf.map((number) => renumbered.get(number) ?? UNKNOWN_LINK),
  };
}

function fillFromNeighbours(loads: readonly LinkObservation[], { founders, classOf }: LinkClasses): LinkClasses {
  const filled = classOf.slice();
  const timeOf = (at: number | undefined) => (at === undefined ? undefined : loads[at]?.startedAt) ?? Number.POSITIVE_INFINITY;
  let before: number | undefined;
  let after = 0;
  for (const [at, { startedAt }] of loads.entries()) {
    if (classOf[at] !== UNKNOWN_LINK) {
      before = at;
      continue;
    }
    while (after < loads.length && (after <= at || classOf[after] === UNKNOWN_LINK)) after++;
    const [toBefore, toAfter] = [Math.abs(startedAt - timeOf(before)), timeOf(after) - startedAt];
    if (Math.min(toBefore, toAfter) > NEIGHBOUR_MS) continue;
    filled[at] = classOf[toBefore <= toAfter ? (before ?? after) : after] ?? UNKNOWN_LINK;
  }
  return { founders, classOf: filled };
}

/** Two networks closer than this over all their loads are one, in spreads: a factor of 1.45 of the round trip, 2.1 of the rate. */
const ALIKE = 1.5;

/** Merges networks that turn out to be the same one, which was not recognised when it came back: the most similar pair first. */
export function mergeSimilar(clusters: readonly LinkCluster[]): readonly LinkCluster[] {
  const left = new Map(clusters.entries());
  const distances = new Map(clusters.map((cluster, number) => [number, distancesTo(left, number, cluster)]));
  for (let pair = closest(distances); pair !== undefined; pair = closest(distances)) {
    const [kept, gone] = pair;
    const [older, younger] = [left.get(kept), left.get(gone)];
    if (older === undefined || younger === undefined) break;
    absorb(older, younger);
    left.delete(gone);
    distances.delete(gone);
    for (const [number, own] of distances) {
      own.delete(gone);
      const cluster = left.get(number);
      if (number < kept && cluster) own.set(kept, distanceOf(cluster, older));
    }
    distances.set(kept, distancesTo(left, kept, older));
  }
  return [...left.values()];
}

/** The distances to the networks that began later. */
function distancesTo(clusters: ReadonlyMap<number, LinkCluster>, number: number, cluster: LinkCluster): Map<number, number> {
  const younger = [...clusters].filter(([other]) => other > number);
  return new Map(younger.map(([other, one]) => [other, distanceOf(cluster, one)]));
}

function closest(distances: ReadonlyMap<number, ReadonlyMap<number, number>>): readonly [number, number] | undefined {
  let [pair, least] = [undefined as readonly [number, number] | undefined, ALIKE];
  for (const [older, own] of distances) {
    for (const [younger, apart] of own) if (apart < least) [pair, least] = [[older, younger], apart];
  }
  return pair;
}

/** The distance in the figure in which they differ most, in spreads. */
function distanceOf(a: LinkCluster, b: LinkCluster): number {
  return Math.max(clustersApart(a, b, 0) ?? 0, clustersApart(a, b, 1) ?? 0);
}
