/** Which Firefox profile `apply`, `revert` and `status` are about, and their common arguments. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { withoutSystemLinks } from '../../helper/files/system-links.ts';
import { type FirefoxProfile, firefoxProfiles } from '../../helper/profile/firefox-profiles.ts';

/** The lines on `--firefox-profile` in the help of all three. */
export const FIREFOX_PROFILE_HELP = `  --firefox-profile DIR   the folder of the Firefox profile, as about:profiles in Firefox shows it
                          (default: the one that Firefox uses by default, if there is only one)`;

/** @param given - What `--firefox-profile` says. @throws PlumbfoxError `bad-input` where it takes a person to choose. */
export async function chosenProfileFolder(given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (given.trim() === '' || given.includes('\0')) throw new PlumbfoxError('bad-input', '--firefox-profile needs the name of a folder');
    return withoutSystemLinks(resolve(given));
  }
  return oneOf(await firefoxProfiles({ home: homedir(), env: process.env, platform: process.platform }));
}

/** The only one, else the only one that a Firefox takes by itself. */
export function oneOf(profiles: readonly FirefoxProfile[]): string {
  if (profiles.length === 0) {
    throw new PlumbfoxError(
      'bad-input',
      'No Firefox profile was found; name its folder, which about:profiles shows: --firefox-profile DIR',
    );
  }
  for (const some of [profiles, profiles.filter(({ isDefault }) => isDefault)]) {
    const [only, ...others] = some;
    if (only !== undefined && others.length === 0) return only.directory;
  }
  const list = profiles.map(({ directory, name, isDefault }) => `${directory} (${name}${isDefault ? ', a default' : ''})`);
  throw new PlumbfoxError('bad-input', `There are several Firefox profiles; name one with --firefox-profile: ${list.join(', ')}`);
}
