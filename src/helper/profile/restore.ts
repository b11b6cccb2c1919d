/** The way back: what was there before us, in user.js, in prefs.js, and in a Firefox that runs. */
import { join } from 'node:path';
import { findKnob } from '../../core/profiles/find-knob.ts';
import { findProfile } from '../../core/profiles/presets.ts';
import { type CheckedUserJs, checkUserJs, withoutBlock } from '../../core/profiles/user-js-block.ts';
import { type FirefoxStart, isSameStart } from './changes.ts';
import { changeFile, type ProfileFiles, savedStatements, userJsBefore } from './files.ts';
import { blockFor, givenBack, savedBy } from './plan.ts';
import { editPrefsJs } from './prefs-js.ts';
import { type ProfileRecord, type RecordedPreference, readBackup, removeRecord, writeBackup, writeRecord } from './record.ts';
import { writeUserJs } from './write.ts';

/** Preferences by what became of them; `leftAlone`: somebody else has changed them since. */
export interface Undone {
  readonly restored: readonly string[];
  readonly leftAlone: readonly string[];
}

type Recorded = ProfileFiles & { readonly record: ProfileRecord };

/** At once while Firefox is closed; else user.js says what was before, until Firefox has taken it over. */
export async function undo(
  directory: string,
  files: Recorded,
  { running, because, today }: { readonly running: FirefoxStart | undefined; readonly because: string | undefined; readonly today: string },
): Promise<Undone> {
  const { record } = files;
  if (running === undefined || isUntouched(files, running)) return finish(directory, files, because);
  const before = await userJsBefore(directory, files);
  const { ours, undone } = divided(record.preferences, files);
  const plan = givenBack(ours.map(withoutIntention), before.bytes ?? '');
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

/** Everything as before, with Firefox closed, or none the wiser. */
export async function finish(directory: string, files: Recorded, because = files.record.restoredBecause): Promise<Undone> {
  const { record } = files;
  const before = await userJsBefore(directory, files);
  const { ours, undone } = divided(record.preferences, files);
  await giveBackInPrefsJs(directory, files, ours);
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
 * Ends the giving back of what is not intended any more, as far as that can be done now: while Firefox is closed, or when one that has read
 * it has saved it.
 */
export async function finishGivenBack(
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
  if (running === undefined) await giveBackInPrefsJs(directory, files, divided(leaving, files).ours);
  const preferences = record.preferences.filter(({ intended }) => intended !== undefined);
  const profile = findProfile(record.profileId ?? '');
  const block = blockFor({ profile, preferences, givenBack: [], today });
  await writeUserJs(directory, { files, before, block, record: { ...record, preferences } });
}

/** A Firefox that was started before we wrote anything, and nothing of ours in prefs.js: there is nothing to be given back. */
function isUntouched(files: Recorded, running: FirefoxStart): boolean {
  const { writtenWhile, starts, preferences } = files.record;
  if (writtenWhile === undefined || !isSameStart(writtenWhile, running) || starts.length > 0) return false;
  const saved = savedStatements(files);
  return preferences.every((one) => savedBy(one, saved) === 'former');
}

/** Whether a Firefox that has read our last word has saved it, so that nothing of ours can come back from prefs.js. */
function hasTakenOver(files: Recorded, leaving: readonly RecordedPreference[], running: FirefoxStart): boolean {
  const { writtenWhile } = files.record;
  if (writtenWhile !== undefined && isSameStart(writtenWhile, running)) return false;
  const saved = savedStatements(files);
  return leaving.every((one) => savedBy(one, saved) !== 'ours');
}

function divided(
  preferences: readonly RecordedPreference[],
  files: ProfileFiles,
): { readonly ours: readonly RecordedPreference[]; readonly undone: Undone } {
  const saved = savedStatements(files);
  const names = (list: readonly RecordedPreference[]) => list.map(({ name }) => name);
  const ours = preferences.filter((one) => savedBy(one, saved) !== 'others');
  return { ours, undone: { restored: names(ours), leftAlone: names(preferences.filter((one) => !ours.includes(one))) } };
}

async function giveBackInPrefsJs(directory: string, files: ProfileFiles, preferences: readonly RecordedPreference[]): Promise<void> {
  // Without the file Firefox has never saved anything.
  if (files.prefsJs.hash === undefined) return;
  const saved = savedStatements(files);
  const ours = preferences.filter((one) => savedBy(one, saved) === 'ours');
  const to = editPrefsJs(files.prefsJs.bytes, new Map(ours.map(({ name, former }) => [name, former])));
  await changeFile(join(directory, 'prefs.js'), { from: files.prefsJs, to });
}

const withoutIntention = ({ intended: _, ...rest }: RecordedPreference): RecordedPreference => rest;

/**
 * For a block of ours without a record, as somebody pastes it by hand from what `tune` writes: what prefs.js held before is not known, and
 * taken for nothing. `undefined`: there is no block.
 */
export async function adoptedRecord(directory: string, files: ProfileFiles): Promise<ProfileRecord | undefined> {
  const user = checkUserJs(files.userJs.bytes);
  const { block } = user;
  if (block === undefined) return undefined;
  const profileId = profileNamedIn(user.bytes.slice(block.start, block.end));
  const values = new Map<string, Set<number | boolean>>();
  for (const { name, value, start } of user.file.statements) {
    if (start < block.start || start >= block.end || typeof value === 'string' || findKnob(name) === undefined) continue;
    const set = values.get(name) ?? new Set();
    // Of several the last is in force.
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

/** What stands in the first line of a block: `//   c4-d6: a title`. `undefined`: no profile of this version. */
const profileNamedIn = (block: string): string | undefined => findProfile(/^\S.*\s+\/\/ {3}([^\s:]+):/.exec(block)?.[1] ?? '')?.id;

/** The line end that we put before our block, where only the record is lost and not the backup. */
async function lineEndBefore(directory: string, user: CheckedUserJs): Promise<string> {
  const backup = (await readBackup(directory))?.toString('latin1');
  const rest = withoutBlock(user);
  const added = backup !== undefined && rest.startsWith(backup) ? rest.slice(backup.length) : '';
  return /^(\n|\r\n)?$/.test(added) ? added : '';
}
