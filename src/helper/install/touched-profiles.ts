/**
 * The user's Firefox profiles in which something of ours is written: those that Firefox lists, and those that the installed helper has noted, as
 * `firefox -profile DIR` is in no profiles.ini.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { printable } from '../../core/text/text-table.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';
import { parseJsonIfValid } from '../files/checked-file.ts';
import { callerId } from '../files/checked-path.ts';
import { readChecked, replaceFile } from '../files/replace-file.ts';
import { firefoxProfiles, type UserEnvironment } from '../profile/firefox-profiles.ts';
import { openProfile } from '../profile/profile-changes.ts';
import { RECORD_FOLDER } from '../profile/record.ts';
import { profileUse } from '../profile/use.ts';
import { NOTED_PROFILES_NAME, RECEIPT_NAME } from './places.ts';

const notedSchema = v.array(v.pipe(v.string(), v.check(isAbsolute)));

/**
 * The noted profile folders that still exist. A damaged list is treated as empty and rewritten with the next profile.
 * @throws PlumbfoxError `bad-input` as `readChecked`.
 */
export async function notedProfiles(path: string): Promise<readonly string[]> {
  return foldersIn(await readChecked(path, { owner: callerId() }));
}

function foldersIn(file: { readonly content: Buffer } | undefined): readonly string[] {
  const list = v.safeParse(notedSchema, parseJsonIfValid(file?.content.toString('utf8') ?? ''));
  return list.success ? list.output.filter((folder) => existsSync(folder)) : [];
}

/** Notes a profile for the installed program. What is written into the profile remains, even if it could not be noted. */
export async function noteProfile(program: string, folder: string): Promise<void> {
  try {
    await note(program, folder);
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    process.stderr.write(`${printable(`plumbfox: ${error.message}; "plumbfox helper uninstall" may not find ${folder}`)}\n`);
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

export interface TouchedProfile {
  readonly directory: string;
  /** Whether a Firefox has it open. */
  readonly inUse: boolean;
  /** `undefined`: it cannot be read; `problem` says why. */
  readonly status: HelperStatus | undefined;
  readonly problem?: string;
}

/** The profiles with something of ours, of those that Firefox lists and those that the helper has noted. */
export async function touchedProfiles(around: UserEnvironment, noted: string): Promise<readonly TouchedProfile[]> {
  const listed = (await firefoxProfiles(around)).map(({ directory }) => directory);
  const all = new Set([...listed, ...(await notedProfiles(noted))]);
  const touched = [...all].filter((directory) => existsSync(join(directory, RECORD_FOLDER)));
  return Promise.all(touched.map(inspect));
}

async function inspect(directory: string): Promise<TouchedProfile> {
  const inUse = (await profileUse(directory)) !== undefined;
  try {
    return { directory, inUse, status: await (await openProfile(directory, { now: Date.now })).status() };
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    return { directory, inUse, status: undefined, problem: error.message };
  }
}
