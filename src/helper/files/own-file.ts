// A file of its own: tests that kill the helper at each change put something else in the place of replaceFile.
import { hashOf } from './checked-file.ts';
import { OWN_MODE, type Replacement, readChecked, replaceFile } from './replace-file.ts';

/**
 * Writes a file that is ours alone, such as a record: whatever of ours is there gives way, and so do its rights. It is not written when it is
 * there already with the same bytes and rights; without `content` it is removed.
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
