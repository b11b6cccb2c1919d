/**
 * The course of a trial: progress and event to progress. Every event may be told again, at once or later, and the event page
 * may end between any two: what was told once changes nothing when it is told twice, and the command follows from the
 * progress alone.
 */
import { assertNever, PlumbfoxError } from '../errors.ts';
import { commandFor } from './command-for.ts';
import { followDecision } from './follow-decision.ts';
import { beginLoad, forgetOldLoads, loseOldLoads, recordLoad, settleLoad, voidLoads } from './marked-loads.ts';
import type { TrialCommand, TrialEvent } from './trial-event.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';
import {
  closePause,
  endSlotIfDue,
  endTrial,
  interruptSlot,
  noteBrowserStart,
  notePrepared,
  noteSwitchFailure,
  putInEffect,
  withoutPrepared,
} from './turn-slots.ts';

export interface Advanced {
  readonly progress: TrialProgress;
  /** What is to be done now, the same as `commandFor(progress, plan)`; absent: wait for the next event. */
  readonly command?: TrialCommand;
}

/** @throws PlumbfoxError bad-input: the progress is of another trial, or the event's time is not finite. */
export function advance(progress: TrialProgress, event: TrialEvent, plan: TrialPlan): Advanced {
  if (progress.trialId !== plan.id)
    throw new PlumbfoxError('bad-input', `The progress is of trial ${progress.trialId}, the plan of ${plan.id}`);
  if (!Number.isFinite(event.at)) throw new PlumbfoxError('bad-input', `The event ${event.kind} has no time: ${event.at}`);
  const told = plan.format !== 3 ? endOutdated(progress, event) : take(loseOldLoads(progress, event.at), event, plan);
  const after = forgetOldLoads(endSlotIfDue(told, event.at, plan));
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

/** A plan of an earlier format ends at the next event: its loads came in turns, or from pages, whose verdict this version does not make. */
function endOutdated(progress: TrialProgress, event: TrialEvent): TrialProgress {
  if (event.kind === 'reverted') return noteReverted(progress, event.at);
  return endTrial(progress, Math.max(event.at, progress.statusSince), { kind: 'outdated' });
}

/** From here on a profile of the trial may be in effect: the event page may die after the switch and before it is told. */
function start(progress: TrialProgress, at: number): TrialProgress {
  if (progress.status !== 'planned') return progress;
  const current = { ...progress.current, since: at };
  return { ...progress, status: 'running', statusSince: at, startedAt: at, applied: true, current };
}

/** Told late, a pause that has been ended long since is older than what ended it. */
function pause(progress: TrialProgress, at: number): TrialProgress {
  if (progress.status !== 'running' || at <= progress.statusSince) return progress;
  const cut = interruptSlot(voidLoads(progress, { firefoxEnded: false }), at);
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
