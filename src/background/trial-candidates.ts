/** Which profiles a trial on everyday browsing can try: those that take effect in a Firefox without the gateway, which no trial switches. */
import { browser } from '../adapters/browser.ts';
import { PreferenceRefused } from '../core/errors.ts';
import { policiesJson } from '../core/profiles/policies-json.ts';
import { BASELINE_ID, CONTROL_ID, findProfile, presetNames, profileSet } from '../core/profiles/presets.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { DEFAULT_LOADS_PER_SLOT, DEFAULT_MINUTES_PER_SLOT } from '../core/trial/trial-defaults.ts';
import type { TrialOffer } from '../protocol/trial-state.ts';

/** Connections that this Firefox ships: setting them sets nothing. */
const SHIPPED_ID = 'c6-d1';

const USUAL: TrialOffer['usual'] = { loadsPerSlot: DEFAULT_LOADS_PER_SLOT, minutesPerSlot: DEFAULT_MINUTES_PER_SLOT };

const SETS: readonly string[] = ['connections-sweep'];

/** In the order of the presets: connections alone, then the named lists. `live`: whether profiles can be switched while Firefox runs. */
export function trialOffer({ live }: { readonly live: boolean }): TrialOffer {
  const swept = SETS.flatMap((name) => profileSet(name) ?? []);
  const named = presetNames().flatMap((name) => findProfile(name) ?? []);
  const all = [...swept, ...named].filter(({ id }) => id !== BASELINE_ID);
  const offered = all.filter((profile) => whyNot(profile, { live }) === undefined).map(({ id, title }) => ({ id, title }));
  const others = all.flatMap((profile) => {
    const why = whyNot(profile, { live });
    return why === undefined ? [] : [{ id: profile.id, why }];
  });
  return { baseline: BASELINE_ID, offered, notOffered: [...others, { id: 'cN-dM', why: DEPTH }], usual: USUAL };
}

const DEPTH = 'a depth above 1 needs the gateway, which a trial does not switch; without it the depth has no effect';

/** Why a trial cannot try this profile; `undefined`: it can. */
export function whyNot(profile: Profile, { live }: { readonly live: boolean }): string | undefined {
  const { id, depth } = profile;
  if (depth > 1) return DEPTH;
  if (id === CONTROL_ID) return 'it is there to go through the gateway, which a trial does not switch';
  if (id === SHIPPED_ID) return 'it is what Firefox ships, and so the baseline under another name';
  return live ? undefined : refusedByPolicy(profile);
}

/** Where profiles come into effect by a policy, its engine must take their preferences. */
function refusedByPolicy(profile: Profile): string | undefined {
  try {
    trialPolicy(profile);
    return undefined;
  } catch (error) {
    if (error instanceof PreferenceRefused) return `a policy cannot set it: ${error.message}`;
    throw error;
  }
}

/** The text of the policies.json that names a profile. @throws PreferenceRefused for what Firefox's policy engine would leave out. */
export function trialPolicy(profile: Profile): string {
  return `${JSON.stringify(policiesJson(profile, { extensionId: browser.runtime.id, carrier: 'none' }), null, 2)}\n`;
}
