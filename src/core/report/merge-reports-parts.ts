/** Profiles and pages of several reports, each once; that a name stands for the same thing in all has been checked before. */
import type { Report, ReportPage, ReportProfile } from './report.ts';

/**
 * The baseline first and the control last, as a run has them; the others in the order in which they first come.
 *
 * Where another baseline is named than that of the reports, the control is left out: it is the former baseline through the gateway, so
 * against any other profile it does not show what the gateway costs.
 */
export function mergeProfiles(reports: readonly Report[], baseline: string): readonly ReportProfile[] {
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

/** The former baseline is a candidate like any other where another one was named. `undefined`: it has no part in the comparison. */
function roleOf({ id, role }: ReportProfile, baseline: string, all: readonly ReportProfile[]): ReportProfile['role'] | undefined {
  if (id === baseline) return 'baseline';
  if (role === 'baseline') return 'candidate';
  const isOwnBaseline = all.some((profile) => profile.id === baseline && profile.role === 'baseline');
  return role === 'control' && !isOwnBaseline ? undefined : role;
}

/** Of a page that several reports have, what any of them says; the first where two differ. */
export function mergePages(reports: readonly Report[]): readonly ReportPage[] {
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
