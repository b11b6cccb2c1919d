/** Reads a file in a checked folder, but only a plain file with one name that belongs to the caller. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { type CheckedFolder, checkGuarded } from './checked-path.ts';

export interface CheckedFile {
  readonly content: Buffer;
  /** SHA-256 of the content, in hexadecimal. */
  readonly hash: string;
  readonly found: Stats;
}

/** Far larger than any file of preferences or policies (prefs.js of a profile used for years: below 1 MB). */
const MAX_BYTES = 64 * 1024 * 1024;

/** The SHA-256 in hexadecimal. */
export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Reads a plain file of this user; `undefined`: there is none. @throws PlumbfoxError `bad-input`, or an error of the system as it comes. */
export function readCheckedFile(folder: CheckedFolder, name: string, uid: number): CheckedFile | undefined {
  return readFileIf(folder, name, (path, found) => {
    checkPlain(path, found);
    if (process.platform !== 'win32' && found.uid !== uid) {
      throw new PlumbfoxError('bad-input', `${path} belongs to another user (${found.uid}, not ${uid}); run this as that user`);
    }
  });
}

/**
 * Reads a file that only the system and `uid` may change, in a folder for which the same holds (`openGuardedFolder`), so that nothing else is read
 * than was checked. @throws PlumbfoxError as `readCheckedFile`.
 */
export function readGuardedFile(folder: CheckedFolder, name: string, uid: number): CheckedFile | undefined {
  return readFileIf(folder, name, (path, found) => {
    checkPlain(path, found);
    checkGuarded(path, found, uid, { stickyIsEnough: false });
  });
}

function readFileIf(folder: CheckedFolder, name: string, check: (path: string, found: Stats) => void): CheckedFile | undefined {
  const path = join(folder.path, name);
  const seen = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (seen === undefined) return undefined;
  // Checked before it is opened, because opening a device or a FIFO may already do something.
  check(path, seen);
  // Some systems have no NOFOLLOW.
  const fd = openSync(folder.at(name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(fd);
    check(path, found);
    if (!isSameFile(seen, found)) throw new PlumbfoxError('bad-input', `${path} was replaced while it was read; try again`);
    const content = readFileSync(fd);
    return { content, hash: hashOf(content), found };
  } finally {
    closeSync(fd);
  }
}

/** Whether two looks found the same file, and not another that has taken its name. */
export const isSameFile = (one: Stats, other: Stats): boolean => one.dev === other.dev && one.ino === other.ino;

function checkPlain(path: string, found: Stats): void {
  const what = whatItIs(found);
  if (what !== undefined) throw new PlumbfoxError('bad-input', `${path} is ${what}, not a plain file; move it away first`);
  if (found.nlink > 1) {
    throw new PlumbfoxError('bad-input', `${path} is one of ${found.nlink} hard links to the same file; replace it with a copy first`);
  }
  if (found.size > MAX_BYTES) throw new PlumbfoxError('bad-input', `${path} has more than ${MAX_BYTES} bytes, too many for such a file`);
}

function whatItIs(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a FIFO';
  if (found.isSocket()) return 'a socket';
  return 'a device';
}

/** Parses JSON that may be damaged; `undefined`: it is not JSON. A schema has to check the result. */
export function parseJsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
