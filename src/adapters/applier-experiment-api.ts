/**
 * The applier over the Experiment API. What it changes, and what was there before, is kept by the privileged script before anything is set, so
 * that it can be undone after the event page, or Firefox itself, has ended in the middle, and by that script alone when the extension goes.
 */
import { PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import type { Applier } from '../core/profiles/applier.ts';
import { HTTP2_CONCURRENT } from '../core/profiles/catalogue.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { preferencesFor } from '../core/profiles/preferences-for.ts';
import type { AppliedProfile, Carrier, GatewayRoute, Profile } from '../core/profiles/profile.ts';
import { routePreferences } from '../core/profiles/route-preferences.ts';
import type { DetailedReadback, FormerValue, JournalEntry, NetworkPreferences } from './network-preferences.ts';

/** What was set and is to be put back, in the order in which it was set. */
export async function preferencesSet(preferences: NetworkPreferences): Promise<readonly string[]> {
  return (await preferences.journal()).map(({ preference }) => preference);
}

/** Whether a gateway route is among what was set: it must not outlive the gateway. */
export async function routeIsApplied(preferences: NetworkPreferences): Promise<boolean> {
  return (await preferencesSet(preferences)).includes('network.proxy.type');
}

/**
 * Forgets what was set and is as it was before: Firefox writes preferences half a second after a change, and may have been killed before it
 * did. Only where nobody can have changed them meanwhile; otherwise a reset by someone else would go unnoticed.
 */
export async function forgetLostWrites(preferences: NetworkPreferences): Promise<void> {
  const journal = await preferences.journal();
  const present = await readMap(
    preferences,
    journal.map((entry) => entry.preference),
  );
  const lost = (entry: JournalEntry) => {
    const held = present.get(entry.preference);
    if (held === undefined || held.value === entry.setTo) return false;
    return held.userSet === entry.userSet && (!entry.userSet || held.value === entry.value);
  };
  if (journal.some(lost)) await preferences.keepJournal(journal.filter((entry) => !lost(entry)));
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
  const journal = await preferences.journal();
  const present = await readMap(preferences, [...Object.keys(intended), ...journal.map((entry) => entry.preference)]);
  refuseWhatOthersChanged(journal, present);
  await preferences.check(intended);
  const ours = new Map(journal.map((entry) => [entry.preference, entry]));
  const dropped = journal.filter((entry) => !Object.hasOwn(intended, entry.preference)).reverse();
  const next = Object.entries(intended).map(([preference, setTo]) => ({ ...formerOf(preference, ours, present), setTo }));
  // What is dropped stays in the journal until it has been put back.
  await preferences.keepJournal([...dropped.toReversed(), ...next]);
  await preferences.restore(dropped.map(formerValue));
  await preferences.set(intended);
  await preferences.pruneConnections();
  await preferences.keepJournal(next);
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

async function readMap(preferences: NetworkPreferences, names: readonly string[]): Promise<ReadonlyMap<string, DetailedReadback>> {
  return new Map((await preferences.readBack([...new Set(names)])).map((held) => [held.preference, held]));
}

function refuseWhatOthersChanged(journal: readonly JournalEntry[], present: ReadonlyMap<string, DetailedReadback>): void {
  for (const entry of journal) {
    const now = present.get(entry.preference)?.value;
    if (now === entry.setTo) continue;
    const detail = `it was set to ${JSON.stringify(entry.setTo)} and is ${JSON.stringify(now)} now: someone else changed it; go back to before first`;
    throw new PreferenceRefused(entry.preference, 'changed-by-someone-else', detail);
  }
}

/** What was there before we first touched the preference. */
function formerOf(
  preference: string,
  ours: ReadonlyMap<string, JournalEntry>,
  present: ReadonlyMap<string, DetailedReadback>,
): { preference: string; userSet: boolean; value?: PreferenceValue } {
  const known = ours.get(preference);
  if (known) return formerValue(known);
  const held = present.get(preference);
  return { preference, userSet: held?.userSet ?? false, ...(held?.userSet && held.value !== undefined && { value: held.value }) };
}

function formerValue({ preference, userSet, value }: JournalEntry): FormerValue {
  return { preference, userSet, ...(value !== undefined && { value }) };
}

async function revert(preferences: NetworkPreferences): Promise<{ restored: readonly string[]; leftAlone: readonly string[] }> {
  const journal = (await preferences.journal()).toReversed();
  const present = await readMap(
    preferences,
    journal.map((entry) => entry.preference),
  );
  const ours = journal.filter((entry) => present.get(entry.preference)?.value === entry.setTo);
  const refused = new Set(await preferences.restore(ours.map(formerValue)));
  if (journal.length > 0) await preferences.pruneConnections();
  await preferences.keepJournal([]);
  const restored = ours.map((entry) => entry.preference).filter((name) => !refused.has(name));
  return { restored, leftAlone: journal.map((entry) => entry.preference).filter((name) => !restored.includes(name)) };
}

/** The applier, or the reason why there is none. @throws PlumbfoxError `environment` */
export function requireExperimentApi(preferences: NetworkPreferences | undefined): NetworkPreferences {
  if (preferences) return preferences;
  throw new PlumbfoxError(
    'environment',
    'This Firefox offers Plumbfox no Experiment API: use the lab build on Firefox ESR, Developer Edition or Nightly with extensions.experiments.enabled set to true.',
  );
}
