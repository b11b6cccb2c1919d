/** Applies and reverts profiles for the person while Firefox runs, but never while a trial or the gateway controls the preferences. */
import { writeRunState } from '../adapters/run-state.ts';
import { assertNever, PlumbfoxError } from '../core/errors.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { checkPriceAccepted } from '../core/profiles/profile-price.ts';
import type { LiveFacts, LiveReverted } from '../protocol/page-state.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { TrialRunner } from './trial-runner.ts';

interface LiveApplyDeps {
  readonly profileSwitch: Pick<ProfileSwitch, 'applyProfile' | 'holder' | 'liveFacts' | 'revertProfile'>;
  readonly trialRunner: Pick<TrialRunner, 'runExclusive'>;
}

export type LiveApply = ReturnType<typeof createLiveApply>;

export function createLiveApply({
  profileSwitch: { applyProfile, holder, liveFacts, revertProfile },
  trialRunner: { runExclusive },
}: LiveApplyDeps) {
  /**
   * @param accepts - Values whose price the person has accepted.
   * @throws PlumbfoxError `bad-input` when there is no such profile, or something else controls the preferences; PreferenceRefused, also for a
   *   price that was not accepted. Nothing is changed then.
   */
  function applyLive(profileId: string, accepts: readonly string[] = []): Promise<LiveFacts> {
    return runExclusive(async () => {
      const profile = findProfile(profileId);
      if (profile === undefined) throw new PlumbfoxError('bad-input', `There is no profile ${profileId}`);
      checkPriceAccepted(profile.preferences, accepts);
      await refuseWhileHeld();
      await applyProfile(profile, undefined);
      await forgetObserved();
      return requireLive();
    });
  }

  /** @throws PlumbfoxError `bad-input` when something else controls the preferences. */
  function revertLive(): Promise<LiveReverted> {
    return runExclusive(async () => {
      await refuseWhileHeld();
      const reverted = await revertProfile();
      await forgetObserved();
      return { ...reverted, live: await requireLive() };
    });
  }

  async function refuseWhileHeld(): Promise<void> {
    const heldBy = await holder();
    switch (heldBy) {
      case undefined:
        return;
      case 'trial':
        throw new PlumbfoxError('bad-input', 'a trial is under way and switches profiles by itself: stop it first');
      case 'trial-restoring':
        throw new PlumbfoxError('bad-input', 'a trial is still undoing its settings: try again when no page is loading');
      case 'gateway':
        throw new PlumbfoxError('bad-input', 'the gateway for plain-http sites is on: switch it off first');
      default:
        return assertNever(heldBy);
    }
  }

  async function requireLive(): Promise<LiveFacts> {
    const live = await liveFacts();
    if (live === undefined) throw new PlumbfoxError('internal', 'The Experiment API has gone while it was used');
    return live;
  }

  return { applyLive, revertLive };
}

/** The probe's last count was made with other preferences. */
async function forgetObserved(): Promise<void> {
  await writeRunState('observed', undefined);
  await writeRunState('notObserved', undefined);
}
