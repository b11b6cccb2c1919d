/** The files of a Firefox profile: their content, what of it is ours, and the order in which they change. */
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { type PreferenceStatement, parsePreferenceFile, valuesSet } from '../../core/profiles/preference-statements.ts';
import { blockBytes, type CheckedUserJs, checkUserJs, putBlock, withoutBlock } from '../../core/profiles/user-js.ts';
import { hashOf } from '../files/checked-file.ts';
import { callerId } from '../files/checked-path.ts';
import { readChecked, replaceFile } from '../files/replace-file.ts';
import { type ProfileRecord, readBackup, readRecord, removeRecord, writeBackup, writeRecord } from './record.ts';

/** A file that was read; `bytes` is a "binary" string, one character per byte. */
interface ReadFile {
  readonly bytes: string;
  /** `undefined`: there is none. */
  readonly hash: string | undefined;
}

export interface ProfileFiles {
  readonly userJs: ReadFile;
  readonly prefsJs: ReadFile;
  /** `undefined`: nothing of ours is recorded. */
  readonly record: ProfileRecord | undefined;
}

/** Reads the files; a damaged record counts as none. @throws PlumbfoxError `bad-input` for a file that must not be read, see `readCheckedFile`. */
export async function readProfileFiles(directory: string): Promise<ProfileFiles> {
  const record = await readRecord(directory);
  return {
    userJs: await readUserJs(directory),
    prefsJs: await read(join(directory, 'prefs.js')),
    record: record === 'damaged' ? undefined : record,
  };
}

const readUserJs = (directory: string): Promise<ReadFile> => read(join(directory, 'user.js'));

async function read(path: string): Promise<ReadFile> {
  const file = await readChecked(path, { owner: callerId() });
  return { bytes: file?.content.toString('latin1') ?? '', hash: file?.hash };
}

/** Writes a file unless it is unchanged. @param change.to - `undefined`: the file is removed. */
export async function changeFile(path: string, change: { readonly from: ReadFile; readonly to: string | undefined }): Promise<void> {
  const content = change.to === undefined ? undefined : Buffer.from(change.to, 'latin1');
  if (content === undefined ? change.from.hash === undefined : hashOf(content) === change.from.hash) return;
  await replaceFile({ path, content, expected: change.from.hash, uid: callerId(), verify: checkReadable(change.from) });
}

/** Checks that Firefox can read what the disk returned, apart from what it could not read before, as in a damaged prefs.js. */
const checkReadable = (from: ReadFile) => (bytes: Buffer) => {
  const { errors } = parsePreferenceFile(bytes.toString('latin1'));
  const [error] = errors;
  if (error === undefined || errors.length <= parsePreferenceFile(from.bytes).errors.length) return;
  throw new PlumbfoxError('internal', `What would be written cannot be read by Firefox: ${error.message}`);
};

/** user.js without our block; `undefined`: there is to be none. */
interface UserJsBefore {
  readonly bytes: string | undefined;
}

/**
 * The previous user.js, with whatever else was changed in it since.
 * @throws PlumbfoxError `bad-input` where our block is not as we wrote it, or the file is one that Firefox would not read whole.
 */
export async function userJsBefore(directory: string, { userJs, record }: ProfileFiles): Promise<UserJsBefore> {
  const user = checkUserJs(userJs.bytes);
  if (record === undefined || record.phase === 'restored') return { bytes: userJs.hash === undefined ? undefined : userJs.bytes };
  const { before, written, blocks } = record.userJs;
  if (userJs.hash === before) return { bytes: before === undefined ? undefined : userJs.bytes };
  const backup = await backupOf(directory, before);
  if (userJs.hash === written && backup !== 'lost') return { bytes: backup };
  const rest = withoutOurBlock(user, blocks);
  // Our block replaced one that was pasted in.
  const pasted = backup === undefined || backup === 'lost' ? undefined : pastedBlock(backup);
  if (pasted !== undefined) return { bytes: rest + (/[^\n\r]$/.test(rest) ? '\n' : '') + pasted };
  return { bytes: rest === '' && before === undefined ? undefined : rest };
}

