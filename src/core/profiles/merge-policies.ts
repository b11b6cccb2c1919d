/**
 * Merges our part of a policies.json into an existing one, and removes it again. The text of every other policy stays as it is; what is there
 * under one of our names and is not ours is refused, not replaced.
 */
import { PlumbfoxError, PreferenceRefused } from '../errors.ts';
import { preferencesFor } from './carrier.ts';
import { isObject, type MemberPath, readJsonObject, removeMember, setMember } from './json-text.ts';
import type { PreferenceValue } from './knob.ts';
import { type PolicyEntry, type PolicyPreference, type PolicyStatus, policiesJson } from './policies-json.ts';
import { findProfile } from './presets.ts';
import type { Carrier, Profile } from './profile.ts';

const EMPTY = '{\n  "policies": {}\n}\n';

type Json = Readonly<Record<string, unknown>>;

/**
 * The text of the file, ended by LF where it is new.
 * @param foreign - The text of the policies.json that is there; `undefined`: there is none. What is ours in it from before is replaced.
 * @throws PlumbfoxError `bad-input` where the foreign text cannot be read in one way only, or is no policy; PreferenceRefused where it has
 *   one of our names.
 */
export function mergePolicies(foreign: string | undefined, ours: PolicyDocument, extensionId: string): string {
  const text = foreign === undefined ? EMPTY : withoutOurs(foreign, extensionId).text;
  const there = sectionsOf(text);
  const preferences = Object.entries(ours.preferences).filter(([name, wanted]) => !holdsAlready(there.preferences, name, wanted));
  for (const [name] of preferences) refuseForeign(there.preferences, name, 'Preferences');
  if (ours.extension) refuseForeign(there.extensionSettings, extensionId, 'ExtensionSettings');
  const sets = Object.fromEntries(preferences.map(([name, { Value }]) => [name, Value]));
  const members: readonly (readonly [MemberPath, unknown])[] = [
    ...preferences.map(([name, value]) => [['policies', 'Preferences', name], value] as const),
    ...(ours.extension ? [[['policies', 'ExtensionSettings', extensionId], ours.extension] as const] : []),
    [['policies', '3rdparty', 'Extensions', extensionId], { ...ours.entry, sets }],
  ];
  const merged = members.reduce((now, [path, value]) => setMember(now, path, value), text);
  readJsonObject(merged);
  return merged;
}

interface WithoutOurs {
  readonly text: string;
  /** Names of what was removed; empty: nothing of ours was there. */
  readonly removed: readonly string[];
  /** Names of what we had set and that were changed since. */
  readonly leftAlone: readonly string[];
}

/** @throws PlumbfoxError `bad-input` as `mergePolicies`, and where our entry is not one that can be understood. */
export function withoutOurs(text: string, extensionId: string): WithoutOurs {
  const { preferences, extensions, extensionSettings } = sectionsOf(text);
  if (!Object.hasOwn(extensions, extensionId)) return { text, removed: [], leftAlone: [] };
  const entry = extensions[extensionId];
  const set = Object.entries(setBy(entry)).filter(([name]) => Object.hasOwn(preferences, name));
  const mine = set.filter(([name, value]) => isOurs(preferences[name], value)).map(([name]) => name);
  const installs = isOurInstall(extensionSettings[extensionId], entry);
  const paths: readonly MemberPath[] = [
    ...mine.map((name) => ['policies', 'Preferences', name]),
    ...(installs ? [['policies', 'ExtensionSettings', extensionId]] : []),
    ['policies', '3rdparty', 'Extensions', extensionId],
  ];
  return {
    text: paths.reduce(removeMember, text),
    removed: [...mine, ...(installs ? ['ExtensionSettings'] : []), '3rdparty'],
    leftAlone: set.map(([name]) => name).filter((name) => !mine.includes(name)),
  };
}

interface Sections {
  readonly preferences: Json;
  readonly extensionSettings: Json;
  /** Those of `3rdparty`. */
  readonly extensions: Json;
}

function sectionsOf(text: string): Sections {
  const policies = section(readJsonObject(text), 'policies');
  return {
    preferences: section(policies, 'Preferences'),
    extensionSettings: section(policies, 'ExtensionSettings'),
    extensions: section(section(policies, '3rdparty'), 'Extensions'),
  };
}

function section(parent: Json, name: string): Json {
  const value = Object.hasOwn(parent, name) ? parent[name] : {};
  if (isObject(value)) return value;
  throw new PlumbfoxError('bad-input', `Its ${name} is not an object, so Firefox would refuse or ignore it; put that right first`);
}

/** Whether the file already holds, in whichever form, what the lab build needs: then it is left unchanged. */
function holdsAlready(preferences: Json, name: string, wanted: PolicyPreference): boolean {
  if (!isForLabBuild(name) || !Object.hasOwn(preferences, name)) return false;
  const held = preferences[name];
  return held === wanted.Value || (isObject(held) && held.Value === wanted.Value && held.Status !== 'clear');
}

