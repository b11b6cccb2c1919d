/**
 * What a trial finds and leaves behind: the profile that the person had applied, which is reverted for the trial and applied again; preferences that
 * something else has changed since; and the next profile, staged with the helper where slots are sessions.
 */
import type { NetworkPreferences } from '../adapters/applier-experiment-api.ts';
import { appliedByPolicy } from '../adapters/applier-policy.ts';
import { HelperFailure } from '../adapters/native-helper.ts';
import { hasHelperPermission } from '../adapters/permissions.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { preferencesFor } from '../core/profiles/carrier.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../core/profiles/profile.ts';
import { isGatewayTrial, setsPreferences } from '../core/trial/gateway-arms.ts';
import type { FormerProfile, TrialRecord } from '../protocol/trial-record.ts';
import type { Helper } from './helper.ts';
import type { HelperSession } from './helper-session.ts';
import type { ManualProfile } from './manual-profile.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import type { TrialGateway } from './trial-gateway.ts';

/** A preference with another value than expected; `undefined`: without a value. */
export interface ChangedPreference {
  readonly preference: string;
  readonly expected: PreferenceValue | undefined;
  readonly held: PreferenceValue | undefined;
}

interface TrialRestoreDeps {
  readonly stores: Pick<RecordStores, 'inEffectHistory'>;
  readonly helper: Pick<Helper, 'applyAtStart' | 'revertAtStart'>;
  readonly helperSession: Pick<HelperSession, 'helperRun'>;
  readonly manualProfile: Pick<ManualProfile, 'manualProfileThisSession'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
  readonly profileSwitch: Pick<ProfileSwitch, 'appliedLive' | 'applyProfile' | 'revertProfile'>;
  readonly trialGateway: Pick<TrialGateway, 'gatewayDisturbance' | 'returnGateway'>;
}

export type TrialRestore = ReturnType<typeof createTrialRestore>;

export function createTrialRestore({
  stores: { inEffectHistory },
  helper: { applyAtStart, revertAtStart },
  helperSession: { helperRun },
  manualProfile: { manualProfileThisSession },
  networkPreferences,
  profileSwitch: { appliedLive, applyProfile, revertProfile },
  trialGateway: { gatewayDisturbance, returnGateway },
}: TrialRestoreDeps) {
  /** The profile that a trial that began now would revert; `undefined`: none. A trial that only switches the gateway keeps a profile set at start. */
  async function formerProfile(): Promise<FormerProfile | undefined> {
    if (networkPreferences() !== undefined) {
      const applied = await appliedLive();
      return applied?.carrier === 'gateway' ? undefined : known(applied?.profileId, 'live');
    }
    if (!(await isHelperThere())) return known(await activeProfileThisSession(), 'person');
    // A profile written in this run of Firefox takes effect in the next one, and is what the person wants.
    const byHelper = (await readRunState()).laidReady ?? (await helperRun()).inEffect;
    return byHelper === undefined ? known(await activeProfileThisSession(), 'person') : known(byHelper, 'helper');
  }

  /**
   * Restores everything from before the trial, as far as possible. @returns why the previous profile is not applied again; `undefined`: it is, or there
   * was none. @throws PlumbfoxError `environment`, such as HelperFailure: the trial's own profile could not be reverted.
   */
  async function restoreBefore(trial: TrialRecord): Promise<string | undefined> {
    const { former, byHelper, plan } = trial;
    const byName = former?.by === 'helper' ? former.profileId : undefined;
    const notWritten = byHelper ? await revertByHelper(byName) : undefined;
    try {
      return handlesPreferences(trial) ? await restoreLive(trial) : notWritten;
    } finally {
      if (isGatewayTrial(plan)) await returnGateway();
    }
  }

  async function restoreLive(trial: TrialRecord): Promise<string | undefined> {
    await revertProfile();
    const [profile] = formerSetLive(trial.former);
    if (profile === undefined) return undefined;
    const own = preferencesFor(profile, 'none');
    // Values that something else has set since stay.
    const changed = (await changedSinceBefore(trial)).find(({ preference }) => Object.hasOwn(own, preference));
    if (changed) return changeMessage(changed);
    try {
      const { mismatches } = await applyProfile(profile, undefined);
      return mismatches.length === 0 ? undefined : `${mismatches.join(', ')} did not take the value`;
    } catch (error) {
      if (!(error instanceof PlumbfoxError)) throw error;
      return error.message;
    }
  }

  /**
   * Preferences with other values than before the trial, except those of the person's own profile where it is applied again. Empty also where
   * Firefox cannot be asked.
   */
  async function changedSinceBefore({ before, former }: TrialRecord): Promise<readonly ChangedPreference[]> {
    const applied = former?.by === 'live' ? await appliedLive() : undefined;
    return differences({ ...before, ...(applied?.profileId === former?.profileId && applied?.intended) });
  }

  /** Why the profile of the slot is no longer in effect, in words; `undefined`: it is, or Firefox cannot be asked. */
  async function disturbance(trial: TrialRecord): Promise<string | undefined> {
    if (!isGatewayTrial(trial.plan)) return preferencesDisturbance(trial);
    const gateway = await gatewayDisturbance(trial);
    return gateway ?? (setsPreferences(trial.plan) ? preferencesDisturbance(trial) : undefined);
  }

  async function preferencesDisturbance({ before, progress }: TrialRecord): Promise<string | undefined> {
    if (networkPreferences() === undefined) return undefined;
    const applied = (await inEffectHistory()).at(-1)?.applied ?? undefined;
    const { profileId } = progress.current;
    if (applied?.profileId !== profileId) {
      return `${profileId} was put in effect, and ${applied?.profileId ?? 'nothing of Plumbfox'} is now: another part of Plumbfox has changed it.`;
    }
    const [first] = await differences({ ...before, ...applied.intended });
    return first && changeMessage(first);
  }

  async function differences(expected: Readonly<Record<string, PreferenceValue>>): Promise<readonly ChangedPreference[]> {
    const preferences = networkPreferences();
    if (preferences === undefined) return [];
    const held = await valuesOf(preferences, Object.keys(expected));
    return Object.entries(expected)
      .map(([preference, wanted]) => ({ preference, expected: wanted, held: held[preference] }))
      .filter((one) => one.held !== one.expected);
  }

  /** Whether there is a helper that answers and can find this Firefox's profile. */
  async function isHelperThere(): Promise<boolean> {
    return (await hasHelperPermission()) && (await helperRun()).problem === undefined;
  }

  /** Whether the helper waits for no confirmation: an unconfirmed profile is not replaced. */
  async function isHelperFree(): Promise<boolean> {
    return !(await helperRun()).awaitsConfirmation;
  }

  /** Has the helper write the profile, or undo everything for the baseline. If it fails, the popup asks the person to do it. */
  async function stageProfile(profileId: string): Promise<void> {
    try {
      if (profileId === BASELINE_ID) await revertAtStart();
      else await applyAtStart(profileId);
      await notifyPages();
    } catch (error) {
      if (!(error instanceof HelperFailure)) throw error;
    }
  }

  /**
   * Reverts what the trial has written, or replaces it by the profile that the person had applied before.
   * @returns why that one is not applied, in words; `undefined`: it is, or there is none. @throws HelperFailure: tried again after the next load.
   */
  async function revertByHelper(former: string | undefined): Promise<string | undefined> {
    const why = former === undefined ? undefined : await whyNotApplied(former);
    if (former === undefined || why !== undefined) await revertAtStart();
    await notifyPages();
    return why;
  }

  async function whyNotApplied(profileId: string): Promise<string | undefined> {
    try {
      await applyAtStart(profileId);
      return undefined;
    } catch (error) {
      if (!(error instanceof HelperFailure)) throw error;
      return error.message;
    }
  }

  /** The profile of this session according to the helper, the person or a policy; without any, Firefox's own settings. */
  async function activeProfileThisSession(): Promise<string> {
    return (
      (await helperRun()).inEffect ??
      (await manualProfileThisSession()) ??
      (await appliedByPolicy(networkPreferences()))?.profileId ??
      BASELINE_ID
    );
  }

  return {
    formerProfile,
    restoreBefore,
    changedSinceBefore,
    disturbance,
    isHelperThere,
    isHelperFree,
    stageProfile,
    revertByHelper,
    activeProfileThisSession,
  };
}

