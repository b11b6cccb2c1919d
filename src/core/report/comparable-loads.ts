/**
 * How loads enter a comparison: one rule for those of a report and for the figures of everyday loads, so that the same loads have the same
 * comparison wherever it is shown.
 */
import { isBalanced } from '../compare/block-order.ts';
import type { ComparableLoad, LoadProtocol } from '../compare/comparison.ts';
import { scenarioNumbers } from '../compare/load-index.ts';
import type { CutShort, LoadMeasures } from '../measure/load-measures.ts';
import { MAX_LOAD_MS } from '../measure/load-window.ts';
import type { HttpVersion } from '../measure/page-load.ts';
import { median } from '../stats/quantile.ts';
import type { MeasuredLoad, Report } from './report.ts';
import { dependsOnLoadTime, type Validity } from './validity.ts';

type LostTo = NonNullable<ComparableLoad['lostTo']>;

/** `at-bound`: all that is known of the load is that it took longer than that. */
export type LoadEntry =
  | { readonly enters: 'whole' }
  | { readonly enters: 'at-bound'; readonly boundMs: number }
  | { readonly enters: 'not'; readonly lostTo: LostTo };

const WHOLE: LoadEntry = { enters: 'whole' };
const AT_TIME_LIMIT: LoadEntry = { enters: 'at-bound', boundMs: MAX_LOAD_MS };
const LOST: Readonly<Record<LostTo, LoadEntry>> = {
  unrelated: { enters: 'not', lostTo: 'unrelated' },
  'possibly-load-time': { enters: 'not', lostTo: 'possibly-load-time' },
};

/** The part of a validity that decides, without its words. */
type Counted = { readonly state: 'valid' } | Pick<Extract<Validity, { state: 'void' }>, 'state' | 'cause' | 'atLeastMs'>;

/**
 * A load that ran out of time enters at its bound: left out for being slow, it would make its profile look quick. One that was left, or that
 * failed, has no bound that says anything of the page.
 */
export function loadEntry(validity: Counted, cutShort: CutShort | undefined): LoadEntry {
  if (validity.state === 'void') {
    const { cause, atLeastMs } = validity;
    if (atLeastMs !== undefined && atLeastMs > 0) return { enters: 'at-bound', boundMs: atLeastMs };
    return LOST[dependsOnLoadTime(cause) ? 'possibly-load-time' : 'unrelated'];
  }
  // Its last response may have come long before the time was up: what it waited for then has no end.
  if (cutShort === 'time-limit') return AT_TIME_LIMIT;
  return cutShort === undefined ? WHOLE : LOST['possibly-load-time'];
}

type LoadPlace = Pick<ComparableLoad, 'profileId' | 'page' | 'link' | 'block' | 'protocol'>;

type Measured = {
  readonly [K in 'loadTimeMs' | 'idealTimeMs' | 'bytes' | 'firstContentfulPaintMs' | 'largestContentfulPaintMs']?: number | undefined;
};

/**
 * Members are set one by one: a hundred thousand loads are entered at once, and spreading takes several times as long.
 * @param measured - `idealTimeMs`: of the load's own bytes.
 */
export function enteredLoad(
  { profileId, page, link, block, protocol }: LoadPlace,
  entry: LoadEntry,
  { loadTimeMs, idealTimeMs, bytes, firstContentfulPaintMs: firstPaintMs, largestContentfulPaintMs: largestPaintMs }: Measured,
): LoadWithIdeal {
  switch (entry.enters) {
    case 'whole': {
      // A page that came whole from a cache within a step of the clock took no time: nothing that could be compared.
      const time = loadTimeMs !== undefined && loadTimeMs > 0 ? loadTimeMs : undefined;
      const paints = { firstPaintMs, largestPaintMs };
      return { profileId, page, link, block, protocol, valid: true, loadTimeMs: time, idealTimeMs, fromCache: bytes === 0, ...paints };
    }
    case 'at-bound': {
      // Not all of its bytes came, and before its first byte nothing came from a cache.
      const known = { idealTimeMs: undefined, fromCache: false };
      return { profileId, page, link, block, protocol, valid: true, atBound: true, loadTimeMs: entry.boundMs, ...known };
    }
    default: {
      const nothing = { loadTimeMs: undefined, idealTimeMs: undefined, fromCache: false };
      return { profileId, page, link, block, protocol, valid: false, lostTo: entry.lostTo, ...nothing };
    }
  }
}

/** How a load of a report enters the comparison. */
export const entryOf = ({ validity, measures }: Pick<MeasuredLoad, 'validity' | 'measures'>): LoadEntry =>
  loadEntry(validity, measures?.cutShort);

/** Efficiencies are held against one ideal for all profiles, see `withCommonIdeal`; those of the report are of each load's own bytes. */
export function comparableLoads(
  loads: readonly MeasuredLoad[],
  protocolOf: (page: string) => PageProtocol = () => undefined,
): readonly ComparableLoad[] {
  const nothing: Partial<LoadMeasures> = {};
  const entered = withCommonIdeal(
    loads.map((load) => {
      const { profileId, page, link, block, measures = nothing } = load;
      return enteredLoad({ profileId, page, link, block, protocol: protocolOf(page) }, entryOf(load), measures);
    }),
  );
  return isBalanced(loads) ? entered : entered.map((load) => ({ ...load, drawnAlone: true }));
}

