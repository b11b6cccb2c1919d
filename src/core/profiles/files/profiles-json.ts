/** The file of profiles that a person writes, `profiles.json`: names, each with preferences. `assets/profiles.schema.json` is made from its schema. */
import * as v from 'valibot';
import { PlumbfoxError } from '../../errors.ts';
import type { Shape } from '../../schema.ts';
import { checkPreference } from '../check-profile.ts';
import { readJsonObject } from '../json-text.ts';
import { CONTROL_ID, profileOf, readProfile } from '../presets.ts';
import { BASELINE_ID, type Profile } from '../profile.ts';
import { NAME } from '../profile-id.ts';
import { checkSettable } from '../settable.ts';

/** The value of `format` by which a file of profiles is known. */
export const PROFILES_FORMAT = 'plumbfox-profiles';
const MAX_PROFILES = 64;

const writtenProfileSchema = v.strictObject({
  /** The name in tables and reports: lower-case letters, digits, dots and hyphens. */
  name: v.pipe(v.string(), v.regex(NAME)),
  /** What it begins with: a profile's name, such as `c16-d1`, or an expression. Default: `firefox-default`, which sets nothing. */
  base: v.optional(v.string()),
  /** Values of catalogued preferences, in place of what the base sets. */
  preferences: v.optional(v.record(v.string(), v.union([v.number(), v.boolean(), v.string()]))),
});

export const profilesFileSchema = v.strictObject({
  /** Where an editor finds the schema. */
  $schema: v.optional(v.string()),
  format: v.literal(PROFILES_FORMAT),
  version: v.literal(1),
  profiles: v.pipe(v.array(writtenProfileSchema), v.minLength(1), v.maxLength(MAX_PROFILES)),
});
/** A `profiles.json` as it is written. */
export type ProfilesFile = Shape<typeof profilesFileSchema>;

/** A profile of the file under its canonical id, with the name it has there. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/**
 * The profiles of the file, in its order.
 * @throws PlumbfoxError `bad-input`, one line, for what the schema refuses, a name twice, and a profile that cannot be, by its name.
 */
export function profilesInFile(text: string): readonly NamedProfile[] {
  const { profiles } = parsed(text);
  const names = new Set<string>();
  return profiles.map((written) => {
    if (names.has(written.name)) throw new PlumbfoxError('bad-input', `It names "${written.name}" twice`);
    names.add(written.name);
    try {
      return { name: written.name, profile: profileFrom(written) };
    } catch (error) {
      throw error instanceof PlumbfoxError
        ? new PlumbfoxError('bad-input', `"${written.name}": ${error.message}`, { cause: error })
        : error;
    }
  });
}

function parsed(text: string): ProfilesFile {
  const result = v.safeParse(profilesFileSchema, readJsonObject(text));
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw new PlumbfoxError('bad-input', `${path === null ? 'It' : path.slice(0, 120)}: ${issue.message.slice(0, 200)}`);
}

function profileFrom({ base: name = BASELINE_ID, preferences = {} }: ProfilesFile['profiles'][number]): Profile {
  const base = readProfile(name);
  if (base?.id === CONTROL_ID)
    throw new PlumbfoxError('bad-input', `"${CONTROL_ID}" shows the gateway's own cost and sets nothing further`);
  if (base === undefined) throw new PlumbfoxError('bad-input', `there is no profile ${JSON.stringify(name.slice(0, 64))} to begin with`);
  for (const [preference, value] of Object.entries(preferences)) checkSettable(checkPreference(preference, value));
  return profileOf({ depth: base.depth, preferences: { ...base.preferences, ...preferences } });
}
