/** Restores the previous state: in user.js, in prefs.js, and in a running Firefox. */
import { join } from 'node:path';
import { findKnob } from '../../core/profiles/catalogue.ts';
import { type PreferenceStatement, parsePreferenceFile } from '../../core/profiles/preference-statements.ts';
import { findProfile } from '../../core/profiles/presets.ts';
import { type CheckedUserJs, checkUserJs, withoutBlock } from '../../core/profiles/user-js.ts';
import { changeFile, type ProfileFiles, savedStatements, userJsBefore, writeUserJs } from './files.ts';
import { type FirefoxStart, isSameStart } from './firefox-process.ts';
import { blockFor, planRestore, savedBy } from './plan.ts';
import { type ProfileRecord, type RecordedPreference, readBackup, removeRecord, writeBackup, writeRecord } from './record.ts';

/** Names of preferences by outcome; `leftAlone`: something else has changed them since. */
export interface Undone {
  readonly restored: readonly string[];
  readonly leftAlone: readonly string[];
}

type Recorded = ProfileFiles & { readonly record: ProfileRecord };

/** Restores at once while Firefox is closed; otherwise user.js sets the previous values until Firefox has saved them. */
export async function undo(
  directory: string,
  files: Recorded,
  { running, because, today }: { readonly running: FirefoxStart | undefined; readonly because: string | undefined; readonly today: string },
): Promise<Undone> {
  const { record } = files;
  if (running === undefined || isUntouched(files, running)) return finish(directory, files, because);
  const before = await userJsBefore(directory, files);
  const { ours, undone } = splitByOwner(record.preferences, files);
  const plan = planRestore(ours.map(withoutIntention), before.bytes ?? '');
  await writeUserJs(directory, {
    files,
    before,
    block: blockFor({ profile: undefined, preferences: plan.preferences, givenBack: plan.lines, today }),
    record: {
      phase: 'restoring',
      starts: [],
      preferences: [...plan.preferences],
      writtenWhile: running,
      ...(because === undefined ? {} : { restoredBecause: because }),
    },
  });
  return undone;
}

/** Restores everything, while Firefox is closed or has read nothing of ours. */
export async function finish(directory: string, files: Recorded, because = files.record.restoredBecause): Promise<Undone> {
  const { record } = files;
  const before = await userJsBefore(directory, files);
  const { ours, undone } = splitByOwner(record.preferences, files);
  await restoreInPrefsJs(directory, files, ours);
  await changeFile(join(directory, 'user.js'), { from: files.userJs, to: before.bytes });
  if (because === undefined) await removeRecord(directory);
  else {
    await writeRecord(directory, {
      version: 1,
      phase: 'restored',
      starts: [],
      preferences: [],
      userJs: { blocks: [] },
      restoredBecause: because,
    });
    await writeBackup(directory, undefined);
  }
  return undone;
}

/**
 * Finishes restoring what is no longer intended, as far as possible now: while Firefox is closed, or once one that has read the previous values has
 * saved them.
 */
export async function finishRestoring(
  directory: string,
  files: ProfileFiles,
  { running, today }: { readonly running?: FirefoxStart | undefined; readonly today: string },
): Promise<void> {
  const { record } = files;
  if (record === undefined || record.phase === 'restored') return;
  const leaving = record.preferences.filter(({ intended }) => intended === undefined);
  if (leaving.length === 0 && record.phase !== 'restoring') return;
  if (running !== undefined && !hasTakenOver({ ...files, record }, leaving, running)) return;
  if (record.phase === 'restoring') {
    await finish(directory, { ...files, record });
    return;
  }
  const before = await userJsBefore(directory, files);
  if (running === undefined) await restoreInPrefsJs(directory, files, splitByOwner(leaving, files).ours);
  const preferences = record.preferences.filter(({ intended }) => intended !== undefined);
  const profile = findProfile(record.profileId ?? '');
  const block = blockFor({ profile, preferences, givenBack: [], today });
  await writeUserJs(directory, { files, before, block, record: { ...record, preferences } });
}

/** Whether the running Firefox was started before we wrote anything and prefs.js has nothing of ours, so that nothing has to be restored. */
function isUntouched(files: Recorded, running: FirefoxStart): boolean {
  const { writtenWhile, starts, preferences } = files.record;
  if (writtenWhile === undefined || !isSameStart(writtenWhile, running) || starts.length > 0) return false;
  const saved = savedStatements(files);
  return preferences.every((one) => savedBy(one, saved) === 'former');
}

