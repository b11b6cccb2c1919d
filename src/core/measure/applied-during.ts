/** Which profile a load ran under, from the history of what was in effect when. */
import type { AppliedProfile } from '../profiles/profile.ts';

export interface InEffectSince {
  /** Wall clock, ms since the epoch. */
  readonly since: number;
  /** `null`: nothing applied by Plumbfox. */
  readonly applied: AppliedProfile | null;
}

/**
 * The profile in effect when the load began; `undefined`: none of ours.
 * A load during which another profile came into effect ran under neither: its record keeps the first and names every preference in which
 * the two differ as a mismatch, so that nothing counts it.
 */
export function appliedDuring(history: readonly InEffectSince[], startedAt: number, endedAt: number): AppliedProfile | undefined {
  const ordered = history.toSorted((a, b) => a.since - b.since);
  const atStart = ordered.findLast((entry) => entry.since <= startedAt)?.applied ?? undefined;
  const changes = ordered.filter((entry) => entry.since > startedAt && entry.since <= endedAt);
  const start = atStart ?? changes.find(({ applied }) => applied !== null)?.applied;
  if (!start) return undefined;
  const changed = changes.flatMap((change) => differing(start.intended, change.applied?.intended ?? {}));
  return { ...start, mismatches: [...new Set([...start.mismatches, ...changed, ...(atStart ? [] : Object.keys(start.intended))])] };
}

function differing(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}
