/** What a person may do with the trial that is under way: pause it, go on, stop it; and forget all trials. */
import * as v from 'valibot';
import { networkPreferences } from '../adapters/network-preferences.ts';
import { deleteTrials, newestTrial } from '../adapters/trial-store.ts';
import { PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import { revertProfile } from './profile-switch.ts';
import { returnGateway } from './trial-gateway.ts';
import { changedSinceBefore, changedWords } from './trial-preferences-check.ts';
import { putBack } from './trial-restore.ts';
import { betweenSteps, tellTrial } from './trial-runner.ts';

/** @throws PlumbfoxError `bad-input` when no trial is running. */
export async function pauseTrial(): Promise<void> {
  await required(['running'], 'No trial is running');
  await tellTrial({ kind: 'paused', at: Date.now() });
}

/**
 * @throws PlumbfoxError `bad-input` when no trial is paused; PreferenceRefused when somebody has changed a preference since it began: a
 *   trial goes on only under the conditions it began with.
 */
export async function resumeTrial(): Promise<void> {
  const trial = await required(['paused'], 'No trial is paused');
  const [changed] = trial.progress.applied ? [] : await changedSinceBefore(trial);
  if (changed) {
    const detail = `${changedWords(changed)} Set it back to ${changed.expected} to go on, or stop the trial.`;
    throw new PreferenceRefused(changed.preference, 'changed-by-someone-else', detail.slice(changed.preference.length + 1));
  }
  await tellTrial({ kind: 'resumed', at: Date.now() });
}

/** @throws PlumbfoxError `bad-input` when no trial is under way. */
export async function endTrial(): Promise<void> {
  await required(['planned', 'running', 'paused'], 'No trial is under way');
  await tellTrial({ kind: 'stopped', at: Date.now() });
}

/**
 * Takes back at once what the trial that is under way has set, and forgets it and all before it; also one that cannot be read.
 * @returns what the person has to do, because it could not be done, in words; `undefined`: nothing.
 */
export function forgetTrials(): Promise<string | undefined> {
  return betweenSteps(async () => {
    const leftToDo = await putBackNow();
    await deleteTrials();
    return leftToDo;
  });
}

/** Of a trial that cannot be read it is not known what it has set. @throws DOMException when the store cannot be read. */
async function putBackNow(): Promise<string | undefined> {
  try {
    const trial = await newestTrial();
    return trial?.progress.applied ? await putBackInWords(trial) : undefined;
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    await returnGateway();
    if (networkPreferences() !== undefined) await revertProfile();
    return undefined;
  }
}

/** What keeps it from being put back must not keep the person from deleting. */
async function putBackInWords(trial: TrialRecord): Promise<string | undefined> {
  try {
    const why = await putBack(trial);
    return why === undefined ? undefined : `${trial.former?.profileId} could not be applied again: ${why}. Apply it yourself`;
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    return `What the trial has set could not be taken back: ${error.message}. Press "Back to before"`;
  }
}

async function required(statuses: readonly TrialRecord['progress']['status'][], otherwise: string): Promise<TrialRecord> {
  const trial = await newestTrial();
  if (trial && statuses.includes(trial.progress.status)) return trial;
  throw new PlumbfoxError('bad-input', otherwise);
}