/** Whether a Firefox that has read what we wrote last has saved it, so that nothing of ours can come back from prefs.js. */
function hasTakenOver(files: Recorded, leaving: readonly RecordedPreference[], running: FirefoxStart): boolean {
  const { writtenWhile } = files.record;
  if (writtenWhile !== undefined && isSameStart(writtenWhile, running)) return false;
  const saved = savedStatements(files);
  return leaving.every((one) => savedBy(one, saved) !== 'ours');
}

function splitByOwner(
  preferences: readonly RecordedPreference[],
  files: ProfileFiles,
): { readonly ours: readonly RecordedPreference[]; readonly undone: Undone } {
  const saved = savedStatements(files);
  const names = (list: readonly RecordedPreference[]) => list.map(({ name }) => name);
  const ours = preferences.filter((one) => savedBy(one, saved) !== 'others');
  return { ours, undone: { restored: names(ours), leftAlone: names(preferences.filter((one) => !ours.includes(one))) } };
}

async function restoreInPrefsJs(directory: string, files: ProfileFiles, preferences: readonly RecordedPreference[]): Promise<void> {
  // Without the file Firefox has never saved anything.
  if (files.prefsJs.hash === undefined) return;
  const saved = savedStatements(files);
  const ours = preferences.filter((one) => savedBy(one, saved) === 'ours');
  const to = editPrefsJs(files.prefsJs.bytes, new Map(ours.map(({ name, former }) => [name, former])));
  await changeFile(join(directory, 'prefs.js'), { from: files.prefsJs, to });
}

const withoutIntention = ({ intended: _, ...rest }: RecordedPreference): RecordedPreference => rest;

/**
 * A record for a block of ours without one, which was pasted from what `tune` writes: the previous values in prefs.js are not known, and assumed
 * to be none. `undefined` without a block.
 */
export async function adoptedRecord(directory: string, files: ProfileFiles): Promise<ProfileRecord | undefined> {
  const user = checkUserJs(files.userJs.bytes);
  const { block } = user;
  if (block === undefined) return undefined;
  const profileId = profileNamedIn(user.bytes.slice(block.start, block.end));
  const values = new Map<string, Set<PreferenceStatement['value']>>();
  for (const { name, value, start } of user.file.statements) {
    if (start < block.start || start >= block.end || findKnob(name) === undefined) continue;
    const set = values.get(name) ?? new Set<PreferenceStatement['value']>();
    // The last of several is in force.
    set.delete(value);
    values.set(name, set.add(value));
  }
  return {
    version: 1,
    phase: 'confirmed',
    ...(profileId === undefined ? {} : { profileId }),
    starts: [],
    preferences: [...values].map(([name, set]) => {
      const written = [...set];
      const intended = written.at(-1);
      return { name, written, ...(intended === undefined ? {} : { intended }) };
    }),
    userJs: { blocks: [(await lineEndBefore(directory, user)) + user.bytes.slice(block.start, block.end)] },
  };
}

/** The profile named in the first line of a block, such as `//   c4-d6: a title`, if this version has it. */
const profileNamedIn = (block: string): string | undefined => findProfile(/^\S.*\s+\/\/ {3}([^\s:]+):/.exec(block)?.[1] ?? '')?.id;

/** The line end that we put before our block, if the backup exists although the record is lost. */
async function lineEndBefore(directory: string, user: CheckedUserJs): Promise<string> {
  const backup = (await readBackup(directory))?.toString('latin1');
  const rest = withoutBlock(user);
  const added = backup !== undefined && rest.startsWith(backup) ? rest.slice(backup.length) : '';
  return /^(\n|\r\n)?$/.test(added) ? added : '';
}

/** The statement for each preference in the file, `user_pref(...);`; `undefined`: none. */
type LineEdits = ReadonlyMap<string, string | undefined>;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param bytes - prefs.js as a "binary" string, one character per byte. */
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
  // Firefox keeps the lines in the order of their names.
  const added = places.flatMap(({ before, text }) => (before ? [{ start: before.start, end: before.start, text: text + lineEnd }] : []));
  let result = '';
  let at = 0;
  // A line added before a changed statement comes first.
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

/** The statement with the end of its line, where it is alone on the line. */
function wholeLine(bytes: string, { start, end }: PreferenceStatement): { readonly start: number; readonly end: number } {
  const alone = start === 0 || /[\n\r]/.test(bytes[start - 1] ?? '');
  const lineEnd = /^(\r\n|\n|\r)/.exec(bytes.slice(end, end + 2))?.[0].length ?? 0;
  return { start, end: alone ? end + lineEnd : end };
}
