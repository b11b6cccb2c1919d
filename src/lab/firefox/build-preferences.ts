/**
 * What a build of Firefox has of preferences: the default value of each, and whether its name occurs in the program at all. A preference
 * without a default value may be one that no code reads, or a hidden one that code reads by name.
 */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { preferenceValueSchema } from '../../core/profiles/knob.ts';
import type { Shape } from '../../core/schema.ts';
import { type ChromeContext, chromeContext } from './chrome-context.ts';
import { launchFirefox } from './launch-firefox.ts';
import { ownNetwork } from './own-network.ts';

const defaultSchema = v.object({
  name: v.string(),
  type: v.picklist(['integer', 'boolean', 'string', 'none']),
  /** Absent: the default branch has none. */
  value: v.optional(preferenceValueSchema),
});
/** A preference on the default branch of a running Firefox. */
export type DefaultValue = Shape<typeof defaultSchema>;

/** `whole`: the name stands by itself somewhere. `part`: only as a part of longer text, which may be another name. */
export type NameOccurrence = 'whole' | 'part' | 'nowhere';

export type BuildName = DefaultValue & { readonly occurs: NameOccurrence };

export interface BuildNames {
  /** Such as `153.7.0`. */
  readonly version: string;
  readonly buildId: string;
  /** Whether an enterprise policy is in force: it may have changed default values. */
  readonly underPolicy: boolean;
  /** In the order asked for. */
  readonly names: readonly BuildName[];
}

const runningSchema = v.object({
  version: v.string(),
  buildId: v.string(),
  underPolicy: v.boolean(),
  /** Files in which names may stand. */
  library: v.string(),
  archives: v.array(v.string()),
  defaults: v.array(defaultSchema),
});

/** Runs in Firefox's parent process. `names`: exact ones; `prefixes`: every preference with a default value that begins so. */
const READ_DEFAULTS = `({ names, prefixes }) => {
  const branch = Services.prefs.getDefaultBranch('');
  const read = (name) => {
    try {
      switch (branch.getPrefType(name)) {
        case branch.PREF_INT: return { name, type: 'integer', value: branch.getIntPref(name) };
        case branch.PREF_BOOL: return { name, type: 'boolean', value: branch.getBoolPref(name) };
        case branch.PREF_STRING: return { name, type: 'string', value: branch.getStringPref(name) };
      }
    } catch {}
    return { name, type: 'none' };
  };
  const listed = prefixes.flatMap((prefix) => branch.getChildList(prefix)).sort().map(read).filter(({ type }) => type !== 'none');
  const path = (key) => Services.dirsvc.get(key, Ci.nsIFile).path;
  return {
    version: Services.appinfo.version,
    buildId: Services.appinfo.appBuildID,
    underPolicy: Services.policies?.status === Ci.nsIEnterprisePolicies?.ACTIVE,
    library: Services.dirsvc.get('XpcomLib', Ci.nsIFile).path,
    archives: [...new Set([path('GreD'), path('XCurProcD')])],
    defaults: [...names.map(read), ...listed],
  };
}`;

/**
 * Starts the Firefox, headless and with a profile of its own, and reads what it and its files have of the names.
 * @throws PlumbfoxError `environment` where it does not start, or lets nobody into its parent process.
 */
export async function readBuildNames(program: string, names: readonly string[]): Promise<BuildNames> {
  const firefox = await launchFirefox({ program, network: await ownNetwork() });
  try {
    return await buildNames(await chromeContext(firefox.browser), names);
  } finally {
    await firefox.close();
  }
}

/** The same of a Firefox that runs already. */
export async function buildNames(chrome: ChromeContext, names: readonly string[]): Promise<BuildNames> {
  const { library, archives, defaults, ...build } = await chrome.ask(READ_DEFAULTS, { names, prefixes: [] }, runningSchema);
  const texts = await namesInFiles(names, library, archives);
  return { ...build, names: defaults.map((one) => ({ ...one, occurs: occurrenceOf(one.name, texts) })) };
}

/** Every preference of the default branch that begins with one of the prefixes, by name. */
export async function defaultsUnder(chrome: ChromeContext, prefixes: readonly string[]): Promise<readonly DefaultValue[]> {
  return (await chrome.ask(READ_DEFAULTS, { names: [], prefixes }, runningSchema)).defaults;
}

/** Bytes read at a time; a name that two reads share is found because they overlap. */
const CHUNK = 1 << 24;
const OVERLAP = 1024;

/** Every text in the files that begins as one of the names does, as long as letters of names go on. */
async function namesInFiles(names: readonly string[], library: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const firsts = [...new Set(names.map((name) => name.slice(0, name.indexOf('.') + 1)))].filter((first) => first !== '');
  const found = new Set<string>();
  if (firsts.length === 0) return found;
  const start = new RegExp(`(?:${firsts.map((first) => first.replaceAll(/[^\w]/g, '\\$&')).join('|')})`, 'g');
  const text = new RegExp(`${start.source}[\\w.-]*`, 'g');
  const search = (bytes: Buffer) => {
    for (const match of bytes.toString('latin1').match(text) ?? []) addTexts(match, start, found);
  };
  await inChunks(library, search);
  for (const folder of folders) {
    const archive = await readFile(join(folder, 'omni.ja')).catch(() => undefined);
    if (archive === undefined) continue;
    for (let at = 0; at < archive.length; at += CHUNK) search(archive.subarray(Math.max(0, at - OVERLAP), at + CHUNK));
    for (const entry of inflatedEntries(archive)) search(entry);
  }
  return found;
}

/** The text and, where another name begins within it (texts of Rust have no end mark), what each may be by itself. */
function addTexts(text: string, start: RegExp, found: Set<string>): void {
  found.add(text);
  for (const { index } of text.matchAll(start)) {
    if (index === 0) continue;
    found.add(text.slice(0, index));
    found.add(text.slice(index));
  }
}

/** The file a part at a time, each of which begins before the last one ended. */
export async function inChunks(path: string, search: (bytes: Buffer) => void): Promise<void> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(CHUNK + OVERLAP);
    for (let at = 0; ; at += CHUNK) {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
      search(bytes.subarray(0, bytesRead));
      if (bytesRead < bytes.length) return;
    }
  } finally {
    await file.close();
  }
}

function occurrenceOf(name: string, texts: ReadonlySet<string>): NameOccurrence {
  if (texts.has(name)) return 'whole';
  for (const text of texts) if (text.startsWith(name)) return 'part';
  return 'nowhere';
}

// The ZIP format, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT 4.3: end record, central directory, local headers.
const END_RECORD = 0x06_05_4b_50;
const END_RECORD_LENGTH = 22;
const DIRECTORY_ENTRY = 0x02_01_4b_50;
const DEFLATED = 8;

/** The files of an archive that are stored compressed; Debian's are not. */
export function* inflatedEntries(archive: Buffer): Generator<Buffer> {
  let end = archive.length - END_RECORD_LENGTH;
  while (end >= 0 && archive.readUInt32LE(end) !== END_RECORD) end--;
  if (end < 0) return;
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count && archive.readUInt32LE(at) === DIRECTORY_ENTRY; index++) {
    const local = archive.readUInt32LE(at + 42);
    const data = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    if (archive.readUInt16LE(at + 10) === DEFLATED) yield inflateRawSync(archive.subarray(data, data + archive.readUInt32LE(at + 20)));
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}
