/**
 * A profile as a block of user.js: https://kb.mozillazine.org/User.js_file . Firefox reads it at each start and copies the values to
 * prefs.js, where they stay when the block is gone.
 */

import { isHeeded, preferencesFor } from './carrier.ts';
import { checkProfile } from './check-profile.ts';
import { depthWords } from './depth-words.ts';
import { inCatalogueOrder } from './in-catalogue-order.ts';
import type { PreferenceValue } from './knob.ts';
import { legacyPipelining } from './legacy-pipelining.ts';
import { preferenceLiteral } from './preference-literal.ts';
import type { Carrier, Profile } from './profile.ts';

/** First and last line of the block; what lies between belongs to Plumbfox and is replaced as a whole. */
export const USER_JS_BEGIN = '// >>> Plumbfox profile >>>';
export const USER_JS_END = '// <<< Plumbfox profile <<<';

interface UserJsOptions {
  readonly carrier: Carrier;
  /** Further comment lines: where the recommendation comes from, and when. */
  readonly notes?: readonly string[];
}

/**
 * The block, each line ended by LF, one `user_pref` a line, without byte order mark.
 * @throws PreferenceRefused, PlumbfoxError `bad-input` as `checkProfile`.
 */
export function userJs(profile: Profile, { carrier, notes = [] }: UserJsOptions): string {
  checkProfile(profile);
  const set = inCatalogueOrder(preferencesFor(profile, carrier)).filter(([preference]) => isHeeded(preference));
  const legacy = profile.depth > 1 ? inCatalogueOrder(legacyPipelining(profile.depth)) : [];
  const lines = [
    USER_JS_BEGIN,
    ...[`${profile.id}: ${profile.title}`, ...notes, ...depthWords(profile, carrier)].flatMap(commentLines),
    ...set.map(userPref),
    ...(set.length + legacy.length === 0 ? commentLines(SETS_NOTHING) : []),
    ...(legacy.length === 0
      ? []
      : commentLines('HTTP/1.1 pipelining, for Gecko up to 53 and its forks. Firefox 54 and later (Gecko 54+) ignore these:')),
    ...legacy.map(userPref),
    USER_JS_END,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** For a profile whose values are all as shipped. */
export const SETS_NOTHING = 'Sets nothing: these are the values this Firefox ships.';

/** One line, without its end. @throws PlumbfoxError `bad-input` for a value no preference file can hold. */
export const userPref = ([preference, value]: readonly [string, PreferenceValue]): string =>
  `user_pref(${preferenceLiteral(preference)}, ${preferenceLiteral(value)});`;

/** Characters that end a line in some reader, and control characters: a note must never become a preference. */
const LINE_ENDS = /[\n\r\u2028\u2029\u0085]+/;
const CONTROLS = /\p{Cc}|\p{Cf}|\p{Cs}/gu;

/** A text of somebody's as lines of comment, whatever is in it; none for an empty one. */
export const commentLines = (text: string): readonly string[] =>
  text
    .split(LINE_ENDS)
    .map((line) => line.replace(CONTROLS, ' ').trim())
    .filter((line) => line !== '')
    .map((line) => `//   ${line}`);
