/** Profile folders in which the installed helper has written: `firefox -profile DIR` is in no profiles.ini. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import * as v from 'valibot';
import { NOTED_PROFILES_NAME, RECEIPT_NAME } from './install-places.ts';
import { callerId } from './profile-folder.ts';
import { readChecked, replaceFile } from './replace-file.ts';

const notedSchema = v.array(v.pipe(v.string(), v.check(isAbsolute)));

/** Those that are still there. What cannot be read is taken for nothing: it only saves a search. */
export async function notedProfiles(path: string): Promise<readonly string[]> {
  try {
    const file = await readChecked(path, { owner: callerId() });
    if (file === undefined) return [];
    return v.parse(notedSchema, JSON.parse(file.content.toString('utf8'))).filter((folder) => existsSync(folder));
  } catch {
    return [];
  }
}

/** Does nothing for a program that was not installed. @throws PlumbfoxError where it cannot be written. */
export async function noteProfile(program: string, folder: string): Promise<void> {
  const path = join(dirname(program), NOTED_PROFILES_NAME);
  if (!existsSync(join(dirname(program), RECEIPT_NAME))) return;
  const noted = await notedProfiles(path);
  if (noted.includes(folder)) return;
  const before = await readChecked(path, { owner: callerId() });
  const content = Buffer.from(`${JSON.stringify([...noted, folder], null, 1)}\n`);
  await replaceFile({ path, content, expected: before?.hash, uid: callerId() });
}
