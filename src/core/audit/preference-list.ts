/**
 * A list of preferences as people publish and keep them: user.js and prefs.js, files of default values, AutoConfig, and policies as JSON, property list
 * or registry file. A file is given as a "binary" string, one character per byte, so that an offset is an offset in the file.
 */
import { assertNever, PlumbfoxError } from '../errors.ts';
import { isAutoConfig, parseAutoConfig } from '../profiles/autoconfig.ts';
import { isObject, readJsonObject } from '../profiles/json-text.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import { namedPolicies } from '../profiles/named-policies.ts';
import { lineCounter, type PreferenceStatement, parsePreferenceFile } from '../profiles/preference-statements.ts';
import { BYTE_ORDER_MARK } from '../profiles/preference-tokens.ts';
import { parsePlist, plistPolicies } from './list-files/plist.ts';
import { isRegistryFile, registryPolicies } from './list-files/registry.ts';

/** `preferences`: user.js or prefs.js, which have one grammar; `defaults`: a file of default values. */
export type ListFormat = 'preferences' | 'defaults' | 'autoconfig' | 'policies';

/** One preference that a list sets. */
export interface ListLine {
  /** The file it is in, where a list has several. */
  readonly file?: string;
  readonly name: string;
  readonly value: PreferenceValue;
  /**
   * Present for what writes on the branch of Firefox's own values, a policy first of all: whether it locks the preference, whether it names its type,
   * and the policy that holds it by another name.
   */
  readonly policy?: { readonly locks: boolean; readonly isTyped: boolean; readonly named?: string };
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
  /** Lines count from 1; `lost` are those of the statements that a mistake costs. */
  readonly errors: readonly ListError[];
  /** Lines of an AutoConfig file that would have to be run. */
  readonly scripts?: readonly number[];
}

export interface ListError {
  readonly line: number;
  readonly message: string;
  readonly lost: readonly number[];
}

/** A profile used for years has 20 MB; more is another kind of file. */
export const MAX_LIST_BYTES = 32_000_000;
/** 20 times the longest list published (1,100 lines); 640,000 took more than 100 s and 1 GB to judge. */
export const MAX_LIST_LINES = 20_000;

/** What a byte order mark, or a NUL in every second byte, says. */
const UTF16 = /^(?:\xff\xfe|\xfe\xff|[\s\S]\0[\s\S]\0|\0[\s\S]\0[\s\S])/;

interface ListOptions {
  /** A file of a Firefox profile may set nothing. */
  readonly mayBeEmpty?: boolean;
}

/** @throws PlumbfoxError `bad-input`, one line, where it is no text, or sets nothing and may not. */
export function parsePreferenceList(bytes: string, { mayBeEmpty = false }: ListOptions = {}): PreferenceList {
  if (UTF16.test(bytes)) throw new PlumbfoxError('bad-input', 'is UTF-16: save it as UTF-8');
  if (bytes.includes('\0'))
    throw new PlumbfoxError('bad-input', 'is no text: it holds NUL bytes, and Firefox reads nothing after the first');
  if (!mayBeEmpty && (bytes.trim() === '' || bytes === BYTE_ORDER_MARK)) throw new PlumbfoxError('bad-input', 'is empty: it sets nothing');
  const format = formatOf(bytes);
  switch (format) {
    case 'json':
    case 'plist':
    case 'registry':
      return policiesList(bytes, format);
    case 'autoconfig':
      return autoConfigList(bytes);
    case 'preferences':
    case 'defaults':
      return statementsList(bytes, format, mayBeEmpty);
    default:
      return assertNever(format);
  }
}

