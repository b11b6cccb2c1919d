/** Profiles that a trial can try: those that take effect in this Firefox, through the helper's gateway where there is one. */
import { browser } from '../adapters/browser.ts';
import { PreferenceRefused } from '../core/errors.ts';
import { carrierFor } from '../core/profiles/carrier.ts';
import { PACING_ENABLED, PACING_PER_SECOND, PER_SERVER } from '../core/profiles/catalogue.ts';
import { policiesJson } from '../core/profiles/policies-json.ts';
import {
  CONTROL_ID,
  findProfile,
  GATEWAY_PROFILES,
  MAX_THROUGH_GATEWAY,
  presetNames,
  profileOf,
  profileSet,
  SHIPPED_ID,
} from '../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../core/profiles/profile.ts';
import { notByTurns } from '../core/profiles/reference/left-behind.ts';
import { checkHeededWhileRunning } from '../core/profiles/settable.ts';
import { factorial } from '../core/search/factorial.ts';
import { DEFAULT_LOADS_PER_SLOT, DEFAULT_MINUTES_PER_SLOT } from '../core/trial/trial-defaults.ts';
import type { OwnProfile } from '../protocol/own-profile.ts';
import type { TrialOffer } from '../protocol/trial-state.ts';

const USUAL: TrialOffer['usual'] = { loadsPerSlot: DEFAULT_LOADS_PER_SLOT, minutesPerSlot: DEFAULT_MINUTES_PER_SLOT };

const SETS: readonly string[] = ['connections-sweep'];

/**
 * Connections crossed with pacing: what a search finds fastest over HTTP/1.1 in the lab. Few enough to be predicted for a person's own pages; the
 * best three by that are proposed.
 */
const PACED: readonly Profile[] = factorial([
  { preference: PACING_ENABLED, values: [false] },
  { preference: PACING_PER_SECOND, values: [320] },
  { preference: PER_SERVER, values: [10, 16] },
])
  .filter((settings) => Object.hasOwn(settings, PACING_ENABLED) || Object.hasOwn(settings, PACING_PER_SECOND))
  .map((preferences) => profileOf({ depth: 1, preferences }));

export interface TrialMeans {
  /** Whether preferences can be switched while Firefox runs. */
  readonly live: boolean;
  /** Whether the helper can run a gateway, and the person has allowed it. */
  readonly gateway: boolean;
}

/**
 * The candidates in this order: connections only, connections crossed with pacing, the named lists, the person's own, then profiles through the gateway.
 * @param own - What the person has made.
 */
export function trialOffer(means: TrialMeans, own: readonly OwnProfile[] = []): TrialOffer {
  const swept = SETS.flatMap((name) => profileSet(name) ?? []);
  const named = presetNames().flatMap((name) => findProfile(name) ?? []);
  const all = [...swept, ...PACED, ...named].filter(({ id }) => id !== BASELINE_ID);
  const offered = (profiles: readonly Profile[]) =>
    profiles.filter((profile) => whyNot(profile, means) === undefined).map(({ id, title }) => ({ id, title }));
  const direct = offered(all.filter((profile) => !needsGateway(profile)));
  const gateway = offered(GATEWAY_PROFILES.flatMap((id) => findProfile(id) ?? []));
  const others = all.flatMap((profile) => {
    const why = whyNot(profile, means);
    return why === undefined ? [] : [{ id: profile.id, why }];
  });
  const ownOnes = ownCandidates(own, means);
  const depth = means.gateway ? [] : [{ id: 'cN-dM', why: DEPTH }];
  return {
    baseline: BASELINE_ID,
    offered: [...direct, ...ownOnes.offered.filter(({ id }) => direct.every((other) => other.id !== id))],
    ...(gateway.length > 0 && { gateway }),
    notOffered: [...others, ...ownOnes.notOffered, ...depth],
    usual: USUAL,
  };
}

/** What needs the gateway is in neither list. */
function ownCandidates(own: readonly OwnProfile[], means: TrialMeans): Pick<TrialOffer, 'offered' | 'notOffered'> {
  const direct = own.flatMap(({ name, profileId }) => {
    const profile = findProfile(profileId);
    return profile === undefined || needsGateway(profile) ? [] : [{ name, profile, why: whyNot(profile, means) }];
  });
  return {
    offered: direct.flatMap(({ name, profile: { id, title }, why }) => (why === undefined ? [{ id, title: `${name}: ${title}` }] : [])),
    notOffered: direct.flatMap(({ name, why }) => (why === undefined ? [] : [{ id: name, why }])),
  };
}

const GATEWAY = 'the gateway, which the helper runs: install the helper, and switch the gateway on once to allow it';
const DEPTH = `a depth above 1 needs ${GATEWAY}`;

const PART_OF_EACH = 'it is part of every trial with a profile that goes through the gateway, and shows what that does by itself';

/** Whether a profile takes effect only through the gateway. */
export const needsGateway = (profile: Profile): boolean => carrierFor(profile, { gateway: true }) === 'gateway';

/** Why a trial cannot try this profile; `undefined`: it can. */
export function whyNot(profile: Profile, { live, gateway }: TrialMeans): string | undefined {
  const { id, depth, connections = 1 } = profile;
  if (needsGateway(profile)) {
    if (!gateway) return id === CONTROL_ID ? `it is there to go through ${GATEWAY}` : DEPTH;
    if (id === CONTROL_ID) return PART_OF_EACH;
    const isTooWide = connections * depth > MAX_THROUGH_GATEWAY;
    return isTooWide ? `Firefox sends no more than ${MAX_THROUGH_GATEWAY} requests at once to a gateway` : undefined;
  }
  if (id === SHIPPED_ID) return "it sets Firefox's own values, which the baseline has already";
  const lasting = notByTurns(Object.keys(profile.preferences), live);
  if (lasting !== undefined) return lasting;
  if (live) return refusal(() => checkHeededWhileRunning(Object.keys(profile.preferences)));
  const why = refusal(() => trialPolicy(profile));
  return why && `a policy cannot set it: ${why}`;
}

/** Why a check refuses a preference; `undefined`: it refuses none. */
function refusal(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof PreferenceRefused) return error.message;
    throw error;
  }
}

/** The policies.json that names a profile. @throws PreferenceRefused for preferences that Firefox's policy engine would ignore. */
export function trialPolicy(profile: Profile): string {
  return `${JSON.stringify(policiesJson(profile, { extensionId: browser.runtime.id, carrier: 'none' }), null, 2)}\n`;
}
