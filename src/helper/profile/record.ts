/**
 * The previous state and what we wrote, kept in the Firefox profile itself: `plumbfox/record.json`, and beside it the previous user.js. Both are
 * removed when everything is restored.
 */
import { existsSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { findKnob } from '../../core/profiles/catalogue.ts';
import { errorCode, fileError, quietly } from '../errors.ts';
import { parseJsonIfValid } from '../files/checked-file.ts';
import { callerId } from '../files/checked-path.ts';
import { writeOwnFile } from '../files/own-file.ts';
import { clearLeftovers, readChecked } from '../files/replace-file.ts';
import { LOCK_FILE } from './lock.ts';

const start = v.object({ processId: v.number(), began: v.string() });
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const value = v.union([v.pipe(v.number(), v.integer()), v.boolean(), v.string()]);

const preference = v.object({
  name: v.pipe(
    v.string(),
    v.check((name) => findKnob(name) !== undefined),
  ),
  /** The previous statement of prefs.js in its own bytes; absent if there was none. */
  former: v.optional(v.string()),
  /** Every value that we wrote and Firefox may have saved since. */
  written: v.array(value),
  /** Absent while the preference is being restored. */
  intended: v.optional(value),
});

const recordSchema = v.object({
  version: v.literal(1),
  /** `restored`: everything is restored, and only the reason is still to be reported. */
  phase: v.picklist(['pending', 'confirmed', 'restoring', 'restored']),
  profileId: v.optional(v.string()),
  /** The Firefox that was running when user.js was last written, and so has not read it. */
  writtenWhile: v.optional(start),
  /** Starts since then that have not been confirmed. */
  starts: v.array(start),
  preferences: v.array(preference),
  userJs: v.object({
    /** SHA-256 of the previous user.js; absent if there was none. */
    before: v.optional(hash),
    /** SHA-256 of user.js with our block. */
    written: v.optional(hash),
    /** Our block with the line end before it: the last one written, and the one before it, in case we were stopped in between. */
    blocks: v.array(v.string()),
  }),
  restoredBecause: v.optional(v.string()),
  /** The start to which it was reported. */
  toldTo: v.optional(start),
});
const ofNewerVersion = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(2)) });
export type ProfileRecord = v.InferOutput<typeof recordSchema>;
export type RecordedPreference = ProfileRecord['preferences'][number];

/** Our folder in the Firefox profile. Under another name, what has been written already could not be restored. */
export const RECORD_FOLDER = 'plumbfox';
export const RECORD = 'record.json';
const BACKUP = 'user.js.before';

/** `damaged`: there is a record that cannot be used. @throws PlumbfoxError `bad-input` for one that only a newer version understands. */
export async function readRecord(directory: string): Promise<ProfileRecord | 'damaged' | undefined> {
  const file = await readChecked(join(directory, RECORD_FOLDER, RECORD), { owner: callerId() });
  if (file === undefined) return undefined;
  const json = parseJsonIfValid(file.content.toString('utf8'));
  if (v.is(ofNewerVersion, json)) {
    throw new PlumbfoxError('bad-input', `A newer Plumbfox has written into ${directory}; update this one, and try again`);
  }
  const record = v.safeParse(recordSchema, json);
  return record.success ? record.output : 'damaged';
}

/** Writes the record, and makes our folder if it is missing. @throws PlumbfoxError as `replaceFile`. */
export async function writeRecord(directory: string, record: ProfileRecord): Promise<void> {
  makeFolder(directory);
  await put(directory, RECORD, Buffer.from(`${JSON.stringify(record, null, 1)}\n`));
}

/** The bytes of the previous user.js. */
export async function readBackup(directory: string): Promise<Buffer | undefined> {
  return (await readChecked(join(directory, RECORD_FOLDER, BACKUP), { owner: callerId() }))?.content;
}

/** Keeps the previous user.js; `undefined`: there was none. */
export async function writeBackup(directory: string, content: Buffer | undefined): Promise<void> {
  makeFolder(directory);
  await put(directory, BACKUP, content);
}

/** Removes everything of ours from the profile. If something else is in our folder, that and the folder stay. */
export async function removeRecord(directory: string): Promise<void> {
  for (const name of [BACKUP, RECORD]) await put(directory, name, undefined);
  const folder = join(directory, RECORD_FOLDER);
  // Without a folder nothing is removed: a read-only disk would refuse even that.
  if (!existsSync(folder)) return clearLeftovers(directory, { owner: callerId() });
  // The guard's lock: it has nothing left to watch over.
  quietly(() => unlinkSync(join(folder, LOCK_FILE)));
  for (const each of [folder, directory]) await clearLeftovers(each, { owner: callerId() });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw fileError(folder, error);
  }
}

/** Creates our folder for its owner only, because the preferences are private. */
function makeFolder(directory: string): void {
  const folder = join(directory, RECORD_FOLDER);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileError(folder, error);
  }
}

const put = (directory: string, name: string, content: Buffer | undefined): Promise<void> =>
  writeOwnFile({ path: join(directory, RECORD_FOLDER, name), content, uid: callerId() });
