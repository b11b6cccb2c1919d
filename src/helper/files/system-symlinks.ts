/**
 * Symlinks that the system itself created, such as /home -> /var/home of Fedora's Silverblue: only the administrator can redirect them, so
 * following them is safe. Links of any other user stay in the path, to be refused.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { callerId } from './checked-path.ts';

/** Linux itself follows no more (path_resolution(7)). */
const MAX_LINKS = 40;
const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;

/** The path with the system's symlinks resolved. @param path - Absolute; missing components are left unchanged. */
export function resolveSystemSymlinks(path: string, uid: number = callerId()): string {
  if (process.platform === 'win32') return path;
  let followed = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const link = firstSystemLink(followed, uid);
    if (link === undefined) return followed;
    followed = join(resolve(dirname(link), readlinkSync(link)), followed.slice(link.length));
  }
  return path;
}

function firstSystemLink(path: string, uid: number): string | undefined {
  const { root } = parse(path);
  let reached = root;
  for (const name of path.slice(root.length).split(sep)) {
    const folder = lstatSync(reached, { throwIfNoEntry: false });
    const next = join(reached, name);
    const found = lstatSync(next, { throwIfNoEntry: false });
    if (folder === undefined || found === undefined) return undefined;
    if (found.isSymbolicLink()) {
      const ofSystem = found.uid === ROOT && folder.uid === ROOT && (folder.mode & WRITABLE_BY_OTHERS) === 0;
      // If the caller is root, its own symlinks look like the system's; only those directly under / are followed.
      return ofSystem && (uid !== ROOT || reached === root) ? next : undefined;
    }
    reached = next;
  }
  return undefined;
}
