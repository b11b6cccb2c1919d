/**
 * Where searches are held against exhaustive measurement: ten scenarios of mixed protocol and five preferences at two values each, fixed before the
 * first search of any of them. Changing one of them makes every figure that was measured with it void.
 */
import { BACKUP_AFTER, HTTP2_PULL_ALLOWANCE, PACING_ENABLED, PER_SERVER } from '../../src/core/profiles/catalogue.ts';
import { profileOf } from '../../src/core/profiles/presets.ts';
import type { Profile } from '../../src/core/profiles/profile.ts';
import { factorial, type SearchKnob } from '../../src/core/search/factorial.ts';
import { parseLinks } from '../../src/lab/link/parse-link.ts';
import type { ServedBy } from '../../src/lab/pages/served-by.ts';

export interface ExhaustiveScenario {
  readonly id: string;
  /** A page of the lab. */
  readonly page: string;
  /** As `--links` takes it. */
  readonly link: string;
  readonly servedBy: ServedBy;
}

const FAR = 'rtt=100,down=10000,up=2000,queue=1000';
const MIDDLE = 'rtt=40,down=20000,up=5000,queue=1000';
const NEAR = 'rtt=20,down=20000,up=5000,queue=1000';

export const SCENARIOS: readonly ExhaustiveScenario[] = [
  { id: 'news-far', page: 'news', link: FAR, servedBy: 'embedded' },
  { id: 'news-near', page: 'news', link: NEAR, servedBy: 'embedded' },
  { id: 'shop-far', page: 'shop', link: FAR, servedBy: 'embedded' },
  { id: 'wiki-middle', page: 'wiki', link: MIDDLE, servedBy: 'embedded' },
  { id: 'news-middle-https', page: 'news', link: MIDDLE, servedBy: 'https' },
  { id: 'shop-near-https', page: 'shop', link: NEAR, servedBy: 'https' },
  { id: 'wiki-far-https', page: 'wiki', link: FAR, servedBy: 'https' },
  { id: 'news-middle-http2', page: 'news', link: MIDDLE, servedBy: 'http2' },
  { id: 'wiki-far-http2', page: 'wiki', link: FAR, servedBy: 'http2' },
  { id: 'shop-middle-http3', page: 'shop', link: MIDDLE, servedBy: 'http3' },
];

/** One value each besides Firefox's own; the window of a stream is what HTTP/2 begins with where nobody says more (RFC 9113, 6.9.2). */
export const KNOBS: readonly SearchKnob[] = [
  { preference: PER_SERVER, values: [16] },
  { preference: PACING_ENABLED, values: [false] },
  { preference: BACKUP_AFTER, values: [0] },
  { preference: HTTP2_PULL_ALLOWANCE, values: [65_535] },
  { preference: 'network.http.speculative-parallel-limit', values: [0] },
];

/** All combinations, Firefox's own settings first. */
export const ALL_SETS: readonly Profile[] = factorial(KNOBS).map((preferences) => profileOf({ depth: 1, preferences }));

/** The one link of a scenario. */
export function linkOf({ link, id }: ExhaustiveScenario) {
  const [spec] = parseLinks(link);
  if (spec === undefined) throw new Error(`${id} has no link`);
  return { ...spec, name: id };
}

/** 2^5, each measured so often. */
export const SETS = 32;
export const LOADS_EACH = 12;
/** A search has a quarter of the loads. */
export const SEARCH_LOADS = (SETS * LOADS_EACH) / 4;
/**
 * Fresh blocks in which what the search picked is compared with the best of all sets. Measured: twelve leave the ratio of two equal sets open by 30 % over
 * HTTP/3 and by 15 % near the server.
 */
export const CHECK_BLOCKS = 48;
export const SEED = 2026;
