// This is a file of its own because tests that kill the helper at each change replace replaceFile.
import { hashOf } from './checked-file.ts';
import { OWN_MODE, type Replacement, readChecked, replaceFile } from './replace-file.ts';

/**
 * Writes a file that only Plumbfox writes, such as a record, replacing its content and permissions. It is not written if both are the same already;
 * without `content` it is removed.
 * @throws PlumbfoxError as `replaceFile`.
 */
export async function writeOwnFile(file: Pick<Replacement, 'path' | 'content' | 'uid' | 'mode'>): Promise<void> {
  const there = await readChecked(file.path, { owner: file.uid });
  const wanted = file.content && hashOf(file.content);
  const { mode = OWN_MODE } = file;
  const sameMode = there === undefined || process.platform === 'win32' || there.mode === mode;
  if (there?.hash === wanted && sameMode) return;
  await replaceFile({ ...file, mode, isOurs: true, expected: there?.hash });
}
