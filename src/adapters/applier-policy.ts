/**
 * The applier over an enterprise policy. An extension cannot write one: the administrator installs policies.json and restarts Firefox, and this
 * applier says which profile that file names and, where the browser can be asked, whether it is in effect.
 */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import { preferencesFor } from '../core/profiles/carrier.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { type AppliedProfile, type Applier, carrierSchema, mismatchesOf, type Profile } from '../core/profiles/profile.ts';
import { profileIdSchema } from '../core/profiles/profile-id.ts';
import { managedTrialSchema } from '../protocol/trial-state.ts';
import { type NetworkPreferences, readBackFrom } from './applier-experiment-api.ts';
import { browser, platformHere } from './browser.ts';

/** `preferences`: the Experiment API where there is one; without it nothing can be read back. */
export function policyApplier(preferences: NetworkPreferences | undefined): Applier {
  return {
    kind: 'policy',
    takesEffect: 'at-start',
    apply: async (profile, options) => {
      const managed = await managedProfile();
      if (options?.route) throw new PlumbfoxError('bad-input', 'A policy cannot lead through a gateway: it outlives the gateway');
      if (managed?.profile === profile.id) return applied(profile, managed, preferences);
      const found = managed === undefined ? 'no policy names a profile' : `the policy names ${managed.profile}`;
      throw new PlumbfoxError('environment', `${found}; install the policies.json of ${profile.id} and restart Firefox`);
    },
    readBack: async () => (preferences === undefined ? [] : readBackFrom(preferences, await preferences.allowed())),
    revert: async () => {
      const managed = await managedProfile();
      return { restored: [], leftAlone: managed ? Object.keys(findProfile(managed.profile)?.preferences ?? {}) : [] };
    },
  };
}

/** The profile that the policy has put in effect; `undefined`: none names a profile that this version knows. */
export async function appliedByPolicy(preferences: NetworkPreferences | undefined): Promise<AppliedProfile | undefined> {
  const managed = await managedProfile();
  const profile = managed && findProfile(managed.profile);
  return managed && profile ? applied(profile, managed, preferences) : undefined;
}

async function applied(profile: Profile, managed: ManagedProfile, preferences: NetworkPreferences | undefined): Promise<AppliedProfile> {
  const carrier = managed.carrier ?? 'none';
  const intended = preferencesFor(profile, carrier);
  const readBack = preferences === undefined ? [] : await readBackFrom(preferences, Object.keys(intended));
  const mismatches = mismatchesOf(readBack, intended);
  return { profileId: profile.id, applier: 'policy', carrier, intended, readBack, mismatches };
}

/** The profile that an enterprise policy names for this extension, and the trial it may define (policies.json, `3rdparty.Extensions`). */
const managedSchema = v.object({
  profile: profileIdSchema,
  carrier: v.optional(carrierSchema),
  trial: v.optional(managedTrialSchema),
});

type ManagedProfile = v.InferOutput<typeof managedSchema>;

/** What managed storage answers where no policy mentions this extension (ext-storage.js). */
const NO_MANIFEST = /manifest not found|not supported|not implemented/i;

/**
 * The profile that managed storage names; `undefined`: no policy mentions this extension.
 * @throws PlumbfoxError `bad-input` when one does and names no profile.
 */
export async function managedProfile(): Promise<ManagedProfile | undefined> {
  const held = await managedStorage();
  if (held === undefined || Object.keys(held).length === 0) return undefined;
  const result = v.safeParse(managedSchema, held);
  if (result.success) return result.output;
  throw new PlumbfoxError(
    'bad-input',
    `The enterprise policy for Plumbfox names no profile, or defines no trial, that can be used: ${v.summarize(result.issues)}`,
  );
}

async function managedStorage(): Promise<Record<string, unknown> | undefined> {
  try {
    return await browser.storage.managed.get();
  } catch (error) {
    if (error instanceof Error && NO_MANIFEST.test(error.message)) return undefined;
    // On Android every call fails with “An unexpected error occurred” (test_ext_geckoView_nativeMessaging.js).
    if ((await platformHere()) === 'android') return undefined;
    throw error;
  }
}
