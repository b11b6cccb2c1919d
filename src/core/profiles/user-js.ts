/**
 * A profile as a block of user.js: https://kb.mozillazine.org/User.js_file . Firefox reads it at each start and copies the values to
 * prefs.js, where they stay when the block is gone.
 */
import { PlumbfoxError } from '../errors.ts';
import { depthNotes, isHeeded, legacyPipelining, preferencesFor } from './carrier.ts';
import { inCatalogueOrder } from './catalogue.ts';
import { checkProfile } from './check-profile.ts';
import type { PreferenceValue } from './knob.ts';
import { type PreferenceFile, parsePreferenceFile } from './preference-statements.ts';
import { BYTE_ORDER_MARK } from './preference-tokens.ts';
import type { Carrier, Profile } from './profile.ts';
import { priceLine, pricesOf } from './profile-price.ts';
import { userPref } from './user-pref.ts';

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
    ...[
      `${profile.id}: ${profile.title}`,
      ...notes,
      ...pricesOf(profile.preferences).map(priceLine),
      ...depthNotes(profile, carrier),
    ].flatMap(commentLines),
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

/** The comment of a profile whose values are all as shipped. */
const SETS_NOTHING = "Sets nothing: these are Firefox's own settings.";

/** Characters that end a line in some reader, and control characters: a note must never become a preference. */
const LINE_ENDS = /[\n\r\u2028\u2029\u0085]+/;
const CONTROLS = /\p{Cc}|\p{Cf}|\p{Cs}/gu;

/** Any text as lines of comment; none for an empty one. */
const commentLines = (text: string): readonly string[] =>
  text
    .split(LINE_ENDS)
    .map((line) => line.replace(CONTROLS, ' ').trim())
    .filter((line) => line !== '')
    .map((line) => `//   ${line}`);

interface AppliedBlock {
  /** What a person should know who comes upon it. */
  readonly notes: readonly string[];
  readonly intended: Readonly<Record<string, PreferenceValue>>;
  /** Statements as they are to be written: previous values of preferences that are no longer set, until Firefox has saved them. */
  readonly givenBack: readonly string[];
}

/**
 * The block that the helper writes: what a profile sets, and what Firefox has to restore. Lines end with LF; one byte a character,
 * because the given-back statements are in bytes too.
 */
export function appliedBlock({ notes, intended, givenBack }: AppliedBlock): string {
  const set = inCatalogueOrder(intended).map(userPref);
  const lines = [
    USER_JS_BEGIN,
    ...notes.flatMap(commentLines).map((line) => line.replace(/[^ -~]/g, '?')),
    ...set,
    ...(set.length + givenBack.length === 0 ? commentLines(SETS_NOTHING) : []),
    ...(givenBack.length === 0 ? [] : commentLines('Given back; these lines go when Firefox has saved them:')),
    ...givenBack,
    USER_JS_END,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

// Our block in a user's user.js goes to the end, where it wins over every other line; everything else stays as it is, byte for byte.
// Files are "binary" strings, one character per byte.

/** Where a block lies: from its first line to just after its last. */
interface BlockPlace {
  readonly start: number;
  readonly end: number;
}

/** A user.js that may be written to. */
export interface CheckedUserJs {
  readonly bytes: string;
  readonly file: PreferenceFile;
  /** `undefined`: there is none. */
  readonly block: BlockPlace | undefined;
}

/**
 * @throws PlumbfoxError `bad-input`, one line, for a file of which Firefox would not read all (what is appended to it might be lost), and for
 *   one that has our marks otherwise than as one whole block.
 */
export function checkUserJs(bytes: string): CheckedUserJs {
  const file = parsePreferenceFile(bytes);
  const [first] = file.errors;
  if (first !== undefined) {
    throw new PlumbfoxError(
      'bad-input',
      `user.js, line ${first.line}: Firefox cannot read it (${first.message}), and may skip what follows; put that line right first`,
    );
  }
  return { bytes, file, block: findBlock(bytes, file) };
}

/**
 * The file with this block at its end, in place of the one that is there.
 * @param block - Lines ended by LF; they get the line ends of the file. The block with a line end before it where the file lacks its last.
 */
export function putBlock(user: CheckedUserJs, block: string): { readonly bytes: string; readonly block: string } {
  const rest = withoutBlock(user);
  const lineEnd = lineEndOf(rest);
  const separator = rest === '' || rest === BYTE_ORDER_MARK || /[\n\r]$/.test(rest) ? '' : lineEnd;
  const put = separator + block.replaceAll('\n', lineEnd);
  return { bytes: rest + put, block: put };
}

/** The file without our block; a line end that `putBlock` added before it stays, if what it gave is not given. */
export function withoutBlock(user: CheckedUserJs, put?: string): string {
  const { bytes, block } = user;
  return block === undefined ? bytes : bytes.slice(0, startWithLineEnd(user, put)) + bytes.slice(block.end);
}

/** The block's bytes, with the line end before it if `put`, what `putBlock` gave, begins with one. `undefined`: there is none. */
export function blockBytes(user: CheckedUserJs, put: string): string | undefined {
  return user.block && user.bytes.slice(startWithLineEnd(user, put), user.block.end);
}

function startWithLineEnd({ bytes, block }: CheckedUserJs, put = ''): number {
  const start = block?.start ?? bytes.length;
  if (!/^[\n\r]/.test(put)) return start;
  return start - (/(\r\n|\n|\r)$/.exec(bytes.slice(0, start))?.[0].length ?? 0);
}

const lineEndOf = (bytes: string): string => (/^[^\n\r]*\r\n/.test(bytes) ? '\r\n' : '\n');

function findBlock(bytes: string, file: PreferenceFile): BlockPlace | undefined {
  const marks = file.lineComments.flatMap(({ start, end }) => {
    const text = bytes.slice(start, end).trimEnd();
    return text === USER_JS_BEGIN || text === USER_JS_END ? [{ start, end, begins: text === USER_JS_BEGIN }] : [];
  });
  const [begin, end, ...more] = marks;
  if (begin === undefined) return undefined;
  if (end === undefined || more.length > 0 || !begin.begins || end.begins) {
    throw damaged(bytes, begin.start, more.length > 0 ? 'is there more than once' : 'is there only in part');
  }
  const cut = file.statements.some(
    ({ start, end: close }) => (start < begin.start && close > begin.start) || (start < end.start && close > end.start),
  );
  if (cut) throw damaged(bytes, begin.start, 'begins or ends in the middle of a line of somebody else');
  return { start: begin.start, end: end.end + (/^(\r\n|\n|\r)/.exec(bytes.slice(end.end, end.end + 2))?.[0].length ?? 0) };
}

function damaged(bytes: string, at: number, what: string): PlumbfoxError {
  const line = bytes.slice(0, at).split(/\r\n|\n|\r/).length;
  return new PlumbfoxError(
    'bad-input',
    `user.js, line ${line}: the Plumbfox block ${what}; delete every line from "${USER_JS_BEGIN}" to "${USER_JS_END}", then try again`,
  );
}
