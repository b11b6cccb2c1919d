/**
 * Names of preferences that a script may put together from a branch and the rest of the name, as `getBranch("a.b.")` and `` `${branch}.c-d` `` do:
 * such a name stands nowhere as a whole, and is read all the same.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflatedEntries } from './build-preferences.ts';

/** Text between quotation marks, also behind what a template inserts. */
const QUOTED = /["'`}]\.?([a-zA-Z][\w.-]{2,90})["'`]/g;
const CHUNK = 1 << 24;
const OVERLAP = 256;

/**
 * The names of which a distinctive end (two parts of the name, or one with a dash or an underscore) stands in quotation marks in a script of the
 * build: nobody can say that nothing reads them.
 * @param folders - Those that hold an omni.ja.
 */
export async function assembledNames(names: readonly string[], folders: readonly string[]): Promise<ReadonlySet<string>> {
  const namesByEnd = new Map<string, string[]>();
  for (const name of names) for (const end of endsOf(name)) namesByEnd.set(end, [...(namesByEnd.get(end) ?? []), name]);
  const found = new Set<string>();
  if (namesByEnd.size === 0) return found;
  const search = (bytes: Buffer) => {
    for (const [, text = ''] of bytes.toString('latin1').matchAll(QUOTED)) for (const name of namesByEnd.get(text) ?? []) found.add(name);
  };
  for (const folder of folders) {
    const archive = await readFile(join(folder, 'omni.ja')).catch(() => undefined);
    if (archive === undefined) continue;
    for (let at = 0; at < archive.length; at += CHUNK) search(archive.subarray(Math.max(0, at - OVERLAP), at + CHUNK));
    for (const entry of inflatedEntries(archive)) search(entry);
  }
  return found;
}

/** The ends of `a.b.c-d` that say enough: `b.c-d`, `c-d`. */
function endsOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.map((_, at) => parts.slice(at + 1).join('.')).filter((end) => /[._-]/.test(end));
}
