/** The preferences that the arms of a trial touch, as the browser holds them. */
import { preferencesFor } from '../core/profiles/preferences-for.ts';
import type { Profile } from '../core/profiles/profile.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import type { NetworkPreferences } from './network-preferences.ts';

type Values = TrialRecord['before'];

/** Values of every preference that any of these profiles sets; one that this Firefox does not know is left out. */
export async function valuesTouched(preferences: NetworkPreferences, profiles: readonly Profile[]): Promise<Values> {
  const names = [...new Set(profiles.flatMap((profile) => Object.keys(preferencesFor(profile, 'none'))))];
  return valuesOf(preferences, names);
}

export async function valuesOf(preferences: NetworkPreferences, names: readonly string[]): Promise<Values> {
  const held = await preferences.readBack(names);
  return Object.fromEntries(held.flatMap(({ preference, value }) => (value === undefined ? [] : [[preference, value]])));
}
