/** Every combination of the values of some preferences. */
import { PACING_BURST, PACING_ENABLED, PACING_MIN_PARALLELISM, PACING_PER_SECOND } from '../profiles/catalogue.ts';
import type { PreferenceValue } from '../profiles/knob.ts';

/** One preference of a search. */
export interface SearchKnob {
  readonly preference: string;
  /** Values tried besides Firefox's own, which needs no setting. */
  readonly values: readonly PreferenceValue[];
}

/** Preferences with their values; one that is left out keeps Firefox's own. */
export type Settings = Readonly<Record<string, PreferenceValue>>;

/** Their values mean nothing while nothing is paced. */
const OF_PACING: readonly string[] = [PACING_MIN_PARALLELISM, PACING_PER_SECOND, PACING_BURST];

/** Each combination once, the one that sets nothing first. Combinations that differ only in how something is paced, and pace nothing, are one. */
export function factorial(knobs: readonly SearchKnob[]): readonly Settings[] {
  let crossed: readonly Settings[] = [{}];
  for (const { preference, values } of knobs) {
    crossed = crossed.flatMap((settings) => [settings, ...values.map((value) => ({ ...settings, [preference]: value }))]);
  }
  const distinct = new Map(crossed.map((settings) => [settingsKey(withoutIdle(settings)), withoutIdle(settings)]));
  return [...distinct.values()];
}

/** The same text for the same preferences and values, in whatever order. */
export const settingsKey = (settings: Settings): string => JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The names alone: what kind of settings these are. */
export const settingsKind = (settings: Settings): string => Object.keys(settings).sort().join(' ');

/** The same settings but for one preference, which keeps Firefox's own value. */
export function withoutPreference(settings: Settings, preference: string): Settings {
  const { [preference]: _own, ...others } = settings;
  return others;
}

/** Combinations of all values that are simulated at most: five times those of all knobs that are searched by default. */
export const MAX_FACTORIAL = 10_000;

const withoutIdle = (settings: Settings): Settings =>
  settings[PACING_ENABLED] === false ? OF_PACING.reduce(withoutPreference, settings) : settings;
