/** The one profile that a command is about. */
import { PlumbfoxError } from '../core/errors.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { resolveProfiles } from '../core/profiles/resolve-profiles.ts';

/**
 * Under its own name: whoever takes it back, or reads it in a policy, has to find it again by that.
 * @param name - What `--profile` says.
 * @param example - A call of the command that is right.
 * @throws PlumbfoxError `bad-input` for none, for several, and for another name given to one.
 */
export function oneProfile(name: string | undefined, example: string): Profile {
  if (name === undefined) throw new PlumbfoxError('bad-input', `Name a profile: ${example}`);
  if (name.includes('=')) {
    throw new PlumbfoxError('bad-input', `A profile is named by its own name here, without "=": ${JSON.stringify(name)}`);
  }
  const [profile, ...others] = resolveProfiles([name]);
  if (profile !== undefined && others.length === 0) return profile;
  throw new PlumbfoxError('bad-input', `"${name}" is a set of profiles; name one of them`);
}
