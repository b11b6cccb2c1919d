/** The plan for each preference, from its previous value, what we wrote and what Firefox has saved. Pure. */
import { depthNotes, isHeeded, preferencesFor } from '../../core/profiles/carrier.ts';
import { findKnob, inCatalogueOrder } from '../../core/profiles/catalogue.ts';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import { type PreferenceStatement, parsePreferenceFile, valuesSet } from '../../core/profiles/preference-statements.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { checkCarriedBy } from '../../core/profiles/settable.ts';
import { appliedBlock } from '../../core/profiles/user-js.ts';
import { userPref } from '../../core/profiles/user-pref.ts';
import { statementIn } from './files.ts';
import type { RecordedPreference } from './record.ts';

type Intended = Readonly<Record<string, PreferenceValue>>;
/** The statements of prefs.js by name; the last if there are several. */
export type Saved = ReadonlyMap<string, PreferenceStatement>;

/**
 * The values for user.js: those of the profile that this Firefox uses. There is no gateway here, so depth has no effect.
 * @throws PreferenceRefused for a preference that user.js cannot set.
 */
export function intendedBy(profile: Profile): Intended {
  checkCarriedBy('helper', profile.preferences);
  return Object.fromEntries(inCatalogueOrder(preferencesFor(profile, 'none')).filter(([name]) => isHeeded(name)));
}

/** The intended values of the record, without preferences that are being restored. */
const intendedIn = (preferences: readonly RecordedPreference[]): Intended =>
  Object.fromEntries(preferences.flatMap(({ name, intended }) => (intended === undefined ? [] : [[name, intended]])));

/**
 * Whose value prefs.js has. `former`: the one from before. `ours`: one that we wrote, or none where there was one, because Firefox does not save a
 * value that equals its default. `others`: it was changed since.
 */
export function savedBy({ name, former, written }: RecordedPreference, saved: Saved): 'former' | 'ours' | 'others' {
  const value = saved.get(name)?.value;
  if (value === (former === undefined ? undefined : statementIn(former)?.value)) return 'former';
  return value === undefined || written.some((one) => one === value) ? 'ours' : 'others';
}

/**
 * The record's preferences when `intended` replaces the previous intention. A value that something else has set since becomes the one to restore.
 * @param prefsJs - A "binary" string.
 */
export function planPreferences(
  before: readonly RecordedPreference[],
  intended: Intended,
  { prefsJs, saved }: { readonly prefsJs: string; readonly saved: Saved },
): readonly RecordedPreference[] {
  const names = new Set([...before.map(({ name }) => name), ...Object.keys(intended)]);
  return [...names].map((name) => {
    const old = before.find((one) => one.name === name);
    const statement = saved.get(name);
    const now = statement && prefsJs.slice(statement.start, statement.end);
    const former = old === undefined || savedBy(old, saved) === 'others' ? now : old.former;
    const value = intended[name];
    const written = new Set([...(old?.written ?? []), ...(value === undefined ? [] : [value])]);
    return {
      name,
      ...(former === undefined ? {} : { former }),
      written: [...written],
      ...(value === undefined ? {} : { intended: value }),
    };
  });
}

/** The lines with which Firefox itself returns to the previous values and saves them. */
interface RestorePlan {
  readonly lines: readonly string[];
  /** The preferences, with the values that we write until then. */
  readonly preferences: readonly RecordedPreference[];
}

/** @param before - user.js without our block, a "binary" string: its values have priority, then those of prefs.js, then Firefox's default. */
export function planRestore(preferences: readonly RecordedPreference[], before: string): RestorePlan {
  const foreign = valuesSet(parsePreferenceFile(before));
  const lines: string[] = [];
  const next = preferences.map((preference) => {
    const { name, intended, former, written } = preference;
    if (intended !== undefined) return preference;
    const statement = foreign.get(name);
    const text = statement === undefined ? former : before.slice(statement.start, statement.end);
    if (text !== undefined) {
      lines.push(text);
      return preference;
    }
    const shipped = findKnob(name)?.defaults.desktop;
    if (shipped === undefined) return preference;
    lines.push(userPref([name, shipped]));
    return { ...preference, written: [...new Set([...written, shipped])] };
  });
  return { lines, preferences: next };
}

/** The block for a profile; without one, everything is being restored. */
export function blockFor(options: {
  readonly profile: Profile | undefined;
  readonly preferences: readonly RecordedPreference[];
  readonly givenBack: readonly string[];
  /** A date such as `2026-11-21`. */
  readonly today: string;
}): string {
  const { profile, preferences, today } = options;
  const notes =
    profile === undefined
      ? [`Plumbfox is restoring what was here before ${today}. It removes this block when Firefox has closed.`]
      : [
          `${profile.id}: ${profile.title}`,
          `Written by Plumbfox on ${today}. Do not edit this block: Plumbfox does not touch a file whose block was changed.`,
          'To undo it: press "Undo" in the popup of Plumbfox, or run plumbfox revert --firefox-profile with this folder',
          ...depthNotes(profile, 'none'),
        ];
  return appliedBlock({ notes, intended: intendedIn(preferences), givenBack: options.givenBack });
}
