/** What the corpus is made of: which pages over which links, under which profiles, how often. */
import type { Scenario } from '../../core/compare/block-order.ts';

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

/** From one connection with little depth to many without: three through the gateway, three that are Firefox alone. */
export const CORPUS_PROFILES: readonly string[] = ['firefox-default', 'c1-d2', 'c2-d1', 'c2-d4', 'c4-d6', 'c8-d1'];

/** Every profile on every scenario so often. */
export const CORPUS_REPEATS = 2;
/** So often where the first repeats differ by more than `MOST_SPREAD`: a median of nine shrugs off four that were disturbed. */
export const UNSTEADY_REPEATS = 9;
/** Draws the order of the loads: a capture that is taken up again goes on in the same one. */
export const CORPUS_SEED = 4;
/** As a share of the shortest load time. Our own choice: half of what the simulator may be wrong by at the median would hide it. */
export const MOST_SPREAD = 0.05;

function pagesOn(link: string, pages: readonly string[]): readonly Scenario[] {
  return pages.map((page) => ({ page, link }));
}
