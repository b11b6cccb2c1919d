/** Files that are ours alone, such as records: whatever of ours is there gives way, and so do its rights. */
import { hashOf } from './checked-file.ts';
import { OWN_MODE, type Replacement, readChecked, replaceFile } from './replace-file.ts';

/** Writes only what is not there in the same bytes with the same rights; `content` absent: the file goes. @throws PlumbfoxError as `replaceFile`. */
export async function putFile(file: Pick<Replacement, 'path' | 'content' | 'uid' | 'mode'>): Promise<void> {
  const there = await readChecked(file.path, { owner: file.uid });
  const wanted = file.content && hashOf(file.content);
  const { mode = OWN_MODE } = file;
  const sameMode = there === undefined || process.platform === 'win32' || there.mode === mode;
  if (there?.hash === wanted && sameMode) return;
  await replaceFile({ ...file, mode, isOurs: true, expected: there?.hash });
}
