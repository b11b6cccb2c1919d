/** The files of the installation, written and removed with the same care as Firefox's own files. */
import { mkdirSync, realpathSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { errorCode, fileError } from '../errors.ts';
import { hashOf } from '../files/checked-file.ts';
import { callerId } from '../files/checked-path.ts';
import { clearLeftovers, readChecked, replaceFile } from '../files/replace-file.ts';

/** `mode`: its permissions, such as 0o755; Windows has none. */
interface InstalledFile {
  readonly path: string;
  readonly content: string | Buffer;
  readonly mode: number;
}

const PERMISSIONS = 0o777;
/** Permissions of folders that we create. */
const OWN_FOLDER = 0o700;

/** Writes the file unless it is there already with the same content and permissions. @returns whether it wrote. */
export async function installFile({ path, content, mode }: InstalledFile): Promise<boolean> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const real = realPlace(path);
  let before = await readChecked(real, { owner: callerId() });
  const sameMode = before === undefined || process.platform === 'win32' || (statSync(real).mode & PERMISSIONS) === mode;
  if (before?.hash === hashOf(bytes) && sameMode) return false;
  // A replaced file keeps its permissions.
  if (!sameMode) {
    await replaceFile({ path: real, content: undefined, expected: before?.hash, uid: callerId() });
    before = undefined;
  }
  await replaceFile({ path: real, content: bytes, expected: before?.hash, uid: callerId(), mode });
  return true;
}

/** The content of an installed file, if there is one. @throws PlumbfoxError as `readCheckedFile`. */
export async function readInstalled(path: string): Promise<string | undefined> {
  return (await readChecked(realPlace(path), { owner: callerId() }))?.content.toString('utf8');
}

/** Removes an installed file. @returns whether there was one. */
export async function uninstallFile(path: string): Promise<boolean> {
  const real = realPlace(path);
  const before = await readChecked(real, { owner: callerId() });
  if (before === undefined) return false;
  await replaceFile({ path: real, content: undefined, expected: before.hash, uid: callerId() });
  return true;
}

/** The folder and those above it that are missing, outermost first. */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let each = path; statSync(each, { throwIfNoEntry: false }) === undefined && dirname(each) !== each; each = dirname(each)) {
    missing.unshift(each);
  }
  return missing;
}

/** Removes half-written files of a killed process. */
export async function removeLeftovers(folder: string): Promise<void> {
  const inFolder = realPlace(join(folder, 'any'));
  await clearLeftovers(dirname(inFolder), { owner: callerId() });
}

/** Creates the folder and the missing ones above it. */
export function makeInstallFolder(path: string): void {
  for (const each of missingFolders(path)) {
    try {
      mkdirSync(each, { mode: OWN_FOLDER });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw fileError(each, error);
    }
  }
}

/** Removes the empty ones of these folders, innermost first. */
export function removeInstallFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw fileError(folder, error);
    }
  }
}

/** Resolves links of the folder, because a user may keep it elsewhere; the file is checked in its real place. */
function realPlace(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path;
    throw fileError(path, error);
  }
}

/** @throws PlumbfoxError `bad-input` for a home that is not there or another user's, as with sudo. */
export function checkHome(home: string): void {
  const found = statSync(home, { throwIfNoEntry: false });
  if (!found?.isDirectory()) throw new PlumbfoxError('bad-input', `${home} is not a folder, so it cannot be a home folder`);
  if (process.platform === 'win32' || found.uid === callerId()) return;
  throw new PlumbfoxError(
    'bad-input',
    `${home} belongs to another user (${found.uid}, not ${callerId()}); run this as that user, without sudo`,
  );
}
