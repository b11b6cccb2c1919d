/**
 * How loads enter a comparison: one rule for those of a report and for the figures of everyday loads, so that the same loads have the same
 * comparison wherever it is shown.
 */
import { type LoadWithIdeal, withCommonIdeal } from '../compare/common-ideal.ts';
import type { ComparableLoad } from '../compare/comparison.ts';
import type { CutShort, LoadMeasures } from '../measure/load-measures.ts';
import { MAX_LOAD_MS } from '../measure/load-window.ts';
import { type PageProtocol, pageProtocols, protocolOfLoad } from './page-protocol.ts';
import type { MeasuredLoad, Report } from './report.ts';
import { dependsOnLoadTime, type Validity } from './validity.ts';

/** `at-bound`: all that is known of the load is that it took longer than that. */
export type LoadEntry =
  | { readonly enters: 'whole' }
  | { readonly enters: 'at-bound'; readonly boundMs: number }
  | { readonly enters: 'not'; readonly lostTo: NonNullable<ComparableLoad['lostTo']> };

const WHOLE: LoadEntry = { enters: 'whole' };
const AT_TIME_LIMIT: LoadEntry = { enters: 'at-bound', boundMs: MAX_LOAD_MS };
const LOST: Readonly<Record<NonNullable<ComparableLoad['lostTo']>, LoadEntry>> = {
  unrelated: { enters: 'not', lostTo: 'unrelated' },
  'possibly-load-time': { enters: 'not', lostTo: 'possibly-load-time' },
};

/** What of a validity decides: no words. */
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

/** Which load it is. */
type LoadPlace = Pick<ComparableLoad, 'profileId' | 'page' | 'link' | 'block' | 'protocol'>;

type Measured = { readonly [K in 'loadTimeMs' | 'idealTimeMs' | 'bytes']?: number | undefined };

/**
 * Members one by one: a hundred thousand loads are entered at once, and spreading takes several times as long.
 * @param measured - `idealTimeMs`: of the load's own bytes.
 */
export function enteredLoad(
  { profileId, page, link, block, protocol }: LoadPlace,
  entry: LoadEntry,
  { loadTimeMs, idealTimeMs, bytes }: Measured,
): LoadWithIdeal {
  switch (entry.enters) {
    case 'whole': {
      // A page that came whole from a cache within a step of the clock took no time: nothing that could be compared.
      const time = loadTimeMs !== undefined && loadTimeMs > 0 ? loadTimeMs : undefined;
      return { profileId, page, link, block, protocol, valid: true, loadTimeMs: time, idealTimeMs, fromCache: bytes === 0 };
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

/** How a load of a report enters. */
export const entryOf = ({ validity, measures }: Pick<MeasuredLoad, 'validity' | 'measures'>): LoadEntry =>
  loadEntry(validity, measures?.cutShort);

/** Efficiencies are held against one ideal for all profiles, see `withCommonIdeal`; those of the report are of each load's own bytes. */
export function comparableLoads(
  loads: readonly MeasuredLoad[],
  protocolOf: (page: string) => PageProtocol = () => undefined,
): readonly ComparableLoad[] {
  const nothing: Partial<LoadMeasures> = {};
  return withCommonIdeal(
    loads.map((load) => {
      const { profileId, page, link, block, measures = nothing } = load;
      return enteredLoad({ profileId, page, link, block, protocol: protocolOf(page) }, entryOf(load), measures);
    }),
  );
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

/** With the protocol of its page, so that protocols are compared apart. */
export const comparableReport = ({ loads, pages }: Pick<Report, 'loads' | 'pages'>): readonly ComparableLoad[] =>
  comparableLoads(loads, protocolsOf({ loads, pages }));
