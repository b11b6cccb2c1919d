/**
 * Resolves what the user typed, names, sets, expressions and aliases, to profiles. `again=c4-d6` enters c4-d6 a second time as `again`: the same profile
 * under two names, which no honest comparison may call better or worse than itself (an A/A check).
 */
import { PlumbfoxError } from '../errors.ts';
import { didYouMean } from '../nearest-name.ts';
import { findKnob } from './catalogue.ts';
import { MAX_CONNECTIONS, MAX_DEPTH } from './check-profile.ts';
import { CONTROL_ID, findProfile, presetNames, profileExpression, profileLabel, profileSet, readProfile } from './presets.ts';
import { BASELINE_ID, MAX_TITLE_LENGTH, type Profile, shortTitle } from './profile.ts';
import { splitExpression } from './profile-expression.ts';
import { isProfileName } from './profile-id.ts';

/** Characters of what was typed that an error message repeats. */
const MAX_ECHO = 64;

/**
 * Each profile once, in the order first named.
 * @throws PlumbfoxError `bad-input`, one line, when a name is unknown (with the nearest known one), an alias cannot be used, or nothing is named.
 */
export function resolveProfiles(names: readonly string[]): readonly Profile[] {
  return distinctProfiles(names.flatMap((name) => resolve(name.trim())));
}

/** @throws PlumbfoxError `bad-input`, one line, where two profiles have one name, and where there is none. */
export function distinctProfiles(profiles: readonly Profile[]): readonly Profile[] {
  const found = new Map<string, Profile>();
  for (const profile of profiles) {
    const before = found.get(profile.id);
    if (before !== undefined && !isSame(before, profile)) {
      throw new PlumbfoxError('bad-input', `"${profile.id}" is given to two profiles: "${before.title}" and "${profile.title}"`);
    }
    found.set(profile.id, profile);
  }
  if (found.size === 0) throw new PlumbfoxError('bad-input', `No profile is named. ${known()}`);
  return [...found.values()];
}

const isSame = (a: Profile, b: Profile): boolean => a.title === b.title && profileExpression(a) === profileExpression(b);

function resolve(name: string): readonly Profile[] {
  const { alias, rest } = splitAlias(name);
  if (alias !== undefined) return [aliased(alias, rest)];
  return profileSet(name) ?? [oneProfile(name)];
}

/** What was typed, as the alias before the first `=` and the rest; in an expression without an alias that `=` stands after a `+`. */
export function splitAlias(name: string): { readonly alias?: string; readonly rest: string } {
  const equals = name.indexOf('=');
  const plus = name.indexOf('+');
  if (equals < 0 || (plus >= 0 && plus < equals)) return { rest: name };
  return { alias: name.slice(0, equals).trim(), rest: name.slice(equals + 1).trim() };
}

function aliased(alias: string, name: string): Profile {
  checkAlias(alias, name);
  if (profileSet(name) !== undefined)
    throw new PlumbfoxError('bad-input', `"${name}" is a set of profiles; only one profile can be entered as "${alias}"`);
  const profile = oneProfile(name);
  if (profile.id === CONTROL_ID)
    throw new PlumbfoxError('bad-input', `"${CONTROL_ID}" shows the gateway's own cost and cannot have another name`);
  return enteredAs(alias, profile);
}

/** A profile under another name; that it may have it is for `checkAlias`. */
export const enteredAs = (alias: string, profile: Profile): Profile => ({ ...profile, id: alias, title: aliasTitle(alias, profile) });

/**
 * @param name - What is to have the alias, for the message.
 * @throws PlumbfoxError `bad-input` for a preference, for what has not the form of a name, and for a profile's or a set's own name.
 */
export function checkAlias(alias: string, name: string): void {
  if (findKnob(alias) !== undefined) {
    throw new PlumbfoxError('bad-input', `${alias} is a preference; to set it, write ${BASELINE_ID}+${alias}=${name.slice(0, MAX_ECHO)}`);
  }
  if (!isProfileName(alias)) {
    throw new PlumbfoxError(
      'bad-input',
      `${echo(alias)} cannot name a profile: lower-case letters, digits, dots and hyphens, 64 at most, beginning with a letter or a digit`,
    );
  }
  if (findProfile(alias) !== undefined || profileSet(alias) !== undefined) {
    throw new PlumbfoxError(
      'bad-input',
      `"${alias}" is already a profile's own name; choose another, such as again=${name.slice(0, MAX_ECHO)}`,
    );
  }
}

function aliasTitle(alias: string, { id }: Profile): string {
  const isPlain = splitExpression(id) === undefined;
  const end = isPlain ? `, entered again as ${alias}` : `, entered as ${alias}`;
  return shortTitle(isPlain ? id : profileLabel(id), MAX_TITLE_LENGTH - end.length) + end;
}

function oneProfile(name: string): Profile {
  const profile = readProfile(name);
  if (profile !== undefined) return profile;
  throw new PlumbfoxError('bad-input', `There is no profile ${echo(name)}.${didYouMean(name, candidates(name))} ${known()}`);
}

/** Names to compare a slip with: the presets, and the `cN-dM` that the slip's own digits make. */
function candidates(name: string): readonly string[] {
  const [connections, depth] = (name.slice(0, MAX_ECHO).match(/\d+/g) ?? []).map(Number);
  const made = connections === undefined ? [] : [`c${within(connections, MAX_CONNECTIONS)}-d${within(depth ?? 1, MAX_DEPTH)}`];
  return [...presetNames(), ...made];
}

const within = (value: number, max: number): number => Math.min(Math.max(value, 1), max);
const known = (): string =>
  `Known: ${presetNames().join(', ')}, and cN-dM with N connections (1 to ${MAX_CONNECTIONS}) of depth M (1 to ${MAX_DEPTH}), such as c4-d6; +PREFERENCE=VALUE sets more.`;
/** Quoted, on one line, and never longer than a line can bear. */
const echo = (text: string): string => JSON.stringify(text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text);
