/** The folder a run writes to: the one that was named, or a new one of its own. */
import { access, constants, mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import { systemReason } from '../helper/errors.ts';

interface ResultsFolder {
  readonly path: string;
  /** Removes the folders it created, if still empty: a run that measured nothing leaves nothing. */
  discardIfEmpty(): Promise<void>;
}

/** @throws PlumbfoxError `bad-input` when it cannot be made or written. */
export async function openResultsFolder(out: string | undefined, now: Date): Promise<ResultsFolder> {
  const wanted = resolve(out ?? join('plumbfox-results', now.toISOString().slice(0, 19).replaceAll(':', '-')));
  try {
    const { path, firstMade } = out === undefined ? await newFolder(wanted) : await namedFolder(wanted);
    await access(path, constants.W_OK | constants.X_OK);
    return { path, discardIfEmpty: () => removeEmpty(path, firstMade) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOTDIR'
        ? 'is not a folder, or a parent of it is a file; choose another path'
        : `cannot be written: ${systemReason(error)}`;
    throw new PlumbfoxError('bad-input', `--out: ${wanted} ${why}`, { cause: error });
  }
}

interface Made {
  readonly path: string;
  /** The outermost folder that was not there before. */
  readonly firstMade: string | undefined;
}

async function namedFolder(path: string): Promise<Made> {
  return { path, firstMade: await makeFolders(path) };
}

/**
 * Each missing folder, outermost first. Not `mkdir`'s `recursive`: where the system answers ENOENT although the parent is
 * there, as below /proc, Node 20 tries for ever.
 * @returns the first one made.
 */
async function makeFolders(path: string): Promise<string | undefined> {
  const known = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (!(known instanceof Error)) {
    if (known.isDirectory()) return undefined;
    throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  }
  if (known.code !== 'ENOENT' || dirname(path) === path) throw known;
  const outer = await makeFolders(dirname(path));
  await mkdir(path);
  return outer ?? path;
}

/** Two runs begun in one second have a folder each. */
async function newFolder(path: string): Promise<Made> {
  const outer = await makeFolders(dirname(path));
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? path : `${path}-${number}`;
    try {
      await mkdir(candidate);
      return { path: candidate, firstMade: outer ?? candidate };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function removeEmpty(path: string, firstMade: string | undefined): Promise<void> {
  if (firstMade === undefined) return;
  let folder = path;
  while (folder.length >= firstMade.length) {
    try {
      await rmdir(folder);
    } catch {
      // Something is in it: it stays.
      return;
    }
    folder = dirname(folder);
  }
}
