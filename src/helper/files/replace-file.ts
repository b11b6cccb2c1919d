/**
 * Reads and replaces files of Firefox: whole or not at all, never through a link, never another user's. Whatever happens, the file is the previous
 * one or the new one; a temporary file that is left behind is removed the next time.
 *
 * All calls are synchronous, so that nothing else in this program runs between them.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { fileError, quietly } from '../errors.ts';
import { type CheckedFile, hashOf, isSameFile, readCheckedFile } from './checked-file.ts';
import { type CheckedFolder, checkSpelling, openCheckedFolder } from './checked-path.ts';

/** Permissions of a new file: its owner's only, as Firefox gives prefs.js. */
export const OWN_MODE = 0o600;
const PERMISSIONS = 0o777;
/** Permissions including set-user-ID and set-group-ID. */
const ALL_BITS = 0o7777;
const LEFTOVER = /^\.plumbfox-[0-9a-f]{16}\.tmp$/;

export interface Replacement {
  /** An absolute path; its folder exists. */
  readonly path: string;
  /** `undefined`: the file is removed. */
  readonly content: Buffer | undefined;
  /** SHA-256 of the present file in hexadecimal; `undefined`: there must be none. */
  readonly expected: string | undefined;
  /** Checks what the disk returns before it takes the file's place; throws if it is wrong. */
  readonly verify?: (bytes: Buffer) => void;
  /** The required owner of the file and its folder: the caller. */
  readonly uid: number;
  /** Permissions of a new file, default 0600. A replaced file keeps those of its own that are among them; default all. */
  readonly mode?: number;
  /** Only Plumbfox writes the file: a replaced one gets `mode`, too. */
  readonly isOurs?: boolean;
}

/**
 * Reads the file at the path; `undefined`: neither it nor perhaps its folder exists.
 * @throws PlumbfoxError `bad-input` for a link, a FIFO, a folder, a device, another user's file, a file with a second name, a folder that
 *   every user may write to; `environment` where the system fails.
 */
export async function readChecked(
  path: string,
  { owner }: { owner: number },
): Promise<{ content: Buffer; hash: string; mode: number } | undefined> {
  checkSpelling(path);
  const folder = openCheckedFolder(dirname(path), owner);
  if (folder === undefined) return undefined;
  return within(folder, path, () => {
    const file = readCheckedFile(folder, basename(path), owner);
    return file && { content: file.content, hash: file.hash, mode: file.found.mode & ALL_BITS };
  });
}

/**
 * Replaces or removes a file.
 * @returns the hash of the new content; `hashOf` of no bytes when it was removed.
 * @throws PlumbfoxError as `readChecked`, and `bad-input` when something else is there than was expected. The previous file is untouched then, unless
 *   the message says that it was replaced.
 */
export async function replaceFile(replacement: Replacement): Promise<string> {
  const { path, content, uid } = replacement;
  checkSpelling(path);
  const folder = openCheckedFolder(dirname(path), uid);
  if (folder === undefined) throw new PlumbfoxError('bad-input', `${dirname(path)} is not there`);
  return within(folder, path, () => {
    removeLeftovers(folder, uid);
    const former = expectedFile(folder, replacement);
    if (content === undefined) remove(folder, replacement, former);
    else put(folder, { ...replacement, content }, former);
    return hashOf(content ?? Buffer.alloc(0));
  });
}

function within<T>(folder: CheckedFolder, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(path, error);
  } finally {
    folder.close();
  }
}

/** Removes temporary files of a killed process from a folder in which nothing is replaced any more. @throws PlumbfoxError as `readChecked`. */
export async function clearLeftovers(directory: string, { owner }: { owner: number }): Promise<void> {
  const folder = openCheckedFolder(directory, owner);
  if (folder !== undefined) within(folder, directory, () => removeLeftovers(folder, owner));
}

function removeLeftovers(folder: CheckedFolder, uid: number): void {
  for (const name of readdirSync(folder.at('.'))) {
    if (!LEFTOVER.test(name)) continue;
    const found = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (found?.isFile() && (process.platform === 'win32' || found.uid === uid)) unlinkSync(folder.at(name));
  }
}

