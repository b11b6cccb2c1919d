/** The user's Firefox profiles in which something of ours is written. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';
import { firefoxProfiles, type ProfileSurroundings } from '../profile/firefox-profiles.ts';
import { openProfile } from '../profile/open-profile.ts';
import { RECORD_FOLDER } from '../profile/record.ts';
import { profileUse } from '../profile/use.ts';
import { notedProfiles } from './noted-profiles.ts';

export interface TouchedProfile {
  /** Absolute. */
  readonly directory: string;
  /** Whether a Firefox has it open. */
  readonly inUse: boolean;
  /** `undefined`: it cannot be read; `problem` says why. */
  readonly status: HelperStatus | undefined;
  readonly problem?: string;
}

/** Those that Firefox lists, and those in which the helper has noted that it wrote. */
export async function touchedProfiles(around: ProfileSurroundings, noted: string): Promise<readonly TouchedProfile[]> {
  const listed = (await firefoxProfiles(around)).map(({ directory }) => directory);
  const all = new Set([...listed, ...(await notedProfiles(noted))]);
  const touched = [...all].filter((directory) => existsSync(join(directory, RECORD_FOLDER)));
  return Promise.all(touched.map(look));
}

async function look(directory: string): Promise<TouchedProfile> {
  const inUse = (await profileUse(directory)) !== undefined;
  try {
    return { directory, inUse, status: await (await openProfile(directory, { now: Date.now })).status() };
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    return { directory, inUse, status: undefined, problem: error.message };
  }
}
