/** The profiles that loads ran under, as a report lists them. */
import type { PageLoad } from '../core/measure/page-load.ts';
import { BASELINE_ID, CONTROL_ID, findProfile } from '../core/profiles/presets.ts';
import type { ReportProfile } from '../core/report/report.ts';

/** The baseline first, then the others in order of first appearance. */
export function fieldProfiles(loads: readonly PageLoad[]): readonly ReportProfile[] {
  const applied = new Map(loads.flatMap((load) => (load.applied ? [[load.applied.profileId, load.applied] as const] : [])));
  const ids = [BASELINE_ID, ...[...applied.keys()].filter((id) => id !== BASELINE_ID)];
  return ids.map((id) => {
    const profile = findProfile(id);
    const held = applied.get(id);
    return {
      id,
      title: profile?.title ?? id,
      carrier: held?.carrier ?? 'none',
      ...(profile?.connections !== undefined && { connections: profile.connections }),
      depth: profile?.depth ?? 1,
      intended: held?.intended ?? {},
      role: roleOf(id),
    };
  });
}

function roleOf(id: string): ReportProfile['role'] {
  if (id === BASELINE_ID) return 'baseline';
  return id === CONTROL_ID ? 'control' : 'candidate';
}
