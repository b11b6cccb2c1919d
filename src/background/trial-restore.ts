/** The profile that the person had applied for daily use when a trial began: taken back for the trial, and put on again the way it was. */
import { networkPreferences } from '../adapters/network-preferences.ts';
import { readRunState } from '../adapters/run-state.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { preferencesFor } from '../core/profiles/preferences-for.ts';
import { BASELINE_ID, findProfile } from '../core/profiles/presets.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { isGatewayTrial, setsPreferences } from '../core/trial/load-route.ts';
import type { FormerProfile, TrialRecord } from '../protocol/trial-record.ts';
import { helperRun } from './helper-session.ts';
import { appliedLive } from './live-facts.ts';
import { applyProfile, revertProfile } from './profile-switch.ts';
import { returnGateway } from './trial-gateway.ts';
import { isHelperThere, takeBack } from './trial-helper.ts';
import { changedSinceBefore, changedWords } from './trial-preferences-check.ts';
import { heldSinceStart } from './trial-session.ts';

/** What a trial would take back that began now; `undefined`: nothing. Where only the gateway is switched, what was set at start stays. */
export async function formerProfile(): Promise<FormerProfile | undefined> {
  if (networkPreferences() !== undefined) {
    const applied = await appliedLive();
    return applied?.carrier === 'gateway' ? undefined : known(applied?.profileId, 'live');
  }
  if (!(await isHelperThere())) return known(await heldSinceStart(), 'person');
  // What was written in this run of Firefox is in effect from the next one on, and is what the person wants.
  const byHelper = (await readRunState()).laidReady ?? (await helperRun()).inEffect;
  return byHelper === undefined ? known(await heldSinceStart(), 'person') : known(byHelper, 'helper');
}

const known = (profileId: string | undefined, by: FormerProfile['by']): FormerProfile | undefined =>
  profileId === undefined || profileId === BASELINE_ID || findProfile(profileId) === undefined ? undefined : { profileId, by };

/** What is set in the Firefox that runs, and so is among what the trial must find as it was. */
export const formerSetLive = (former: FormerProfile | undefined): readonly Profile[] =>
  former?.by === 'live' ? [findProfile(former.profileId)].filter((profile) => profile !== undefined) : [];

/** Whether the trial has preferences of the Firefox that runs in hand: its own profiles', or those of the profile that it took back. */
export const handlesPreferences = ({ plan, former }: Pick<TrialRecord, 'plan' | 'former'>): boolean =>
  setsPreferences(plan) || former?.by === 'live';

/**
 * Everything is as it was before the trial, as far as it can be. @returns why the former profile is not, in words; `undefined`: it is, or there was none.
 * @throws PlumbfoxError `environment`, HelperFailure among them: the trial's own profile could not be taken back.
 */
export async function putBack(trial: TrialRecord): Promise<string | undefined> {
  const { former, byHelper, plan } = trial;
  const byName = former?.by === 'helper' ? former.profileId : undefined;
  const notWritten = byHelper ? await takeBack(byName) : undefined;
  try {
    return handlesPreferences(trial) ? await putBackLive(trial) : notWritten;
  } finally {
    // Over the preferences, as it was before.
    if (isGatewayTrial(plan)) await returnGateway();
  }
}

async function putBackLive(trial: TrialRecord): Promise<string | undefined> {
  await revertProfile();
  const [profile] = formerSetLive(trial.former);
  if (profile === undefined) return undefined;
  const own = preferencesFor(profile, 'none');
  // What somebody else has set meanwhile stays.
  const changed = (await changedSinceBefore(trial)).find(({ preference }) => Object.hasOwn(own, preference));
  if (changed) return changedWords(changed);
  try {
    const { mismatches } = await applyProfile(profile, undefined);
    return mismatches.length === 0 ? undefined : `${mismatches.join(', ')} did not take the value`;
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    return error.message;
  }
}
