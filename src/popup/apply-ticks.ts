/** How far an applied profile has got, in three ticks: what is intended, what was read back, and what the browser was observed to do. Pure. */
import { helperProblemMessage } from '../adapters/helper-failure.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { findProfile } from '../core/profiles/presets.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { SHIPPED } from '../core/profiles/shipped.ts';
import type { HelperStatus } from '../protocol/helper-messages.ts';
import type { HelperFacts, Observed } from '../protocol/helper-state.ts';

export interface Tick {
  readonly name: 'Intended' | 'Read back' | 'Observed';
  /** `waiting`: it cannot be said yet, and nothing is wrong. `nobody`: nothing here can say it, and nothing is wrong. */
  readonly state: 'yes' | 'no' | 'waiting' | 'nobody';
  readonly text: string;
}

type Ready = Extract<HelperFacts, { state: 'ready' }>;

/** Preferences that are named one by one. Our own choice: what a panel of 380 px has room for. */
const MOST_NAMED = 3;

/** Empty where nothing is applied. `isLooking`: the browser is being observed. */
export function applyTicks(facts: Ready, { isLooking }: { readonly isLooking: boolean }): readonly Tick[] {
  const { status } = facts;
  const { profileId } = status;
  if (profileId === undefined) return [];
  return [
    { name: 'Intended', state: 'yes', text: intendedWords(status) },
    { name: 'Read back', ...readBack(status) },
    { name: 'Observed', ...observed(facts, { isLooking, profile: findProfile(profileId) }) },
  ];
}

interface Intended {
  readonly profileId?: string | undefined;
  readonly preferences: readonly { readonly name: string; readonly intended: PreferenceValue }[];
}

/** The profile and its first preferences; how many more there are. */
export function intendedWords({ profileId, preferences }: Intended): string {
  const named = preferences.slice(0, MOST_NAMED).map(({ name, intended }) => `${name} = ${intended}`);
  const more = preferences.length > MOST_NAMED ? [`${preferences.length - MOST_NAMED} more`] : [];
  return `${profileId}: ${[...named, ...more].join(', ')}`;
}

/** What a tick says, without its name. */
export type Found = Pick<Tick, 'state' | 'text'>;

function readBack(status: HelperStatus): Found {
  if (status.restartNeeded) return { state: 'waiting', text: 'Firefox reads it at its next start.' };
  const wrong = status.preferences.flatMap((one) => wrongWords(one, status) ?? []);
  return foundWords(wrong, { of: status.preferences.length, where: 'Firefox’s files hold' });
}

/** `wrong`: a sentence for each of the preferences, `of` in number, that does not have the value that is intended. */
export function foundWords(wrong: readonly string[], { of, where }: { readonly of: number; readonly where: string }): Found {
  const [first, ...others] = wrong;
  if (first === undefined) return { state: 'yes', text: of === 1 ? `${where} the intended value.` : `${where} all ${of} intended values.` };
  return { state: 'no', text: others.length === 0 ? first : `${first} So it is with ${others.length} more.` };
}

function wrongWords(
  { name, intended, found, locked }: HelperStatus['preferences'][number],
  { changedByOthers }: HelperStatus,
): string | undefined {
  // What Firefox itself has saved may differ from what its next start will find.
  if (changedByOthers.includes(name)) return `${name} was changed by someone else since; Plumbfox leaves it alone.`;
  if (found === intended) return undefined;
  const now = found === undefined ? 'is not set' : `is ${found}`;
  return locked ? `${name} ${now}: an enterprise policy locks it.` : `${name} ${now}, and not ${intended}.`;
}

function observed(
  { status, observed: seen, notObserved }: Ready,
  { isLooking, profile }: { readonly isLooking: boolean; readonly profile: Profile | undefined },
): Found {
  if (status.restartNeeded) return { state: 'waiting', text: 'Firefox does it from its next start on.' };
  if (isLooking) return { state: 'waiting', text: 'Firefox is being looked at …' };
  if (notObserved) return { state: 'no', text: helperProblemMessage(notObserved) };
  if (seen === undefined || seen.profileId !== status.profileId) return { state: 'waiting', text: 'Not looked at yet.' };
  return seenAs(seen, profile);
}

/** What the probe saw, against what the profile intends. */
export function seenAs(seen: Observed, profile: Profile | undefined): Found {
  const why = whyOtherwise(seen, profile);
  return why === undefined ? { state: 'yes', text: `${seenWords(seen)}.` } : { state: 'no', text: `${seenWords(seen)}: ${why}.` };
}

function seenWords({ connections, depth }: Observed): string {
  const requests = depth <= 1 ? 'one request' : `up to ${depth} requests`;
  return connections === 1
    ? `1 connection to one server, ${requests} on it`
    : `${connections} connections to one server, ${requests} on each`;
}

/** `undefined`: it is as intended. */
function whyOtherwise({ connections, depth, arrived, pieces }: Observed, profile: Profile | undefined): string | undefined {
  if (arrived < pieces) return `only ${arrived} of ${pieces} requests came through, so this is not all; look again`;
  const wanted = profile?.connections ?? connections;
  if (connections < wanted) return fewerWords(wanted);
  if (connections > wanted) return `${wanted} ${wanted === 1 ? 'is' : 'are'} intended; something else in this Firefox sets another limit`;
  const wantedDepth = profile?.depth ?? depth;
  return depth < wantedDepth
    ? `its depth of ${wantedDepth} has no effect, but where the gateway carries it: on plain-http sites`
    : undefined;
}

function fewerWords(wanted: number): string {
  const limits = `${wanted} are intended`;
  return wanted > SHIPPED.pacedAbove
    ? `${limits}; above ${SHIPPED.pacedAbove}, Firefox paces requests, so look again while no page is loading`
    : limits;
}
