/**
 * A folder whose path was checked component by component, held open so that nothing put in its place later is used instead. Files in it are reached
 * through the descriptor (`/proc/self/fd/N/NAME` is openat(2) without a binding for it). Where there is no /proc the names are checked again before
 * each use.
 */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { errorCode, fileError, quietly } from '../errors.ts';

export interface CheckedFolder {
  readonly path: string;
  /** The system path of a name in this very folder. */
  at(name: string): string;
  /** @throws PlumbfoxError `bad-input` when another folder is at the path now. */
  checkStillThere(): void;
  /** Asks the disk to keep the names in it. */
  sync(): void;
  close(): void;
}

const WINDOWS = process.platform === 'win32';
const DESCRIPTORS = '/proc/self/fd';
/** O_PATH of asm-generic/fcntl.h, which Node does not name. It needs no permission to read the folder, which /home often does not give. */
const O_PATH = 0o10_000_000;
const WRITABLE_BY_ALL = 0o002;
/** This bit is also set where an access control list lets another user write: its mask is shown as the group's permissions (acl(5)). */
const WRITABLE_BY_GROUP = 0o020;
const STICKY = 0o1000;

/** The caller's user id. Windows has no such number, and owners are not checked there. */
export const callerId = (): number => process.getuid?.() ?? 0;

/** Checks a folder of the path; throws if it is not as required. `last`: it is the requested one. */
type FolderCheck = (path: string, found: Stats, last: boolean) => void;

/**
 * @param path - Absolute, without `..`, `.` or a doubled separator.
 * @param uid - The required owner. Folders above may belong to the system too.
 * @throws PlumbfoxError `bad-input` for a symbolic link, another user's folder or one that every user may write to; `environment` where it
 *   cannot be reached. `undefined`: it is not there.
 */
export function openCheckedFolder(path: string, uid: number): CheckedFolder | undefined {
  return open(path, (each, found, last) => checkFolder(each, found, { uid, last }));
}

/**
 * For files that will run with another user's permissions: from the root on, only the system and `uid` may exchange them.
 * @throws PlumbfoxError as `openCheckedFolder`, and for a folder that its group may write to.
 */
export function openGuardedFolder(path: string, uid: number): CheckedFolder | undefined {
  return open(path, (each, found, last) => {
    checkKind(each, found);
    checkGuarded(each, found, uid, { stickyIsEnough: !last });
  });
}

function open(path: string, check: FolderCheck): CheckedFolder | undefined {
  checkSpelling(path);
  return process.platform === 'linux' && existsSync(DESCRIPTORS) ? openByDescriptor(path, check) : openByName(path, check);
}

/**
 * @param stickyIsEnough - Accepts a folder in which others may only create and change their own files (sticky, such as /tmp).
 * @throws PlumbfoxError `bad-input` where others than the system and `uid` may change it.
 */
export function checkGuarded(path: string, found: Stats, uid: number, { stickyIsEnough }: { readonly stickyIsEnough: boolean }): void {
  if (WINDOWS) return;
  if (found.uid !== uid && !isSystem(found.uid))
    throw new PlumbfoxError('bad-input', `${path} belongs to user ${found.uid}, who may change it`);
  if (stickyIsEnough && (found.mode & STICKY) !== 0) return;
  if ((found.mode & WRITABLE_BY_ALL) !== 0) throw new PlumbfoxError('bad-input', `${path} is writable by everybody`);
  if ((found.mode & WRITABLE_BY_GROUP) !== 0 && !canBecomeRoot(found.gid))
    throw new PlumbfoxError('bad-input', `${path} is writable by its group (${found.gid})`);
}

/** `wheel` of macOS, and its `admin`, to which /Applications belongs (rwxrwxr-x). */
const MAC_ROOT_GROUPS = [0, 80];

/**
 * Whether a group's members gain nothing by exchanging files here. On macOS those of `admin` can become root (`%admin ALL=(ALL) ALL` in Apple's
 * /etc/sudoers) and can exchange Firefox itself, and `wheel` has only root; elsewhere no such group is known.
 */
const canBecomeRoot = (gid: number): boolean => process.platform === 'darwin' && MAC_ROOT_GROUPS.includes(gid);

/** @throws PlumbfoxError `bad-input` for a relative path, or one with `..`, `.` or repeated separators. */
export function checkSpelling(path: string): void {
  if (path.includes('\0') || resolve(path) !== path) {
    throw new PlumbfoxError('bad-input', `${JSON.stringify(path)} must be a full path without "..", "." or repeated separators`);
  }
}

