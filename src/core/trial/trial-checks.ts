/** The checks of a trial, in the order in which they are shown. */
import { assertNever } from '../errors.ts';
import { checkLostLoads, checkSampleRatio } from './check-shares.ts';
import { checkSentence, isOftenNotInEffect } from './format-checks.ts';
import { lossTable, slotLosses } from './losses.ts';
import { checkCarryOver, checkDrift, type SlotValue, slotValues } from './slot-checks.ts';
import { confirmingFrom, settledLoads, slotBefore, type TrialLoad } from './stage-loads.ts';
import { lastStretch } from './stretches.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';
import type { Finding, InvalidReason, NotInEffectCheck, TrialCheck } from './trial-state.ts';

/** @param marked all loads of the trial, the washout and what cannot be used among them; those of the stage under way are checked. */
export function trialChecks(plan: TrialPlan, progress: TrialProgress, marked: readonly TrialLoad[]): readonly TrialCheck[] {
  const from = confirmingFrom(progress) ?? 0;
  const ofStage = marked.filter(({ mark }) => mark.slot >= from);
  const { arms } = lastStretch(progress);
  const table = lossTable(progress, marked);
  const beforeOf = (slot: number) => slotBefore(plan, progress, slot);
  // Of loads that follow a slot of their own profile: whether they depend on what ran before that.
  const settled = slotValues(settledLoads(plan, progress, ofStage)).map((own): SlotValue => {
    const before = beforeOf(own.slot);
    return { ...own, after: before && beforeOf(before.slot)?.profileId };
  });
  return [
    checkSampleRatio(table, arms),
    checkLostLoads(table, slotLosses(plan, progress, marked), arms),
    checkInEffect(ofStage, arms),
    checkCarryOver(settled),
    checkDrift(slotValues(ofStage)),
  ].map((found) => ({ ...found, sentence: checkSentence(found) }));
}

/** The checks that failed, as the reasons why there is no verdict. */
export function failuresOf(checks: readonly TrialCheck[]): readonly InvalidReason[] {
  return checks.flatMap((check): InvalidReason[] => {
    if (check.outcome !== 'failed') return [];
    switch (check.kind) {
      case 'sample-ratio':
        return [{ kind: check.kind, check }];
      case 'lost-loads':
        return [{ kind: check.kind, check }];
      case 'not-in-effect':
        return [{ kind: check.kind, check }];
      case 'carry-over':
        return [{ kind: check.kind, check }];
      case 'drift':
        return [];
      default:
        return assertNever(check);
    }
  });
}

/**
 * The checks that a verdict waits for: those that have not seen enough, and those that may have seen something. Whether profiles were in
 * effect is told load by load, and drift favours no profile: neither is waited for.
 */
export function openChecks(checks: readonly TrialCheck[]): readonly TrialCheck[] {
  const waitedFor: readonly TrialCheck['kind'][] = ['sample-ratio', 'lost-loads', 'carry-over'];
  return checks.filter(({ kind, outcome }) => (outcome === 'too-early' || outcome === 'warning') && waitedFor.includes(kind));
}

/** Whether each profile was in effect in its slots, by what was read back as its loads began. @param loads of the stage, the washout among them. */
export function checkInEffect(loads: readonly TrialLoad[], arms: readonly string[]): Finding<NotInEffectCheck> {
  const found = arms.map((profileId) => {
    const own = loads.filter((load) => load.profileId === profileId);
    return { profileId, recorded: own.length, mismatched: own.filter(({ inEffect }) => !inEffect).length };
  });
  const some = found.some(({ mismatched }) => mismatched > 0);
  return { kind: 'not-in-effect', arms: found, outcome: found.some(isOftenNotInEffect) ? 'failed' : some ? 'warning' : 'passed' };
}
