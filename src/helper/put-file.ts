/** Files that are ours alone, such as records: whatever of ours is there gives way. */
import { hashOf } from './checked-file.ts';
import { type Replacement, readChecked, replaceFile } from './replace-file.ts';

/** Writes only what is not there in the same bytes; `content` absent: the file goes. @throws PlumbfoxError as `replaceFile`. */
export async function putFile(file: Pick<Replacement, 'path' | 'content' | 'uid' | 'mode'>): Promise<void> {
  const there = await readChecked(file.path, { owner: file.uid });
  const wanted = file.content && hashOf(file.content);
  if (there?.hash === wanted) return;
  await replaceFile({ ...file, expected: there?.hash });
}
