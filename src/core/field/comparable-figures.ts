/** Everyday loads in the form of a comparison: pages as opaque names, links as classes, blocks of turns. */

import type { ComparableLoad, ComparedProfile } from '../compare/comparison.ts';
import type { Link } from '../link.ts';
import { idealTime } from '../measure/efficiency.ts';
import { CONTROL_ID, findProfile } from '../profiles/presets.ts';
import { BASELINE_ID, type Carrier } from '../profiles/profile.ts';
import { enteredLoad, type LoadEntry, type LoadWithIdeal, loadEntry, pageProtocols, withCommonIdeal } from '../report/comparable-loads.ts';
import { asLink, type FieldLinks, shownName } from './field-links.ts';
import type { LoadSummary, WhyExcluded } from './load-summary.ts';

interface ComparableFigures {
  readonly loads: readonly ComparableLoad[];
  /** Loads left out because their link is unknown, although that of others is known. */
  readonly withoutLink: number;
  /** The number of loads excluded for each cause; a cause without loads is absent. */
  readonly excluded: ReadonlyMap<WhyExcluded, number>;
}

/** The link of all loads as long as none is known: then nothing has an efficiency. */
export const NO_LINK = 'unknown';

/**
 * `page-1` is the first page seen, and so on: a name reveals nothing about its page. Block n holds every profile's n-th load of a page over
 * a link, so that a page is only compared with itself. Loads enter by the rule of reports (`loadEntry`), so `fieldReport` of the same loads
 * has the same comparison.
 * @param figures ordered by `startedAt`.
 */
export function comparableFigures(figures: readonly LoadSummary[], { links, linkOf }: FieldLinks): ComparableFigures {
  const pages = numbered();
  const profiles = numbered();
  const [names, over] = [links.map(shownName), links.map(asLink)];
  // Two classes that a person gave one name are one link.
  const linkNumbers = names.map(numbered());
  const pageNames: string[] = [];
  const protocols = pageProtocols<number>();
  const pageOf = new Int32Array(figures.length);
  const entries: LoadEntry[] = [];
  // Page and protocol first: the protocol of a page is what all of its loads say.
  for (const [at, load] of figures.entries()) {
    const page = pages(load.page);
    pageOf[at] = page;
    if (page === pageNames.length) pageNames.push(`page-${page + 1}`);
    const entry = loadEntry(validityOf(load), load.cutShort);
    entries.push(entry);
    if (linkOf(at) !== undefined || links.length === 0) protocols.add(page, load.protocol, entry.enters !== 'not');
  }
  const protocolOf = pageNames.map((_, page) => protocols.of(page));
  const turns = new Map<number, number>();
  const excluded = new Map<WhyExcluded, number>();
  const loads: LoadWithIdeal[] = [];
  let withoutLink = 0;
  for (const [at, load] of figures.entries()) {
    const link = linkOf(at);
    if (link === undefined && links.length > 0) {
      withoutLink += 1;
      continue;
    }
    const page = pageOf[at] ?? 0;
    const scenario = (page * MAX_LINKS + (link === undefined ? 0 : (linkNumbers[link] ?? 0))) * MAX_PROFILES + profiles(load.profileId);
    const block = turns.get(scenario) ?? 0;
    turns.set(scenario, block + 1);
    const entry = entries[at] ?? loadEntry(validityOf(load), load.cutShort);
    const why = load.excluded ?? load.cutShort;
    if (entry.enters === 'not' && why !== undefined && why !== 'time-limit') excluded.set(why, (excluded.get(why) ?? 0) + 1);
    const place = {
      profileId: load.profileId,
      page: pageNames[page] ?? '',
      link: link === undefined ? NO_LINK : (names[link] ?? NO_LINK),
      block,
      protocol: protocolOf[page],
    };
    const idealTimeMs = idealTime({ bytes: load.bytes, link: link === undefined ? undefined : over[link] });
    loads.push(enteredLoad(place, entry, { loadTimeMs: load.loadTimeMs, bytes: load.bytes, idealTimeMs }));
  }
  return { loads: withCommonIdeal(loads), withoutLink, excluded };
}

const VALID = { state: 'valid' } as const;

const validityOf = ({ excluded }: LoadSummary): Parameters<typeof loadEntry>[0] =>
  excluded === undefined ? VALID : { state: 'void', cause: excluded };

/** Bounds that let one number hold page, link and profile: far more than there can be, and below 2^53 with a hundred million pages. */
const MAX_LINKS = 4096;
const MAX_PROFILES = 4096;

/** The ideal time of a load over its link, where it was seen to its end. */
export const ofTheLink = (
  { standing, bytes }: Pick<LoadSummary, 'standing' | 'bytes'>,
  link: Link | undefined,
): Pick<LoadWithIdeal, 'idealTimeMs' | 'fromCache'> => ({
  idealTimeMs: standing === 'whole' ? idealTime({ bytes, link }) : undefined,
  fromCache: bytes === 0,
});

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

/**
 * The profiles that everyday loads ran under: the baseline first, then the others in order of first appearance; the carrier is that of the latest
 * load.
 */
export function fieldProfiles(figures: readonly Pick<LoadSummary, 'profileId' | 'carrier'>[]): readonly ComparedProfile[] {
  const carriers = new Map<string, Carrier>([[BASELINE_ID, 'none']]);
  for (const { profileId, carrier } of figures) carriers.set(profileId, carrier);
  return [...carriers].map(([id, carrier]) => {
    const profile = findProfile(id);
    const connections = profile?.connections;
    const intended = profile?.preferences;
    return {
      ...{ id, carrier, role: fieldRole(id), depth: profile?.depth ?? 1 },
      ...(connections !== undefined && { connections }),
      ...(intended !== undefined && { intended }),
    };
  });
}

/** The role follows only from the name: everyday loads have no other mark. */
function fieldRole(id: string): ComparedProfile['role'] {
  if (id === BASELINE_ID) return 'baseline';
  return id === CONTROL_ID ? 'control' : 'candidate';
}
