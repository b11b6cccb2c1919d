/**
 * The course of a trial: a reducer from progress and event to progress, and the command that follows. Events may come late and twice, and the
 * event page may end between any two: an event changes nothing the second time, and the command follows only from the progress.
 */
import { assertNever, PlumbfoxError } from '../errors.ts';
import { followDecision } from './follow-decision.ts';
import type { LoadRoute } from './gateway-arms.ts';
import { beginLoad, excludeUnderWay, forgetOldLoads, isLoadUnderWay, loseOldLoads, recordLoad, settleLoad } from './marked-loads.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';
import type { TrialDecision } from './trial-state.ts';
import {
  closePause,
  endSlotIfDue,
  endTrial,
  interruptSlot,
  nextAssignment,
  noteBrowserStart,
  notePrepared,
  noteSwitchFailure,
  putInEffect,
  withoutPrepared,
} from './turn-slots.ts';

/** An event of a trial. Every time is wall clock, ms since the epoch. */
export type TrialEvent =
  | { readonly kind: 'started'; readonly at: number }
  /** A top-level navigation began. `loadId`: the same in every event about it. */
  | { readonly kind: 'load-began'; readonly at: number; readonly loadId: string }
  /** The load is stored. `route`: how it came, where a profile of the trial goes through the gateway. */
  | { readonly kind: 'load-recorded'; readonly at: number; readonly loadId: string; readonly route?: LoadRoute | undefined }
  /** The load failed, or its timing will not come. */
  | { readonly kind: 'load-lost'; readonly at: number; readonly loadId: string }
  /** The profile of the slot was put in effect and read back. With slots by session: after the start, read back. */
  | { readonly kind: 'switched'; readonly at: number; readonly slot: number }
  | { readonly kind: 'switch-failed'; readonly at: number; readonly slot: number; readonly reason: string }
  /** Slots by session: the profile of the slot is written, to be in effect from the next start of Firefox. */
  | { readonly kind: 'prepared'; readonly at: number; readonly slot: number }
  | { readonly kind: 'reverted'; readonly at: number }
  /** Time has passed; for slots by minutes, and for loads that never settle. */
  | { readonly kind: 'clock'; readonly at: number }
  /** Firefox started; every start has its own id. */
  | { readonly kind: 'browser-started'; readonly at: number; readonly sessionId: string }
  | { readonly kind: 'paused'; readonly at: number }
  | { readonly kind: 'resumed'; readonly at: number }
  | { readonly kind: 'stopped'; readonly at: number }
  | { readonly kind: 'looked'; readonly at: number; readonly decision: TrialDecision };

/**
 * The command to execute now, until an event answers it. It follows from the progress only (`commandFor`), so that the same command is given again
 * after the event page ended.
 */
export type TrialCommand =
  /** Put the profile in effect now; answer `switched` or `switch-failed`. */
  | { readonly kind: 'switch-to'; readonly profileId: string; readonly slot: number }
  /** Write the profile for the next start of Firefox; answer `prepared` or `switch-failed`. */
  | { readonly kind: 'prepare'; readonly profileId: string; readonly slot: number }
  /** Slots by session, after the start: check whether the profile is in effect; answer `switched` or `switch-failed`. */
  | { readonly kind: 'verify'; readonly profileId: string; readonly slot: number }
  /** Look at the loads (`lookAtTrial`); answer `looked`. */
  | { readonly kind: 'look'; readonly slot: number }
  /** Undo whatever the trial put in effect; answer `reverted`. */
  | { readonly kind: 'revert' };

interface Advanced {
  readonly progress: TrialProgress;
  readonly command?: TrialCommand;
}

/** @throws PlumbfoxError bad-input: the progress is of another trial, or the event's time is not finite. */
export function advance(progress: TrialProgress, event: TrialEvent, plan: TrialPlan): Advanced {
  if (progress.trialId !== plan.id)
    throw new PlumbfoxError('bad-input', `The progress is of trial ${progress.trialId}, the plan of ${plan.id}`);
  if (!Number.isFinite(event.at)) throw new PlumbfoxError('bad-input', `The event ${event.kind} has no time: ${event.at}`);
  const next = take(loseOldLoads(progress, event.at), event, plan);
  const after = forgetOldLoads(endSlotIfDue(next, event.at, plan));
  const command = commandFor(after, plan);
  return command === undefined ? { progress: after } : { progress: after, command };
}

