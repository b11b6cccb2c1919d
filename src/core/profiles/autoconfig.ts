/**
 * An AutoConfig file (firefox.cfg, mozilla.cfg): JavaScript that Firefox runs, of which the calls that set a preference to a literal are read, and
 * nothing is run. extensions/pref/autoconfig/src/prefcalls.js and nsReadConfig.cpp, which skips the first line.
 */
import type { PreferenceStatement } from './preference-statements.ts';
import { literal } from './preference-statements.ts';
import { PreferenceLexer, type PreferenceToken } from './preference-tokens.ts';

export interface AutoConfig {
  readonly statements: readonly (PreferenceStatement & { readonly locks: boolean })[];
  /** Lines of statements that Firefox does not read, because they are the first line. */
  readonly skipped: readonly number[];
  /** Lines with anything but such calls, which would have to be run. */
  readonly scripts: readonly number[];
}

const SETS: ReadonlySet<string> = new Set(['pref', 'defaultPref', 'lockPref']);
/** They name a preference and set none. */
const NAMES: ReadonlySet<string> = new Set(['unlockPref', 'clearPref']);

/** Whether the file calls what only AutoConfig has. */
export const isAutoConfig = (bytes: string): boolean => /(?:^|[\s;{}])(?:defaultPref|lockPref|unlockPref|clearPref)\s*\(/.test(bytes);

/** @param bytes - The file as a "binary" string: one character per byte. */
export function parseAutoConfig(bytes: string): AutoConfig {
  const lexer = new PreferenceLexer(bytes);
  const statements: (PreferenceStatement & { locks: boolean })[] = [];
  const [skipped, scripts] = [new Set<number>(), new Set<number>()];
  let token = lexer.next();
  while (token.kind !== 'end') {
    const { tokenStart: start, line } = lexer;
    if (token.kind === 'keyword' && (SETS.has(token.text) || NAMES.has(token.text))) {
      const { text } = token;
      const read = call(lexer, NAMES.has(text));
      if ('at' in read) {
        scripts.add(line);
        token = read.at;
        continue;
      }
      const end = lexer.position;
      token = lexer.next();
      const isEnded = isPunctuation(token, ';');
      if (read.value !== undefined && line === 1) skipped.add(line);
      else if (read.value !== undefined)
        statements.push({ name: read.name, value: read.value, start, end: isEnded ? lexer.position : end, locks: text === 'lockPref' });
      if (isEnded) token = lexer.next();
    } else {
      if (!isPunctuation(token, ';') && line > 1) scripts.add(line);
      token = lexer.next();
    }
  }
  return { statements, skipped: [...skipped], scripts: [...scripts] };
}

function call(
  lexer: PreferenceLexer,
  isNameAlone: boolean,
): { readonly name: string; readonly value?: PreferenceStatement['value'] } | { readonly at: PreferenceToken } {
  const open = lexer.next();
  if (!isPunctuation(open, '(')) return { at: open };
  const name = lexer.next();
  if (name.kind !== 'string') return { at: name };
  let value: PreferenceStatement['value'] | undefined;
  if (!isNameAlone) {
    const comma = lexer.next();
    if (!isPunctuation(comma, ',')) return { at: comma };
    const read = literal(lexer);
    if (typeof read === 'object') return { at: read.at };
    value = read;
  }
  const close = lexer.next();
  if (!isPunctuation(close, ')')) return { at: close };
  return { name: name.value, ...(value !== undefined && { value }) };
}

const isPunctuation = (token: PreferenceToken, text: string): boolean => token.kind === 'punctuation' && token.text === text;
