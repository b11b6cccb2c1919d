/** All that Plumbfox puts into a policies.json: a profile's preferences, a trial, and what lets its lab build run where an administrator wants that. */
import { PreferenceRefused } from '../errors.ts';
import type { PreferenceValue } from './knob.ts';
import { type ManagedProfile, type PolicyPreference, type PolicyStatus, policiesJson } from './policies-json.ts';
import type { Carrier, Profile } from './profile.ts';

/** What `storage.managed` gives the extension; all but what it sets is for the extension to heed. */
export interface ManagedEntry extends ManagedProfile {
  /** Every preference this policy sets, so that it can be taken out again by whoever made it, also in a later version. */
  readonly sets: Readonly<Record<string, PreferenceValue>>;
  /** Where this policy has the extension from, if it installs it. */
  readonly installs?: string;
  /** A trial that the extension begins by itself, once for each id. */
  readonly trial?: unknown;
}

/** https://mozilla.github.io/policy-templates/#extensionsettings */
export interface ExtensionSetting {
  /** Installed, and the person may disable it. */
  readonly installation_mode: 'normal_installed';
  readonly install_url: string;
}

export interface PolicyDocument {
  readonly preferences: Readonly<Record<string, PolicyPreference>>;
  readonly entry: ManagedEntry;
  readonly extension: ExtensionSetting | undefined;
}

export interface PolicyWish {
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
export const isForLabBuild = (preference: string): boolean => Object.hasOwn(FOR_LAB_BUILD, preference);

/** @throws PreferenceRefused, PlumbfoxError `bad-input` as `policiesJson`. */
export function policyDocument(profile: Profile, wish: PolicyWish): PolicyDocument {
  const { extensionId, carrier, status, trial, extensionUrl } = wish;
  const { policies } = policiesJson(profile, { extensionId, carrier, status });
  const managed = policies['3rdparty'].Extensions[extensionId];
  if (managed === undefined) throw new PreferenceRefused(extensionId, 'did-not-hold', 'the policy does not speak to this extension');
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
