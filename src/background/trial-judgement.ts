/** What the loads of a trial say. */
import { loadsOfTrial } from '../adapters/trial-store.ts';
import type { TrialDecision, TrialState } from '../core/trial/trial-state.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import { trialLoads } from './trial-loads.ts';

const loadsOf = async ({ plan }: TrialRecord) => trialLoads(await loadsOfTrial(plan.id, plan.createdAt));

/** What follows for the trial's course. */
export async function lookAtLoads(trial: TrialRecord): Promise<TrialDecision> {
  const { progress } = trial;
  await loadsOf(trial);
  return { slot: progress.current.slot, stretch: progress.stretches.length, step: { kind: 'go-on' } };
}

/** What the trial can say so far. */
export async function judge(trial: TrialRecord): Promise<TrialState> {
  const loads = await loadsOf(trial);
  const figures = { loads: loads.length, freshLoads: 0, blocks: 0, loadsPerArmNeeded: undefined, findings: [] };
  return { kind: 'collecting', sentence: '', figures, checks: [] };
}
