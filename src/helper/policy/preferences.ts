/**
 * The effect of an enterprise policy on preferences, as far as a file shows it: `Preferences` of the policies.json that this Firefox reads. Group
 * policy on Windows and configuration profiles on macOS are not checked. https://mozilla.github.io/policy-templates/#preferences , and
 * Policies.sys.mjs of ESR 140.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { parseJsonIfValid } from '../files/checked-file.ts';
import { plainText } from '../files/plain-text.ts';

export interface PreferenceInPolicy {
  /** `undefined` for `clear`. */
  readonly value: unknown;
  /** `locked`, `user` and `clear` override user.js at each start; `default` does not. */
  readonly status: 'default' | 'locked' | 'user' | 'clear';
}

export interface PolicyPreferences {
  /** The file they were read from; `undefined` if there is none. */
  readonly path: string | undefined;
  readonly preferences: ReadonlyMap<string, PreferenceInPolicy>;
}

/**
 * SysConfD of Firefox on Linux, which is read first, and as the only one: if it exists, the file beside the program is ignored (ESR 153, measured,
 * Debian's firefox-esr too: the folder has the name of the application, not of the package).
 */
export const SYSTEM_POLICIES = '/etc/firefox/policies/policies.json';

/** The preferences set by policies. An unreadable file sets nothing, and no other is read instead, as in Firefox. */
export async function policyPreferences(profileDirectory: string, systemPolicies = SYSTEM_POLICIES): Promise<PolicyPreferences> {
  const places = [systemPolicies, await besideProgram(profileDirectory)];
  for (const path of places) {
    const text = path === undefined ? undefined : plainText(path);
    if (text !== undefined) return { path, preferences: preferencesIn(text) };
  }
  return { path: undefined, preferences: new Map() };
}

/** The profile says which program used it last. */
async function besideProgram(profileDirectory: string): Promise<string | undefined> {
  const text = plainText(join(profileDirectory, 'compatibility.ini')) ?? '';
  const platform = /^LastPlatformDir=(.+?)\r?$/m.exec(text)?.[1];
  return platform === undefined ? undefined : join(platform, 'distribution', 'policies.json');
}

const policiesFile = v.object({ policies: v.object({ Preferences: v.optional(v.unknown()) }) });
const preferencesPolicy = v.record(v.string(), v.unknown());
const entrySchema = v.object({ Value: v.optional(v.unknown()), Status: v.optional(v.picklist(['default', 'locked', 'user', 'clear'])) });

function preferencesIn(text: string): ReadonlyMap<string, PreferenceInPolicy> {
  const file = v.safeParse(policiesFile, parseJsonIfValid(text));
  const written = file.success ? file.output.policies.Preferences : undefined;
  // A policy copied from another source may hold it as text.
  const policy = v.safeParse(preferencesPolicy, typeof written === 'string' ? parseJsonIfValid(written) : written);
  if (!policy.success) return new Map();
  return new Map(
    Object.entries(policy.output).flatMap(([name, value]): (readonly [string, PreferenceInPolicy])[] => {
      // The oldest form: a bare value is set and locked.
      if (typeof value !== 'object') return [[name, { value, status: 'locked' }]];
      const entry = v.safeParse(entrySchema, value);
      return entry.success ? [[name, { value: entry.output.Value, status: entry.output.Status ?? 'default' }]] : [];
    }),
  );
}
