/** How turns go from slot to slot, and what a start of Firefox, a failure or a drop does to them. */

import { bestOf } from './arm-findings.ts';
import { type Assignment, assignmentAt } from './assignment.ts';
import { CONTROL_IDLE, candidatesAmong, goesWith, withoutIdleControl } from './gateway-arms.ts';
import { excludeUnderWay, isLoadUnderWay } from './marked-loads.ts';
import { followsOwn, freshSlot, freshStretch, lastStretch } from './stretches.ts';
import { MAX_SWITCH_FAILURES } from './trial-defaults.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { ArmFinding, CurrentSlot, DroppedArm, TrialEnd, TrialProgress } from './trial-progress.ts';

const MS_PER_MINUTE = 60_000;

/**
 * Ends the slot when it has had its loads or its time, and no load is in progress. Time without loads uses no slots up. Nothing counts in the first slot
 * after another profile's, so its washout is among its loads.
 */
export function endSlotIfDue(progress: TrialProgress, at: number, plan: TrialPlan): TrialProgress {
  const { slots } = plan;
  const { status, current } = progress;
  if (status !== 'running' || current.phase !== 'in-effect' || slots.kind === 'session' || isLoadUnderWay(progress)) return progress;
  const due =
    slots.kind === 'loads'
      ? current.attempted >= (followsOwn(progress, plan) ? slots.perSlot : Math.max(1, slots.perSlot - 1))
      : current.attempted > 0 && current.inEffectMs + (at - current.since) >= slots.perSlot * MS_PER_MINUTE;
  return due ? { ...progress, current: { ...current, phase: 'ended', since: at } } : progress;
}

/** The slot after the current one, of the arms that are active then. */
export function nextAssignment(progress: TrialProgress, plan: TrialPlan): Assignment {
  const { arms, fromSlot } = lastStretch(progress);
  return assignmentAt(plan, Math.max(progress.current.slot + 1, fromSlot), arms);
}

/** Every arm has had its turn in the block, and the last slot has ended. */
export function isBlockOver(progress: TrialProgress, plan: TrialPlan): boolean {
  return progress.current.phase === 'ended' && nextAssignment(progress, plan).block > progress.current.block;
}

/** Draws in which every arm has had all its turns. */
export const drawsOver = (progress: TrialProgress, plan: TrialPlan): number =>
  Math.floor((progress.current.block + (isBlockOver(progress, plan) ? 1 : 0)) / 2);

/** Voids the loads in progress, and drops what was prepared for another slot; what could not be written for this one counts as a failed switch. */
export function turnToNextSlot(progress: TrialProgress, at: number, plan: TrialPlan): TrialProgress {
  const cut = excludeUnderWay(progress, { firefoxEnded: false });
  const next = { ...cut, current: staysInEffect(progress, nextSlot(cut, plan, at), plan) };
  const { prepared } = next;
  if (prepared === undefined || (prepared.slot === next.current.slot && prepared.state === 'written')) return next;
  const emptied = withoutPrepared(next);
  if (prepared.slot !== next.current.slot) return emptied;
  return { ...emptied, current: { ...emptied.current, switchFailures: 1 } };
}

const nextSlot = (progress: TrialProgress, plan: TrialPlan, at: number): CurrentSlot => freshSlot(nextAssignment(progress, plan), at);

/** A slot after one of its own profile needs no switch, and then has no washout; unless a pause or a start of Firefox came in between. */
function staysInEffect({ status, statusSince, session, current }: TrialProgress, next: CurrentSlot, { slots }: TrialPlan): CurrentSlot {
  const { phase, profileId, since, begun } = current;
  const isUnbroken = status === 'running' && phase === 'ended' && statusSince < since && (session?.since ?? 0) < since;
  return slots.kind !== 'session' && isUnbroken && profileId === next.profileId ? { ...next, phase: 'in-effect', begun } : next;
}

export function withoutPrepared({ prepared: _, ...rest }: TrialProgress): TrialProgress {
  return rest;
}

