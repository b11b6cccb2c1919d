/** Several reports as one, so that runs of different days or machines answer one question together. */
import { PlumbfoxError } from '../../errors.ts';
import { buildReport } from '../build-report.ts';
import type { MeasuredLoad, Report, ReportPage, ReportProfile } from '../report.ts';
import { checkMergeable, type NamedReport } from './checks.ts';
import { mergeLinks } from './links.ts';
import { type MergedParts, mergeProvenance } from './provenance.ts';

interface MergeOptions {
  /** Names of the reports in messages, such as their files. Default: `report 1`, `report 2`, ... */
  readonly names?: readonly string[] | undefined;
  /** The profile the others are compared with. Default: that of the reports, which must then be the same in all. */
  readonly baseline?: string | undefined;
  /** Whether reports over different links may be merged. Links of one name with different figures then get their own names. */
  readonly mixedLinks?: boolean | undefined;
}

/**
 * Loads are appended in the order of the reports, and blocks numbered on, so that no load is ever paired with one of another
 * report: what differs between runs (machine, hour, Firefox) falls on every profile alike. The comparison is computed again from all
 * loads; the intervals hold at every look, so merging after seeing the single results is no fault.
 *
 * A single report is allowed: its comparison is computed again, with another baseline if requested.
 *
 * @throws PlumbfoxError bad-input, one line that names the reports and what to do: none given; loads that are in two of them; measures
 *   of different versions; emulation by packets mixed with the relay or the real network; different links unless requested; different
 *   baselines; a profile or a page of one name that is not the same.
 */
export function mergeReports(reports: readonly Report[], options: MergeOptions = {}): Report {
  const named = reports.map((report, at): NamedReport => ({ report, name: options.names?.[at] ?? `report ${at + 1}` }));
  const [first] = named;
  if (first === undefined) throw new PlumbfoxError('bad-input', 'There is no report to compare: name at least one');
  const baseline = options.baseline ?? first.report.comparison.baseline;
  checkMergeable(named, { baseline, sameBaseline: options.baseline === undefined });
  const profiles = mergeProfiles(reports, baseline);
  const { links, linkNames } = mergeLinks(named, { mixed: options.mixedLinks ?? false });
  const merged = buildReport({
    createdAt: reports.map(({ createdAt }) => createdAt).reduce((latest, each) => (each > latest ? each : latest)),
    provenance: mergeProvenance(reports, { baseline, profiles, linkNames }),
    links,
    pages: mergePages(reports),
    profiles,
    loads: mergeLoads(reports, { linkNames, profiles }),
    baseline,
  });
  return { ...merged, metricVersion: first.report.metricVersion };
}

function mergeLoads(reports: readonly Report[], { linkNames, profiles }: Omit<MergedParts, 'baseline'>): readonly MeasuredLoad[] {
  const ids = new Set(profiles.map(({ id }) => id));
  const merged: MeasuredLoad[] = [];
  let blocks = 0;
  let orders = 0;
  reports.forEach(({ loads }, at) => {
    for (const load of loads) {
      if (!ids.has(load.profileId)) continue;
      const page = pageName(reports, { at, name: load.page });
      const link = linkNames[at]?.get(load.link) ?? load.link;
      merged.push({ ...load, page, link, block: load.block + blocks, order: load.order + orders });
    }
    blocks += next(loads.map(({ block }) => block));
    orders += next(loads.map(({ order }) => order));
  });
  return merged;
}

/** The number after the highest; 0 without any. */
const next = (numbers: readonly number[]): number => numbers.reduce((highest, number) => Math.max(highest, number + 1), 0);

/**
 * The baseline first and the control last, as in a run; the others in the order in which they first come. If another baseline is named than
 * that of the reports, the control is left out: it is the previous baseline through the gateway, so against any other profile it does not show
 * what the gateway costs.
 */
function mergeProfiles(reports: readonly Report[], baseline: string): readonly ReportProfile[] {
  const known = new Map<string, ReportProfile>();
  for (const { profiles } of reports) {
    for (const profile of profiles) {
      const role = roleOf(profile, baseline, profiles);
      if (role !== undefined && !known.has(profile.id)) known.set(profile.id, { ...profile, role });
    }
  }
  const order = ['baseline', 'candidate', 'control'];
  return [...known.values()].sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
}

/** The previous baseline is a candidate like any other. `undefined`: the profile has no part in the comparison. */
function roleOf({ id, role }: ReportProfile, baseline: string, all: readonly ReportProfile[]): ReportProfile['role'] | undefined {
  if (id === baseline) return 'baseline';
  if (role === 'baseline') return 'candidate';
  const isOwnBaseline = all.some((profile) => profile.id === baseline && profile.role === 'baseline');
  return role === 'control' && !isOwnBaseline ? undefined : role;
}

/** A page that several reports have gets what any of them says; the first counts where two differ. */
function mergePages(reports: readonly Report[]): readonly ReportPage[] {
  const known = new Map<string, ReportPage>();
  reports.forEach(({ pages }, at) => {
    for (const page of pages) {
      const name = pageName(reports, { at, name: page.name });
      known.set(name, { ...page, ...known.get(name), name });
    }
  });
  return [...known.values()];
}

/** Everyday pages are numbered as they come, so page-1 of one report is hardly ever that of another. */
export function pageName(reports: readonly Report[], { at, name }: { readonly at: number; readonly name: string }): string {
  return reports.length > 1 && reports[at]?.provenance.turns === 'as-they-came' ? `${name} of report ${at + 1}` : name;
}
