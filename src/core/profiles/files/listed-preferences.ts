/** The preferences that a user.js or a policies.json sets, by the rules of Firefox for each. */
import { PlumbfoxError } from '../../errors.ts';
import { isObject, readJsonObject } from '../json-text.ts';
import { lineCounter, parsePreferenceFile } from '../preference-statements.ts';
import { type ListedPreference, type ListedSettings, preferenceList } from './preference-list.ts';

/**
 * The active lines of a user.js.
 * @param bytes - A "binary" string.
 * @throws PlumbfoxError `bad-input`, one line, where Firefox could read none of it, and as `preferenceList`.
 */
export function userJsPreferences(bytes: string): ListedSettings {
  const { statements, errors } = parsePreferenceFile(bytes);
  const [mistake] = errors;
  if (statements.length === 0) {
    const why = mistake === undefined ? 'it has no user_pref line' : `line ${mistake.line}: ${mistake.message}`;
    throw new PlumbfoxError('bad-input', `Firefox would read no preference from it: ${why}`);
  }
  const lineAt = lineCounter(bytes);
  const list = preferenceList(statements.map(({ name, value, start }): ListedPreference => ({ name, value, at: `line ${lineAt(start)}` })));
  if (mistake === undefined) return list;
  const skipped = `line ${mistake.line}: Firefox cannot read it (${mistake.message}) and continues after the next semicolon`;
  return { ...list, notices: [...list.notices, errors.length === 1 ? skipped : `${skipped}; ${errors.length - 1} more such lines`] };
}

/**
 * The preferences that the policy `Preferences` sets, whatever their status; `clear` sets none.
 * https://mozilla.github.io/policy-templates/#preferences
 * @throws PlumbfoxError `bad-input` as `readJsonObject` and `preferenceList`.
 */
export function policiesPreferences(text: string): ListedSettings {
  const { policies } = readJsonObject(text);
  const preferences = isObject(policies) ? policies.Preferences : undefined;
  if (!isObject(preferences)) throw new PlumbfoxError('bad-input', 'Its policies have no Preferences');
  return preferenceList(
    Object.entries(preferences).flatMap(([name, held]): readonly ListedPreference[] => {
      const at = 'policies.Preferences';
      if (!isObject(held)) return [{ name, value: held, at }];
      return held.Status === 'clear' ? [] : [{ name, value: held.Value, at }];
    }),
  );
}
