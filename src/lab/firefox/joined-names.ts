/**
 * Names of preferences that a build may put together as it runs: such a name stands nowhere as a whole, and is read all the same. The library does so
 * with a branch and what it is asked for (`network.protocol-handler.expose.` and a scheme), scripts with `getBranch("a.b.")`, a constant, a sum or a
 * template, and with a gap that is filled later, as in `` `a.b.${name}.c` ``.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inChunks, inflatedEntries } from './build-preferences.ts';

/** Text between quotation marks, or in a template up to what it inserts. */
const QUOTED = /["'`]([a-zA-Z_][\w-]*(?:\.[\w-]+)*\.?)(?=["'`]|\$\{)/g;
/** The end of a name, also behind what a template inserts. */
const QUOTED_END = /["'`}]\.?([a-zA-Z_][\w.-]{2,90})["'`]/g;
/** Text in a template up to what it inserts, and behind that up to its end or to what it inserts next. */
const TEMPLATE = /`([a-zA-Z][\w-]*\.[\w.-]*)\$\{[^`{}]{1,80}\}([\w.-]*)(`|\$\{)/g;
/** Text up to a dot and a plus sign, and where one follows the text behind what is added. */
const SUM = /["']([a-zA-Z][\w-]*\.(?:[\w-]+\.)*)["']\s*\+\s*(?:[^+;{}]{1,120}\+\s*["']([\w.-]+)["'])?/g;
/** Text around what `replace` or a formatter puts in: `"media.{0}.abi"`. */
const PLACEHOLDER = /["'`]([a-zA-Z][\w-]*\.[\w.-]*)(?:\{\w*\}|%(?:\d\$)?[sSd])([\w.-]*)["'`]/g;
/** A text of C++ by itself, or up to what printf inserts. */
const IN_LIBRARY = /(?<=\0)(\.?[a-zA-Z_][\w-]*(?:\.[\w-]+)*\.?)(?=[\0%])/g;
const CHUNK = 1 << 24;
const OVERLAP = 256;

/**
 * Branches that the library names to be notified of changes, while it reads each preference of them by its whole name: nsHttpHandler.cpp
 * (`HTTP_PREF`, `UA_PREF`, `SECURITY_PREFIX`), TRRService.cpp (`TRR_PREF`), nsIOService.cpp (`gCallbackPrefs`, `gCallbackPrefsForSocketProcess`), read
 * in sources of 2025. Of such a branch only a rest that the library holds by itself may be joined.
 */
const OBSERVED: ReadonlySet<string> = new Set([
  'general.useragent.',
  'media.peerconnection.',
  'network.dns.',
  'network.http.',
  'network.trr.',
  'security.',
]);

/** Where a build keeps what reads preferences. */
export interface BuildFiles {
  /** libxul, or what it is called on the platform. */
  readonly library: string;
  /** Folders that hold an omni.ja. */
  readonly folders: readonly string[];
  /** Names with a default value: a preference is no branch. */
  readonly known?: ReadonlySet<string>;
}

/** Those of the names that the build may put together, each with what it begins from. */
export async function joinedNames(
  names: readonly string[],
  { library, folders, known = new Set() }: BuildFiles,
): Promise<ReadonlyMap<string, string>> {
  const search = new JoinedSearch(names, known);
  if (names.length === 0) return search.found;
  const quoted = new Set<string>();
  await inChunks(library, (bytes) => {
    for (const [, text = ''] of bytes.toString('latin1').matchAll(IN_LIBRARY)) if (search.isPart(text)) quoted.add(text);
  });
  search.inLibrary(quoted);
  for (const folder of folders) {
    const archive = await readFile(join(folder, 'omni.ja')).catch(() => undefined);
    if (archive === undefined) continue;
    for (let at = 0; at < archive.length; at += CHUNK)
      search.inScript(archive.subarray(Math.max(0, at - OVERLAP), at + CHUNK).toString('latin1'));
    for (const entry of inflatedEntries(archive)) search.inScript(entry.toString('latin1'));
  }
  return search.joined();
}

/** Names and branches that begin with one of the roots and stand by themselves in the build, whoever reads them. */
export async function textsUnder(roots: readonly string[], { library, folders }: BuildFiles): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const isUnder = (text: string): boolean => roots.some((root) => text.startsWith(root) && text.length > root.length);
  const inScript = (script: string): void => {
    for (const match of script.matchAll(QUOTED)) {
      const [, text = ''] = match;
      if (isUnder(text) && (!text.endsWith('.') || isJoined(script, match))) found.add(text);
    }
  };
  await inChunks(library, (bytes) => {
    for (const [, text = ''] of bytes.toString('latin1').matchAll(IN_LIBRARY)) if (isUnder(text) && !OBSERVED.has(text)) found.add(text);
  });
  for (const folder of folders) {
    const archive = await readFile(join(folder, 'omni.ja')).catch(() => undefined);
    if (archive === undefined) continue;
    inScript(archive.toString('latin1'));
    for (const entry of inflatedEntries(archive)) inScript(entry.toString('latin1'));
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

class JoinedSearch {
  readonly found = new Map<string, string>();
  /** Names by each begin of theirs, with its dot and without. */
  readonly #byBegin = new Map<string, string[]>();
  /** Names by each end of theirs. */
  readonly #byEnd = new Map<string, string[]>();
  /** Begins of one part that scripts join, and ends that scripts have in quotation marks. */
  readonly #begins = new Set<string>();
  readonly #ends = new Set<string>();
  readonly #names: readonly string[];

  constructor(names: readonly string[], known: ReadonlySet<string>) {
    this.#names = names;
    for (const name of names) {
      const parts = name.split('.');
      for (let at = 1; at < parts.length; at++) {
        const [begin, end] = [parts.slice(0, at).join('.'), parts.slice(at).join('.')];
        for (const key of [begin, `${begin}.`]) if (!known.has(key)) put(this.#byBegin, key, name);
        put(this.#byEnd, end, name);
      }
    }
  }

  isPart(text: string): boolean {
    return this.#byBegin.has(text) || this.#byEnd.has(text.replace(/^\./, ''));
  }

  /** @param texts - Those of the library that stand by themselves. */
  inLibrary(texts: ReadonlySet<string>): void {
    for (const begin of texts) {
      const isBranch = begin.endsWith('.');
      for (const name of this.#byBegin.get(begin) ?? []) {
        const rest = name.slice(begin.length);
        if ((isBranch && !OBSERVED.has(begin)) || texts.has(rest)) this.#add(name, begin);
      }
    }
  }

  inScript(script: string): void {
    for (const match of script.matchAll(QUOTED)) {
      const [, begin = ''] = match;
      if (this.#byBegin.has(begin) && isJoined(script, match)) this.#inBranch(begin);
    }
    for (const [, end = ''] of script.matchAll(QUOTED_END)) {
      const names = this.#byEnd.get(end);
      if (names === undefined) continue;
      this.#ends.add(end);
      if (/[._-]/.test(end)) for (const name of names) this.#add(name, name.slice(0, -end.length));
    }
    for (const { begin, end } of gapsIn(script)) {
      for (const name of this.#names) if (fits(name, { begin, end })) this.#add(name, begin);
    }
  }

  #inBranch(begin: string): void {
    if (!/\../.test(begin)) this.#begins.add(begin);
    else for (const name of this.#byBegin.get(begin) ?? []) this.#add(name, begin);
  }

  /** With what scripts join to a begin of one part, which they have somewhere in quotation marks. */
  joined(): ReadonlyMap<string, string> {
    for (const begin of this.#begins)
      for (const name of this.#byBegin.get(begin) ?? [])
        if (this.#ends.has(name.slice(begin.length).replace(/^\./, ''))) this.#add(name, begin);
    return this.found;
  }

  #add(name: string, begin: string): void {
    if (!this.found.has(name)) this.found.set(name, begin);
  }
}

/** A longer list of branches joins nothing: about:support and the policy engine have those they show, or take. A short one is gone through. */
const MAX_LISTED = 20;

function branchesBeside(script: string, index: number): number {
  const list = script.slice(Math.max(0, script.lastIndexOf('[', index)), script.indexOf(']', index));
  return list.match(/\.["'`]/g)?.length ?? 0;
}

/** What is only compared or observed joins nothing. */
function isJoined(script: string, { index, 0: whole, 1: begin = '' }: RegExpExecArray): boolean {
  const before = script.slice(Math.max(0, index - 80), index);
  const after = script.slice(index + whole.length, index + whole.length + 40);
  // A template is a gap.
  if (after.startsWith('${')) return false;
  const isListed = /[[,]\s*(?:\/\/[^\n]*\n\s*)*$/.test(before) && /^["'`]\s*[,\]]/.test(after);
  if (isListed) return begin.endsWith('.') && branchesBeside(script, index) < MAX_LISTED;
  if (/(?:startsWith|endsWith|includes|addObserver|removeObserver)\(\s*$|[=!]==?\s*$/.test(before)) return false;
  // Without its dot it may as well be a preference: only a constant or a member is a branch.
  return begin.endsWith('.') || /[^=!<>]=\s*$|:\s*$/.test(before);
}

function gapsIn(script: string): readonly Gap[] {
  const templates = [...script.matchAll(TEMPLATE)].map(([, begin = '', end = '', after]) => ({ begin, end: after === '`' ? end : '' }));
  const others = [SUM, PLACEHOLDER].flatMap((pattern) => [...script.matchAll(pattern)].map(([, begin = '', end = '']) => ({ begin, end })));
  return [...templates, ...others].filter(({ begin, end }) => end.includes('.') || begin.split('.').length > MIN_PARTS);
}

const fits = (name: string, { begin, end }: Gap): boolean =>
  name.length > begin.length + end.length && name.startsWith(begin) && name.endsWith(end);

function put(map: Map<string, string[]>, key: string, name: string): void {
  const names = map.get(key);
  if (names === undefined) map.set(key, [name]);
  else names.push(name);
}
