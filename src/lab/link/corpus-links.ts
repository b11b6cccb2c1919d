/**
 * The links of the accuracy corpus: eight that are far from each other in round trip, rate and queue, so that what holds over them is
 * not the luck of one. Figures are our own choice, after lines as they are sold and measured; no claim that any one line is like this.
 * Queues are deep, as those of mobile networks are (see `links.ts`), but for one that is shallow enough to lose packets.
 */
import type { LinkSpec } from './link-spec.ts';

export const CORPUS_LINKS: readonly LinkSpec[] = [
  /** An ordinary ADSL2+ line; also one of the default run's. */
  { name: 'dsl-10m', rttMs: 50, downKbps: 10_000, upKbps: 1000, queue: 1000 },
  /** Far and slow; also one of the default run's. */
  { name: 'far-2m', rttMs: 300, downKbps: 2000, upKbps: 384, queue: 1000 },
  /** Lighthouse's "slow 4G" (150 ms, 1.6 Mbit/s, 750 kbit/s), which WebPageTest calls "3G Fast". */
  { name: '3g-1600k', rttMs: 150, downKbps: 1600, upKbps: 768, queue: 1000 },
  /** A cable or fibre line to a server in the same country. */
  { name: 'near-20m', rttMs: 20, downKbps: 20_000, upKbps: 5000, queue: 1000 },
  /** Two ways of 36,000 km each at the speed of light take 480 ms; the rest is the ground's. */
  { name: 'satellite-10m', rttMs: 600, downKbps: 10_000, upKbps: 2000, queue: 1000 },
  /** EDGE as Chrome's and WebPageTest's throttling have it: 240 kbit/s down; RTT 400 ms. */
  { name: 'edge-240k', rttMs: 400, downKbps: 240, upKbps: 120, queue: 1000 },
  /** WebPageTest's "LTE" has 12 Mbit/s both ways and RTT 70 ms; the uplink here is slower, as most are. */
  { name: '4g-12m', rttMs: 70, downKbps: 12_000, upKbps: 4000, queue: 1000 },
  /** A queue of 300 ms would be 125 packets; this one holds 60 ms, hence drop-tail loss as soon as several connections grow. */
  { name: 'shallow-5m', rttMs: 100, downKbps: 5000, upKbps: 1000, queue: 25 },
];