function formatOf(bytes: string): 'json' | 'plist' | 'registry' | Exclude<ListFormat, 'policies'> {
  if (/^(?:\xef\xbb\xbf)?\s*\{/.test(bytes)) return 'json';
  if (/^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE plist|plist)/.test(bytes)) return 'plist';
  if (isRegistryFile(bytes)) return 'registry';
  if (/(?:^|[\s;/])user_pref\s*\(/.test(bytes)) return 'preferences';
  if (isAutoConfig(bytes)) return 'autoconfig';
  return /(?:^|[\s;/])(?:sticky_)?pref\s*\(/.test(bytes) ? 'defaults' : 'preferences';
}

function statementsList(bytes: string, format: 'preferences' | 'defaults', mayBeEmpty: boolean): PreferenceList {
  const { statements, errors } = parsePreferenceFile(bytes, format === 'defaults' ? 'defaults' : 'user');
  if (statements.length === 0 && !mayBeEmpty) throw setsNothing(errors[0]);
  const lines = linesOf(bytes, statements).map((line, at) =>
    format === 'defaults' ? { ...line, policy: { locks: statements[at]?.locks ?? false, isTyped: true } } : line,
  );
  return { format, lines, errors };
}

function autoConfigList(bytes: string): PreferenceList {
  const { statements, skipped, scripts } = parseAutoConfig(bytes);
  const errors = skipped.map((line) => ({ line, message: 'Firefox skips the first line of an AutoConfig file', lost: [line] }));
  if (statements.length === 0) throw setsNothing(errors[0]);
  const lines = linesOf(bytes, statements).map((line, at) => ({
    ...line,
    policy: { locks: statements[at]?.locks ?? false, isTyped: true },
  }));
  return { format: 'autoconfig', lines, errors, ...(scripts.length > 0 && { scripts }) };
}

function setsNothing(first: { readonly line: number; readonly message: string } | undefined): PlumbfoxError {
  const why = first === undefined ? '' : ` (line ${first.line}: ${first.message})`;
  return new PlumbfoxError('bad-input', `sets no preference: it has no line such as user_pref("name", 1);${why}`);
}

function linesOf(bytes: string, statements: readonly PreferenceStatement[]): readonly ListLine[] {
  const lineAt = lineCounter(bytes);
  return statements.map(({ name, value, start, end }) => ({
    name: decoded(name),
    value: typeof value === 'string' ? decoded(value) : value,
    line: lineAt(start),
    start,
    end,
  }));
}

function policiesList(bytes: string, form: 'json' | 'plist' | 'registry'): PreferenceList {
  const text = decoded(bytes);
  const policies = policiesIn(text, form);
  const lineAt = lineCounter(text);
  // In the order of the file, so that a line is looked for behind the one before it.
  let from = 0;
  const lineOf = (name: string): Pick<ListLine, 'line' | 'start' | 'end'> => {
    // A name written with escapes is not found: its line is then that of the entry before it.
    const found = text.indexOf(form === 'plist' ? name : JSON.stringify(name), from);
    if (found >= 0) from = found;
    return { line: lineAt(from), start: from, end: from };
  };
  const lines = Object.entries(policies).flatMap(([policy, value]): readonly ListLine[] => {
    if (policy === 'Preferences') return preferencesOf(value, lineOf);
    const held = namedPolicies({ [policy]: value });
    const place = held.length === 0 ? undefined : lineOf(policy);
    return held.flatMap(({ name, value: set, locks }) =>
      place === undefined ? [] : [{ name, value: set, policy: { locks, isTyped: true, named: policy }, ...place }],
    );
  });
  if (lines.length === 0)
    throw new PlumbfoxError('bad-input', 'sets no preference: its policies have no "Preferences" that set one, and none by name');
  return { format: 'policies', lines, errors: [] };
}

/** @throws PlumbfoxError `bad-input`, one line. */
function policiesIn(text: string, form: 'json' | 'plist' | 'registry'): Readonly<Record<string, unknown>> {
  if (form === 'registry') return registryPolicies(text);
  if (form === 'plist') return plistPolicies(parsePlist(text));
  try {
    const { policies } = readJsonObject(text);
    return isObject(policies) ? policies : {};
  } catch (error) {
    const why = error instanceof PlumbfoxError ? error.message : String(error);
    throw new PlumbfoxError('bad-input', `begins like a policies.json and cannot be read as one. ${why}`, { cause: error });
  }
}

/** Firefox takes the policy as an object, and as the text of one. */
function preferencesOf(given: unknown, lineOf: (name: string) => Pick<ListLine, 'line' | 'start' | 'end'>): readonly ListLine[] {
  const place = lineOf('Preferences');
  const isText = typeof given === 'string';
  let preferences: unknown = given;
  if (isText) {
    try {
      preferences = JSON.parse(given);
    } catch (error) {
      throw new PlumbfoxError('bad-input', 'has "Preferences" as text that is not valid JSON, which Firefox ignores', { cause: error });
    }
  }
  return Object.entries(isObject(preferences) ? preferences : {}).flatMap(([name, policy]) => {
    const value = policyValue(policy);
    if (value === undefined) return [];
    const locks = !isObject(policy) || policy.Status === 'locked';
    return [{ name, value, policy: { locks, isTyped: isObject(policy) && policy.Type !== undefined }, ...(isText ? place : lineOf(name)) }];
  });
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
