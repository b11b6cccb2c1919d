/**
 * Links that the system itself has put on the way, such as /home -> /var/home of Fedora's Silverblue: nobody but the administrator can lead them
 * elsewhere, so that following them opens no door. Links of anybody else stay in the path, to be refused.
 */

import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { callerId } from './checked-path.ts';

/** Linux itself follows no more (path_resolution(7)). */
const MAX_LINKS = 40;
const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;

/** @param path - Absolute. What is not there is left as it is. */
export function withoutSystemLinks(path: string, uid: number = callerId()): string {
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
      // Root's own links are a person's too, but for those beside /home.
      return ofSystem && (uid !== ROOT || reached === root) ? next : undefined;
    }
    reached = next;
  }
  return undefined;
}
