/**
 * The likeliest course of networks behind a sequence of loads, once the networks are known: what early loads could not tell, later ones
 * can. A. J. Viterbi, IEEE Trans. Inf. Theory 13 (1967), over normal deviations from what each site costs on average.
 */
import { COORDINATES, isInformative, type LinkCluster, type LoadCost, meanDeviation } from './cluster.ts';

/** Natural log of the odds against a change of network from one load to the next: 150 to 1, as people stay for dozens of loads. */
const CHANGE = 5;
/** The network of an uninformative load. */
const UNKNOWN = -1;
/** The largest cost of one figure of a load, as in the change detector: 3 spreads squared, halved. */
const MAX_MISFIT = 4.5;
/** The cost of a site that the network does not know: more than an average load costs (0.5), so that ignorance does not attract. */
const OF_UNKNOWN_SITE = 1;

/** The number of each load's network; `UNKNOWN` for an uninformative load. */
export function viterbiPath(clusters: readonly LinkCluster[], loads: readonly LoadCost[]): Int32Array {
  const states = clusters.length;
  const costs = new Float64Array(states);
  /** For each load and network, the network of the load before. */
  const cameFrom = new Int32Array(loads.length * states);
  for (const [at, load] of loads.entries()) {
    if (!isInformative(load)) continue;
    const cheapest = leastOf(costs);
    const change = (costs[cheapest] ?? 0) + CHANGE;
    for (const [number, cluster] of clusters.entries()) {
      const stay = costs[number] ?? 0;
      cameFrom[at * states + number] = stay <= change ? number : cheapest;
      costs[number] = Math.min(stay, change) + misfit(cluster, load);
    }
  }
  const path = new Int32Array(loads.length).fill(UNKNOWN);
  let number = leastOf(costs);
  for (const [at, load] of [...loads.entries()].toReversed()) {
    if (!isInformative(load)) continue;
    path[at] = number;
    number = cameFrom[at * states + number] ?? number;
  }
  return path;
}

function leastOf(costs: Float64Array): number {
  let least = 0;
  for (let number = 1; number < costs.length; number++) if ((costs[number] ?? 0) < (costs[least] ?? 0)) least = number;
  return least;
}

function misfit(cluster: LinkCluster, load: LoadCost): number {
  let sum = 0;
  for (const coordinate of COORDINATES) {
    const off = meanDeviation(cluster, load, coordinate);
    if (off !== undefined) sum += off === 'site-unknown' ? OF_UNKNOWN_SITE : Math.min(MAX_MISFIT, off ** 2 / 2);
  }
  return sum;
}