/** Has the same slot put in effect again. */
export function interruptSlot(progress: TrialProgress, at: number): TrialProgress {
  const { current } = progress;
  if (current.phase === 'ended') return progress;
  const spent = current.phase === 'in-effect' ? Math.max(0, at - current.since) : 0;
  return { ...progress, current: { ...current, phase: 'switching', since: at, inEffectMs: current.inEffectMs + spent } };
}

/** An answer that comes too late changes nothing: the trial is not running, or another slot has its turn. */
export function putInEffect(progress: TrialProgress, { slot, at }: { readonly slot: number; readonly at: number }): TrialProgress {
  const { status, current } = progress;
  if (status !== 'running' || current.phase !== 'switching' || slot !== current.slot || at < current.since) return progress;
  return withoutPrepared({ ...progress, current: { ...current, phase: 'in-effect', since: at, begun: 0 } });
}

/** After the third failure in a slot its arm is dropped; without the baseline the trial ends. */
export function noteSwitchFailure(
  progress: TrialProgress,
  { slot, at, reason }: { readonly slot: number; readonly at: number; readonly reason: string },
  plan: TrialPlan,
): TrialProgress {
  const { status, current } = progress;
  if (status !== 'running') return progress;
  if (current.phase === 'in-effect') return notePrepareFailure(progress, { slot, at }, plan);
  const heardOf = at < current.since || (current.failedAt !== undefined && at <= current.failedAt);
  if (current.phase !== 'switching' || slot !== current.slot || heardOf) return progress;
  const switchFailures = current.switchFailures + 1;
  const failed = withoutPrepared({ ...progress, current: { ...current, switchFailures, failedAt: at } });
  if (switchFailures < MAX_SWITCH_FAILURES) return failed;
  const because = `this profile could not be put in effect: ${reason}`;
  if (current.profileId === plan.baseline) return endTrial(failed, at, { kind: 'baseline-not-applicable', because });
  const dropped = { profileId: current.profileId, reason: 'not-applicable', because, block: current.block } as const;
  const left = dropArms(failed, goesWith(plan, lastStretch(failed).arms, dropped), at, plan);
  return left.status === 'running' ? turnToNextSlot(left, at, plan) : left;
}

/** The failure to write the next slot's profile counts when that slot has its turn. */
function notePrepareFailure(progress: TrialProgress, { slot, at }: { slot: number; at: number }, plan: TrialPlan): TrialProgress {
  const next = nextAssignment(progress, plan);
  if (plan.slots.kind !== 'session' || next.slot !== slot || at < progress.current.since || progress.prepared?.slot === slot)
    return progress;
  return { ...progress, prepared: { slot, profileId: next.profileId, state: 'failed' } };
}

/** Slots by session: the profile of the current slot, or of the next one while the current is in effect, is written. */
export function notePrepared(
  progress: TrialProgress,
  { slot, at }: { readonly slot: number; readonly at: number },
  plan: TrialPlan,
): TrialProgress {
  const { status, current, session } = progress;
  if (plan.slots.kind !== 'session' || status !== 'running' || current.phase === 'ended' || at < current.since) return progress;
  const target = current.phase === 'in-effect' ? nextAssignment(progress, plan) : current;
  const heardOf = progress.prepared?.slot === slot || (current.failedAt !== undefined && at <= current.failedAt);
  if (target.slot !== slot || heardOf) return progress;
  const run = session === undefined ? {} : { sessionId: session.id };
  return { ...progress, prepared: { slot, profileId: target.profileId, state: 'written', ...run } };
}

/** The loads in progress are gone. A slot by session has had its turn; any other is put in effect again, as its profile may not have survived. */
export function noteBrowserStart(
  progress: TrialProgress,
  { sessionId, at }: { readonly sessionId: string; readonly at: number },
  { slots }: TrialPlan,
): TrialProgress {
  const { session, status, current } = progress;
  if (session !== undefined && (session.id === sessionId || at <= session.since)) return progress;
  const started = { ...excludeUnderWay(progress, { firefoxEnded: true }), session: { id: sessionId, since: at } };
  if (status !== 'running' || current.phase !== 'in-effect') return started;
  return slots.kind === 'session' ? { ...started, current: { ...started.current, phase: 'ended', since: at } } : interruptSlot(started, at);
}

