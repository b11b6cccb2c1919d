/** The profiles that the person has made, in `storage.local`. */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import { findProfile, readProfile } from '../core/profiles/presets.ts';
import { BASELINE_ID } from '../core/profiles/profile.ts';
import { MAX_OWN_PROFILES, type OwnProfile, ownProfileSchema } from '../protocol/own-profile.ts';
import { browser } from './browser.ts';

const KEY = 'ownProfiles';

/** In the order in which they were made; those that this version's catalogue does not know are passed by. */
export async function ownProfiles(): Promise<readonly OwnProfile[]> {
  const held = v.safeParse(v.array(ownProfileSchema), (await browser.storage.local.get(KEY))[KEY]);
  return held.success ? held.output.filter(({ profileId }) => findProfile(profileId) !== undefined) : [];
}

/**
 * Keeps a profile; one of that name is replaced.
 * @throws PlumbfoxError `bad-input`, PreferenceRefused for what is no profile, sets nothing, and where there are too many.
 */
export async function keepOwnProfile({ name, profileId }: OwnProfile): Promise<readonly OwnProfile[]> {
  const profile = readProfile(profileId);
  if (profile === undefined || profile.id === BASELINE_ID) throw new PlumbfoxError('bad-input', 'choose at least one setting');
  const others = (await ownProfiles()).filter((own) => own.name !== name);
  if (others.length >= MAX_OWN_PROFILES) {
    throw new PlumbfoxError('bad-input', `no more than ${MAX_OWN_PROFILES} settings of your own can be kept: delete one first`);
  }
  return write([...others, { name, profileId: profile.id }]);
}

/** Deletes the profile of that name. */
export const dropOwnProfile = async (name: string): Promise<readonly OwnProfile[]> =>
  write((await ownProfiles()).filter((own) => own.name !== name));

async function write(profiles: readonly OwnProfile[]): Promise<readonly OwnProfile[]> {
  await browser.storage.local.set({ [KEY]: profiles });
  return profiles;
}
