/**
 * The Experiment API `browser.plumbfoxNetwork`, every answer of which is parsed, and the applier over it. Only the privileged script knows the
 * previous values: it saves them before it sets anything, and restores them when it is asked to, or when the extension goes.
 */
import * as v from 'valibot';
import { PlumbfoxError, PreferenceRefused, REFUSAL_REASONS } from '../core/errors.ts';
import { liveCarrier, preferencesFor, routePreferences } from '../core/profiles/carrier.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import {
  type AppliedProfile,
  type Applier,
  type GatewayRoute,
  mismatchesOf,
  type PreferenceReadback,
  type Profile,
  type Reverted,
  storedReadbackSchema,
} from '../core/profiles/profile.ts';
import type { LeftBehind } from '../core/profiles/reference/left-behind.ts';
import { browser } from './browser.ts';

const detailedReadbackSchema = v.object({ ...storedReadbackSchema.entries, defaultValue: storedReadbackSchema.entries.value });
const refusalSchema = v.object({
  preference: v.string(),
  reason: v.picklist(REFUSAL_REASONS),
  detail: v.string(),
});
const verdictSchema = v.object({ refusal: v.nullish(refusalSchema) });
const namesSchema = v.array(v.string());
const restoredSchema = v.object({ restored: namesSchema, locked: namesSchema });
const factsSchema = v.object({
  name: v.string(),
  version: v.string(),
  buildId: v.string(),
  os: v.string(),
  architecture: v.string(),
  channel: v.string(),
  policies: v.picklist(['inactive', 'active', 'failed', 'unknown']),
});

type DetailedReadback = v.InferOutput<typeof detailedReadbackSchema>;

/** Preferences of the running Firefox, through its privileged script. */
export interface NetworkPreferences {
  allowed(): Promise<readonly string[]>;
  readBack(names: readonly string[]): Promise<readonly DetailedReadback[]>;
  /** @throws PreferenceRefused for a value that `set` would refuse; changes nothing. */
  check(values: Readonly<Record<string, PreferenceValue>>): Promise<void>;
  /**
   * Sets all of the values and restores what was set before and is not among them, or changes nothing. Firefox's parent process saves the previous
   * values first, and restores them by itself when the extension is disabled or removed. @throws PreferenceRefused
   */
  set(values: Readonly<Record<string, PreferenceValue>>): Promise<void>;
  /**
   * Restores the previous values, except where one was changed by something else since: that one is forgotten. `locked`: preferences, of these and of
   * earlier ones, that cannot be restored now. The next call or the next start of Firefox that finds one unlocked restores it.
   */
  restore(names: readonly string[]): Promise<{ readonly restored: readonly string[]; readonly locked: readonly string[] }>;
  /** Preferences that are set and not restored, in the order in which they were set. @throws PlumbfoxError `environment` */
  journal(): Promise<readonly string[]>;
  /**
   * Forgets what was set but has its previous value, as after Firefox was killed before it wrote its preferences. Call it only where nothing else can
   * have changed them since; otherwise a reset by the user or another extension would go unnoticed.
   */
  forgetLost(): Promise<void>;
  pruneConnections(): Promise<void>;
  /** Clears what earlier settings left behind in Firefox, and nothing of the person's. */
  clearLeftBehind(kinds: readonly LeftBehind[]): Promise<void>;
  browserFacts(): Promise<v.InferOutput<typeof factsSchema>>;
}

type RawApi = Readonly<Record<keyof NetworkPreferences, (...values: readonly unknown[]) => Promise<unknown>>>;

/** `undefined` in the release build, and on a Firefox that ignores Experiments: the namespace is then missing without any error. */
export function networkPreferences(): NetworkPreferences | undefined {
  const raw = (browser as { plumbfoxNetwork?: RawApi }).plumbfoxNetwork;
  if (raw === undefined) return undefined;
  const accept = (answer: unknown) => {
    const { refusal } = v.parse(verdictSchema, answer);
    if (refusal) throw new PreferenceRefused(refusal.preference, refusal.reason, refusal.detail);
  };
  return {
    allowed: async () => v.parse(namesSchema, await raw.allowed()),
    readBack: async (names) => v.parse(v.array(detailedReadbackSchema), await raw.readBack([...names])),
    check: async (values) => accept(await raw.check({ ...values })),
    set: async (values) => accept(await raw.set({ ...values })),
    restore: async (names) => v.parse(restoredSchema, await raw.restore([...names])),
    journal: async () => readable(v.safeParse(namesSchema, await raw.journal())),
    forgetLost: async () => {
      await raw.forgetLost();
    },
    pruneConnections: async () => {
      await raw.pruneConnections();
    },
    clearLeftBehind: async (kinds) => {
      await raw.clearLeftBehind([...kinds]);
    },
    browserFacts: async () => v.parse(factsSchema, await raw.browserFacts()),
  };
}

function readable(journal: v.SafeParseResult<typeof namesSchema>): readonly string[] {
  if (journal.success) return journal.output;
  throw new PlumbfoxError(
    'environment',
    'The former values cannot be read any more: in about:config, reset extensions.plumbfox.former and the preferences that Plumbfox has set.',
  );
}

/** @throws PlumbfoxError `environment` where this Firefox has no Experiment API. */
export function requireExperimentApi(preferences: NetworkPreferences | undefined): NetworkPreferences {
  if (preferences) return preferences;
  throw new PlumbfoxError(
    'environment',
    'This Firefox offers Plumbfox no Experiment API: use the lab build on Firefox ESR, Developer Edition or Nightly with extensions.experiments.enabled set to true.',
  );
}

/** Preferences as the running browser holds them, in the form in which an applied profile records them. */
export async function readBackFrom(preferences: NetworkPreferences, names: readonly string[]): Promise<readonly PreferenceReadback[]> {
  return (await preferences.readBack(names)).map(({ defaultValue: _, ...held }) => ({ ...held, value: held.value }));
}

/** Whether a gateway route is among what was set: it must not outlive the gateway. */
export async function routeIsApplied(preferences: NetworkPreferences): Promise<boolean> {
  return (await preferences.journal()).includes('network.proxy.type');
}

/** `apply` and `revert` throw PreferenceRefused for what the browser or a change by something else forbids; nothing is set then. */
export function experimentApiApplier(preferences: NetworkPreferences): Applier {
  return {
    kind: 'experiment-api',
    takesEffect: 'live',
    apply: (profile, options) => apply(preferences, profile, options?.route),
    readBack: async () => readBackFrom(preferences, await preferences.allowed()),
    revert: () => revert(preferences),
  };
}

async function apply(preferences: NetworkPreferences, profile: Profile, route: GatewayRoute | undefined): Promise<AppliedProfile> {
  const carrier = liveCarrier(profile, route);
  const intended = { ...preferencesFor(profile, carrier), ...(route && routePreferences(route)) };
  await preferences.set(intended);
  await preferences.pruneConnections();
  const readBack = await readBackFrom(preferences, Object.keys(intended));
  const mismatches = mismatchesOf(readBack, intended);
  return { profileId: profile.id, applier: 'experiment-api', carrier, intended, readBack, mismatches };
}

async function revert(preferences: NetworkPreferences): Promise<Reverted> {
  const names = await preferences.journal();
  const { restored, locked } = await preferences.restore(names);
  if (names.length + restored.length > 0) await preferences.pruneConnections();
  const leftAlone = names.filter((name) => !restored.includes(name) && !locked.includes(name));
  return { restored, leftAlone, ...(locked.length > 0 && { locked }) };
}
