/** What the loads of a trial say. */
import { loadsOfTrial } from '../adapters/trial-store.ts';
import { decisionOn, judgeTrial } from '../core/trial/judge-trial.ts';
import { confirmingFrom } from '../core/trial/stage-loads.ts';
import type { TrialLoad } from '../core/trial/trial-load.ts';
import type { TrialDecision, TrialState } from '../core/trial/trial-state.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import { trialLoads } from './trial-loads.ts';

async function loadsOf({ plan, progress }: TrialRecord): Promise<readonly TrialLoad[]> {
  // The plan's own time may be after that of its loads: the clock was set back (`clockSetBack`).
  const since = Math.min(plan.createdAt, progress.startedAt ?? plan.createdAt);
  return trialLoads(await loadsOfTrial(plan.id, since), plan.baseline, confirmingFrom(progress));
}

/** What follows for the trial's course. */
export async function lookAtLoads(trial: TrialRecord): Promise<TrialDecision> {
  return decisionOn(trial.plan, trial.progress, await loadsOf(trial));
}

/** What the trial can say so far. */
export async function judge(trial: TrialRecord): Promise<TrialState> {
  return judgeTrial(trial.plan, trial.progress, await loadsOf(trial));
}
