/** Profile folders in which the installed helper has written: `firefox -profile DIR` is in no profiles.ini. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { jsonIfWhole } from '../files/json-if-whole.ts';
import { readChecked, replaceFile } from '../files/replace-file.ts';
import { callerId } from '../profile/folder.ts';
import { NOTED_PROFILES_NAME, RECEIPT_NAME } from './places.ts';

const notedSchema = v.array(v.pipe(v.string(), v.check(isAbsolute)));

/**
 * Those that are still there. A damaged list is taken for none, and written anew with the next profile.
 * @throws PlumbfoxError `bad-input` as `readChecked`.
 */
export async function notedProfiles(path: string): Promise<readonly string[]> {
  return foldersIn(await readChecked(path, { owner: callerId() }));
}

function foldersIn(file: { readonly content: Buffer } | undefined): readonly string[] {
  const list = v.safeParse(notedSchema, jsonIfWhole(file?.content.toString('utf8') ?? ''));
  return list.success ? list.output.filter((folder) => existsSync(folder)) : [];
}

/** Does nothing for a program that was not installed. What is written into the profile stands, also where it could not be noted. */
export async function noteProfile(program: string, folder: string): Promise<void> {
  try {
    await note(program, folder);
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    process.stderr.write(`plumbfox: ${error.message}; "plumbfox helper uninstall" may not find ${folder}\n`);
  }
}

async function note(program: string, folder: string): Promise<void> {
  const path = join(dirname(program), NOTED_PROFILES_NAME);
  if (!existsSync(join(dirname(program), RECEIPT_NAME))) return;
  const before = await readChecked(path, { owner: callerId() });
  const noted = foldersIn(before);
  if (noted.includes(folder)) return;
  const content = Buffer.from(`${JSON.stringify([...noted, folder], null, 1)}\n`);
  await replaceFile({ path, content, expected: before?.hash, uid: callerId() });
}
