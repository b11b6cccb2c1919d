/** Whether anybody but the trial has changed a preference that its profiles touch. */
import { inEffectHistory } from '../adapters/applied-store.ts';
import { networkPreferences } from '../adapters/network-preferences.ts';
import { valuesOf } from '../adapters/trial-preferences.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { isGatewayTrial, setsPreferences } from '../core/trial/load-route.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import { appliedLive } from './live-facts.ts';
import { gatewayDisturbance } from './trial-gateway.ts';

/** `undefined`: without a value. */
export interface ChangedPreference {
  readonly preference: string;
  readonly expected: PreferenceValue | undefined;
  readonly held: PreferenceValue | undefined;
}

/**
 * Preferences that do not hold what they held before the trial, the person's own profile aside where it is applied again. Empty as well where
 * the browser cannot be asked.
 */
export async function changedSinceBefore({ before, former }: TrialRecord): Promise<readonly ChangedPreference[]> {
  const applied = former?.by === 'live' ? await appliedLive() : undefined;
  return differences({ ...before, ...(applied?.profileId === former?.profileId && applied?.intended) });
}

/** Why the profile of the slot is no longer in effect, in words; `undefined`: it is, or the browser cannot be asked. */
export async function disturbance(trial: TrialRecord): Promise<string | undefined> {
  if (!isGatewayTrial(trial.plan)) return preferencesDisturbance(trial);
  const gateway = await gatewayDisturbance(trial);
  return gateway ?? (setsPreferences(trial.plan) ? preferencesDisturbance(trial) : undefined);
}

async function preferencesDisturbance({ before, progress }: TrialRecord): Promise<string | undefined> {
  if (networkPreferences() === undefined) return undefined;
  const applied = (await inEffectHistory()).at(-1)?.applied ?? undefined;
  const { profileId } = progress.current;
  if (applied?.profileId !== profileId) {
    return `${profileId} was put in effect, and ${applied?.profileId ?? 'nothing of Plumbfox'} is now: another part of Plumbfox has changed it.`;
  }
  const [first] = await differences({ ...before, ...applied.intended });
  return first && changedWords(first);
}

/** One sentence, for the person. */
export const changedWords = ({ preference, expected, held }: ChangedPreference): string =>
  `${preference} was ${value(expected)} and is ${value(held)} now: someone else has changed it.`;

const value = (one: PreferenceValue | undefined): string => (one === undefined ? 'without a value' : String(one));

async function differences(expected: Readonly<Record<string, PreferenceValue>>): Promise<readonly ChangedPreference[]> {
  const preferences = networkPreferences();
  if (preferences === undefined) return [];
  const held = await valuesOf(preferences, Object.keys(expected));
  return Object.entries(expected)
    .map(([preference, wanted]) => ({ preference, expected: wanted, held: held[preference] }))
    .filter((one) => one.held !== one.expected);
}
