/** The profiles that a person names on the command line: by name, by set, by expression, or in a file. */
import { basename } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import { policiesPreferences, userJsPreferences } from '../core/profiles/files/listed-preferences.ts';
import type { ListedSettings } from '../core/profiles/files/preference-list.ts';
import { PROFILES_FORMAT, profilesInFile } from '../core/profiles/files/profiles-json.ts';
import { readJsonObject } from '../core/profiles/json-text.ts';
import { findProfile, profileExpression, profileOf, profileSet } from '../core/profiles/presets.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { isProfileName } from '../core/profiles/profile-id.ts';
import { checkAlias, distinctProfiles, enteredAs, resolveProfiles, splitAlias } from '../core/profiles/resolve-profiles.ts';
import { naming } from './errors.ts';
import { readInput } from './files.ts';

/** Profiles, and one line each on what of their files is not part of them. */
export interface GivenProfiles {
  readonly profiles: readonly Profile[];
  readonly notices: readonly string[];
}

/** The lines of help on what may stand for a profile. */
export const PROFILE_HELP = `c16-d1+PREFERENCE=VALUE sets catalogued preferences besides; NAME=... enters a profile under NAME;
a file gives its own: profiles.json, user.js (its catalogued lines), policies.json`;

/**
 * Each profile once, in the order first named.
 * @throws PlumbfoxError `bad-input`, PreferenceRefused, one line, for what cannot be used; a file is named in it.
 */
export function givenProfiles(texts: readonly string[], option: string): GivenProfiles {
  const given = texts.map((text) => {
    const { alias, rest } = splitAlias(text.trim());
    if (!isFile(rest)) return { profiles: resolveProfiles([text]), notices: [] };
    return naming(`${option}: ${rest}`, () => profilesOf(rest, alias));
  });
  return { profiles: distinctProfiles(given.flatMap(({ profiles }) => profiles)), notices: given.flatMap(({ notices }) => notices) };
}

/**
 * One profile under the id by which it is found again when it is undone or read in a policy.
 * @param name - What `--profile` says.
 * @param example - A call of the command that is right.
 * @throws PlumbfoxError `bad-input` for none, for several, and for a name given to one.
 */
export function givenProfile(
  name: string | undefined,
  example: string,
): { readonly profile: Profile; readonly notices: readonly string[] } {
  if (name === undefined) throw new PlumbfoxError('bad-input', `Name a profile: ${example}`);
  const { alias, rest } = splitAlias(name.trim());
  if (alias !== undefined && !isFile(rest)) {
    checkAlias(alias, rest);
    throw new PlumbfoxError('bad-input', `This command takes a profile itself, without "NAME=": ${JSON.stringify(rest.slice(0, 80))}`);
  }
  const {
    profiles: [profile, ...others],
    notices,
  } = givenProfiles([name], '--profile');
  if (profile === undefined || others.length > 0) {
    const which = isFile(rest)
      ? `holds several profiles; name one of them: --profile NAME=${rest}`
      : 'is a set of profiles; name one of them';
    throw new PlumbfoxError('bad-input', `"${name}" ${which}`);
  }
  return { profile: findProfile(profileExpression(profile) ?? profile.id) ?? profile, notices };
}

/** A text that ends so, or names a folder, is a file: no profile has such a name. */
const isFile = (text: string): boolean => /\.(js|json)$/i.test(text) || /[/\\]/.test(text);

function profilesOf(path: string, alias: string | undefined): GivenProfiles {
  if (alias !== undefined) checkAlias(alias, path);
  const bytes = readInput(path);
  if (!/\.json$/i.test(path)) return listed(path, alias, userJsPreferences(bytes.toString('latin1')));
  const text = bytes.toString('utf8');
  const value = readJsonObject(text);
  if ('policies' in value) return listed(path, alias, policiesPreferences(text));
  if (value.format !== PROFILES_FORMAT) {
    throw new PlumbfoxError('bad-input', `It is neither a policies.json nor a file of profiles ("format": "${PROFILES_FORMAT}")`);
  }
  return { profiles: namedOnes(text, alias), notices: [] };
}

/** An alias before a file of several chooses one of them by its name; before a file of one it is that one's name. */
function namedOnes(text: string, alias: string | undefined): readonly Profile[] {
  const all = profilesInFile(text);
  for (const { name } of all) if (findProfile(name) !== undefined || profileSet(name) !== undefined) checkAlias(name, name);
  if (alias === undefined) return all.map(({ name, profile }) => enteredAs(name, profile));
  const [first, ...others] = all;
  const chosen = all.find(({ name }) => name === alias) ?? (others.length === 0 ? first : undefined);
  if (chosen !== undefined) return [enteredAs(alias, chosen.profile)];
  throw new PlumbfoxError('bad-input', `It has no profile "${alias}", but ${all.map(({ name }) => name).join(', ')}`.slice(0, 300));
}

function listed(path: string, alias: string | undefined, { preferences, notices }: ListedSettings): GivenProfiles {
  const profile = profileOf({ depth: 1, preferences });
  const name = alias ?? nameFrom(path);
  return {
    profiles: [name === undefined ? profile : enteredAs(name, profile)],
    notices: notices.map((notice) => `${path}: ${notice}`),
  };
}

/** The name of a file as that of its profile; `undefined`: it cannot be, or is a profile's own. */
function nameFrom(path: string): string | undefined {
  const name = basename(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase();
  return isProfileName(name) && findProfile(name) === undefined && profileSet(name) === undefined ? name : undefined;
}
