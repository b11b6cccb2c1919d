/** What is put in effect while Firefox runs, as facts: the profile, what Firefox holds of it, and what has the preferences in hand. */
import { inEffectHistory } from '../adapters/applied-store.ts';
import { networkPreferences } from '../adapters/network-preferences.ts';
import { newestTrial } from '../adapters/trial-store.ts';
import type { AppliedProfile } from '../core/profiles/profile.ts';
import type { LiveFacts, LivePreference } from '../protocol/live-facts.ts';

/** `undefined`: nothing can be put in effect while this Firefox runs. */
export async function liveFacts(): Promise<LiveFacts | undefined> {
  const preferences = networkPreferences();
  if (preferences === undefined) return undefined;
  const [applied, heldBy, set] = await Promise.all([appliedLive(), holder(), preferences.journal()]);
  if (applied === undefined) return { canRevert: set.length > 0, ...(heldBy && { heldBy }) };
  const held = await preferences.readBack(Object.keys(applied.intended));
  const shown = held.flatMap(({ preference: name, value: found, locked }): LivePreference[] => {
    const intended = applied.intended[name];
    return intended === undefined ? [] : [{ name, intended, ...(found !== undefined && { found }), locked }];
  });
  return { applied: { profileId: applied.profileId, preferences: shown }, canRevert: true, ...(heldBy && { heldBy }) };
}

/** The profile that was put in effect while Firefox runs; what leads through the gateway meanwhile does not end it. */
export async function appliedLive(): Promise<AppliedProfile | undefined> {
  const current = (await history()).findLast(({ applied }) => applied?.applier !== 'gateway')?.applied ?? undefined;
  return current?.applier === 'experiment-api' ? current : undefined;
}

/** A store that cannot be read is told by the recording's state. */
async function history(): ReturnType<typeof inEffectHistory> {
  try {
    return await inEffectHistory();
  } catch (error) {
    if (error instanceof DOMException) return [];
    throw error;
  }
}

/** What has the preferences in hand instead of the person. */
export async function holder(): Promise<LiveFacts['heldBy']> {
  const trial = await trialStanding();
  if (trial !== undefined) return trial;
  return (await history()).at(-1)?.applied?.applier === 'gateway' ? 'gateway' : undefined;
}

/** A trial that cannot be read may be under way all the same; with a store that cannot be read nothing is. */
async function trialStanding(): Promise<'trial' | 'trial-restoring' | undefined> {
  try {
    const { status, applied } = (await newestTrial())?.progress ?? {};
    if (status === undefined) return undefined;
    if (status !== 'ended') return 'trial';
    return applied ? 'trial-restoring' : undefined;
  } catch (error) {
    return error instanceof DOMException ? undefined : 'trial';
  }
}
