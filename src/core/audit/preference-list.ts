/**
 * A list of preferences as people publish and keep them: user.js, prefs.js, or the `Preferences` of a policies.json. A file is given as a "binary"
 * string, one character per byte, so that an offset is an offset in the file.
 */
import { assertNever, PlumbfoxError } from '../errors.ts';
import { isObject, readJsonObject } from '../profiles/json-text.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import { lineCounter, parsePreferenceFile } from '../profiles/preference-statements.ts';
import { BYTE_ORDER_MARK } from '../profiles/preference-tokens.ts';

/** `preferences`: user.js or prefs.js, which have one grammar. */
export type ListFormat = 'preferences' | 'policies';

/** One preference that a list sets. */
export interface ListLine {
  /** The file it is in, where a list has several. */
  readonly file?: string;
  readonly name: string;
  readonly value: PreferenceValue;
  /** Present for a line of a policies.json: whether it locks the preference, and whether it names its type. */
  readonly policy?: { readonly locks: boolean; readonly isTyped: boolean };
  /** From 1. */
  readonly line: number;
  /** Offset of its first byte, and the offset just after its last. */
  readonly start: number;
  readonly end: number;
}

/** What a list sets, in its order, and what in it Firefox would refuse. */
export interface PreferenceList {
  readonly format: ListFormat;
  readonly lines: readonly ListLine[];
  /** `line` counts from 1. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

/** A profile used for years has 20 MB; more is another kind of file. */
export const MAX_LIST_BYTES = 32_000_000;
/** 20 times the longest list published (1,100 lines); 640,000 took more than 100 s and 1 GB to judge. */
export const MAX_LIST_LINES = 20_000;

/** @throws PlumbfoxError `bad-input`, one line, where it is empty, is no text, or sets nothing. */
export function parsePreferenceList(bytes: string): PreferenceList {
  if (bytes.trim() === '' || bytes === BYTE_ORDER_MARK) throw new PlumbfoxError('bad-input', 'is empty: it sets nothing');
  const format = /^(?:\xef\xbb\xbf)?\s*\{/.test(bytes) ? 'policies' : 'preferences';
  switch (format) {
    case 'policies':
      return policiesList(bytes);
    case 'preferences':
      return preferencesList(bytes);
    default:
      return assertNever(format);
  }
}

function preferencesList(bytes: string): PreferenceList {
  if (bytes.includes('\0'))
    throw new PlumbfoxError('bad-input', 'is no text: it holds NUL bytes, and Firefox reads nothing after the first');
  const { statements, errors } = parsePreferenceFile(bytes);
  if (statements.length === 0) {
    const first = errors[0];
    const why = first === undefined ? '' : ` (line ${first.line}: ${first.message})`;
    throw new PlumbfoxError('bad-input', `sets no preference: it has no line such as user_pref("name", 1);${why}`);
  }
  const lineAt = lineCounter(bytes);
  const lines = statements.map(({ name, value, start, end }) => ({
    name: decoded(name),
    value: typeof value === 'string' ? decoded(value) : value,
    line: lineAt(start),
    start,
    end,
  }));
  return { format: 'preferences', lines, errors };
}

function policiesList(bytes: string): PreferenceList {
  const text = decoded(bytes);
  let root: Readonly<Record<string, unknown>>;
  try {
    root = readJsonObject(text);
  } catch (error) {
    const why = error instanceof PlumbfoxError ? error.message : String(error);
    throw new PlumbfoxError('bad-input', `begins like a policies.json and cannot be read as one. ${why}`, { cause: error });
  }
  const policies = isObject(root.policies) ? root.policies : undefined;
  const preferences = policies !== undefined && isObject(policies.Preferences) ? policies.Preferences : undefined;
  const lineAt = lineCounter(text);
  let from = Math.max(0, text.indexOf('"Preferences"'));
  const lines = Object.entries(preferences ?? {}).flatMap(([name, policy]) => {
    const value = policyValue(policy);
    if (value === undefined) return [];
    // A name written with escapes is not found: its line is then that of the entry before it.
    const found = text.indexOf(JSON.stringify(name), from);
    const start = found < 0 ? from : found;
    from = start;
    const locks = !isObject(policy) || policy.Status === 'locked';
    const isTyped = isObject(policy) && policy.Type !== undefined;
    return [{ name, value, policy: { locks, isTyped }, line: lineAt(start), start, end: start }];
  });
  if (lines.length === 0) throw new PlumbfoxError('bad-input', 'sets no preference: it has no "policies" with "Preferences" that set one');
  return { format: 'policies', lines, errors: [] };
}

/** The older form is the value itself (https://mozilla.github.io/policy-templates/#preferences). `undefined`: it sets none. */
function policyValue(policy: unknown): PreferenceValue | undefined {
  const value = isObject(policy) ? (policy.Status === 'clear' ? undefined : policy.Value) : policy;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : undefined;
}

/** UTF-8 where the bytes are, else each byte as its Latin-1 character. */
function decoded(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return decodeURIComponent(bytes.replace(/[%\x80-\xff]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`));
  } catch {
    return bytes;
  }
}
