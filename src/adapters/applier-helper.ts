/**
 * The applier over the native messaging helper, which writes user.js into the profile folder of the running Firefox; Firefox reads it at its next
 * start. The extension names the profile and nothing else.
 */
import { PlumbfoxError } from '../core/errors.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { findProfile } from '../core/profiles/presets.ts';
import type { AppliedProfile, Applier, PreferenceReadback, Profile } from '../core/profiles/profile.ts';
import { acceptance, pricesOf } from '../core/profiles/profile-price.ts';
import type { HelperStatus } from '../protocol/helper-messages.ts';
import { type NetworkPreferences, readBackFrom } from './applier-experiment-api.ts';
import type { HelperConnection } from './native-helper.ts';

interface HelperApplierOptions {
  /** Runs a piece of work with a connection of its own (`withHelper`). */
  readonly connect: <T>(work: (helper: HelperConnection) => Promise<T>) => Promise<T>;
  /** The Experiment API where there is one; without it, the values in the files are what can be read back. */
  readonly preferences: NetworkPreferences | undefined;
}

/** Every method throws HelperFailure when the helper is not there, or refuses. */
export function helperApplier({ connect, preferences }: HelperApplierOptions): Applier {
  return {
    kind: 'helper',
    takesEffect: 'at-start',
    apply: async (profile, options) => {
      if (options?.route)
        throw new PlumbfoxError('bad-input', 'The helper writes no route through a gateway: it would outlive the gateway');
      requireKnown(profile);
      return connect(async (helper) => appliedProfile(await applyByName(helper, profile.id), profile, preferences));
    },
    readBack: async () => {
      if (preferences !== undefined) return readBackFrom(preferences, await preferences.allowed());
      return connect(async (helper) => fromFiles(await helper.ask({ op: 'status' })));
    },
    revert: () =>
      connect(async (helper) => {
        const { restored, leftAlone } = await helper.ask({ op: 'revert' });
        return { restored, leftAlone };
      }),
  };
}

/**
 * Writes a profile, unless it is in effect already: written again, it would wait for the next start of Firefox once more. Whoever calls this has
 * made sure that the person accepts its price (`checkPriceAccepted`). @throws HelperFailure
 */
export async function applyByName(helper: HelperConnection, profileId: string): Promise<HelperStatus> {
  const status = await helper.ask({ op: 'status' });
  const isThere = status.profileId === profileId && !status.restartNeeded && wrongIn(status).length === 0;
  if (isThere) return status;
  const accepts = pricesOf(findProfile(profileId)?.preferences ?? {}).map(acceptance);
  return helper.ask({ op: 'apply', profileId, ...(accepts.length > 0 && { accepts }) });
}

/** Preferences that do not have the intended value, or that something else has changed. */
const wrongIn = ({ preferences, changedByOthers }: HelperStatus): readonly string[] =>
  preferences.filter(({ name, intended, found }) => found !== intended || changedByOthers.includes(name)).map(({ name }) => name);

/** The profile that the helper has put in effect in the running Firefox; `undefined`: nothing, or not yet. */
export async function appliedByHelper(
  status: HelperStatus,
  preferences: NetworkPreferences | undefined,
): Promise<AppliedProfile | undefined> {
  const profile = status.restartNeeded || status.profileId === undefined ? undefined : findProfile(status.profileId);
  return profile && appliedProfile(status, profile, preferences);
}

async function appliedProfile(
  status: HelperStatus,
  profile: Profile,
  preferences: NetworkPreferences | undefined,
): Promise<AppliedProfile> {
  const intended = Object.fromEntries(status.preferences.map(({ name, intended: value }) => [name, value]));
  const readBack = preferences === undefined ? fromFiles(status) : await readBackFrom(preferences, Object.keys(intended));
  const wrong = wrongIn(status);
  const isWrong = ({ preference, value }: PreferenceReadback) =>
    status.restartNeeded || wrong.includes(preference) || value !== intended[preference];
  const mismatches = readBack.filter(isWrong).map(({ preference }) => preference);
  return { profileId: profile.id, applier: 'helper', carrier: 'none', intended, readBack, mismatches };
}

/** @throws PlumbfoxError `bad-input`: the helper finds a profile by its name, in the same catalogue. */
function requireKnown({ id, preferences }: Profile): void {
  const known = findProfile(id)?.preferences;
  const isSame = known !== undefined && sorted(known) === sorted(preferences);
  if (!isSame) throw new PlumbfoxError('bad-input', `The helper applies profiles of the catalogue by name, and ${id} is none of them`);
}

const sorted = (values: Readonly<Record<string, PreferenceValue>>): string => JSON.stringify(Object.entries(values).toSorted());

const fromFiles = ({ preferences }: HelperStatus): readonly PreferenceReadback[] =>
  preferences.map(({ name, found, locked }) => ({
    preference: name,
    value: found,
    type: typeOf(found),
    locked,
    userSet: found !== undefined,
  }));

function typeOf(value: PreferenceValue | undefined): PreferenceReadback['type'] {
  switch (typeof value) {
    case 'number':
      return 'integer';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    default:
      return 'none';
  }
}