/** With the protocol of its page, so that protocols are compared apart. */
export const comparableReport = ({ loads, pages }: Pick<Report, 'loads' | 'pages'>): readonly ComparableLoad[] =>
  comparableLoads(loads, protocolsOf({ loads, pages }));

/** A load before it is held against the ideal of its page and link. */
export interface LoadWithIdeal extends Omit<ComparableLoad, 'efficiency'> {
  /** The ideal time of its own bytes, ms. `undefined`: its bytes or its link are unknown. */
  readonly idealTimeMs: number | undefined;
  /** Nothing came over the network: it is no load of the link, and has no efficiency. */
  readonly fromCache: boolean;
}

type WithEfficiency<T> = Omit<T, 'idealTimeMs' | 'fromCache'> & Pick<ComparableLoad, 'efficiency'>;

/**
 * The loads in their order, each with the efficiency it is compared by: all loads of one page over one link are held against one ideal time,
 * that of the page's median bytes over all profiles, so that the ratio of two efficiencies is the inverse ratio of the load times. With its
 * own bytes a load that fetched more would count as more efficient at the same time.
 *
 * Efficiency is not bounded by 1 here: a load that was faster than the link's figures allow disproves the figures, which all profiles share,
 * and must not be left out for having been fast. `undefined`: the load has no load time, came from a cache, or no load of its page over its
 * link has an ideal.
 */
export function withCommonIdeal<T extends LoadWithIdeal>(loads: readonly T[]): readonly WithEfficiency<T>[] {
  const scenarioOf = scenarioNumbers();
  const scenarios = loads.map(scenarioOf);
  const ideals = Array.from({ length: 1 + Math.max(-1, ...new Set(scenarios)) }, (): number[] => []);
  loads.forEach(({ valid, idealTimeMs, fromCache }, at) => {
    // The ideal is linear in the bytes, so the median of the ideals is the ideal of the median bytes.
    if (valid && !fromCache && idealTimeMs !== undefined) ideals[scenarios[at] ?? 0]?.push(idealTimeMs);
  });
  const common = ideals.map((own) => median(own));
  return loads.map((load, at) => {
    const ideal = load.fromCache ? undefined : common[scenarios[at] ?? 0];
    // What it was made of stays in it: to leave members out of a hundred thousand objects takes longer than all else here.
    return { ...load, efficiency: ideal === undefined || load.loadTimeMs === undefined ? undefined : ideal / load.loadTimeMs };
  });
}

/** The HTTP version of a page; `mixed`: several, as on the real network, where each server has its own. `undefined`: no load says. */
export type PageProtocol = LoadProtocol | undefined;

/** A load in which one version has at least this share of the requests is that version's: one request may have fallen back. */
const NEARLY_ALL = 0.95;

/** The protocol of one load, by the shares of its requests whose version is known. HTTP/1.0 counts as HTTP/1.1. */
export function protocolOfLoad(shares: Readonly<Partial<Record<HttpVersion, number>>>): PageProtocol {
  const http1 = (shares['http/1.0'] ?? 0) + (shares['http/1.1'] ?? 0);
  const [http2, http3] = [shares['http/2'] ?? 0, shares['http/3'] ?? 0];
  const known = http1 + http2 + http3;
  if (known <= 0) return undefined;
  if (http1 / known >= NEARLY_ALL) return 'http/1.1';
  if (http2 / known >= NEARLY_ALL) return 'http/2';
  return http3 / known >= NEARLY_ALL ? 'http/3' : 'mixed';
}

interface PageProtocols<Page> {
  /** `counts`: the load is compared. One that is not may be excluded for having come by another version. */
  readonly add: (page: Page, protocol: PageProtocol, counts: boolean) => void;
  /** What every load that counts says; where none does, what the others say. */
  readonly of: (page: Page) => PageProtocol;
}

/** The protocols of each page's loads, in one pass over them. */
export function pageProtocols<Page>(): PageProtocols<Page> {
  const counted = new Map<Page, PageProtocol>();
  const excluded = new Map<Page, PageProtocol>();
  return {
    add: (page, protocol, counts) => {
      const own = counts ? counted : excluded;
      const before = own.get(page);
      if (before === undefined || protocol === undefined) own.set(page, before ?? protocol);
      else if (before !== protocol) own.set(page, 'mixed');
    },
    of: (page) => (counted.has(page) ? counted.get(page) : excluded.get(page)),
  };
}

/** The protocol of each page: as the lab noted it (`served`), else as its loads show. */
export function protocolsOf({ loads, pages }: Pick<Report, 'loads' | 'pages'>): (page: string) => PageProtocol {
  const served = new Map(pages.flatMap((page) => (page.served ? [[page.name, page.served.protocol] as const] : [])));
  const seen = pageProtocols<string>();
  for (const load of loads) {
    if (load.measures && !served.has(load.page))
      seen.add(load.page, protocolOfLoad(load.measures.httpVersions), entryOf(load).enters !== 'not');
  }
  return (page) => served.get(page) ?? seen.of(page);
}
