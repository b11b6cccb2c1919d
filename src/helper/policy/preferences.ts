/**
 * The effect of an enterprise policy on preferences, as far as a file shows it: `Preferences`, and what policies hold by names of their own, in the
 * policies.json that this Firefox reads. Group policy on Windows and configuration profiles on macOS are not checked.
 * https://mozilla.github.io/policy-templates/#preferences , and Policies.sys.mjs of ESR 140.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { namedPolicies } from '../../core/profiles/named-policies.ts';
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

/**
 * The preferences set by policies. An unreadable file sets nothing, and no other is read instead, as in Firefox.
 * @param systemPolicies - The file that Firefox reads first.
 */
export async function policyPreferences(profileDirectory: string, systemPolicies = SYSTEM_POLICIES): Promise<PolicyPreferences> {
  for (const path of await policyPlaces(profileDirectory, systemPolicies)) {
    const text = plainText(path);
    if (text !== undefined) return { path, preferences: preferencesIn(text) };
  }
  return { path: undefined, preferences: new Map() };
}

/** A profile of the Flatpak, whose Firefox sees neither /etc nor the machine's programs; a Snap's sees /etc/firefox, and its program's own folder. */
const FLATPAK_PROFILE = /^(.*)\/\.var\/app\/org\.mozilla\.firefox\//;
/** Where Flatpaks and their extensions lie, of the machine and below a home. */
const FLATPAKS = '/var/lib/flatpak';
const HOME_FLATPAKS = '.local/share/flatpak';
/** https://github.com/mozilla/enterprise-admin-reference/issues/226 */
const FLATPAK_CONFIGURATION = 'extension/org.mozilla.firefox.systemconfig';
const FLATPAK_FILES = 'app/org.mozilla.firefox/current/active/files';

async function policyPlaces(profileDirectory: string, systemPolicies: string): Promise<readonly string[]> {
  const program = programFolder(profileDirectory);
  const home = FLATPAK_PROFILE.exec(profileDirectory)?.[1];
  if (home === undefined) return [systemPolicies, ...(program === undefined ? [] : [besideProgram(program)])];
  const roots = [join(home, HOME_FLATPAKS), FLATPAKS];
  const extensions = await Promise.all(roots.map((root) => configurationPolicies(join(root, FLATPAK_CONFIGURATION))));
  const inside = /^\/app\/(.+)$/.exec(program ?? '')?.[1] ?? 'lib/firefox';
  return [...extensions.flat(), ...roots.map((root) => besideProgram(join(root, FLATPAK_FILES, inside)))];
}

/** Every architecture and branch has a folder of its own. */
async function configurationPolicies(folder: string): Promise<readonly string[]> {
  const below = async (path: string): Promise<readonly string[]> => (await readdir(path).catch(() => [])).map((name) => join(path, name));
  const branches = await Promise.all((await below(folder)).map(below));
  return branches.flat().map((branch) => join(branch, 'policies', 'policies.json'));
}

const besideProgram = (folder: string): string => join(folder, 'distribution', 'policies.json');

/** The profile says which program used it last. */
function programFolder(profileDirectory: string): string | undefined {
  const text = plainText(join(profileDirectory, 'compatibility.ini')) ?? '';
  return /^LastPlatformDir=(.+?)\r?$/m.exec(text)?.[1];
}

const policiesFile = v.object({ policies: v.record(v.string(), v.unknown()) });
const preferencesPolicy = v.record(v.string(), v.unknown());
const entrySchema = v.object({ Value: v.optional(v.unknown()), Status: v.optional(v.picklist(['default', 'locked', 'user', 'clear'])) });

function preferencesIn(text: string): ReadonlyMap<string, PreferenceInPolicy> {
  const file = v.safeParse(policiesFile, parseJsonIfValid(text));
  const policies = file.success ? file.output.policies : {};
  const named = namedPolicies(policies).map(({ name, value, locks }) => [name, { value, status: locks ? 'locked' : 'default' }] as const);
  const written = policies.Preferences;
  // A policy copied from another source may hold it as text.
  const policy = v.safeParse(preferencesPolicy, typeof written === 'string' ? parseJsonIfValid(written) : written);
  const entries = Object.entries(policy.success ? policy.output : {}).flatMap(
    ([name, value]): (readonly [string, PreferenceInPolicy])[] => {
      // The oldest form: a bare value is set and locked.
      if (typeof value !== 'object') return [[name, { value, status: 'locked' }]];
      const entry = v.safeParse(entrySchema, value);
      return entry.success ? [[name, { value: entry.output.Value, status: entry.output.Status ?? 'default' }]] : [];
    },
  );
  return new Map<string, PreferenceInPolicy>([...named, ...entries]);
}
