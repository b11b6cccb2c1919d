/** One step of a trial: dispatches what has happened since the last one, in the order in which it happened. Pure. */
import type { TrialNavigation } from '../adapters/trial-store.ts';
import type { TrialPlace } from '../core/measure/page-load.ts';
import { advance, type TrialEvent } from '../core/trial/advance.ts';
import { whyUnfit } from '../core/trial/gateway-arms.ts';
import type { TrialMark } from '../core/trial/trial-mark.ts';
import type { TrialPlan } from '../core/trial/trial-plan.ts';
import type { MarkedLoad, TrialProgress } from '../core/trial/trial-progress.ts';
import { clockSetBack } from '../core/trial/turn-slots.ts';
import type { FormerProfile, TrialRecord } from '../protocol/trial-record.ts';

interface TrialStepInput {
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  /** The present run of Firefox, and since when it is known. */
  readonly session: { readonly id: string; readonly since: number };
  readonly began: readonly TrialNavigation[];
  readonly settled: readonly TrialNavigation[];
  /** A request of the person, or the outcome of a command. */
  readonly event?: TrialEvent | undefined;
  /** Why `event` is an automatic pause. */
  readonly because?: string | undefined;
  /** Why `event`, a revert, did not apply the person's previous profile again; absent: it did. */
  readonly notAgain?: string | undefined;
  /** Why the profile of the slot is no longer in effect; absent: it is, or Firefox cannot be asked. */
  readonly disturbed?: string | undefined;
}

/** Whether no trial is in progress, nor about to restore what it has set. */
export const isTrialOver = (trial: TrialRecord | undefined): boolean =>
  trial === undefined || (trial.progress.status === 'ended' && !trial.progress.applied);

/** The trial knows a load by its navigation's key. */
const loadIdOf = ({ key }: Pick<TrialNavigation, 'key'>): string => String(key);

/** Keys of the navigations that are in progress as far as the trial knows. */
export function underWayKeys({ progress }: TrialRecord): readonly number[] {
  return progress.loads.filter(({ state }) => state === 'under-way').map(({ id }) => Number(id));
}

/** The trial after the step, and the places of the loads that were recorded in it. */
export function stepTrial(
  before: TrialRecord,
  input: TrialStepInput,
): { trial: TrialRecord; places: ReadonlyMap<number, TrialPlace<TrialMark>> } {
  const { plan } = before;
  const disturbed = isInEffect(before.progress, input.session) ? input.disturbed : undefined;
  const onClock = clockSetBack(before.progress, momentBefore(before.progress, input));
  const next = eventsOf(input, disturbed).reduce((progress, event) => advance(progress, event, plan).progress, onClock);
  const toldUntil = Math.max(before.toldUntil, ...input.began.map(({ key }) => key));
  const pausedBecause = next.status === 'paused' ? (disturbed ?? input.because ?? before.pausedBecause) : undefined;
  const { pausedBecause: _, former: known, ...rest } = before;
  const former = known && formerAfter(known, input);
  const changed = next !== before.progress || toldUntil !== before.toldUntil || pausedBecause !== before.pausedBecause || former !== known;
  const trial = { ...rest, progress: next, toldUntil, ...(pausedBecause !== undefined && { pausedBecause }), ...(former && { former }) };
  return { trial: changed ? trial : before, places: placesOf({ plan, progress: next }, [...input.began, ...input.settled]) };
}

/** Only a revert decides whether the person's own profile is applied again. */
function formerAfter(former: FormerProfile, { event, notAgain }: TrialStepInput): FormerProfile {
  if (event?.kind !== 'reverted' || former.notAgain === notAgain) return former;
  const { profileId, by } = former;
  return { profileId, by, ...(notAgain !== undefined && { notAgain }) };
}

/** A moment before everything in this step, including a start of Firefox that the trial does not know yet. */
function momentBefore({ session }: TrialProgress, { now, event, session: present }: TrialStepInput): number {
  return Math.min(now, event?.at ?? now, session?.id === present.id ? now : present.since) - 1;
}

/** True only within the session that the trial knows: at a start of Firefox the profile may have been lost, which is no disturbance. */
function isInEffect({ status, current, session }: TrialProgress, { id }: TrialStepInput['session']): boolean {
  return status === 'running' && current.phase === 'in-effect' && session?.id === id;
}

/**
 * Pages that were loading when Firefox exited come before its new start, and a disturbance before the loads it may have affected, which excludes
 * them. What the person or a command did comes after the loads that had ended by then.
 */
function eventsOf({ now, session, began, settled, event }: TrialStepInput, disturbed: string | undefined): readonly TrialEvent[] {
  const beginnings = began
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((navigation) => ({ kind: 'load-began' as const, at: navigation.startedAt, loadId: loadIdOf(navigation) }));
  const ends = [...began, ...settled].filter(({ state }) => state !== 'open');
  return [
    ...beginnings.filter(({ at }) => at < session.since),
    { kind: 'browser-started', at: session.since, sessionId: session.id },
    ...beginnings.filter(({ at }) => at >= session.since),
    ...(disturbed === undefined ? [] : [{ kind: 'paused' as const, at: now }]),
    ...ends.map((navigation): TrialEvent => {
      const ended = { at: now, loadId: loadIdOf(navigation) };
      return navigation.state === 'recorded'
        ? { kind: 'load-recorded', ...ended, ...(navigation.route && { route: navigation.route }) }
        : { kind: 'load-lost', ...ended };
    }),
    ...(event === undefined ? [] : [event]),
    { kind: 'clock', at: now },
  ];
}

function placesOf(
  { plan, progress }: { plan: TrialPlan; progress: TrialProgress },
  navigations: readonly TrialNavigation[],
): ReadonlyMap<number, TrialPlace<TrialMark>> {
  const recorded = navigations.filter(({ state }) => state === 'recorded');
  return new Map(
    recorded.flatMap((navigation): [number, TrialPlace<TrialMark>][] => {
      const load = progress.loads.find(({ id, state }) => id === loadIdOf(navigation) && state === 'recorded');
      return load === undefined ? [] : [[navigation.key, placeOf(load, whyUnfit(plan, load.mark.profileId, navigation.route))]];
    }),
  );
}

const VOID =
  'it began before the profile of its slot was in effect, or a pause, another slot, a change of preferences or a start of Firefox came in between';

const placeOf = ({ mark, void: isVoid }: MarkedLoad, unfit: string | undefined): TrialPlace<TrialMark> =>
  isVoid ? { mark, void: unfit ?? VOID } : { mark };
