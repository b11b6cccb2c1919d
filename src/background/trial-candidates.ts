/** Which profiles a trial on everyday browsing can try: those that take effect in a Firefox without the gateway, which runs only in the lab. */
import { BASELINE_ID, CONTROL_ID, findProfile, presetNames, profileSet } from '../core/profiles/presets.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { DEFAULT_LOADS_PER_SLOT, DEFAULT_MINUTES_PER_SLOT, DEFAULT_MOST_LOADS_PER_ARM } from '../core/trial/trial-defaults.ts';
import type { TrialOffer } from '../protocol/trial-state.ts';

/** Connections that this Firefox ships: setting them sets nothing. */
const SHIPPED_ID = 'c6-d1';

const USUAL: TrialOffer['usual'] = {
  loadsPerSlot: DEFAULT_LOADS_PER_SLOT,
  minutesPerSlot: DEFAULT_MINUTES_PER_SLOT,
  mostLoadsPerArm: DEFAULT_MOST_LOADS_PER_ARM,
};

const SETS: readonly string[] = ['connections-sweep'];

/** In the order of the presets: connections alone, then the named lists. */
export function trialOffer(): TrialOffer {
  const swept = SETS.flatMap((name) => profileSet(name) ?? []);
  const named = presetNames().flatMap((name) => findProfile(name) ?? []);
  const all = [...swept, ...named].filter(({ id }) => id !== BASELINE_ID);
  const offered = all.filter((profile) => whyNot(profile) === undefined).map(({ id, title }) => ({ id, title }));
  const others = all.flatMap((profile) => {
    const why = whyNot(profile);
    return why === undefined ? [] : [{ id: profile.id, why }];
  });
  return { baseline: BASELINE_ID, offered, notOffered: [...others, { id: 'cN-dM', why: DEPTH }], usual: USUAL };
}

const DEPTH = 'a depth above 1 needs the gateway, which runs only while the lab measures; without it the depth has no effect';

/** Why a trial cannot try this profile; `undefined`: it can. */
export function whyNot({ id, depth }: Pick<Profile, 'id' | 'depth'>): string | undefined {
  if (depth > 1) return DEPTH;
  if (id === CONTROL_ID) return 'it is there to go through the gateway, which runs only while the lab measures';
  if (id === SHIPPED_ID) return 'it is what Firefox ships, and so the baseline under another name';
  return undefined;
}
