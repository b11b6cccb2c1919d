/**
 * The applier over the Experiment API. The privileged script alone knows what was there before: it keeps that before anything is set, and puts it
 * back when it is asked for the names, or when the extension goes.
 */
import { PlumbfoxError } from '../core/errors.ts';
import { preferencesFor, routePreferences } from '../core/profiles/carrier.ts';
import { HTTP2_CONCURRENT } from '../core/profiles/catalogue.ts';
import type { AppliedProfile, Applier, Carrier, GatewayRoute, Profile, Reverted } from '../core/profiles/profile.ts';
import type { DetailedReadback, NetworkPreferences } from './network-preferences.ts';

/** Whether a gateway route is among what was set: it must not outlive the gateway. */
export async function routeIsApplied(preferences: NetworkPreferences): Promise<boolean> {
  return (await preferences.journal()).includes('network.proxy.type');
}

/** `apply` and `revert` throw PreferenceRefused for what the browser or somebody else's change forbids; nothing is set then. */
export function experimentApiApplier(preferences: NetworkPreferences): Applier {
  return {
    kind: 'experiment-api',
    takesEffect: 'live',
    apply: (profile, options) => apply(preferences, profile, options?.route),
    readBack: async () => (await preferences.readBack(await preferences.allowed())).map(withoutDefault),
    revert: () => revert(preferences),
  };
}

const withoutDefault = ({ defaultValue: _, ...rest }: DetailedReadback) => ({ ...rest, value: rest.value });

async function apply(preferences: NetworkPreferences, profile: Profile, route: GatewayRoute | undefined): Promise<AppliedProfile> {
  const carrier = carrierOf(profile, route);
  const intended = { ...preferencesFor(profile, carrier), ...(route && routePreferences(route)) };
  await preferences.set(intended);
  await preferences.pruneConnections();
  const after = (await preferences.readBack(Object.keys(intended))).map(withoutDefault);
  return {
    profileId: profile.id,
    applier: 'experiment-api',
    carrier,
    intended,
    readBack: after,
    mismatches: after.filter((held) => held.value !== intended[held.preference]).map((held) => held.preference),
  };
}

const carrierOf = (profile: Profile, route: GatewayRoute | undefined): Carrier => {
  if (route) return 'gateway';
  return profile.depth > 1 && profile.preferences[HTTP2_CONCURRENT] === profile.depth ? 'http2' : 'none';
};

async function revert(preferences: NetworkPreferences): Promise<Reverted> {
  const names = await preferences.journal();
  const { restored, locked } = await preferences.restore(names);
  if (names.length + restored.length > 0) await preferences.pruneConnections();
  const leftAlone = names.filter((name) => !restored.includes(name) && !locked.includes(name));
  return { restored, leftAlone, ...(locked.length > 0 && { locked }) };
}

/** The applier, or the reason why there is none. @throws PlumbfoxError `environment` */
export function requireExperimentApi(preferences: NetworkPreferences | undefined): NetworkPreferences {
  if (preferences) return preferences;
  throw new PlumbfoxError(
    'environment',
    'This Firefox offers Plumbfox no Experiment API: use the lab build on Firefox ESR, Developer Edition or Nightly with extensions.experiments.enabled set to true.',
  );
}
