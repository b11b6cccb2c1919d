/**
 * A list of preferences that somebody wrote, narrowed to what may be measured and set: those of the catalogue, each with the value that counts in
 * the end. What is left out is named in a notice, never dropped without a word.
 */
import { PlumbfoxError } from '../../errors.ts';
import { findKnob } from '../catalogue.ts';
import { checkValue } from '../check-profile.ts';
import type { PreferenceValue } from '../knob.ts';
import { refusalToSet } from '../settable.ts';

/** A preference as a file gives it. */
export interface ListedPreference {
  readonly name: string;
  readonly value: unknown;
  /** Where it stands, such as `line 12`, for whoever has to put it right. */
  readonly at: string;
}

/** The settings of a file, and what a person must know of the rest of it. */
export interface ListedSettings {
  readonly preferences: Readonly<Record<string, PreferenceValue>>;
  /** One line each; empty: every line of the file counts. */
  readonly notices: readonly string[];
}

/**
 * The last line of a preference counts, as in Firefox.
 * @throws PlumbfoxError `bad-input` naming the line, for a value of another type or out of bounds, and where no preference may be set.
 */
export function preferenceList(listed: readonly ListedPreference[]): ListedSettings {
  const last = new Map(listed.map((one) => [one.name, one]));
  const preferences: Record<string, PreferenceValue> = {};
  const outside: string[] = [];
  const refused: string[] = [];
  for (const { name, value, at } of last.values()) {
    const knob = findKnob(name);
    const why = knob && refusalToSet(knob);
    if (knob === undefined) outside.push(name);
    else if (why !== undefined) refused.push(`${name} is not set: ${why}`);
    else {
      try {
        checkValue(knob, value);
      } catch (error) {
        throw error instanceof PlumbfoxError ? new PlumbfoxError('bad-input', `${at}: ${error.message}`, { cause: error }) : error;
      }
      preferences[name] = value;
    }
  }
  if (Object.keys(preferences).length === 0) {
    const instead = outside.length === 0 ? '' : ` (it has ${outside.length} outside of it: ${named(outside)})`;
    throw new PlumbfoxError('bad-input', `It sets no preference of Plumbfox's catalogue${instead}`);
  }
  const left = outside.length === 1 ? 'preference outside the catalogue is' : 'preferences outside the catalogue are';
  return {
    preferences,
    notices: [
      ...contradictions(listed, last),
      ...refused,
      ...(outside.length === 0 ? [] : [`${outside.length} ${left} neither measured nor written: ${named(outside)}`]),
    ],
  };
}

function contradictions(listed: readonly ListedPreference[], last: ReadonlyMap<string, ListedPreference>): readonly string[] {
  const told = new Map<string, ListedPreference>();
  for (const one of listed) {
    const counts = last.get(one.name);
    if (counts !== undefined && counts.value !== one.value && findKnob(one.name) !== undefined) told.set(one.name, counts);
  }
  return [...told.values()].map(
    ({ name, value, at }) => `${name} is set to several values; the last counts, as in Firefox (${at}: ${value})`,
  );
}

const MAX_NAMED = 3;
const SIMPLE = /^[\w.-]{1,80}$/;

/** The first few; a list can have thousands. */
function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => (SIMPLE.test(name) ? name : JSON.stringify(name.slice(0, 40))));
  return names.length <= MAX_NAMED ? shown.join(', ') : `${shown.join(', ')} and ${names.length - MAX_NAMED} more`;
}
