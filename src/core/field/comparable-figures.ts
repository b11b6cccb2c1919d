/** Everyday loads as the comparison reads them: pages as opaque names, links as classes, blocks of turns. */
import { type LoadWithIdeal, withCommonIdeal } from '../compare/common-ideal.ts';
import type { ComparableLoad } from '../compare/comparison.ts';
import { idealTime } from '../measure/ideal-time.ts';
import type { Link } from '../measure/link.ts';
import { asLink, type FieldLinks, shownName } from './field-links.ts';
import type { LoadFigures } from './load-figures.ts';

export interface ComparableFigures {
  readonly loads: readonly ComparableLoad[];
  /** Loads left out because their link cannot be told, although that of others can. */
  readonly withoutLink: number;
}

/** The link of all loads as long as none can be told: then nothing has an efficiency. */
export const NO_LINK = 'unknown';

/**
 * `page-1` is the first page seen, and so on: a name tells nothing about its page. Block n holds every profile's n-th load of a page over
 * a link, so that a page is only compared with itself. Loads that only wash out what was before in a trial are left out.
 *
 * @param figures ordered by `startedAt`.
 */
export function comparableFigures(figures: readonly LoadFigures[], { links, linkOf }: FieldLinks): ComparableFigures {
  const pages = numbered();
  const profiles = numbered();
  const [names, over] = [links.map(shownName), links.map(asLink)];
  const pageNames: string[] = [];
  const turns = new Map<number, number>();
  const loads: LoadWithIdeal[] = [];
  let withoutLink = 0;
  for (const [at, load] of figures.entries()) {
    if (load.trial?.counts === false) continue;
    const link = linkOf(at);
    if (link === undefined && links.length > 0) {
      withoutLink += 1;
      continue;
    }
    const page = pages(load.page);
    pageNames[page] ??= `page-${page + 1}`;
    const scenario = (page * MOST_LINKS + (link ?? 0)) * MOST_PROFILES + profiles(load.profileId);
    const block = turns.get(scenario) ?? 0;
    turns.set(scenario, block + 1);
    loads.push({
      profileId: load.profileId,
      page: pageNames[page] ?? '',
      link: link === undefined ? NO_LINK : (names[link] ?? NO_LINK),
      block,
      valid: load.standing === 'whole' || load.standing === 'cut-short',
      loadTimeMs: comparableLoadTime(load),
      ...ofTheLink(load, link === undefined ? undefined : over[link]),
    });
  }
  return { loads: withCommonIdeal(loads), withoutLink };
}

/** So that a number tells page, link and profile apart: far more than there can be, and below 2^53 with a hundred million pages. */
const MOST_LINKS = 4096;
const MOST_PROFILES = 4096;

/** What the ideal time of a load's page over its link is made of. */
export const ofTheLink = (
  { standing, bytes }: Pick<LoadFigures, 'standing' | 'bytes'>,
  link: Link | undefined,
): Pick<LoadWithIdeal, 'idealTimeMs' | 'fromCache'> => ({
  idealTimeMs: standing === 'whole' ? idealTime({ bytes, link }) : undefined,
  fromCache: bytes === 0,
});

/**
 * `undefined`: nothing that could be compared. Of a load that was cut short only a lower bound is known, and a page that came whole from a
 * cache within a step of the clock took no time.
 */
export function comparableLoadTime({ standing, loadTimeMs }: Pick<LoadFigures, 'standing' | 'loadTimeMs'>): number | undefined {
  return standing === 'whole' && loadTimeMs !== undefined && loadTimeMs > 0 ? loadTimeMs : undefined;
}

/** Numbers in the order of first appearance. */
function numbered(): (key: number | string) => number {
  const known = new Map<number | string, number>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, known.size);
    return known.size - 1;
  };
}
