/**
 * What a trial found and leaves behind: the profile that the person had applied for daily use, reverted for the trial and applied again the way it was;
 * preferences that somebody else has changed meanwhile; and the next profile, staged with the helper where slots are sessions.
 */

import type { NetworkPreferences } from '../adapters/applier-experiment-api.ts';
import { appliedByPolicy } from '../adapters/applier-policy.ts';
import { HelperFailure } from '../adapters/native-helper.ts';
import { hasHelperPermission } from '../adapters/permissions.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { preferencesFor } from '../core/profiles/carrier.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { BASELINE_ID, findProfile } from '../core/profiles/presets.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { isGatewayTrial, setsPreferences } from '../core/trial/gateway-arms.ts';
import type { FormerProfile, TrialRecord } from '../protocol/trial-record.ts';
import type { Helper } from './helper.ts';
import type { HelperSession } from './helper-session.ts';
import type { ManualProfile } from './manual-profile.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import type { TrialGateway } from './trial-gateway.ts';

/** `undefined`: without a value. */
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
  /** What a trial that began now would revert; `undefined`: nothing. Where only the gateway is switched, what was set at start stays. */
  async function formerProfile(): Promise<FormerProfile | undefined> {
    if (networkPreferences() !== undefined) {
      const applied = await appliedLive();
      return applied?.carrier === 'gateway' ? undefined : known(applied?.profileId, 'live');
    }
    if (!(await isHelperThere())) return known(await activeProfileThisSession(), 'person');
    // What was written in this run of Firefox is in effect from the next one on, and is what the person wants.
    const byHelper = (await readRunState()).laidReady ?? (await helperRun()).inEffect;
    return byHelper === undefined ? known(await activeProfileThisSession(), 'person') : known(byHelper, 'helper');
  }

  /**
   * Everything is as it was before the trial, as far as it can be. @returns why the former profile is not, in words; `undefined`: it is, or there was none.
   * @throws PlumbfoxError `environment`, HelperFailure among them: the trial's own profile could not be taken back.
   */
  async function restoreBefore(trial: TrialRecord): Promise<string | undefined> {
    const { former, byHelper, plan } = trial;
    const byName = former?.by === 'helper' ? former.profileId : undefined;
    const notWritten = byHelper ? await revertByHelper(byName) : undefined;
    try {
      return handlesPreferences(trial) ? await restoreLive(trial) : notWritten;
    } finally {
      // Over the preferences, as it was before.
      if (isGatewayTrial(plan)) await returnGateway();
    }
  }

  async function restoreLive(trial: TrialRecord): Promise<string | undefined> {
    await revertProfile();
    const [profile] = formerSetLive(trial.former);
    if (profile === undefined) return undefined;
    const own = preferencesFor(profile, 'none');
    // What somebody else has set meanwhile stays.
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
   * Preferences that do not hold what they held before the trial, the person's own profile aside where it is applied again. Empty as well where
   * the browser cannot be asked.
   */
  async function changedSinceBefore({ before, former }: TrialRecord): Promise<readonly ChangedPreference[]> {
    const applied = former?.by === 'live' ? await appliedLive() : undefined;
    return differences({ ...before, ...(applied?.profileId === former?.profileId && applied?.intended) });
  }

  /** Why the profile of the slot is no longer in effect, in words; `undefined`: it is, or the browser cannot be asked. */
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

  /** Whether there is one that answers and can find this Firefox's profile. */
  async function isHelperThere(): Promise<boolean> {
    return (await hasHelperPermission()) && (await helperRun()).problem === undefined;
  }

  /** What is in effect has to show first that the browser is well with it: what nobody has called healthy is not replaced. */
  async function isHelperFree(): Promise<boolean> {
    return !(await helperRun()).awaitsConfirmation;
  }

  /** The baseline is what was there before. A helper that cannot do it leaves it to the person: the popup says so. */
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
   * What the trial has written goes back, or makes way for the profile that the person had applied before it.
   * @returns why that one is not applied, in words; `undefined`: it is, or there is none. @throws HelperFailure: it is asked again when the next load has ended.
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

  /** The profile that this session runs under, as far as the helper, the person or a policy names it; without any Firefox is as it ships. */
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

/** What is set in the Firefox that runs, and so is among what the trial must find as it was. */
export const formerSetLive = (former: FormerProfile | undefined): readonly Profile[] =>
  former?.by === 'live' ? [findProfile(former.profileId)].filter((profile) => profile !== undefined) : [];

/** Whether the trial has preferences of the Firefox that runs in hand: its own profiles', or those of the profile that it took back. */
export const handlesPreferences = ({ plan, former }: Pick<TrialRecord, 'plan' | 'former'>): boolean =>
  setsPreferences(plan) || former?.by === 'live';

/** One sentence, for the person. */
export const changeMessage = ({ preference, expected, held }: ChangedPreference): string =>
  `${preference} was ${value(expected)} and is ${value(held)} now: someone else has changed it.`;

const value = (one: PreferenceValue | undefined): string => (one === undefined ? 'without a value' : String(one));

/** Whether this profile is the one that was last laid ready for the next start. */
export async function isStaged(profileId: string): Promise<boolean> {
  return (await readRunState()).laidReady === profileId;
}

/** Nobody asked for it there. */
const notifyPages = (): Promise<void> => writeRunState('helperChanged', Date.now());

/** Values of every preference that any of these profiles sets, and which of them the person has set; one that this Firefox does not know is left out. */
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

/** Names that have no value are left out of the answer. */
async function valuesOf(preferences: NetworkPreferences, names: readonly string[]): Promise<TrialRecord['before']> {
  const held = await preferences.readBack(names);
  return Object.fromEntries(held.flatMap(({ preference, value }) => (value === undefined ? [] : [[preference, value]])));
}
