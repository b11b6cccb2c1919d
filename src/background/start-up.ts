/** What is looked after when Firefox starts, and whenever the event page does. */
import { keptAs } from '../adapters/failure-notes.ts';
import { checkRecords, endStandstill } from '../adapters/record-mirror.ts';
import { settleGateway } from './gateway.ts';
import { awaitHealth } from './helper-health.ts';
import { lookForLeftPages, recordLeftPages } from './left-pages.ts';
import { beginManagedTrial } from './managed-trial.ts';
import { settleByHand } from './manual-profile.ts';
import { dropLeftoverRoute, notePolicy } from './profile-switch.ts';
import { noticeStartFailure } from './start-failure.ts';
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