function take(progress: TrialProgress, event: TrialEvent, plan: TrialPlan): TrialProgress {
  switch (event.kind) {
    case 'started':
      return start(progress, event.at);
    case 'load-began':
      return progress.status === 'running' || progress.status === 'paused' ? beginLoad(progress, event) : progress;
    case 'load-recorded':
      return recordLoad(progress, event, plan);
    case 'load-lost':
      return settleLoad(progress, event.loadId, 'lost');
    case 'switched':
      return putInEffect(progress, event);
    case 'switch-failed':
      return noteSwitchFailure(progress, event, plan);
    case 'prepared':
      return notePrepared(progress, event, plan);
    case 'reverted':
      return noteReverted(progress, event.at);
    case 'clock':
      return progress;
    case 'browser-started':
      return noteBrowserStart(progress, event, plan);
    case 'paused':
      return pause(progress, event.at);
    case 'resumed':
      return resume(progress, event.at);
    case 'stopped':
      return endTrial(progress, event.at, { kind: 'stopped-by-person' });
    case 'looked':
      return followDecision(progress, event.decision, event.at, plan);
    default:
      return assertNever(event);
  }
}

/** From here on a profile of the trial may be in effect: the event page may die after the switch and before it is recorded. */
function start(progress: TrialProgress, at: number): TrialProgress {
  if (progress.status !== 'planned') return progress;
  const current = { ...progress.current, since: at };
  return { ...progress, status: 'running', statusSince: at, startedAt: at, applied: true, current };
}

/** A pause that is reported after its end is older than what ended it. */
function pause(progress: TrialProgress, at: number): TrialProgress {
  if (progress.status !== 'running' || at <= progress.statusSince) return progress;
  const cut = interruptSlot(excludeUnderWay(progress, { firefoxEnded: false }), at);
  return { ...withoutPrepared(cut), status: 'paused', statusSince: at, pauses: [...progress.pauses, { from: at }] };
}

function resume(progress: TrialProgress, at: number): TrialProgress {
  if (progress.status !== 'paused' || at <= progress.statusSince) return progress;
  return { ...closePause(interruptSlot(progress, at), at), status: 'running', statusSince: at, applied: true };
}

function noteReverted(progress: TrialProgress, at: number): TrialProgress {
  const isOver = progress.status === 'paused' || progress.status === 'ended';
  return isOver && at >= progress.statusSince ? { ...progress, applied: false } : progress;
}

/** The command to execute now, from the stored progress only; `undefined`: wait for the next event. */
export function commandFor(progress: TrialProgress, plan: TrialPlan): TrialCommand | undefined {
  const { status, applied } = progress;
  switch (status) {
    case 'planned':
      return undefined;
    case 'paused':
    case 'ended':
      return applied ? { kind: 'revert' } : undefined;
    case 'running':
      return plan.slots.kind === 'session' ? sessionCommand(progress, plan) : liveCommand(progress);
    default:
      return assertNever(status);
  }
}

/** A profile is never switched in the middle of a load. */
function liveCommand(progress: TrialProgress): TrialCommand | undefined {
  const { slot, profileId, phase } = progress.current;
  switch (phase) {
    case 'ended':
      return { kind: 'look', slot };
    case 'switching':
      return isLoadUnderWay(progress) ? undefined : { kind: 'switch-to', profileId, slot };
    case 'in-effect':
      return undefined;
    default:
      return assertNever(phase);
  }
}

function sessionCommand(progress: TrialProgress, plan: TrialPlan): TrialCommand | undefined {
  const { current, prepared, session } = progress;
  if (current.phase === 'ended') return { kind: 'look', slot: current.slot };
  const target = current.phase === 'in-effect' ? nextAssignment(progress, plan) : current;
  const { slot, profileId } = target;
  if (prepared?.slot !== slot) return { kind: 'prepare', profileId, slot };
  const started = session !== undefined && session.id !== prepared.sessionId;
  return current.phase === 'switching' && prepared.state === 'written' && started ? { kind: 'verify', profileId, slot } : undefined;
}
