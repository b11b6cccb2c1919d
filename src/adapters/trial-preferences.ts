/** The preferences that the arms of a trial touch, as the browser holds them. */
import { preferencesFor } from '../core/profiles/preferences-for.ts';
import type { Profile } from '../core/profiles/profile.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import type { NetworkPreferences } from './network-preferences.ts';

/** Values of every preference that any of these profiles sets, and which of them the person has set; one that this Firefox does not know is left out. */
export async function preferencesTouched(
  preferences: NetworkPreferences,
  profiles: readonly Profile[],
): Promise<Pick<TrialRecord, 'before' | 'own'>> {
  const names = [...new Set(profiles.flatMap((profile) => Object.keys(preferencesFor(profile, 'none'))))];
  const held = await preferences.readBack(names);
  return {
    before: await valuesOf(preferences, names),
    own: held.filter(({ userSet }) => userSet).map(({ preference }) => preference),
  };
}

/** Names that have no value are left out of the answer. */
export async function valuesOf(preferences: NetworkPreferences, names: readonly string[]): Promise<TrialRecord['before']> {
  const held = await preferences.readBack(names);
  return Object.fromEntries(held.flatMap(({ preference, value }) => (value === undefined ? [] : [[preference, value]])));
}
