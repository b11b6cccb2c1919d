/** The loads of a report with measures of version 1, measured anew from what is stored of them. */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import { efficiency, idealTime } from '../core/measure/efficiency.ts';
import { LONGEST_LOAD_MS } from '../core/measure/load-window.ts';
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
 * @throws PlumbfoxError bad-input when the report's links or loads are damaged, or no load can have been so.
 */
export function remeasured(report: unknown): readonly MeasuredLoad[] {
  const result = v.safeParse(measuredParts, report, { abortEarly: true });
  if (!result.success) throw damagedReport(result.issues);
  const { links, loads } = result.output;
  const byName = new Map(links.map((link) => [link.name, link]));
  return loads.map((load, at) => {
    try {
      return withBound(measuredAgain(load, byName.get(load.link)));
    } catch (error) {
      // Finite one by one, as the schema wants them, figures may be none together: a rate below 0, or a quotient without bound.
      if (!(error instanceof RangeError)) throw error;
      throw new PlumbfoxError('bad-input', `The report is damaged at loads.${at}: ${error.message}`, { cause: error });
    }
  });
}

function measuredAgain(load: MeasuredLoad, link: ReportLink | undefined): MeasuredLoad {
  if (load.measures === undefined) return load;
  const { idealTimeMs: _, efficiency: __, ...rest } = load.measures;
  const { loadTimeMs, bytes, cutShort } = rest;
  // Before, a load that ran out of time was said to last until its last response.
  if (cutShort === 'time-limit') return { ...load, measures: { ...rest, loadTimeMs: LONGEST_LOAD_MS } };
  if (cutShort !== undefined) return { ...load, measures: rest };
  const ideal = idealTime({ bytes, link: link && measuresLink(link) });
  const share = efficiency({ idealTime: ideal, loadTime: loadTimeMs });
  return {
    ...load,
    measures: { ...rest, ...(ideal !== undefined && { idealTimeMs: ideal }), ...(share !== undefined && { efficiency: share }) },
  };
}

/** How the reason began of a load that was still loading when recording ended, in every version that named it. */
const TIME_LIMIT_REASONS = [
  'the page takes longer than the ',
  'the page was not finished within the time ',
  'the page was not finished when the time was up',
];

/**
 * Before version 3 a report held no causes. A load that ran out of time has its bound. One in which a request timed out has none: its stored
 * load time ends with the last response, and nothing says how much later the request failed.
 */
function withBound(load: MeasuredLoad): MeasuredLoad {
  const { validity } = load;
  if (validity.state !== 'void' || validity.cause !== undefined) return load;
  if (TIME_LIMIT_REASONS.some((reason) => validity.reason.startsWith(reason)))
    return { ...load, validity: { ...validity, cause: 'time-limit', atLeastMs: LONGEST_LOAD_MS } };
  if (!validity.reason.startsWith(`a request failed: ${REQUEST_TIMED_OUT}`)) return load;
  return { ...load, validity: { ...validity, cause: 'request-failed' } };
}

/** The figures that loads over this link are measured with: those asked for, and on the real network those estimated. */
function measuresLink({ asked, measured }: ReportLink) {
  const figures = asked ?? measured;
  return figures && { rttMs: milliseconds(figures.rttMs), downKbps: kilobitsPerSecond(figures.downKbps) };
}
