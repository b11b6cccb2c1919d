/** The profiles that everyday loads ran under, as the comparison needs them. */
import type { ComparedProfile } from '../compare/comparison.ts';
import { BASELINE_ID, CONTROL_ID, findProfile } from '../profiles/presets.ts';
import type { Carrier } from '../profiles/profile.ts';
import type { LoadFigures } from './load-figures.ts';

/** The baseline first, then the others in order of first appearance; the carrier is that of the latest load. */
export function fieldProfiles(figures: readonly Pick<LoadFigures, 'profileId' | 'carrier'>[]): readonly ComparedProfile[] {
  const carriers = new Map<string, Carrier>([[BASELINE_ID, 'none']]);
  for (const { profileId, carrier } of figures) carriers.set(profileId, carrier);
  return [...carriers].map(([id, carrier]) => {
    const profile = findProfile(id);
    const connections = profile?.connections;
    return { id, carrier, role: fieldRole(id), ...(connections !== undefined && { connections }), depth: profile?.depth ?? 1 };
  });
}

/** By name alone: everyday loads have no other mark. */
function fieldRole(id: string): ComparedProfile['role'] {
  if (id === BASELINE_ID) return 'baseline';
  return id === CONTROL_ID ? 'control' : 'candidate';
}
