/** The JSON document of `tune --json`: the command's contract, documented in the README. */
import type { Report } from '../core/report/report.ts';

export interface TuneFiles {
  readonly report: string;
  readonly html: string;
  readonly policies: string;
  readonly userJs: string;
  readonly loads: string;
}

export function tuneJson(report: Report, files: TuneFiles): object {
  const { comparison, provenance } = report;
  return {
    profiles: comparison.profiles.map(({ id, carrier, role, loads, voidLoads, efficiency, loadTimeMs, versusBaseline }) => ({
      id,
      carrier,
      role,
      loads,
      voidLoads,
      efficiency,
      loadTimeMs,
      versusBaseline,
    })),
    scenarios: comparison.scenarios,
    links: report.links.map(({ name, kind, basis, asked, measured }) => ({ name, kind, basis, asked, measured })),
    control: comparison.control,
    recommendation: comparison.recommendation,
    files,
    seed: provenance.seed,
    firefox: provenance.firefox,
    applier: provenance.applier,
    notes: provenance.notes,
  };
}
