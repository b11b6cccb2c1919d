/**
 * A preference file (prefs.js, user.js) as Firefox reads it: what it sets, in order, and what Firefox would print as `prefs parse error`. After
 * a mistake Firefox continues after the next semicolon, so a missing semicolon also loses the statement after it.
 * Grammar: modules/libpref/parser/src/lib.rs of ESR 140, for user preference files: `user_pref` only, without attributes. Debian's Firefox
 * reads `lockPref` there too, and locks (measured with its ESR 153); Mozilla's does not, and so it is a mistake here.
 */
import type { PreferenceValue } from './knob.ts';
import { type LineComment, PreferenceLexer, type PreferenceToken } from './preference-tokens.ts';
import { INT32_MAX } from './user-pref.ts';

/** Names and strings are bytes, one character each. */
export interface PreferenceStatement {
  readonly name: string;
  readonly value: PreferenceValue;
  /** Offset of `user_pref`, and the offset just after the semicolon. */
  readonly start: number;
  readonly end: number;
  /** Present in a file of default values that locks it. */
  readonly locks?: boolean;
}

interface PreferenceFileError {
  /** From 1, as Firefox would say it. */
  readonly line: number;
  /** Firefox's words. */
  readonly message: string;
  /** Lines, from 1, of the statements that are lost by it: that with the mistake, and those up to the next semicolon. */
  readonly lost: readonly number[];
}

/** `user`: user.js and prefs.js; `defaults`: the files of default values, whose statements may have attributes. */
export type PreferenceFileKind = 'user' | 'defaults';

export interface PreferenceFile {
  readonly statements: readonly PreferenceStatement[];
  readonly errors: readonly PreferenceFileError[];
  /** Comments of the `//` and `#` kind; what only looks like one, in a string or a longer comment, is not among them. */
  readonly lineComments: readonly LineComment[];
}

/** @param bytes - The file as a "binary" string: one character per byte. */
export function parsePreferenceFile(bytes: string, kind: PreferenceFileKind = 'user'): PreferenceFile {
  const lexer = new PreferenceLexer(bytes);
  const statements: PreferenceStatement[] = [];
  const errors: PreferenceFileError[] = [];
  let token = lexer.next();
  while (token.kind !== 'end') {
    const { tokenStart: start, line } = lexer;
    const read = statement(lexer, token, kind);
    if ('name' in read) {
      statements.push({ ...read, start, end: lexer.position });
      token = lexer.next();
    } else {
      const { at, message } = read;
      const error = at.kind === 'error' ? { line: at.line, message: at.message } : { line: lexer.line, message };
      const lost = new Set([line]);
      token = afterSemicolon(lexer, at, (begun) => lost.add(begun));
      errors.push({ ...error, lost: [...lost] });
    }
  }
  const nul = bytes.indexOf('\0');
  if (nul >= 0) errors.push({ line: lexer.line, message: 'a NUL byte; Firefox reads nothing after it', lost: [] });
  return { statements, errors, lineComments: lexer.lineComments };
}

/** The value each preference has in the end: of several statements the last. */
export const valuesSet = (file: PreferenceFile): ReadonlyMap<string, PreferenceStatement> =>
  new Map(file.statements.map((statement) => [statement.name, statement]));

/** The token that was not what had to be there, and Firefox's message. */
export interface Unexpected {
  readonly at: PreferenceToken;
  readonly message: string;
}

const SPECIFIERS: Readonly<Record<PreferenceFileKind, readonly string[]>> = { user: ['user_pref'], defaults: ['pref', 'sticky_pref'] };

