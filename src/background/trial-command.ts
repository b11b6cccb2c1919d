/** What a trial asks for, done: each command is answered with what came of it, or not at all while it has to wait. */
import { requireExperimentApi } from '../adapters/applier-experiment-api.ts';
import { networkPreferences } from '../adapters/network-preferences.ts';
import { openNavigations } from '../adapters/trial-store.ts';
import { assertNever, PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { isGatewayTrial, isThroughGateway } from '../core/trial/load-route.ts';
import { LOAD_LOST_AFTER_MS } from '../core/trial/trial-defaults.ts';
import type { TrialCommand, TrialEvent } from '../core/trial/trial-event.ts';
import type { TrialPlan } from '../core/trial/trial-plan.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import { applyProfile, revertProfile } from './profile-switch.ts';
import { switchGateway } from './trial-gateway.ts';
import { isHelperFree, layReady } from './trial-helper.ts';
import { lookAtLoads } from './trial-judgement.ts';
import { handlesPreferences, putBack } from './trial-restore.ts';
import { heldSinceStart } from './trial-session.ts';

export interface TrialAnswer {
  readonly event: TrialEvent;
  /** Why the trial paused by itself. */
  readonly because?: string;
  /** Why what the person had applied before the trial is not applied again; absent: it is, or there was nothing. */
  readonly notAgain?: string;
}

/** `undefined`: it has to wait, for a load to end or for the person. @throws what is no matter of preferences, such as a store that fails. */
export async function carryOut(command: TrialCommand, trial: TrialRecord): Promise<TrialAnswer | undefined> {
  switch (command.kind) {
    case 'switch-to':
      return (await isPageLoading()) ? undefined : switchTo(command, trial);
    case 'prepare':
      return prepare(command, trial);
    case 'verify':
      return verify(command);
    case 'look':
      return { event: { kind: 'looked', at: Date.now(), decision: await lookAtLoads(trial) } };
    case 'revert':
      return (await isPageLoading()) ? undefined : revert(trial);
    default:
      return assertNever(command);
  }
}

/** Also one of which the trial does not know, such as one that began before it. What takes longer than any load is observed is waited for no more. */
async function isPageLoading(): Promise<boolean> {
  return (await openNavigations(Date.now() - LOAD_LOST_AFTER_MS)).length > 0;
}

async function switchTo({ profileId, slot }: Extract<TrialCommand, { kind: 'switch-to' }>, trial: TrialRecord): Promise<TrialAnswer> {
  const { plan } = trial;
  const switched = (): TrialAnswer => ({ event: { kind: 'switched', at: Date.now(), slot } });
  try {
    const profile = findProfile(profileId);
    if (profile === undefined) throw new PlumbfoxError('bad-input', `this version of Plumbfox knows no profile ${profileId}`);
    if (isGatewayTrial(plan)) {
      if (isThroughGateway(plan, profileId) && handlesPreferences(trial)) await revertProfile();
      const refused = await turnGateway(plan, profileId);
      if (refused || isThroughGateway(plan, profileId) || !handlesPreferences(trial)) return refused ?? switched();
    }
    await requireExperimentApi(networkPreferences()).forgetLost();
    const { mismatches } = await applyProfile(profile, undefined);
    if (mismatches.length === 0) return switched();
    return failed(slot, `${mismatches.join(', ')} did not take the value`);
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    const isOthers = error instanceof PreferenceRefused && error.reason === 'changed-by-someone-else';
    return isOthers ? { event: { kind: 'paused', at: Date.now() }, because: `${error.message}.` } : failed(slot, error.message);
  }
}

/** Without its gateway a profile is no worse than others: the trial waits for the person. @returns the pause; `undefined`: it is as the profile wants it. */
async function turnGateway(plan: TrialPlan, profileId: string): Promise<TrialAnswer | undefined> {
  try {
    await switchGateway(plan, profileId);
    return undefined;
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    const because = `The gateway could not be switched on: ${error.message.replace(/\.$/, '')}.`;
    return { event: { kind: 'paused', at: Date.now() }, because };
  }
}

const failed = (slot: number, reason: string): TrialAnswer => ({ event: { kind: 'switch-failed', at: Date.now(), slot, reason } });

/** Where the helper does not, the person does it: the popup says so. */
async function prepare(
  { profileId, slot }: Extract<TrialCommand, { kind: 'prepare' }>,
  trial: TrialRecord,
): Promise<TrialAnswer | undefined> {
  if (trial.byHelper) {
    if (!(await isHelperFree())) return undefined;
    await layReady(profileId);
  }
  return { event: { kind: 'prepared', at: Date.now(), slot } };
}

/** A session that runs under another profile than the one due is none of the trial's; the slot waits for one that does. */
async function verify({ profileId, slot }: Extract<TrialCommand, { kind: 'verify' }>): Promise<TrialAnswer | undefined> {
  return (await heldSinceStart()) === profileId ? { event: { kind: 'switched', at: Date.now(), slot } } : undefined;
}

/** Slots by session set nothing in the Firefox that runs. @throws PlumbfoxError `environment` where there is no Experiment API any more. */
async function revert(trial: TrialRecord): Promise<TrialAnswer> {
  const notAgain = await putBack(trial);
  return { event: { kind: 'reverted', at: Date.now() }, ...(notAgain !== undefined && { notAgain }) };
}
