/**
 * Names of preferences that a script may put together from a branch and the rest of the name, as `getBranch("a.b.")` and `` `${branch}.c-d` `` do:
 * such a name stands nowhere as a whole, and is read all the same. So does one with a gap that a running script fills, as in
 * `` `a.b.${name}.c` `` and `"a.b." + name`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflatedEntries } from './build-preferences.ts';

/** Text between quotation marks, also behind what a template inserts. */
const QUOTED = /["'`}]\.?([a-zA-Z][\w.-]{2,90})["'`]/g;
/** Text in a template up to what it inserts, and behind that up to its end or to what it inserts next. */
const TEMPLATE = /`([a-zA-Z][\w-]*\.[\w.-]*)\$\{[^`{}]{1,80}\}([\w.-]*)(`|\$\{)/g;
/** Text up to a dot and a plus sign, and where one follows the text behind what is added. */
const SUM = /["']([a-zA-Z][\w-]*\.(?:[\w-]+\.)*)["']\s*\+\s*(?:[\w.[\]()]{1,60}\s*\+\s*["']([\w.-]+)["'])?/g;
const CHUNK = 1 << 24;
const OVERLAP = 256;

/**
 * The names of which a distinctive end (two parts of the name, or one with a dash or an underscore) stands in quotation marks in a script of the
 * build, or which one puts together around a gap: nobody can say that nothing reads them.
 * @param folders - Those that hold an omni.ja.
 */
export async function assembledNames(names: readonly string[], folders: readonly string[]): Promise<ReadonlySet<string>> {
  const namesByEnd = new Map<string, string[]>();
  for (const name of names) for (const end of endsOf(name)) namesByEnd.set(end, [...(namesByEnd.get(end) ?? []), name]);
  const found = new Set<string>();
  if (namesByEnd.size === 0) return found;
  const search = (bytes: Buffer) => {
    const script = bytes.toString('latin1');
    for (const [, text = ''] of script.matchAll(QUOTED)) for (const name of namesByEnd.get(text) ?? []) found.add(name);
    for (const gap of gapsIn(script)) for (const name of names) if (fits(name, gap)) found.add(name);
  };
  for (const folder of folders) {
    const archive = await readFile(join(folder, 'omni.ja')).catch(() => undefined);
    if (archive === undefined) continue;
    for (let at = 0; at < archive.length; at += CHUNK) search(archive.subarray(Math.max(0, at - OVERLAP), at + CHUNK));
    for (const entry of inflatedEntries(archive)) search(entry);
  }
  return found;
}

/** A name but for what a running script puts between its begin and its end. */
interface Gap {
  readonly begin: string;
  /** Empty: the name ends with what is put in, or with what nobody can tell. */
  readonly end: string;
}

/** Parts of a name that say enough in front of a gap at its end; fewer would be the begin of half of all preferences. */
const MIN_PARTS = 2;

function gapsIn(script: string): readonly Gap[] {
  const templates = [...script.matchAll(TEMPLATE)].map(([, begin = '', end = '', after]) => ({ begin, end: after === '`' ? end : '' }));
  const sums = [...script.matchAll(SUM)].map(([, begin = '', end = '']) => ({ begin, end }));
  return [...templates, ...sums].filter(({ begin, end }) => end.includes('.') || begin.split('.').length > MIN_PARTS);
}

const fits = (name: string, { begin, end }: Gap): boolean =>
  name.length > begin.length + end.length && name.startsWith(begin) && name.endsWith(end);

/** The ends of `a.b.c-d` that say enough: `b.c-d`, `c-d`. */
function endsOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.map((_, at) => parts.slice(at + 1).join('.')).filter((end) => /[._-]/.test(end));
}
