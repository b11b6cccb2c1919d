/** What the corpus is made of (which pages over which links, under which profiles, how often), and which of its loads are still to be made. */
import { blockOrder, type PlannedLoad, type Scenario } from '../../../src/core/compare/block-order.ts';
import { median } from '../../../src/core/stats/quantile.ts';
import type { LinkSpec } from '../../../src/lab/link/link-spec.ts';
import type { CorpusLoad } from './corpus-load.ts';

/**
 * The links of the accuracy corpus: eight that are far from each other in round trip, rate and queue, so that what holds over them is
 * not the luck of one. Figures are our own choice, after lines as they are sold and measured; no claim that any one line is like this.
 * Queues are deep, as those of mobile networks are (see `LINKS` in src/lab/link/links.ts), but for one that is shallow enough to lose packets.
 */
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

/**
 * Every page on four links and every link with three or four pages, none expected to take more than 15 s: pages of little weight on the
 * slowest link, pages of many requests on those of long round trips only where they are spread over servers.
 */
export const CORPUS_SCENARIOS: readonly Scenario[] = [
  ...pagesOn('dsl-10m', ['wiki', 'images', 'news', 'shop']),
  ...pagesOn('far-2m', ['wiki', 'app', 'images', 'shop']),
  ...pagesOn('3g-1600k', ['docs', 'app', 'gallery']),
  ...pagesOn('near-20m', ['docs', 'images', 'gallery']),
  ...pagesOn('satellite-10m', ['docs', 'wiki', 'news', 'shop']),
  ...pagesOn('edge-240k', ['docs', 'wiki', 'app']),
  ...pagesOn('4g-12m', ['app', 'news', 'gallery']),
  ...pagesOn('shallow-5m', ['images', 'news', 'gallery', 'shop']),
];

function pagesOn(link: string, pages: readonly string[]): readonly Scenario[] {
  return pages.map((page) => ({ page, link }));
}

/** From one connection with little depth to many without: three through the gateway, three that are Firefox alone. */
export const CORPUS_PROFILES: readonly string[] = ['firefox-default', 'c1-d2', 'c2-d1', 'c2-d4', 'c4-d6', 'c8-d1'];

/** Every profile on every scenario so often. */
export const CORPUS_REPEATS = 2;

/** So often where the first repeats differ by more than `MAX_SPREAD`: a median of nine shrugs off four that were disturbed. */
const UNSTEADY_REPEATS = 9;

/** Draws the order of the loads: a capture that is taken up again goes on in the same one. */
export const CORPUS_SEED = 4;

/** As a share of the shortest load time. Our own choice: half of what the simulator may be wrong by at the median would hide it. */
const MAX_SPREAD = 0.05;

/** A load that fell out so often is given up. */
const MAX_TRIES = 4;

/** What is to be made. */
export interface CaptureOrder {
  /** Draws the order; the same seed and the same loads give the same plan. */
  readonly seed: number;
  /** Of the corpus; absent: all. */
  readonly scenarios?: readonly Scenario[];
}

/** The repeats that are missing, in randomised blocks; once they are all there, more of those that differ too much. Empty: all done. */
export function capturePlan(loads: readonly CorpusLoad[], { seed, scenarios = CORPUS_SCENARIOS }: CaptureOrder): readonly PlannedLoad[] {
  const planned = (blocks: number) => blockOrder({ profiles: CORPUS_PROFILES, scenarios, blocks, seed });
  const missing = planned(CORPUS_REPEATS).filter((load) => !done(loads, load));
  if (missing.length > 0) return missing;
  return planned(UNSTEADY_REPEATS).filter((load) => load.block >= CORPUS_REPEATS && unsteady(loads, load) && !done(loads, load));
}

const sameCell = (load: CorpusLoad, { page, link, profileId }: PlannedLoad): boolean =>
  load.page === page && load.link === link && load.profile === profileId;

function done(loads: readonly CorpusLoad[], wanted: PlannedLoad): boolean {
  const tries = loads.filter((load) => sameCell(load, wanted) && load.repeat === wanted.block);
  return tries.length >= MAX_TRIES || tries.some((load) => load.void === undefined);
}

function unsteady(loads: readonly CorpusLoad[], wanted: PlannedLoad): boolean {
  const times = loads.flatMap((load) => (sameCell(load, wanted) && load.repeat < CORPUS_REPEATS ? (load.figures?.loadTimeMs ?? []) : []));
  return relativeRange(times) > MAX_SPREAD;
}

/** What is checked before the loads of these scenarios: no link that none of them is over. */
export const linksOf = (scenarios: readonly Scenario[]): readonly LinkSpec[] =>
  CORPUS_LINKS.filter(({ name }) => scenarios.some(({ link }) => link === name));

/** Longest over shortest, less 1; 0 for fewer than two. */
export const relativeRange = (times: readonly number[]): number => (times.length < 2 ? 0 : Math.max(...times) / Math.min(...times) - 1);

const FIRST_COLUMN = 24;

const COLUMN = 17;

/** A table of median load times in ms by scenario and profile and, in brackets, the spread of their repeats in percent. */
export function overview(loads: readonly CorpusLoad[]): string {
  const valid = loads.filter((load) => load.void === undefined);
  const header = ['scenario'.padEnd(FIRST_COLUMN), ...CORPUS_PROFILES.map((profile) => profile.padStart(COLUMN))].join('');
  const lines = CORPUS_SCENARIOS.map(({ page, link }) => {
    const cells = CORPUS_PROFILES.map((profile) => {
      const times = valid.flatMap((load) =>
        load.page === page && load.link === link && load.profile === profile ? (load.figures?.loadTimeMs ?? []) : [],
      );
      const middle = median(times);
      return (middle === undefined ? '–' : `${middle.toFixed(0)} (${(100 * relativeRange(times)).toFixed(1)} %)`).padStart(COLUMN);
    });
    return [`${page} ${link}`.padEnd(FIRST_COLUMN), ...cells].join('');
  });
  return `${[header, ...lines, `${valid.length} loads that count, ${loads.length - valid.length} excluded`].join('\n')}\n`;
}
