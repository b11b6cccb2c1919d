/** A preference as a line of user.js, and its value as Firefox's preference parser reads it. */
import { PlumbfoxError } from '../errors.ts';
import type { PreferenceValue } from './knob.ts';

/** One line, without its end. @throws PlumbfoxError `bad-input` for a value no preference file can hold. */
export const userPref = ([preference, value]: readonly [string, PreferenceValue]): string =>
  `user_pref(${preferenceLiteral(preference)}, ${preferenceLiteral(value)});`;

/** The largest integer that a preference can hold. */
export const INT32_MAX = 2_147_483_647;
const INT32_MIN = -2_147_483_648;
/** With the u flag a pair is one character, so only a half matches. */
const HALF_PAIR = /\p{Cs}/u;

/**
 * A value as Firefox's preference parser reads it (modules/libpref/parser/src/lib.rs): true, false, a decimal 32-bit integer, or a
 * double-quoted string in which everything but printable ASCII is escaped.
 * @throws PlumbfoxError `bad-input` for what that grammar cannot say: a number that is no 32-bit integer, NUL, half a surrogate pair.
 */
export function preferenceLiteral(value: PreferenceValue): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || value < INT32_MIN || value > INT32_MAX) {
      throw new PlumbfoxError('bad-input', `${value} cannot be written as a preference: it is not a 32-bit integer`);
    }
    return String(value);
  }
  if (value.includes('\0') || HALF_PAIR.test(value)) {
    throw new PlumbfoxError('bad-input', 'A preference cannot hold NUL or half a surrogate pair');
  }
  return `"${value.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7e]/g, escaped)}"`;
}

/** One UTF-16 unit as \uNNNN; a pair of them is one character to the parser too. */
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
