/** The loads of a report with measures of version 1, measured anew from what is stored of them. */
import * as v from 'valibot';
import { efficiency } from '../core/measure/efficiency.ts';
import { idealTime } from '../core/measure/ideal-time.ts';
import type { MeasuredLoad, ReportLink } from '../core/report/report.ts';
import { REQUEST_TIMED_OUT } from '../core/report/validity.ts';
import { kilobitsPerSecond, milliseconds } from '../core/units.ts';
import { damagedReport } from './damaged-report.ts';
import { linkSchema, loadSchema } from './report-parts-schema.ts';

const measuredParts = v.object({ links: v.array(linkSchema), loads: v.array(loadSchema) });

/**
 * What changed with version 2 follows from the load time and the bytes, which are stored, and the figures of the link. A load whose link
 * has none has no ideal and no efficiency any more.
 *
 * @throws PlumbfoxError bad-input when the report's links or loads are damaged.
 */
export function remeasured(report: unknown): readonly MeasuredLoad[] {
  const result = v.safeParse(measuredParts, report, { abortEarly: true });
  if (!result.success) throw damagedReport(result.issues);
  const { links, loads } = result.output;
  const byName = new Map(links.map((link) => [link.name, link]));
  return loads.map((load) => withBound(measuredAgain(load, byName.get(load.link))));
}

function measuredAgain(load: MeasuredLoad, link: ReportLink | undefined): MeasuredLoad {
  if (load.measures === undefined) return load;
  const { idealTimeMs: _, efficiency: __, ...rest } = load.measures;
  const { loadTimeMs, bytes, cutShort } = rest;
  if (cutShort !== undefined) return { ...load, measures: rest };
  const ideal = idealTime({ bytes, link: link && measuresLink(link) });
  const share = efficiency({ idealTime: ideal, loadTime: loadTimeMs });
  return {
    ...load,
    measures: { ...rest, ...(ideal !== undefined && { idealTimeMs: ideal }), ...(share !== undefined && { efficiency: share }) },
  };
}

/** Before version 3 a report held no causes. Of a load in which a request timed out, the load time that is stored is a bound. */
function withBound(load: MeasuredLoad): MeasuredLoad {
  const { validity, measures } = load;
  const isTimeout = validity.state === 'void' && validity.reason.startsWith(`a request failed: ${REQUEST_TIMED_OUT}`);
  if (!isTimeout || validity.cause !== undefined || measures === undefined) return load;
  return { ...load, validity: { ...validity, cause: 'request-failed', atLeastMs: measures.loadTimeMs } };
}

/** The figures that loads over this link are measured with: those asked for, and on the real network those estimated. */
function measuresLink({ asked, measured }: ReportLink) {
  const figures = asked ?? measured;
  return figures && { rttMs: milliseconds(figures.rttMs), downKbps: kilobitsPerSecond(figures.downKbps) };
}
