/**
 * Carries a trial on: tells it what has happened and does what it asks for, until it asks for nothing. Everything it rests on lies in the
 * store; whatever the event page was in the middle of when it ended is asked for again.
 */

import { browserSession } from '../adapters/browser-session.ts';
import { owned } from '../adapters/failure-notes.ts';
import { writeRunState } from '../adapters/run-state.ts';
import { changeTrial, newestTrial } from '../adapters/trial-store.ts';
import { setAlarm } from '../adapters/wake-alarms.ts';
import type { RawRequestEvent } from '../core/measure/raw-observation.ts';
import { commandFor } from '../core/trial/command-for.ts';
import { isGatewayTrial } from '../core/trial/load-route.ts';
import type { TrialEvent } from '../core/trial/trial-event.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import { recordEvent, settleEvents } from './recorder.ts';
import { nextLookAt } from './trial-clock.ts';
import { carryOut, type TrialAnswer } from './trial-command.ts';
import { carriedSites, routeOf } from './trial-gateway.ts';
import { disturbance } from './trial-preferences-check.ts';
import { stepTrial, underWayKeys } from './trial-step.ts';

let last: Promise<unknown> = Promise.resolve();

/** One step after the other: what is done for a command must be told before anything else is asked. */
export function betweenSteps<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work);
  last = result.catch(() => undefined);
  return result;
}

/** @throws what the store or a command threw; the trial is as it was before that step. */
export function tellTrial(event: TrialEvent): Promise<TrialRecord | undefined> {
  return betweenSteps(() => follow(event));
}

/** As `tellTrial`, for whoever has nothing to tell and nobody to tell a failure: it is kept for the popup, and the next success ends it. Never rejects. */
export async function followTrial(): Promise<void> {
  await betweenSteps(() => owned('trialFailure', () => follow(undefined)));
}

/** Records an event; when it was the end of a navigation that has failed, the trial may have waited for it. */
export async function recordEventOfTrial(event: RawRequestEvent): Promise<void> {
  await recordEvent(event);
  if (event.type === 'main_frame' && event.phase === 'failed') await followTrial();
}

async function follow(event: TrialEvent | undefined): Promise<TrialRecord | undefined> {
  const held = await newestTrial();
  if (held === undefined || (isOver(held) && event === undefined)) return held;
  let { trial, changed } = await step(event && { event });
  for (;;) {
    const command = trial && commandFor(trial.progress, trial.plan);
    const answer = trial && command && (await carryOut(command, trial));
    if (answer === undefined) break;
    const told = await step(answer);
    trial = told.trial;
    changed ||= told.changed;
    // Tried at once again it would fail again; or not be heard again, as while the clock is behind what the trial knows: it was set back.
    if (answer.event.kind === 'switch-failed' || !told.changed) break;
  }
  await setAlarm('trial', trial && (await nextLookAt(trial, Date.now())));
  if (changed) await writeRunState('trialChanged', Date.now());
  return trial;
}

const isOver = ({ progress }: TrialRecord): boolean => progress.status === 'ended' && !progress.applied;

async function step(told: TrialAnswer | undefined): Promise<{ trial: TrialRecord | undefined; changed: boolean }> {
  await settleEvents();
  const [session, held, listed] = await Promise.all([browserSession(), newestTrial(), carriedSites()]);
  const disturbed = held?.progress.current.phase === 'in-effect' ? await disturbance(held) : undefined;
  let changed = false;
  const trial = await changeTrial({
    underWay: underWayKeys,
    routes: ({ plan }) => (isGatewayTrial(plan) ? (load) => routeOf(load, listed) : undefined),
    step: (before, { began, settled }) => {
      const after = stepTrial(before, { now: Date.now(), session, began, settled, ...told, disturbed });
      changed = after.trial !== before;
      return after;
    },
  });
  return { trial, changed };
}