/** The present file, if it is the expected one. */
function expectedFile(folder: CheckedFolder, { path, expected, uid }: Replacement): CheckedFile | undefined {
  const file = readCheckedFile(folder, basename(path), uid);
  if (file?.hash === expected) return file;
  const what = expected === undefined ? 'exists by now' : file === undefined ? 'is gone' : 'was changed by another program in the meantime';
  throw new PlumbfoxError('bad-input', `${path} ${what}; check it, and try again`);
}

/** Checks that it is still the very same file, directly before it is replaced. */
function checkUnchanged(folder: CheckedFolder, replacement: Replacement, former: CheckedFile | undefined): void {
  const now = expectedFile(folder, replacement);
  if (now && former && !isSameFile(now.found, former.found)) {
    throw new PlumbfoxError('bad-input', `${replacement.path} was replaced meanwhile; check it, and try again`);
  }
  folder.checkStillThere();
}

function remove(folder: CheckedFolder, replacement: Replacement, former: CheckedFile | undefined): void {
  if (former === undefined) return;
  checkUnchanged(folder, replacement, former);
  unlinkSync(folder.at(basename(replacement.path)));
  afterwards(replacement.path, 'removed', () => {
    folder.sync();
    folder.checkStillThere();
  });
}

function put(folder: CheckedFolder, replacement: Replacement & { readonly content: Buffer }, former: CheckedFile | undefined): void {
  const temporary = `.plumbfox-${randomBytes(8).toString('hex')}.tmp`;
  const name = basename(replacement.path);
  const fd = openSync(
    folder.at(temporary),
    constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
    OWN_MODE,
  );
  let open = true;
  let written: Stats;
  try {
    written = fill(fd, replacement, former);
    open = false;
    closeSync(fd);
    checkUnchanged(folder, replacement, former);
    renameSync(folder.at(temporary), folder.at(name));
  } catch (error) {
    if (open) quietly(() => closeSync(fd));
    quietly(() => unlinkSync(folder.at(temporary)));
    throw error;
  }
  afterwards(replacement.path, 'replaced', () => confirm(folder, replacement, written));
}

/** Writes the content, asks the disk to keep it, and reads it back. */
function fill(
  fd: number,
  { path, content, verify, mode, isOurs = false }: Replacement & { readonly content: Buffer },
  former: CheckedFile | undefined,
): Stats {
  for (let at = 0; at < content.length; ) at += writeSync(fd, content, at);
  if (process.platform !== 'win32') {
    keepGroup(fd, former);
    fchmodSync(fd, former === undefined || isOurs ? (mode ?? OWN_MODE) : former.found.mode & (mode ?? PERMISSIONS));
  }
  fsyncSync(fd);
  const back = Buffer.alloc(content.length + 1);
  let length = 0;
  for (let got = -1; got !== 0 && length < back.length; length += got) got = readSync(fd, back, length, back.length - length, length);
  const bytes = back.subarray(0, length);
  if (!bytes.equals(content)) throw new PlumbfoxError('environment', `${path}: the disk returned something else than was written`);
  verify?.(bytes);
  return fstatSync(fd);
}

/** Only root, or a member of that group, may give a file to a group; others' permissions do not depend on it. */
function keepGroup(fd: number, former: CheckedFile | undefined): void {
  if (former === undefined || fstatSync(fd).gid === former.found.gid) return;
  quietly(() => fchownSync(fd, former.found.uid, former.found.gid));
}

/** Syncs the folder, and checks that the name in it leads to what was written. */
function confirm(folder: CheckedFolder, { path, content, uid }: Replacement & { readonly content: Buffer }, written: Stats): void {
  folder.sync();
  folder.checkStillThere();
  const now = readCheckedFile(folder, basename(path), uid);
  if (now && isSameFile(now.found, written) && now.hash === hashOf(content)) return;
  throw new PlumbfoxError('bad-input', `${path} was changed by another program right afterwards; check it`);
}

/** Runs work after the change: a failure then says that the new state is already in place. */
function afterwards(path: string, done: 'replaced' | 'removed', work: () => void): void {
  try {
    work();
  } catch (error) {
    const { kind, message } = fileError(path, error);
    throw new PlumbfoxError(kind, `${message}. The file was ${done}, but the disk may not have kept that`, { cause: error });
  }
}