function openByDescriptor(path: string, check: FolderCheck): CheckedFolder | undefined {
  let fd = openSync('/', O_PATH | constants.O_DIRECTORY);
  try {
    let reached = '/';
    for (const [at, name] of components(path).entries()) {
      reached = join(reached, name);
      const next = openSync(`${DESCRIPTORS}/${fd}/${name}`, O_PATH | constants.O_NOFOLLOW);
      closeSync(fd);
      fd = next;
      check(reached, fstatSync(fd), at === components(path).length - 1);
    }
    return byDescriptor(path, fd);
  } catch (error) {
    quietly(() => closeSync(fd));
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileError(path, error);
  }
}

function byDescriptor(path: string, fd: number): CheckedFolder {
  const at = (name: string) => `${DESCRIPTORS}/${fd}/${name}`;
  return {
    path,
    at,
    checkStillThere: () => checkSame(path, fstatSync(fd)),
    sync: () => syncFolder(at('.')),
    // Nothing was written through it, so closing it can lose nothing.
    close: () => quietly(() => closeSync(fd)),
  };
}

function openByName(path: string, check: FolderCheck): CheckedFolder | undefined {
  const look = () => {
    let reached = parse(path).root;
    for (const [at, name] of components(path).entries()) {
      reached = join(reached, name);
      check(reached, lstatSync(reached), at === components(path).length - 1);
    }
    return lstatSync(path);
  };
  try {
    const first = look();
    const checkStillThere = () => {
      look();
      checkSame(path, first);
    };
    const at = (name: string) => {
      checkStillThere();
      return join(path, name);
    };
    return { path, at, checkStillThere, sync: () => syncFolder(path), close: () => {} };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileError(path, error);
  }
}

const components = (path: string): readonly string[] =>
  path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((name) => name !== '');

function checkFolder(path: string, found: Stats, { uid, last }: { uid: number; last: boolean }): void {
  checkKind(path, found);
  if (WINDOWS) return;
  if (found.uid !== uid && (last || !isSystem(found.uid))) {
    throw new PlumbfoxError('bad-input', `${path} belongs to another user (${found.uid}, not ${uid}); run this as that user`);
  }
  if ((found.mode & WRITABLE_BY_ALL) !== 0 && (last || (found.mode & STICKY) === 0)) {
    throw new PlumbfoxError('bad-input', `${path} is writable by everybody; remove that permission first (chmod o-w)`);
  }
}

function checkKind(path: string, found: Stats): void {
  if (found.isSymbolicLink()) throw new PlumbfoxError('bad-input', `${path} is a symbolic link; name its target instead`);
  if (!found.isDirectory()) throw new PlumbfoxError('bad-input', `${path} is not a folder`);
}

/** Whether it is root, which a container may show under another number. */
const isSystem = (uid: number): boolean => uid === 0 || uid === lstatSync('/').uid;

function checkSame(path: string, folder: Stats): void {
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (now?.isDirectory() && now.dev === folder.dev && now.ino === folder.ino) return;
  throw new PlumbfoxError('bad-input', `${path} was replaced meanwhile; find out by what, and try again`);
}

/** Errors of file systems that cannot sync folders; any other is thrown. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

function syncFolder(path: string): void {
  if (WINDOWS) return;
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!CANNOT_SYNC.includes(errorCode(error) ?? '')) throw error;
  } finally {
    closeSync(fd);
  }
}

/** Permissions of created folders, whatever the umask: readable by all users, writable by their owner only. */
const READABLE_BY_ALL = 0o755;

/**
 * Creates a folder and the missing ones above it.
 * @returns the folders that were created, the outermost first.
 * @throws PlumbfoxError as `openCheckedFolder`.
 */
export function makeFolders(path: string, uid: number): readonly string[] {
  checkSpelling(path);
  const there = openCheckedFolder(path, uid);
  if (there !== undefined) {
    there.close();
    return [];
  }
  const made = makeFolders(dirname(path), uid);
  const parent = openCheckedFolder(dirname(path), uid);
  if (parent === undefined) throw new PlumbfoxError('bad-input', `${dirname(path)} was removed meanwhile; try again`);
  try {
    mkdirSync(parent.at(basename(path)));
    chmodSync(parent.at(basename(path)), READABLE_BY_ALL);
    parent.sync();
  } catch (error) {
    throw fileError(path, error);
  } finally {
    parent.close();
  }
  return [...made, path];
}

/** Removes the empty ones of these folders; the outermost come first, as `makeFolders` returns them. */
export function removeEmptyFolders(paths: readonly string[], uid: number): void {
  for (const path of paths.toReversed()) {
    const parent = openCheckedFolder(dirname(path), uid);
    try {
      if (parent && readdirSync(parent.at(basename(path))).length === 0) rmdirSync(parent.at(basename(path)));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw fileError(path, error);
    } finally {
      parent?.close();
    }
  }
}
