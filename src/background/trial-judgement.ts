/** What the loads of a trial say. */
import { loadsOfTrial } from '../adapters/trial-store.ts';
import { lookAtTrial, type TrialLook } from '../core/trial/judge-trial.ts';
import type { TrialDecision, TrialState } from '../core/trial/trial-state.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import { trialLoads } from './trial-loads.ts';

async function lookAt({ plan, progress }: TrialRecord): Promise<TrialLook> {
  // The plan's own time may be after that of its loads: the clock was set back (`clockSetBack`).
  const since = Math.min(plan.createdAt, progress.startedAt ?? plan.createdAt);
  return lookAtTrial(plan, progress, await trialLoads(await loadsOfTrial(plan.id, since)));
}

/** What follows for the trial's course. */
export async function lookAtLoads(trial: TrialRecord): Promise<TrialDecision> {
  return (await lookAt(trial)).decision;
}

/** What the trial can say so far. */
export async function judge(trial: TrialRecord): Promise<TrialState> {
  return (await lookAt(trial)).state;
}