function statement(
  lexer: PreferenceLexer,
  first: PreferenceToken,
  kind: PreferenceFileKind,
): { name: string; value: PreferenceValue; locks?: boolean } | Unexpected {
  const specifiers = SPECIFIERS[kind];
  if (!specifiers.some((specifier) => isKeyword(first, specifier)))
    return { at: checkedKeyword(first, lexer), message: `expected '${specifiers[0]}' at start of pref definition` };
  const open = next(lexer);
  if (!isPunctuation(open, '(')) return { at: open, message: "expected '(' after pref specifier" };
  const name = next(lexer);
  if (name.kind !== 'string') return { at: name, message: "expected pref name after '('" };
  const comma = next(lexer);
  if (!isPunctuation(comma, ',')) return { at: comma, message: "expected ',' after pref name" };
  const value = literal(lexer);
  if (typeof value === 'object') return value;
  let close = next(lexer);
  let locks = false;
  while (kind === 'defaults' && isPunctuation(close, ',')) {
    const attribute = next(lexer);
    if (!isKeyword(attribute, 'locked') && !isKeyword(attribute, 'sticky'))
      return { at: attribute, message: "expected pref attribute after ','" };
    locks ||= isKeyword(attribute, 'locked');
    close = next(lexer);
  }
  if (!isPunctuation(close, ')')) return { at: close, message: "expected ')' after pref value" };
  const semicolon = next(lexer);
  if (!isPunctuation(semicolon, ';')) return { at: semicolon, message: "expected ';' after ')'" };
  return { name: name.value, value, ...(locks && { locks: true }) };
}

/** A value as it stands in a statement. */
export function literal(lexer: PreferenceLexer): PreferenceValue | Unexpected {
  const token = next(lexer);
  if (isKeyword(token, 'true')) return true;
  if (isKeyword(token, 'false')) return false;
  if (token.kind === 'string') return token.value;
  if (token.kind === 'integer') return within(lexer, token.value, INT32_MAX);
  if (token.kind === 'punctuation' && (token.text === '+' || token.text === '-')) {
    const digits = next(lexer);
    if (digits.kind !== 'integer') return { at: digits, message: `expected integer literal after '${token.text}'` };
    if (token.text === '+') return within(lexer, digits.value, INT32_MAX);
    const value = within(lexer, digits.value, INT32_MAX + 1);
    // Avoids -0.
    return typeof value === 'number' ? 0 - value : value;
  }
  return { at: token, message: "expected pref value after ','" };
}

const within = (lexer: PreferenceLexer, value: number, max: number): number | Unexpected =>
  value <= max ? value : { at: { kind: 'error', message: 'integer literal overflowed', line: lexer.line }, message: '' };

/** Every word Firefox knows in any preference file: any other is reported as an error. */
const KEYWORDS = ['pref', 'true', 'false', 'user_pref', 'sticky', 'locked', 'sticky_pref'];

const next = (lexer: PreferenceLexer): PreferenceToken => checkedKeyword(lexer.next(), lexer);

function checkedKeyword(token: PreferenceToken, { line }: PreferenceLexer): PreferenceToken {
  return token.kind === 'keyword' && !KEYWORDS.includes(token.text) ? { kind: 'error', message: 'unknown keyword', line } : token;
}

const isKeyword = (token: PreferenceToken, text: string): boolean => token.kind === 'keyword' && token.text === text;
const isPunctuation = (token: PreferenceToken, text: string): boolean => token.kind === 'punctuation' && token.text === text;

/** Recovers as Firefox does: continues after the next semicolon, from the token that was wrong. */
function afterSemicolon(lexer: PreferenceLexer, from: PreferenceToken, onStatement: (line: number) => void): PreferenceToken {
  let token = from;
  while (!isPunctuation(token, ';')) {
    if (token.kind === 'end') return token;
    if (token.kind === 'keyword' && /pref$/i.test(token.text)) onStatement(lexer.line);
    token = lexer.next();
  }
  return lexer.next();
}

/**
 * Lines, from 1, of offsets that ascend, so that a long file is read once. A line ends as Firefox counts it: LF, CR, or both.
 * @param bytes - A "binary" string.
 */
export function lineCounter(bytes: string): (offset: number) => number {
  let [at, line] = [0, 1];
  return (offset) => {
    for (; at < offset; at++) {
      const c = bytes[at];
      if (c === '\n' || (c === '\r' && bytes[at + 1] !== '\n')) line++;
    }
    return line;
  };
}