/** `undefined`: there was no user.js. */
async function backupOf(directory: string, before: string | undefined): Promise<string | undefined | 'lost'> {
  if (before === undefined) return undefined;
  const backup = await readBackup(directory);
  return backup !== undefined && hashOf(backup) === before ? backup.toString('latin1') : 'lost';
}

function pastedBlock(before: string): string | undefined {
  const user = checkUserJs(before);
  return user.block === undefined ? undefined : blockBytes(user, '');
}

function withoutOurBlock(user: CheckedUserJs, blocks: readonly string[]): string {
  if (user.block === undefined) return user.bytes;
  const ours = blocks.find((block) => trimmed(blockBytes(user, block) ?? '') === trimmed(block));
  if (ours !== undefined) return withoutBlock(user, ours);
  throw new PlumbfoxError(
    'bad-input',
    'user.js: the content of the Plumbfox block has been changed; delete the whole block yourself, and try again',
  );
}

/** Some editors add or remove the last line end, or convert all of them. */
const trimmed = (block: string): string => block.replaceAll('\r\n', '\n').replace(/\n+$/, '');

/** The effective statements of prefs.js, by name. */
export function savedStatements({ prefsJs: { bytes, hash } }: Pick<ProfileFiles, 'prefsJs'>): ReadonlyMap<string, PreferenceStatement> {
  if (hash === undefined || lastRead?.hash !== hash) lastRead = { hash, saved: valuesSet(parsePreferenceFile(bytes)) };
  return lastRead.saved;
}

/** The same bytes are needed several times in a row, and parsing 20 MB takes a while. */
let lastRead: { readonly hash: string | undefined; readonly saved: ReadonlyMap<string, PreferenceStatement> } | undefined;

/** The statement in a text, such as `former` of the record. */
export const statementIn = (text: string): PreferenceStatement | undefined => parsePreferenceFile(text).statements[0];

/** Our block and older ones that may still be in the file: the one before it, and one more in case that was not written either. */
const KEPT_BLOCKS = 3;

/**
 * Writes our block into user.js: first the backup, then the record of what is about to be written, then user.js itself, so that the next caller can
 * repair an interruption between two of them. A failure changes nothing, as far as the disk still permits.
 */
export async function writeUserJs(
  directory: string,
  options: {
    readonly files: ProfileFiles;
    readonly before: UserJsBefore;
    readonly block: string;
    readonly record: Omit<ProfileRecord, 'version' | 'userJs'>;
  },
): Promise<void> {
  const { files, before, block, record } = options;
  const put = putBlock(checkUserJs(before.bytes ?? ''), block);
  const former = before.bytes === undefined ? undefined : Buffer.from(before.bytes, 'latin1');
  const written = hashOf(Buffer.from(put.bytes, 'latin1'));
  const there = { written, record: await readRecord(directory), backup: await readBackup(directory) };
  try {
    await writeBackup(directory, former);
    await writeRecord(directory, {
      version: 1,
      ...record,
      userJs: {
        ...(former === undefined ? {} : { before: hashOf(former) }),
        written,
        blocks: [...new Set([put.block, ...(files.record?.userJs.blocks ?? [])])].slice(0, KEPT_BLOCKS),
      },
    });
    await changeFile(join(directory, 'user.js'), { from: files.userJs, to: put.bytes });
  } catch (error) {
    await restoreRecord(directory, there).catch(() => {});
    throw error;
  }
}

/** Restores the record and the backup when user.js was not written. */
async function restoreRecord(
  directory: string,
  there: { readonly written: string; readonly record: Awaited<ReturnType<typeof readRecord>>; readonly backup: Buffer | undefined },
): Promise<void> {
  if ((await readUserJs(directory)).hash === there.written || there.record === 'damaged') return;
  if (there.record === undefined) return removeRecord(directory);
  await writeRecord(directory, there.record);
  await writeBackup(directory, there.backup);
}
