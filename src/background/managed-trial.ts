/** A trial that an administrator has defined by policy: begun once, as soon as no other is under way. */
import { managedProfile } from '../adapters/managed-profile.ts';
import { hasTrial, newestTrial } from '../adapters/trial-store.ts';
import { startTrial } from './trial-control.ts';

/** @throws PlumbfoxError as `startTrial`: the policy asks for what this Firefox cannot do. */
export async function beginManagedTrial(): Promise<void> {
  const trial = (await managedProfile())?.trial;
  if (trial === undefined || (await hasTrial(trial.id)) || (await isUnderWay())) return;
  const { id, candidates, slots, mostLoadsPerArm } = trial;
  await startTrial({ candidates, ...(slots && { slots }), ...(mostLoadsPerArm !== undefined && { mostLoadsPerArm }) }, id);
}

async function isUnderWay(): Promise<boolean> {
  const newest = await newestTrial();
  return newest !== undefined && (newest.progress.status !== 'ended' || newest.progress.applied);
}
