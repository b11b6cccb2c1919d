/** A report made from the loads of a run: the comparison is computed here, from these loads and nothing else. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import { comparableReport } from './comparable-loads.ts';
import { hideOrigins } from './hide-origins.ts';
import { METRIC_VERSION, REPORT_FORMAT, REPORT_VERSION, type Report } from './report.ts';

export interface ReportInput extends Pick<Report, 'createdAt' | 'provenance' | 'links' | 'pages' | 'profiles' | 'loads'> {
  /** The profile the others are compared with. */
  readonly baseline: string;
}

/**
 * Origins of the measures are replaced by `origin-1`, `origin-2`, ...: a report leaves the machine, addresses do not.
 * @throws PlumbfoxError bad-input as `compareProfiles` does.
 */
export function buildReport({ createdAt, provenance, links, pages, profiles, loads, baseline }: ReportInput): Report {
  return {
    format: REPORT_FORMAT,
    version: REPORT_VERSION,
    metricVersion: METRIC_VERSION,
    createdAt,
    provenance,
    links,
    pages,
    profiles,
    loads: hideOrigins(loads),
    comparison: compareProfiles(comparableReport({ loads, pages }), {
      baseline,
      profiles,
      turns: provenance.turns,
      plannedBlocks: provenance.plannedBlocks,
    }),
  };
}
