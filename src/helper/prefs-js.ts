/** Single lines of prefs.js put back or taken out while Firefox is closed; every other byte stays. */
import { type PreferenceStatement, parsePreferenceFile, valuesSet } from '../core/profiles/preference-statements.ts';

/** What a preference is to have in the file: a whole statement, `user_pref(...);`; `undefined`: nothing. */
export type LineEdits = ReadonlyMap<string, string | undefined>;

/** @param bytes - A "binary" string, one character per byte. */
export function editPrefsJs(bytes: string, edits: LineEdits): string {
  const { statements } = parsePreferenceFile(bytes);
  let result = bytes;
  for (const statement of statements.toReversed()) {
    if (!edits.has(statement.name)) continue;
    const text = edits.get(statement.name);
    const { start, end } = text === undefined ? wholeLine(result, statement) : statement;
    result = result.slice(0, start) + (text ?? '') + result.slice(end);
  }
  const there = valuesSet({ statements, errors: [], lineComments: [] });
  const missing = [...edits].flatMap(([name, text]) => (text === undefined || there.has(name) ? [] : [text]));
  return missing.reduce(inserted, result);
}

/** With the end of its line, where it is alone on it. */
function wholeLine(bytes: string, { start, end }: PreferenceStatement): { readonly start: number; readonly end: number } {
  const alone = start === 0 || /[\n\r]/.test(bytes[start - 1] ?? '');
  const lineEnd = /^(\r\n|\n|\r)/.exec(bytes.slice(end, end + 2))?.[0].length ?? 0;
  return { start, end: alone ? end + lineEnd : end };
}

/** Firefox keeps the lines in the order of their names, and so they stay where they are. */
function inserted(bytes: string, text: string): string {
  const [added] = parsePreferenceFile(text).statements;
  const lineEnd = /^[^\n\r]*\r\n/.test(bytes) ? '\r\n' : '\n';
  const before = parsePreferenceFile(bytes).statements.find(({ name }) => added !== undefined && name > added.name);
  if (before !== undefined) return bytes.slice(0, before.start) + text + lineEnd + bytes.slice(before.start);
  const gap = bytes === '' || /[\n\r]$/.test(bytes) ? '' : lineEnd;
  return bytes + gap + text + lineEnd;
}
