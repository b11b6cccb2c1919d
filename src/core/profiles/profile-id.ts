/**
 * The id of a profile, by its form alone. It is a name (`c4-d6`, `firefox-default`, an alias) or an expression: a name with preferences after it,
 * `c16-d1+network.http.pacing.requests.enabled=false`. Its characters mean nothing to a shell, to HTML, to JSON, or to a comment of user.js.
 */
import * as v from 'valibot';

/** Room for every preference of the catalogue at once, which a test holds. */
export const MAX_ID_LENGTH = 16_384;

/** The form of a name that a person may give. */
export const NAME = /^[a-z0-9][a-z0-9.-]{0,63}$/;
const PART = String.raw`\+[A-Za-z][A-Za-z0-9._-]{0,99}=[A-Za-z0-9._-]{1,64}`;
const ID = new RegExp(`^[a-z0-9][a-z0-9.-]{0,63}(?:${PART})*$`);

/** Whether a text may name a profile: at most 64 of a-z, 0-9, dot and dash, neither of these first. */
export const isProfileName = (text: string): boolean => NAME.test(text);

/** Whether a text has the form of an id, a name or an expression. What an expression sets is decided by the catalogue (`findProfile`). */
export const isProfileId = (text: string): boolean => text.length <= MAX_ID_LENGTH && ID.test(text);

/** An id that came from elsewhere: another process, a file, storage. */
export const profileIdSchema = v.pipe(v.string(), v.maxLength(MAX_ID_LENGTH), v.regex(ID));
