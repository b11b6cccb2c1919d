/** The checks of a trial, in the order in which they are shown. */
import { assertNever } from '../errors.ts';
import { checkDrift } from './check-drift.ts';
import { checkInEffect } from './check-in-effect.ts';
import { checkLostLoads, checkSampleRatio } from './check-shares.ts';
import { lossTable } from './losses.ts';
import { settledLoads, slotBefore } from './settled-loads.ts';
import { checkCarryOver } from './slot-checks.ts';
import { slotLosses } from './slot-losses.ts';
import { type SlotValue, slotValues } from './slot-values.ts';
import { confirmingFrom } from './stage-loads.ts';
import { lastStretch } from './stretches.ts';
import type { TrialLoad } from './trial-load.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';
import type { InvalidReason, TrialCheck } from './trial-state.ts';

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
  ];
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
