/** The loads of a report as the comparison reads them. */
import type { ComparableLoad } from '../compare/comparison.ts';
import { protocolOfPage } from './page-protocol.ts';
import type { MeasuredLoad, Report } from './report.ts';

export function comparableLoads(loads: readonly MeasuredLoad[]): readonly ComparableLoad[] {
  return loads.map(({ profileId, page, link, block, validity, measures }) => ({
    profileId,
    page,
    link,
    block,
    valid: validity.state === 'valid',
    efficiency: measures?.efficiency,
    // Of a load that was cut short only a lower bound is known.
    loadTimeMs: measures?.cutShort === undefined ? measures?.loadTimeMs : undefined,
  }));
}

/** With the protocol of its page, so that protocols are compared apart. */
export function comparableReport({ loads, pages }: Pick<Report, 'loads' | 'pages'>): readonly ComparableLoad[] {
  const protocols = new Map(pages.map((page) => [page.name, protocolOfPage(page, loads)]));
  return comparableLoads(loads).map((load) => ({ ...load, protocol: protocols.get(load.page) }));
}
