/** Loads of the real network: the link is estimated from them once they are all there, and their measures rest on it. */
import { estimateLink } from '../core/measure/estimate-link.ts';
import { isMeasurable, measureLoad } from '../core/measure/measure-load.ts';
import type { MeasuredLoad, ReportLink } from '../core/report/report.ts';
import type { RunLoad } from '../lab/run/measure-run.ts';

export const REAL_LINK = 'real-network';

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
      record && isMeasurable(record) ? { ...measured, measures: measureLoad(record, { link, documentConnection: 'new' }) } : measured,
    ),
  };
}
