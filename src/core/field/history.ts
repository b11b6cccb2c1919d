/** Recorded loads as a list to look through: searched, filtered and sorted. A hundred thousand are found in one pass over their summaries. */
import * as v from 'valibot';
import { LOAD_PROTOCOLS, type LoadProtocol } from '../compare/comparison.ts';
import { CUT_SHORTS } from '../measure/load-measures.ts';
import { count, finite, type Shape } from '../schema.ts';
import { asLink, type FieldLink } from './field-links.ts';
import { FIELD_EXCLUSIONS, type LoadSummary, summaryEfficiency } from './load-summary.ts';
import { type RecordedLoad, shareOfLink } from './recorded-loads.ts';

/** Why a load is not compared, or only as a lower bound (`time-limit`). */
export const HISTORY_EXCLUSIONS = [...FIELD_EXCLUSIONS, ...CUT_SHORTS] as const;
export type HistoryExclusion = (typeof HISTORY_EXCLUSIONS)[number];

export const HISTORY_SORTS = ['startedAt', 'page', 'network', 'profile', 'protocol', 'loadTime', 'efficiency'] as const;
export type HistorySort = (typeof HISTORY_SORTS)[number];

const UNKNOWN = 'unknown';

/** What is wanted of the list: a filter, an order, and a window of rows. */
export const historyQuerySchema = v.object({
  /** Words that must all be in the address, in any order and case; empty: any address. */
  search: v.pipe(v.string(), v.maxLength(200)),
  site: v.exactOptional(finite),
  /** The link's id. */
  network: v.exactOptional(v.union([finite, v.literal(UNKNOWN)])),
  profile: v.exactOptional(v.string()),
  protocol: v.exactOptional(v.picklist([...LOAD_PROTOCOLS, UNKNOWN])),
  /** `none`: loads that are compared. `any`: those that are not, for whatever reason. */
  excluded: v.exactOptional(v.picklist([...HISTORY_EXCLUSIONS, 'none', 'any'])),
  sort: v.picklist(HISTORY_SORTS),
  ascending: v.boolean(),
  /** The rows wanted, by their place in the result. */
  from: count,
  most: v.pipe(count, v.maxValue(500)),
});
export type HistoryQuery = Shape<typeof historyQuerySchema>;

export interface HistoryInput {
  readonly figures: readonly LoadSummary[];
  /** Known so far; empty as long as they are being estimated. */
  readonly links: readonly FieldLink[];
  /** The position of a load's link; `undefined`: unknown. */
  readonly linkOf: (load: number) => number | undefined;
  /** Addresses by page, of pages of which a load still has its requests. */
  readonly addresses: ReadonlyMap<number, string>;
}

/** How many loads there are of each value, the most frequent first. */
interface Choice<T> {
  readonly value: T;
  readonly loads: number;
}

export interface HistoryChoices {
  readonly sites: readonly Choice<number>[];
  readonly networks: readonly Choice<number | typeof UNKNOWN>[];
  readonly profiles: readonly Choice<string>[];
  readonly protocols: readonly Choice<NonNullable<HistoryQuery['protocol']>>[];
  readonly excluded: readonly Choice<HistoryExclusion>[];
}

export interface History extends HistoryInput {
  readonly choices: HistoryChoices;
  /** Searchable text by page, and its place in the order of the alphabet. */
  readonly pages: ReadonlyMap<number, { readonly text: string; readonly place: number }>;
}

/** Prepares what every search needs; once for the same loads. */
export function createHistory(input: HistoryInput): History {
  const texts = [...input.addresses].map(([page, url]) => ({ page, text: searchText(url) }));
  texts.sort((a, b) => (a.text < b.text ? -1 : 1));
  return {
    ...input,
    choices: choicesOf(input),
    pages: new Map(texts.map(({ page, text }, place) => [page, { text, place }])),
  };
}

