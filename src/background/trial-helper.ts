/** What the helper does for a trial whose slots are sessions: it lays the next profile ready for the next start of Firefox. */
import { HelperFailure } from '../adapters/helper-failure.ts';
import { hasHelperPermission } from '../adapters/helper-permission.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { BASELINE_ID } from '../core/profiles/presets.ts';
import { applyAtStart, revertAtStart } from './helper.ts';
import { helperRun } from './helper-session.ts';

/** Whether there is one that answers and can find this Firefox's profile. */
export async function isHelperThere(): Promise<boolean> {
  return (await hasHelperPermission()) && (await helperRun()).problem === undefined;
}

/** What is in effect has to show first that the browser is well with it: what nobody has called healthy is not replaced. */
export async function isHelperFree(): Promise<boolean> {
  return !(await helperRun()).awaitsConfirmation;
}

/** The baseline is what was there before. A helper that cannot do it leaves it to the person: the popup says so. */
export async function layReady(profileId: string): Promise<void> {
  try {
    if (profileId === BASELINE_ID) await revertAtStart();
    else await applyAtStart(profileId);
    await tellPages();
  } catch (error) {
    if (!(error instanceof HelperFailure)) throw error;
  }
}

/** Whether this profile is the one that was last laid ready for the next start. */
export async function liesReady(profileId: string): Promise<boolean> {
  return (await readRunState()).laidReady === profileId;
}

/**
 * What the trial has written goes back, or makes way for the profile that the person had applied before it.
 * @returns why that one is not applied, in words; `undefined`: it is, or there is none. @throws HelperFailure: it is asked again when the next load has ended.
 */
export async function takeBack(former: string | undefined): Promise<string | undefined> {
  const why = former === undefined ? undefined : await whyNotApplied(former);
  if (former === undefined || why !== undefined) await revertAtStart();
  await tellPages();
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

/** Nobody asked for it there. */
const tellPages = (): Promise<void> => writeRunState('helperChanged', Date.now());
