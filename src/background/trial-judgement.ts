/** What the loads of a trial say. */
import { loadsOfTrial } from '../adapters/trial-store.ts';
import { lookAtTrial, type TrialLook } from '../core/trial/judge-trial.ts';
import type { TrialDecision, TrialState } from '../core/trial/trial-state.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import { trialLoads } from './trial-loads.ts';

async function lookAt({ plan, progress }: TrialRecord): Promise<TrialLook> {
  return lookAtTrial(plan, progress, await trialLoads(await loadsOfTrial(plan.id, plan.createdAt)));
}

/** What follows for the trial's course. */
export async function lookAtLoads(trial: TrialRecord): Promise<TrialDecision> {
  return (await lookAt(trial)).decision;
}

/** What the trial can say so far. */
export async function judge(trial: TrialRecord): Promise<TrialState> {
  return (await lookAt(trial)).state;
}
