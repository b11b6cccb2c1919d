/** Single lines of prefs.js put back or taken out while Firefox is closed; every other byte stays. */
import { type PreferenceStatement, parsePreferenceFile } from '../../core/profiles/preference-statements.ts';

/** What a preference is to have in the file: a whole statement, `user_pref(...);`; `undefined`: nothing. */
export type LineEdits = ReadonlyMap<string, string | undefined>;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param bytes - A "binary" string, one character per byte. */
export function editPrefsJs(bytes: string, edits: LineEdits): string {
  const { statements } = parsePreferenceFile(bytes);
  const changes = statements.flatMap((statement): readonly Edit[] => {
    if (!edits.has(statement.name)) return [];
    const text = edits.get(statement.name);
    return [text === undefined ? { ...wholeLine(bytes, statement), text: '' } : { start: statement.start, end: statement.end, text }];
  });
  const there = new Set(statements.map(({ name }) => name));
  const missing = [...edits].flatMap(([name, text]) => (text === undefined || there.has(name) ? [] : [{ name, text }]));
  const places = missing
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((one) => ({ ...one, before: statements.find(({ name }) => name > one.name) }));
  const lineEnd = /^[^\n\r]*\r\n/.test(bytes) ? '\r\n' : '\n';
  // Firefox keeps the lines in the order of their names, and so they stay where they are.
  const added = places.flatMap(({ before, text }) => (before ? [{ start: before.start, end: before.start, text: text + lineEnd }] : []));
  let result = '';
  let at = 0;
  // What is added before a statement that changes comes first.
  for (const { start, end, text } of [...added, ...changes].toSorted((a, b) => a.start - b.start)) {
    result += bytes.slice(at, start) + text;
    at = end;
  }
  result += bytes.slice(at);
  for (const { before, text } of places) {
    if (before === undefined) result += (/^$|[\n\r]$/.test(result.slice(-1)) ? '' : lineEnd) + text + lineEnd;
  }
  return result;
}

/** With the end of its line, where it is alone on it. */
function wholeLine(bytes: string, { start, end }: PreferenceStatement): { readonly start: number; readonly end: number } {
  const alone = start === 0 || /[\n\r]/.test(bytes[start - 1] ?? '');
  const lineEnd = /^(\r\n|\n|\r)/.exec(bytes.slice(end, end + 2))?.[0].length ?? 0;
  return { start, end: alone ? end + lineEnd : end };
}
