/** Folders made on the way to a file, and taken away again. */
import { chmodSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { errorCode, fileError } from '../errors.ts';
import { checkSpelling, openCheckedFolder } from './checked-path.ts';

/** What everybody may read and only the owner may change: whatever the umask says. */
const READABLE_BY_ALL = 0o755;

/**
 * @returns the folders that had to be made, the outermost first.
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
  if (parent === undefined) throw new PlumbfoxError('bad-input', `${dirname(path)} was taken away meanwhile; do it again`);
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

/** Takes away those that are empty; the outermost come first, as `makeFolders` answers them. */
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
