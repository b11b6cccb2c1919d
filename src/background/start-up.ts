/** What is looked after when Firefox starts, and whenever the event page does. */
import { keptAs, noticeStartFailure } from '../adapters/failure-notes.ts';
import { managedProfile } from '../adapters/managed-profile.ts';
import { checkRecords, endStandstill } from '../adapters/record-mirror.ts';
import { hasTrial, newestTrial } from '../adapters/trial-store.ts';
import { settleGateway } from './gateway.ts';
import { awaitHealth } from './helper-health.ts';
import { lookForLeftPages, recordLeftPages } from './left-pages.ts';
import { settleByHand } from './manual-profile.ts';
import { dropLeftoverRoute, notePolicy } from './profile-switch.ts';
import { startTrial } from './trial-control.ts';
import { followTrial } from './trial-runner.ts';

/** Settles when a route left over from the last session is gone, and a trial goes on. Never rejects. */
export async function onFirefoxStart(): Promise<void> {
  await noticeStartFailure('route', dropLeftoverRoute);
  await followTrial();
}

/** Settles when what a policy and the helper have put in effect is noted, and a trial goes on where the event page left it. Nothing waits for it: no event may. Never rejects. */
export async function onWake(): Promise<void> {
  // One after the other, as each rests on what is noted by then; the failure of one is no reason to leave out the next.
  // A loss is told of when the popup opens; a store that cannot be read is told of by the recording's state.
  await endStandstill().catch(keptAs('storeFailure'));
  await checkRecords().catch(keptAs('storeFailure'));
  await recordLeftPages().catch(keptAs('storeFailure'));
  lookForLeftPages();
  await noticeStartFailure('gateway', settleGateway);
  await noticeStartFailure('byHand', settleByHand);
  const isPolicyRead = await noticeStartFailure('policy', notePolicy);
  // A policy that cannot be read is told once, not of its trial as well.
  await noticeStartFailure('managedTrial', async () => (isPolicyRead ? beginManagedTrial() : undefined));
  await noticeStartFailure('helper', awaitHealth);
  await followTrial();
}

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
