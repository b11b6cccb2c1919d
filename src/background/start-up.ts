/** The work done when Firefox starts, and whenever the event page does. */
import { managedProfile } from '../adapters/applier-policy.ts';
import { failureHandler, noticeStartFailure } from '../adapters/failure-notes.ts';
import { browserSession } from '../adapters/run-state.ts';
import type { Gateway } from './gateway.ts';
import type { HelperHealth } from './helper-health.ts';
import type { LeftPages } from './left-pages.ts';
import type { ManualProfile } from './manual-profile.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import type { TrialControl } from './trial-control.ts';
import type { TrialRunner } from './trial-runner.ts';
import { isTrialOver } from './trial-step.ts';

interface StartUpDeps {
  readonly stores: Pick<RecordStores, 'checkRecords' | 'checkSettings' | 'endStandstill' | 'hasTrial' | 'newestTrial'>;
  readonly gateway: Pick<Gateway, 'settleGateway'>;
  readonly helperHealth: Pick<HelperHealth, 'awaitHealth'>;
  readonly leftPages: Pick<LeftPages, 'lookForLeftPages' | 'recordLeftPages'>;
  readonly manualProfile: Pick<ManualProfile, 'settleManual'>;
  readonly profileSwitch: Pick<ProfileSwitch, 'dropLeftoverRoute' | 'notePolicy'>;
  readonly trialControl: Pick<TrialControl, 'startTrial'>;
  readonly trialRunner: Pick<TrialRunner, 'advanceTrial'>;
}

export function createStartUp({
  stores: { checkRecords, checkSettings, endStandstill, hasTrial, newestTrial },
  gateway: { settleGateway },
  helperHealth: { awaitHealth },
  leftPages: { lookForLeftPages, recordLeftPages },
  manualProfile: { settleManual },
  profileSwitch: { dropLeftoverRoute, notePolicy },
  trialControl: { startTrial },
  trialRunner: { advanceTrial },
}: StartUpDeps) {
  /** Removes a route left over from the last session, and advances a trial. Never rejects. */
  async function onFirefoxStart(): Promise<void> {
    await noticeStartFailure('route', dropLeftoverRoute);
    await advanceTrial();
  }

  /** Notes what a policy and the helper have put in effect, and advances a trial. No event may wait for it. Never rejects. */
  async function onWake(): Promise<void> {
    // The first event page of a run of Firefox sets when it began.
    await browserSession().catch(failureHandler('storeFailure'));
    // In sequence, because each step needs what was noted before; each is done even if one before it failed.
    // The popup reports a loss when it opens; the recording's state reports an unreadable store.
    await endStandstill().catch(failureHandler('storeFailure'));
    await checkRecords().catch(failureHandler('storeFailure'));
    await checkSettings().catch(failureHandler('storeFailure'));
    await recordLeftPages().catch(failureHandler('storeFailure'));
    lookForLeftPages();
    await noticeStartFailure('gateway', settleGateway);
    await noticeStartFailure('byHand', settleManual);
    const isPolicyRead = await noticeStartFailure('policy', notePolicy);
    // An unreadable policy is reported once, not for its trial as well.
    await noticeStartFailure('managedTrial', async () => (isPolicyRead ? beginManagedTrial() : undefined));
    await noticeStartFailure('helper', awaitHealth);
    await advanceTrial();
  }

  /** @throws PlumbfoxError as `startTrial`: the policy asks for what this Firefox cannot do. */
  async function beginManagedTrial(): Promise<void> {
    const trial = (await managedProfile())?.trial;
    if (trial === undefined || (await hasTrial(trial.id)) || !isTrialOver(await newestTrial())) return;
    const { id, candidates, slots, mostLoadsPerArm } = trial;
    await startTrial({ candidates, ...(slots && { slots }), ...(mostLoadsPerArm !== undefined && { mostLoadsPerArm }) }, id);
  }

  return { onFirefoxStart, onWake, beginManagedTrial };
}