function refuseForeign(there: Json, name: string, policy: string): void {
  if (!Object.hasOwn(there, name)) return;
  throw new PreferenceRefused(
    name,
    'changed-by-someone-else',
    `the policy ${policy} of that file says something about it; take that out first`,
  );
}

/** The preferences that an entry of ours set; in files of `tune` its profile decides. */
function setBy(entry: unknown): Readonly<Record<string, PreferenceValue>> {
  if (isObject(entry) && isObject(entry.sets)) {
    return Object.fromEntries(Object.entries(entry.sets).filter((pair): pair is [string, PreferenceValue] => isValue(pair[1])));
  }
  const profile = isObject(entry) && typeof entry.profile === 'string' ? findProfile(entry.profile) : undefined;
  if (isObject(entry) && profile !== undefined) return preferencesFor(profile, CARRIERS.find((one) => one === entry.carrier) ?? 'none');
  throw new PlumbfoxError('bad-input', 'Its 3rdparty policy for Plumbfox names no profile that this version knows: remove that part first');
}

const CARRIERS: readonly Carrier[] = ['none', 'gateway', 'http2', 'legacy'];
const isValue = (value: unknown): value is PreferenceValue => ['number', 'boolean', 'string'].includes(typeof value);

/** Whether a value has exactly the form we write; any other form was changed by something else. */
function isOurs(held: unknown, value: PreferenceValue): boolean {
  return (
    isObject(held) &&
    Object.keys(held).length === 3 &&
    held.Value === value &&
    (held.Status === 'default' || held.Status === 'locked') &&
    held.Type === typeof value
  );
}

const isOurInstall = (held: unknown, entry: unknown): boolean =>
  isObject(held) &&
  isObject(entry) &&
  Object.keys(held).length === 2 &&
  held.installation_mode === 'normal_installed' &&
  typeof held.install_url === 'string' &&
  held.install_url === entry.installs;

/** What `storage.managed` gives the extension; all but what it sets is for the extension to heed. */
interface MergedPolicyEntry extends PolicyEntry {
  /** Every preference this policy sets, so that it can be taken out again by whoever made it, also in a later version. */
  readonly sets: Readonly<Record<string, PreferenceValue>>;
  /** Where this policy has the extension from, if it installs it. */
  readonly installs?: string;
  /** A trial that the extension begins by itself, once for each id. */
  readonly trial?: unknown;
}

/** https://mozilla.github.io/policy-templates/#extensionsettings */
interface ExtensionSetting {
  /** Installed, and the person may disable it. */
  readonly installation_mode: 'normal_installed';
  readonly install_url: string;
}

/** The parts that Plumbfox puts into a policies.json. */
export interface PolicyDocument {
  readonly preferences: Readonly<Record<string, PolicyPreference>>;
  readonly entry: MergedPolicyEntry;
  readonly extension: ExtensionSetting | undefined;
}

export interface PolicyDocumentOptions {
  readonly extensionId: string;
  readonly carrier: Carrier;
  readonly status: PolicyStatus;
  readonly trial: unknown;
  /** Where the lab build lies, as a `file:` URL; `undefined`: it is not installed by this policy. */
  readonly extensionUrl: string | undefined;
}

/**
 * What an unsigned build with an Experiment needs. Only builds that do not enforce signing heed them: ESR, Developer Edition, Nightly
 * (gecko: AddonSettings.sys.mjs, Policies.sys.mjs `allowedPrefixes`); ESR 153 was measured.
 */
const FOR_LAB_BUILD: Readonly<Record<string, boolean>> = { 'extensions.experiments.enabled': true, 'xpinstall.signatures.required': false };

/** Whether the preference is there for the lab build, and not for a profile. */
const isForLabBuild = (preference: string): boolean => Object.hasOwn(FOR_LAB_BUILD, preference);

/** @throws PreferenceRefused, PlumbfoxError `bad-input` as `policiesJson`. */
export function policyDocument(profile: Profile, options: PolicyDocumentOptions): PolicyDocument {
  const { extensionId, carrier, status, trial, extensionUrl } = options;
  const { policies } = policiesJson(profile, { extensionId, carrier, status });
  const managed = policies['3rdparty'].Extensions[extensionId];
  if (managed === undefined) throw new PreferenceRefused(extensionId, 'did-not-hold', 'the policy does not address this extension');
  const forLab = Object.entries(extensionUrl === undefined ? {} : FOR_LAB_BUILD).map(
    ([name, value]) => [name, { Value: value, Status: 'default', Type: 'boolean' }] as const,
  );
  const preferences: Readonly<Record<string, PolicyPreference>> = { ...policies.Preferences, ...Object.fromEntries(forLab) };
  const sets = Object.fromEntries(Object.entries(preferences).map(([name, { Value }]) => [name, Value]));
  return {
    preferences,
    entry: { ...managed, sets, ...(extensionUrl !== undefined && { installs: extensionUrl }), ...(trial !== undefined && { trial }) },
    extension: extensionUrl === undefined ? undefined : { installation_mode: 'normal_installed', install_url: extensionUrl },
  };
}
