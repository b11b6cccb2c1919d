/**
 * Every file of Firefox is read and replaced through here: whole or not at all, never through a link, never somebody else's. However it ends, the
 * file is the former one or the new one; a temporary file that is left behind is removed the next time.
 *
 * All calls are synchronous, so that nothing of this program comes between them.
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

/** Rights of a file that was not there before: its owner's alone, as Firefox gives prefs.js. */
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
  /** SHA-256 of what must be there now, in hexadecimal; `undefined`: nothing may be there. */
  readonly expected: string | undefined;
  /** Sees what the disk gives back before it takes the file's place; throws if it is not what it should be. */
  readonly verify?: (bytes: Buffer) => void;
  /** Who must own the file and its folder: the caller. */
  readonly uid: number;
  /** Rights of a file that is not there yet, 0600 if not given. One that is replaced keeps of its own what is among them; all if not given. */
  readonly mode?: number;
  /** Nobody else's choice is to be kept: one that is replaced gets `mode`, too. */
  readonly isOurs?: boolean;
}

/**
 * What is at the path; `undefined`: nothing, or not even its folder.
 * @throws PlumbfoxError `bad-input` for a link, a FIFO, a folder, a device, somebody else's file, a file with a second name, a folder that
 *   everybody may write to; `environment` where the system fails.
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
 * @returns the hash of what is there now; of nothing (`hashOf` of no bytes) when it was removed.
 * @throws PlumbfoxError as `readChecked`, and `bad-input` when something else is there than was expected. The former file is untouched then,
 *   but where the message says that it was replaced.
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

/** Removes what a killed process has left behind in a folder in which nothing is replaced any more. @throws PlumbfoxError as `readChecked`. */
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

/** What is there, if it is what was expected. */
function expectedFile(folder: CheckedFolder, { path, expected, uid }: Replacement): CheckedFile | undefined {
  const file = readCheckedFile(folder, basename(path), uid);
  if (file?.hash === expected) return file;
  const what = expected === undefined ? 'exists by now' : file === undefined ? 'is gone' : 'was changed by somebody else meanwhile';
  throw new PlumbfoxError('bad-input', `${path} ${what}; check it, and try again`);
}

/** Checks that it is still the very same file: the last look before it is replaced. */
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

/** Only root, or a member of that group, may give a file to a group; the rights of the others do not depend on it. */
function keepGroup(fd: number, former: CheckedFile | undefined): void {
  if (former === undefined || fstatSync(fd).gid === former.found.gid) return;
  quietly(() => fchownSync(fd, former.found.uid, former.found.gid));
}

/** Checks that the name leads to what was written, in the intended folder, after asking the disk to keep it. */
function confirm(folder: CheckedFolder, { path, content, uid }: Replacement & { readonly content: Buffer }, written: Stats): void {
  folder.sync();
  folder.checkStillThere();
  const now = readCheckedFile(folder, basename(path), uid);
  if (now && isSameFile(now.found, written) && now.hash === hashOf(content)) return;
  throw new PlumbfoxError('bad-input', `${path} was changed by somebody else right afterwards; check it`);
}

/** A failure from here on says that the new state is already in place. */
function afterwards(path: string, done: 'replaced' | 'removed', work: () => void): void {
  try {
    work();
  } catch (error) {
    const { kind, message } = fileError(path, error);
    throw new PlumbfoxError(kind, `${message}. The file was ${done}, but the disk may not have kept that`, { cause: error });
  }
}
