/** What a person reads in place of a profile's id in the sentences of a trial. */
import { BASELINE_ID, CONTROL_ID, isPluralLabel, profileLabel } from '../profiles/presets.ts';

const OWN: Readonly<Record<string, string>> = {
  [BASELINE_ID]: "Firefox's own settings",
  [CONTROL_ID]: "Firefox's own settings through the gateway",
};

/** `12 connections`, `Firefox's own settings`; a profile with a name of its own goes by that. */
export const armName = (profileId: string): string => OWN[profileId] ?? profileLabel(profileId);

/** The name with the form of its verb that fits it: `12 connections are`, `betterfox is`. */
export function armWith(profileId: string, verb: keyof typeof VERBS): string {
  const isPlural = Object.hasOwn(OWN, profileId) || isPluralLabel(profileId);
  return `${armName(profileId)} ${isPlural ? VERBS[verb] : verb}`;
}

/** Of one, and of several. */
const VERBS = { is: 'are', was: 'were', has: 'have', looks: 'look' } as const;
