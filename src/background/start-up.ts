/** What is looked after when Firefox starts, and whenever the event page does. */

import { managedProfile } from '../adapters/applier-policy.ts';
import { failureHandler, noticeStartFailure } from '../adapters/failure-notes.ts';
import type { Gateway } from './gateway.ts';
import type { HelperHealth } from './helper-health.ts';
import type { LeftPages } from './left-pages.ts';
import type { ManualProfile } from './manual-profile.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import type { TrialControl } from './trial-control.ts';
import type { TrialRunner } from './trial-runner.ts';

interface StartUpDeps {
  readonly stores: Pick<RecordStores, 'checkRecords' | 'endStandstill' | 'hasTrial' | 'newestTrial'>;
  readonly gateway: Pick<Gateway, 'settleGateway'>;
  readonly helperHealth: Pick<HelperHealth, 'awaitHealth'>;
  readonly leftPages: Pick<LeftPages, 'lookForLeftPages' | 'recordLeftPages'>;
  readonly manualProfile: Pick<ManualProfile, 'settleManual'>;
  readonly profileSwitch: Pick<ProfileSwitch, 'dropLeftoverRoute' | 'notePolicy'>;
  readonly trialControl: Pick<TrialControl, 'startTrial'>;
  readonly trialRunner: Pick<TrialRunner, 'advanceTrial'>;
}

export function createStartUp({
  stores: { checkRecords, endStandstill, hasTrial, newestTrial },
  gateway: { settleGateway },
  helperHealth: { awaitHealth },
  leftPages: { lookForLeftPages, recordLeftPages },
  manualProfile: { settleManual },
  profileSwitch: { dropLeftoverRoute, notePolicy },
  trialControl: { startTrial },
  trialRunner: { advanceTrial },
}: StartUpDeps) {
  /** Settles when a route left over from the last session is gone, and a trial goes on. Never rejects. */
  async function onFirefoxStart(): Promise<void> {
    await noticeStartFailure('route', dropLeftoverRoute);
    await advanceTrial();
  }

  /** Settles when what a policy and the helper have put in effect is noted, and a trial goes on where the event page left it. Nothing waits for it: no event may. Never rejects. */
  async function onWake(): Promise<void> {
    // One after the other, as each rests on what is noted by then; the failure of one is no reason to leave out the next.
    // The popup reports a loss when it opens; the recording's state reports a store that cannot be read.
    await endStandstill().catch(failureHandler('storeFailure'));
    await checkRecords().catch(failureHandler('storeFailure'));
    await recordLeftPages().catch(failureHandler('storeFailure'));
    lookForLeftPages();
    await noticeStartFailure('gateway', settleGateway);
    await noticeStartFailure('byHand', settleManual);
    const isPolicyRead = await noticeStartFailure('policy', notePolicy);
    // A policy that cannot be read is reported once, not for its trial as well.
    await noticeStartFailure('managedTrial', async () => (isPolicyRead ? beginManagedTrial() : undefined));
    await noticeStartFailure('helper', awaitHealth);
    await advanceTrial();
  }

  /** @throws PlumbfoxError as `startTrial`: the policy asks for what this Firefox cannot do. */
  async function beginManagedTrial(): Promise<void> {
    const trial = (await managedProfile())?.trial;
    if (trial === undefined || (await hasTrial(trial.id)) || (await isUnderWay())) return;
    const { id, candidates, slots, mostLoadsPerArm } = trial;
    await startTrial({ candidates, ...(slots && { slots }), ...(mostLoadsPerArm !== undefined && { mostLoadsPerArm }) }, id);
  }

  async function isUnderWay(): Promise<boolean> {
    const newest = await newestTrial();
    return newest !== undefined && (newest.progress.status !== 'ended' || newest.progress.applied);
  }

  return { onFirefoxStart, onWake, beginManagedTrial };
}
