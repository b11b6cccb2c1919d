/**
 * Profiles that the person sets manually. Nothing can read them back, so they count from the next start of Firefox on: until then some
 * connections are as before, and loads count for no profile.
 */

import type { NetworkPreferences } from '../adapters/applier-experiment-api.ts';
import { platformHere } from '../adapters/browser.ts';
import { ownProfiles } from '../adapters/own-profiles.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { manualPreferences } from '../core/profiles/about-config.ts';
import type { Platform } from '../core/profiles/knob.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { type AppliedProfile, BASELINE_ID, type Profile } from '../core/profiles/profile.ts';
import type { ManualFacts } from '../protocol/page-state.ts';
import type { RecordStores } from './record-stores.ts';
import { trialOffer } from './trial-candidates.ts';

/** Stands for a profile's name while values have changed in this run of Firefox. */
const CHANGED_MEANWHILE = 'what was changed by hand meanwhile';

interface ManualProfileDeps {
  readonly stores: Pick<RecordStores, 'inEffectHistory' | 'noteInEffect'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
}

export type ManualProfile = ReturnType<typeof createManualProfile>;

export function createManualProfile({ stores: { inEffectHistory, noteInEffect }, networkPreferences }: ManualProfileDeps) {
  const current = async (): Promise<AppliedProfile | undefined> => (await inEffectHistory()).at(-1)?.applied ?? undefined;

  /** The state of manual settings; `undefined`: something else can apply profiles here, or has. */
  async function manualFacts(): Promise<ManualFacts | undefined> {
    if (networkPreferences() !== undefined) return undefined;
    const applied = await current();
    if (applied !== undefined && applied.applier !== 'manual') return undefined;
    const said = applied && manualStateOf(applied);
    const { helperRun } = await readRunState();
    const isHelperThere = helperRun !== undefined && helperRun.problem === undefined;
    if (isHelperThere && said === undefined) return undefined;
    return {
      platform: await platformHere(),
      offered: trialOffer({ live: false, gateway: false }, await ownProfiles()).offered,
      ...(said && { said }),
    };
  }

  /**
   * The person has set the profile manually or, with none named, undone it.
   * @throws PlumbfoxError `bad-input` where there is no such profile, nothing to undo, or something else applies profiles.
   */
  async function noteManual(profileId: string | undefined): Promise<void> {
    if ((await manualFacts()) === undefined) throw new PlumbfoxError('bad-input', 'Profiles are not set manually here');
    const before = await current();
    const isSet = before !== undefined && before.profileId !== BASELINE_ID;
    if (isSet && profileId !== undefined) throw new PlumbfoxError('bad-input', `${before.profileId} is set manually: undo it first`);
    if (!isSet && profileId === undefined) throw new PlumbfoxError('bad-input', 'No profile is set manually');
    const after = isSet ? undone(before) : setManually(profileId ?? '', await platformHere());
    // Written first, or an event page that starts in between would take the profile for one from before Firefox was started.
    await writeRunState('byHandNoted', true);
    await noteInEffect(after, Date.now());
  }

  /** Call when the event page wakes: what was noted before Firefox was restarted has been in effect since. */
  async function settleManual(): Promise<void> {
    const applied = await current();
    if (applied?.applier !== 'manual' || applied.mismatches.length === 0) return;
    if ((await readRunState()).byHandNoted) return;
    // What is in effect instead, a policy may say next.
    await noteInEffect(applied.profileId === BASELINE_ID ? null : { ...applied, mismatches: [] }, performance.timeOrigin);
  }

  /** The profile that this run of Firefox has used since it began, according to the person; `undefined`: nothing was set manually. */
  async function manualProfileThisSession(): Promise<string | undefined> {
    const applied = await current();
    if (applied?.applier !== 'manual') return undefined;
    return applied.mismatches.length === 0 ? applied.profileId : CHANGED_MEANWHILE;
  }

  return { manualFacts, noteManual, settleManual, manualProfileThisSession };
}

function manualStateOf({ profileId, mismatches }: AppliedProfile): ManualFacts['said'] {
  if (profileId === BASELINE_ID) return { profileId, state: 'going-back' };
  return { profileId, state: mismatches.length > 0 ? 'waits' : 'in-effect' };
}

function setManually(profileId: string, platform: Platform): AppliedProfile {
  const profile = findProfile(profileId);
  if (profile === undefined) throw new PlumbfoxError('bad-input', `There is no profile ${profileId}`);
  return waiting(profile.id, intendedBy(profile, platform));
}

const undone = ({ intended }: AppliedProfile): AppliedProfile => ({ ...waiting(BASELINE_ID, {}), mismatches: Object.keys(intended) });

const intendedBy = (profile: Profile, platform: Platform): AppliedProfile['intended'] =>
  Object.fromEntries(manualPreferences(profile, platform).map(({ name, value }) => [name, value]));

/** All its preferences are mismatches until the next start. */
const waiting = (profileId: string, intended: AppliedProfile['intended']): AppliedProfile => ({
  profileId,
  applier: 'manual',
  carrier: 'none',
  intended,
  readBack: [],
  mismatches: Object.keys(intended),
});
