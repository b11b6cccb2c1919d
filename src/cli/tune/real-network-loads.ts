/** Loads of the real network: the link is estimated from them once they are all there, and their measures rest on it. */
import { estimateLink } from '../../core/measure/estimate-link.ts';
import { isMeasurable, measureLoad } from '../../core/measure/measure-load.ts';
import { pageOfLoads } from '../../core/report/page-of-loads.ts';
import type { MeasuredLoad, ReportLink, ReportPage } from '../../core/report/report.ts';
import type { RunLoad } from '../../lab/run/measure-one.ts';

/** Name of the link in reports: there is one, whatever it is. */
export const REAL_LINK = 'real-network';

/** Each page with what is on it, as its valid loads show it. */
export function realNetworkPages(pages: readonly ReportPage[], loads: readonly RunLoad[]): readonly ReportPage[] {
  return pages.map((page) => {
    const valid = loads.filter(({ measured }) => measured.page === page.name && measured.validity.state === 'valid');
    return {
      ...page,
      ...pageOfLoads(
        page.name,
        valid.flatMap(({ record }) => (record === undefined ? [] : [record])),
      ),
    };
  });
}

export function realNetworkLoads(loads: readonly RunLoad[]): {
  readonly loads: readonly MeasuredLoad[];
  readonly links: readonly ReportLink[];
} {
  // Behind the gateway the browser connects to this machine, which tells nothing of the network.
  const direct = loads.flatMap(({ record }) => (record?.requests.every(({ wire }) => wire?.proxied !== true) ? [record] : []));
  const link = estimateLink(direct);
  return {
    links: [
      { name: REAL_LINK, kind: 'real', basis: 'estimated', ...(link && { measured: { rttMs: link.rttMs, downKbps: link.downKbps } }) },
    ],
    loads: loads.map(({ measured, record }) =>
      record && isMeasurable(record) ? { ...measured, measures: measureLoad(record, { link }) } : measured,
    ),
  };
}
