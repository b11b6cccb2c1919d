/** The progress of an applied profile in three ticks: intended, read back, and observed in Firefox's behaviour. Pure. */
import { helperProblemMessage } from '../adapters/native-helper.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { findProfile } from '../core/profiles/presets.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { SHIPPED } from '../core/profiles/shipped.ts';
import type { HelperStatus } from '../protocol/helper-messages.ts';
import type { HelperFacts, Observed } from '../protocol/helper-state.ts';
import { fixedText, text } from '../views/text.ts';

export interface Tick {
  readonly name: string;
  /** `waiting`: not known yet. `nobody`: nothing here can find out. Nothing is wrong in either. */
  readonly state: 'yes' | 'no' | 'waiting' | 'nobody';
  readonly text: string;
}

type Ready = Extract<HelperFacts, { state: 'ready' }>;

/** Preferences that are named; a panel of 380 px has room for no more. */
const MAX_NAMED = 3;

/** The ticks of what the helper has applied; none if nothing is. `isLooking`: the probe is counting. */
export function applyTicks(facts: Ready, { isLooking }: { readonly isLooking: boolean }): readonly Tick[] {
  const { status } = facts;
  const { profileId } = status;
  if (profileId === undefined) return [];
  return threeTicks(status, { readBack: readBack(status), observed: observed(facts, { isLooking, profile: findProfile(profileId) }) });
}

interface Intended {
  readonly profileId?: string | undefined;
  readonly preferences: readonly { readonly name: string; readonly intended: PreferenceValue }[];
}

/** A tick without its name. */
export type Found = Pick<Tick, 'state' | 'text'>;

/** The three ticks; the first names the profile and its first preferences, and how many more there are. */
export function threeTicks(
  { profileId = '', preferences }: Intended,
  found: { readonly readBack: Found; readonly observed: Found },
): readonly Tick[] {
  const named = preferences.slice(0, MAX_NAMED).map(({ name, intended }) => `${name} = ${intended}`);
  const count = preferences.length - named.length;
  const all = [...named, ...(count > 0 ? [text('count.more', { count })] : [])].join(', ');
  return [
    { name: text('tick.intended'), state: 'yes', text: text('tick.values', { profile: profileId, preferences: all }) },
    { name: text('tick.readBack'), ...found.readBack },
    { name: text('tick.observed'), ...found.observed },
  ];
}

function readBack(status: HelperStatus): Found {
  if (status.restartNeeded) return { state: 'waiting', text: text('tick.readAtStart') };
  const wrong = status.preferences.flatMap((one) => wrongValue(one, status) ?? []);
  return foundValues(wrong, text('tick.files', { count: status.preferences.length }));
}

/** `wrong`: a sentence for each preference without the intended value; `right`: the sentence if there are none. */
export function foundValues(wrong: readonly string[], right: string): Found {
  const [first, ...others] = wrong;
  if (first === undefined) return { state: 'yes', text: right };
  return { state: 'no', text: others.length === 0 ? first : text('tick.alsoWrong', { first, count: others.length }) };
}

/** A preference's value in a sentence. */
export const valueLabel = (value: PreferenceValue | undefined): string => (value === undefined ? text('tick.notSet') : String(value));

function wrongValue(
  { name, intended, found, locked }: HelperStatus['preferences'][number],
  { changedByOthers }: HelperStatus,
): string | undefined {
  // The value that Firefox has saved may differ from the one that its next start will find.
  if (changedByOthers.includes(name)) return text('tick.changed', { name });
  if (found === intended) return undefined;
  return text(locked ? 'tick.locked' : 'tick.differs', { name, found: valueLabel(found), intended: valueLabel(intended) });
}

function observed(
  { status, observed: seen, notObserved }: Ready,
  { isLooking, profile }: { readonly isLooking: boolean; readonly profile: Profile | undefined },
): Found {
  if (status.restartNeeded) return { state: 'waiting', text: text('tick.countedAtStart') };
  if (isLooking) return { state: 'waiting', text: text('tick.counting') };
  if (notObserved) return { state: 'no', text: fixedText(helperProblemMessage(notObserved)) };
  if (seen === undefined || seen.profileId !== status.profileId) return { state: 'waiting', text: text('tick.notCounted') };
  return seenAs(seen, profile);
}

/** Compares what the probe saw with what the profile intends. */
export function seenAs({ connections: count, depth, arrived, pieces }: Observed, profile: Profile | undefined): Found {
  const seen = text('tick.seen', { count, requests: text('tick.requests', { count: Math.max(1, depth) }) });
  const wanted = profile?.connections ?? count;
  const wrong = (sentence: string): Found => ({ state: 'no', text: sentence });
  if (arrived < pieces) return wrong(text('tick.incomplete', { seen, arrived, pieces }));
  if (count < wanted)
    return wrong(
      wanted > SHIPPED.pacedAbove
        ? text('tick.paced', { seen, wanted, unpaced: SHIPPED.pacedAbove })
        : text('tick.fewer', { seen, wanted }),
    );
  if (count > wanted) return wrong(text('tick.more', { seen, wanted }));
  return depth < (profile?.depth ?? depth)
    ? wrong(text('tick.noPipelining', { seen }))
    : { state: 'yes', text: text('tick.asIntended', { seen }) };
}
