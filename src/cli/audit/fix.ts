/** `plumbfox audit --fix`: writes the fixed list into a new file beside it, or in its place with the former one kept. */
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { AuditedLine } from '../../core/audit/finding.ts';
import { fixList } from '../../core/audit/fix-list.ts';
import type { PreferenceList } from '../../core/audit/preference-list.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { counted } from '../../core/text/figures.ts';
import { systemReason } from '../../helper/errors.ts';

interface FixOptions {
  readonly path: string;
  /** The file's bytes, as they were audited. */
  readonly bytes: Buffer;
  readonly list: PreferenceList;
  readonly lines: readonly AuditedLine[];
  readonly inPlace: boolean;
}

/**
 * One line on what was written.
 * @throws PlumbfoxError `bad-input` where the file is no longer what was audited, a file is there already, or one cannot be written; nothing is
 * changed then.
 */
export async function writeFixed({ path, bytes, list, lines, inPlace }: FixOptions): Promise<string> {
  const fixed = fixList(bytes.toString('latin1'), list, lines);
  const left = fixed.left.map(({ line }) => line);
  const stays = left.length === 0 ? '' : ` Left as they are, because they hold the end mark of a comment: lines ${left.join(', ')}.`;
  if (fixed.changed.length === 0) return `Nothing to fix in ${path}: nothing was written.${stays}`;
  const text = Buffer.from(fixed.bytes, 'latin1');
  const what = `${counted(fixed.changed.length, 'line')} commented out (${fixed.changed.map(({ line }) => line).join(', ')})`;
  const { target, mode } = await unchanged(path, bytes);
  if (!inPlace) {
    const copy = `${path}.fixed`;
    await written(copy, text, mode);
    return `Wrote ${copy}: ${what}. ${path} is as it was.${stays}`;
  }
  const backup = `${path}.before-audit`;
  await written(backup, bytes, mode);
  const next = `${target}.plumbfox-new`;
  try {
    await written(next, text, mode);
    await rename(next, target);
  } catch (error) {
    await rm(backup, { force: true });
    throw error;
  }
  return `Wrote ${path}: ${what}. What it was is in ${backup}.${stays}`;
}

/** The file itself, where a link names it, and its mode. A measurement takes minutes, in which a person may have edited the file. */
async function unchanged(path: string, bytes: Buffer): Promise<{ readonly target: string; readonly mode: number }> {
  try {
    const target = await realpath(path);
    const [now, { mode }] = await Promise.all([readFile(target), stat(target)]);
    if (now.equals(bytes)) return { target, mode: mode & 0o777 };
  } catch (error) {
    throw new PlumbfoxError('bad-input', `--fix: ${path} cannot be read again: ${systemReason(error)}`, { cause: error });
  }
  throw new PlumbfoxError('bad-input', `--fix: ${path} was changed while it was audited: nothing was written; audit it again`);
}

async function written(path: string, content: Buffer, mode: number): Promise<void> {
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    // Not by the option above, which the process's mask narrows.
    await chmod(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'is there already: move it away first' : `cannot be written: ${systemReason(error)}`;
    throw new PlumbfoxError('bad-input', `--fix: ${path} ${why}`, { cause: error });
  }
}

/** @throws PlumbfoxError `bad-input` for what has no comments, or is written by Firefox itself. */
export function checkFixable(path: string, { format }: PreferenceList): void {
  if (format === 'policies')
    throw new PlumbfoxError('bad-input', `--fix: ${path} is a policy, which has no comments; take the lines out yourself`);
  if (/(?:^|[\\/])prefs\.js$/.test(path))
    throw new PlumbfoxError('bad-input', `--fix: ${path} is written by Firefox itself; put lines into a user.js, and fix that`);
}