/** The arms have no turns from the next slot on. Without a candidate the trial ends: without a difference, unless every one was slower or not applicable. */
export function dropArms(progress: TrialProgress, dropped: readonly DroppedArm[], at: number, plan: TrialPlan): TrialProgress {
  const before = lastStretch(progress);
  const others = before.arms.filter((id) => !dropped.some(({ profileId }) => profileId === id));
  const arms = withoutIdleControl(plan, others);
  const idle = others.filter((id) => !arms.includes(id));
  const { block } = progress.current;
  const gone = idle.map((profileId): DroppedArm => ({ profileId, reason: 'not-needed', because: CONTROL_IDLE, block: block + 1 }));
  const hasEnded = candidatesAmong(plan, arms).length === 0;
  const left = { ...progress, dropped: [...progress.dropped, ...dropped, ...(hasEnded ? [] : gone)] };
  if (hasEnded) return endTrial(left, at, endWithout(dropped));
  // Where two stretches begin with the same slot, as after two drops in it, the later one has it.
  return { ...left, stretches: [...left.stretches, freshStretch({ fromSlot: progress.current.slot + 1, arms })] };
}

/** Not slower for all that is known. */
const SHOWN_EQUAL: readonly DroppedArm['reason'][] = ['same', 'cannot-win', 'behind'];

function endWithout(dropped: readonly DroppedArm[]): TrialEnd {
  const equal = dropped.flatMap((arm): readonly ArmFinding[] => ('found' in arm && SHOWN_EQUAL.includes(arm.reason) ? [arm.found] : []));
  const found = bestOf(equal);
  return found === undefined ? { kind: 'no-candidate-left' } : { kind: 'no-difference', found };
}

/** Voids the loads in progress, and closes a pause. */
export function endTrial(progress: TrialProgress, at: number, end: TrialEnd): TrialProgress {
  if (progress.status === 'ended') return progress;
  const cut = interruptSlot(excludeUnderWay(progress, { firefoxEnded: false }), at);
  return { ...withoutPrepared(closePause(cut, at)), status: 'ended', statusSince: at, end };
}

export function closePause(progress: TrialProgress, at: number): TrialProgress {
  const pauses = progress.pauses.map((pause) => (pause.to === undefined ? { ...pause, to: at } : pause));
  return { ...progress, pauses };
}

/** Clocks of webRequest, of documents and of the event page differ by less, as where loads are matched with navigations. */
const CLOCKS_APART_MS = 5_000;

/**
 * After the wall clock was set back every event would be older than what is known already, and be ignored. So times that have not come yet
 * become `now`: the slot is put in effect again, and what is loading is void, as its order is unknown. Otherwise the progress stays the same.
 * @param now wall clock, ms: a moment before the next event.
 */
export function clockSetBack(progress: TrialProgress, now: number): TrialProgress {
  const { statusSince, current, session } = progress;
  if (Math.max(statusSince, current.since, session?.since ?? 0) <= now + CLOCKS_APART_MS) return progress;
  const cut = progress.status === 'running' ? interruptSlot(excludeUnderWay(progress, { firefoxEnded: false }), now) : progress;
  const past = (at: number): number => Math.min(at, now);
  const { failedAt: _, ...slot } = cut.current;
  return {
    ...cut,
    statusSince: past(cut.statusSince),
    current: { ...slot, since: past(slot.since) },
    pauses: cut.pauses.map(({ from, to }) => ({ from: past(from), ...(to !== undefined && { to: past(to) }) })),
    loads: cut.loads.map((load) => ({ ...load, at: past(load.at) })),
    ...(cut.startedAt !== undefined && { startedAt: past(cut.startedAt) }),
    ...(cut.forgottenUntil !== undefined && { forgottenUntil: past(cut.forgottenUntil) }),
    ...(cut.session && { session: { ...cut.session, since: past(cut.session.since) } }),
  };
}
