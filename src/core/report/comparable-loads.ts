/** The loads of a report as the comparison reads them. */
import { withCommonIdeal } from '../compare/common-ideal.ts';
import type { ComparableLoad } from '../compare/comparison.ts';
import type { LoadMeasures } from '../measure/load-measures.ts';
import { LONGEST_LOAD_MS } from '../measure/load-window.ts';
import { protocolOfPage } from './page-protocol.ts';
import type { MeasuredLoad, Report } from './report.ts';
import { dependsOnLoadTime, type Validity } from './validity.ts';

/** Efficiencies are held against one ideal for all profiles, see `withCommonIdeal`; those of the report are of each load's own bytes. */
export function comparableLoads(loads: readonly MeasuredLoad[]): readonly ComparableLoad[] {
  return withCommonIdeal(
    loads.map(({ profileId, page, link, block, validity, measures }) => ({
      profileId,
      page,
      link,
      block,
      ...standing(validity),
      // Of a load that ran out of time not all bytes came.
      idealTimeMs: boundOf(validity) === undefined ? measures?.idealTimeMs : undefined,
      // Of one that ran out of time before its first byte nothing came from a cache.
      fromCache: measures?.bytes === 0 && measures.cutShort === undefined && boundOf(validity) === undefined,
      ...(boundOf(validity) === undefined ? { loadTimeMs: comparableTime(measures) } : { loadTimeMs: boundOf(validity) }),
      ...((measures?.cutShort === 'time-limit' || boundOf(validity) !== undefined) && { atBound: true }),
    })),
  );
}

/** A load that ran out of time enters at its bound: left out for being slow, it would make its profile look quick. */
const boundOf = (validity: Validity): number | undefined =>
  validity.state === 'void' && validity.atLeastMs !== undefined && validity.atLeastMs > 0 ? validity.atLeastMs : undefined;

function standing(validity: Validity): Pick<ComparableLoad, 'valid' | 'lostTo'> {
  if (validity.state === 'valid' || boundOf(validity) !== undefined) return { valid: true };
  return { valid: false, lostTo: dependsOnLoadTime(validity.cause) ? 'possibly-load-time' : 'unrelated' };
}

/**
 * `undefined`: nothing that could be compared, as of a page that came whole from a cache within a step of the clock. A load that ran
 * into the time limit enters at that bound; one that was left has none that says anything of the page.
 */
function comparableTime(measures: LoadMeasures | undefined): number | undefined {
  if (measures === undefined) return undefined;
  // Its last response may have come long before: what it waited for then has no end.
  if (measures.cutShort === 'time-limit') return LONGEST_LOAD_MS;
  return measures.cutShort === undefined && measures.loadTimeMs > 0 ? measures.loadTimeMs : undefined;
}

/** With the protocol of its page, so that protocols are compared apart. */
export function comparableReport({ loads, pages }: Pick<Report, 'loads' | 'pages'>): readonly ComparableLoad[] {
  const protocols = new Map(pages.map((page) => [page.name, protocolOfPage(page, loads)]));
  return comparableLoads(loads).map((load) => ({ ...load, protocol: protocols.get(load.page) }));
}