const known = (profileId: string | undefined, by: FormerProfile['by']): FormerProfile | undefined =>
  profileId === undefined || profileId === BASELINE_ID || findProfile(profileId) === undefined ? undefined : { profileId, by };

/** The previous profile if it was applied live: its preferences must be unchanged before the trial restores it. */
export const formerSetLive = (former: FormerProfile | undefined): readonly Profile[] =>
  former?.by === 'live' ? [findProfile(former.profileId)].filter((profile) => profile !== undefined) : [];

/** Whether the trial controls preferences of the running Firefox: those of its own profiles, or of the profile that it reverted. */
export const handlesPreferences = ({ plan, former }: Pick<TrialRecord, 'plan' | 'former'>): boolean =>
  setsPreferences(plan) || former?.by === 'live';

/** A sentence for the person. */
export const changeMessage = ({ preference, expected, held }: ChangedPreference): string =>
  `${preference} was ${value(expected)} and is ${value(held)} now: someone else has changed it.`;

const value = (one: PreferenceValue | undefined): string => (one === undefined ? 'without a value' : String(one));

/** Whether this profile was last staged for the next start. */
export async function isStaged(profileId: string): Promise<boolean> {
  return (await readRunState()).laidReady === profileId;
}

/** Has open pages refresh: they did not request the change. */
const notifyPages = (): Promise<void> => writeRunState('helperChanged', Date.now());

/** Values of every preference that these profiles set, and which of them the person has set, without those that this Firefox does not know. */
export async function preferencesTouched(
  preferences: NetworkPreferences,
  profiles: readonly Profile[],
): Promise<Pick<TrialRecord, 'before' | 'own'>> {
  const names = [...new Set(profiles.flatMap((profile) => Object.keys(preferencesFor(profile, 'none'))))];
  const held = await preferences.readBack(names);
  return {
    before: await valuesOf(preferences, names),
    own: held.filter(({ userSet }) => userSet).map(({ preference }) => preference),
  };
}

async function valuesOf(preferences: NetworkPreferences, names: readonly string[]): Promise<TrialRecord['before']> {
  const held = await preferences.readBack(names);
  return Object.fromEntries(held.flatMap(({ preference, value }) => (value === undefined ? [] : [[preference, value]])));
}