/** Host and path in small letters. What follows `?` is a number that says nothing to a person. */
function searchText(url: string): string {
  const plain = (url.split('?', 1)[0] ?? '').replace(/^[a-z]+:\/\//, '');
  try {
    return decodeURI(plain).toLowerCase();
  } catch {
    return plain.toLowerCase();
  }
}

export const exclusionOf = ({ excluded, cutShort }: LoadSummary): HistoryExclusion | undefined => excluded ?? cutShort;

function choicesOf({ figures, links, linkOf }: HistoryInput): HistoryChoices {
  const [sites, networks, profiles] = [new Map<number, number>(), new Map<number | typeof UNKNOWN, number>(), new Map<string, number>()];
  const [protocols, excluded] = [new Map<NonNullable<HistoryQuery['protocol']>, number>(), new Map<HistoryExclusion, number>()];
  for (const [at, load] of figures.entries()) {
    add(sites, load.site);
    const link = linkOf(at);
    add(networks, (link === undefined ? undefined : links[link]?.id) ?? UNKNOWN);
    add(profiles, load.profileId);
    add(protocols, load.protocol ?? UNKNOWN);
    const why = exclusionOf(load);
    if (why !== undefined) add(excluded, why);
  }
  return {
    sites: ranked(sites),
    networks: ranked(networks),
    profiles: ranked(profiles),
    protocols: ranked(protocols),
    excluded: ranked(excluded),
  };
}

const add = <T>(counts: Map<T, number>, value: T): unknown => counts.set(value, (counts.get(value) ?? 0) + 1);

const ranked = <T>(counts: ReadonlyMap<T, number>): readonly Choice<T>[] =>
  [...counts].map(([value, loads]) => ({ value, loads })).sort((a, b) => b.loads - a.loads);

/** The positions of all loads that the query finds, in its order. */
export function findLoads(history: History, query: HistoryQuery): readonly number[] {
  const found: number[] = [];
  const isWanted = filterOf(history, query);
  for (let at = 0; at < history.figures.length; at++) if (isWanted(at)) found.push(at);
  return sorted(found, keysOf(history, query.sort), query.ascending);
}

function filterOf({ figures, links, linkOf, pages }: History, query: HistoryQuery): (at: number) => boolean {
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
  const matching =
    words.length === 0
      ? undefined
      : new Set([...pages].flatMap(([page, { text }]) => (words.every((word) => text.includes(word)) ? page : [])));
  const { site, network, profile, protocol, excluded } = query;
  return (at) => {
    const load = figures[at];
    if (load === undefined) return false;
    if (matching !== undefined && !matching.has(load.page)) return false;
    if (site !== undefined && load.site !== site) return false;
    if (profile !== undefined && load.profileId !== profile) return false;
    if (protocol !== undefined && (load.protocol ?? UNKNOWN) !== protocol) return false;
    if (excluded !== undefined && !isExcludedAs(load, excluded)) return false;
    if (network === undefined) return true;
    const link = linkOf(at);
    return ((link === undefined ? undefined : links[link]?.id) ?? UNKNOWN) === network;
  };
}

function isExcludedAs(load: LoadSummary, wanted: NonNullable<HistoryQuery['excluded']>): boolean {
  const why = exclusionOf(load);
  if (wanted === 'none') return why === undefined;
  return wanted === 'any' ? why !== undefined : why === wanted;
}

type KeyOf = (at: number) => number | undefined;

/** Every column sorts by numbers: names by their place in the alphabet. */
function keysOf({ figures, links, linkOf, pages, choices }: History, sort: HistorySort): KeyOf {
  switch (sort) {
    case 'startedAt':
      return (at) => figures[at]?.startedAt;
    case 'page':
      return (at) => pages.get(figures[at]?.page ?? Number.NaN)?.place;
    case 'network':
      return linkOf;
    case 'profile': {
      const places = placesOf(choices.profiles.map(({ value }) => value));
      return (at) => places.get(figures[at]?.profileId ?? '');
    }
    case 'protocol':
      return (at) => {
        const { protocol } = figures[at] ?? {};
        return protocol && LOAD_PROTOCOLS.indexOf(protocol);
      };
    case 'loadTime':
      return (at) => figures[at]?.loadTimeMs;
    case 'efficiency': {
      const over = links.map(asLink);
      return (at) => {
        const [load, link] = [figures[at], linkOf(at)];
        return load && link !== undefined ? summaryEfficiency(load, over[link]) : undefined;
      };
    }
  }
}

const placesOf = (names: readonly string[]): ReadonlyMap<string, number> => new Map(names.toSorted().map((name, place) => [name, place]));

/** Equal ones have the newest first; what is unknown (NaN here, and only here) comes last either way. */
function sorted(found: number[], keyOf: KeyOf, ascending: boolean): readonly number[] {
  const keys = new Float64Array((found.at(-1) ?? -1) + 1);
  for (const at of found) keys[at] = keyOf(at) ?? Number.NaN;
  const direction = ascending ? 1 : -1;
  return found.sort((a, b) => {
    const difference = direction * ((keys[a] as number) - (keys[b] as number));
    if (difference < 0 || difference > 0) return difference;
    return Number(Number.isNaN(keys[a])) - Number(Number.isNaN(keys[b])) || b - a;
  });
}

/** A load as the list shows it. Unknown is absent. */
export interface HistoryLoad
  extends Pick<RecordedLoad, 'startedAt' | 'profileId' | 'standing' | 'link' | 'loadTimeMs' | 'efficiency' | 'linkDisproved'> {
  readonly site: number;
  /** The address of its page; the load itself may have lost its requests. */
  readonly url?: string;
  readonly protocol?: LoadProtocol;
  readonly excluded?: HistoryExclusion;
}

/** The load at this position. */
export function historyLoad({ figures, links, linkOf, addresses }: History, at: number): HistoryLoad | undefined {
  const load = figures[at];
  if (load === undefined) return undefined;
  const { startedAt, profileId, standing, site, protocol, loadTimeMs } = load;
  const link = links[linkOf(at) ?? -1];
  const [url, excluded] = [addresses.get(load.page), exclusionOf(load)];
  return {
    startedAt,
    profileId,
    standing,
    site,
    ...(url !== undefined && { url }),
    ...(link && { link }),
    ...(protocol && { protocol }),
    ...(excluded && { excluded }),
    ...(loadTimeMs !== undefined && { loadTimeMs }),
    ...shareOfLink(load, link && asLink(link)),
  };
}

const HOST = /^[a-z]+:\/\/([^/?#]+)/i;

/** The hosts of sites of which an address is known. */
export function siteHosts({ figures, addresses }: Pick<HistoryInput, 'figures' | 'addresses'>): ReadonlyMap<number, string> {
  const hosts = new Map<number, string>();
  for (const { site, page } of figures) {
    const url = hosts.has(site) ? undefined : addresses.get(page);
    const host = url === undefined ? undefined : HOST.exec(url)?.[1];
    if (host !== undefined) hosts.set(site, host);
  }
  return hosts;
}
