/**
 * An enterprise policy that sets a profile's preferences and, in the same file, tells the extension which profile they are, through
 * `storage.managed`. https://mozilla.github.io/policy-templates/#preferences and #3rdparty
 */
import { PlumbfoxError, PreferenceRefused } from '../errors.ts';
import { depthNotes, isHeeded, preferencesFor } from './carrier.ts';
import { policyTakes } from './catalogue/policy-engine.ts';
import { inCatalogueOrder } from './catalogue.ts';
import { checkProfile } from './check-profile.ts';
import type { PreferenceValue } from './knob.ts';
import type { Carrier, Profile } from './profile.ts';

/** `default`: a user's own value wins. `locked`: the policy wins, and no user can change it while it is there. Both end with the policy. */
export type PolicyStatus = 'default' | 'locked';

export interface PolicyPreference {
  readonly Value: PreferenceValue;
  readonly Status: PolicyStatus;
  /** Always written: without it 0 and 1 become booleans where the preference has no integer default. */
  readonly Type: 'number' | 'boolean' | 'string';
}

/** The policy that `storage.managed` returns to the extension. */
export interface PolicyEntry {
  readonly profile: string;
  readonly carrier: Carrier;
  /** Absent: whatever this Firefox ships. */
  readonly connections?: number;
  readonly depth: number;
  /** What must be known of the depth, in words: JSON has no comments. */
  readonly note?: string;
}

export interface PoliciesJson {
  readonly policies: {
    readonly Preferences: Readonly<Record<string, PolicyPreference>>;
    readonly '3rdparty': { readonly Extensions: Readonly<Record<string, PolicyEntry>> };
  };
}

interface PolicyOptions {
  /** The extension's id in its manifest. */
  readonly extensionId: string;
  readonly carrier: Carrier;
  readonly status?: PolicyStatus;
}

/** Firefox's own pattern for `browser_specific_settings.gecko.id` (toolkit/components/extensions/schemas/manifest.json). */
const EXTENSION_ID = /^(\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}|[a-z0-9-._]*@[a-z0-9-._]+)$/i;

/**
 * The policy as an object; write it as UTF-8 without byte order mark, which Firefox refuses, and merge it into a policy that is there.
 * @throws PreferenceRefused for what Firefox's policy engine would leave out without a word.
 * @throws PlumbfoxError `bad-input` for an extension id Firefox does not know as one, or a profile that cannot be.
 */
export function policiesJson(profile: Profile, { extensionId, carrier, status = 'default' }: PolicyOptions): PoliciesJson {
  checkProfile(profile);
  if (!EXTENSION_ID.test(extensionId)) throw new PlumbfoxError('bad-input', `Not an extension's id: ${JSON.stringify(extensionId)}`);
  const preferences = inCatalogueOrder(preferencesFor(profile, carrier));
  for (const [preference] of preferences) checkPolicyTakes(preference);
  return {
    policies: {
      Preferences: Object.fromEntries(
        preferences.map(([preference, value]) => [
          preference,
          { Value: value, Status: status, Type: typeof value as PolicyPreference['Type'] },
        ]),
      ),
      '3rdparty': { Extensions: { [extensionId]: managedProfile(profile, carrier) } },
    },
  };
}

function managedProfile(profile: Profile, carrier: Carrier): PolicyEntry {
  const note = depthNotes(profile, carrier).join(' ');
  return {
    profile: profile.id,
    carrier,
    ...(profile.connections === undefined ? {} : { connections: profile.connections }),
    depth: profile.depth,
    ...(note === '' ? {} : { note }),
  };
}

function checkPolicyTakes(preference: string): void {
  if (!policyTakes(preference)) {
    throw new PreferenceRefused(
      preference,
      'did-not-hold',
      "Firefox's policy engine does not take it; the helper app or about:config does",
    );
  }
  if (!isHeeded(preference)) {
    throw new PreferenceRefused(
      preference,
      'did-not-hold',
      'no Firefox that has policies has pipelining; use the user.js for Gecko up to 53',
    );
  }
}
