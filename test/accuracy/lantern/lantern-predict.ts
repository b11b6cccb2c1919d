/** Load times by Lantern. It knows no profiles: 6 connections per server and one request on each is all it can. */
import type { SimulatedLink } from '../../../src/core/simulate/link.ts';
import type { Lantern } from './lantern.ts';
import type { LanternPage } from './lantern-graph.ts';

/** As shipped, every server costs 2 round trips for its name; `known`: none, as in the lab, where names need no lookup. */
export type LanternNames = 'as-shipped' | 'known';

/** Load time, ms. Of the link it takes round trip and rate towards the browser; it knows no rate upwards, loss or queue. */
export function lanternPredict(lantern: Lantern, page: LanternPage, link: SimulatedLink): number {
  const simulator = new lantern.Simulation.Simulator({
    rtt: link.rttMs,
    throughput: link.downKbps * 1000,
    cpuSlowdownMultiplier: 1,
    layoutTaskMultiplier: 1,
    additionalRttByOrigin: new Map(),
    serverResponseTimeByOrigin: page.serverResponseTimeByOrigin,
  });
  return simulator.simulate(page.root).timeInMs;
}

/** Runs `work` with names that cost what `names` says. */
export function withNames<T>(lantern: Lantern, names: LanternNames, work: () => T): T {
  const { DNSCache } = lantern.Simulation;
  const shipped = DNSCache.rttMultiplier;
  try {
    if (names === 'known') DNSCache.rttMultiplier = 0;
    return work();
  } finally {
    DNSCache.rttMultiplier = shipped;
  }
}
