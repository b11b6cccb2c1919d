/** Networks that turn out to be one. */
import { absorb, clustersApart, type LinkCluster } from './cluster.ts';

/** Two networks that are less apart over all their loads are one, in spreads: a factor of 1.45 of the round trip, 2.1 of the rate. */
const ALIKE = 1.5;

/** A network that was not recognised when it came back, by what was known of it then, is one all the same: the most alike first. */
export function alikeMerged(clusters: readonly LinkCluster[]): readonly LinkCluster[] {
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

/** To the younger ones. */
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

/** In spreads, of the figure in which they differ most. */
function distanceOf(a: LinkCluster, b: LinkCluster): number {
  return Math.max(clustersApart(a, b, 0) ?? 0, clustersApart(a, b, 1) ?? 0);
}
