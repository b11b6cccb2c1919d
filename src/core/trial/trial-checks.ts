/**
 * The checks of a trial, in the order in which they are shown: every arm keeps as many of its loads as the others, by what there is of each
 * and by what is missing; every profile was in effect; and what was left behind has worn off (`slot-checks.ts`).
 */
import { groupBy } from '../group-by.ts';
import { binomialTest } from '../stats/count-tests.ts';
import { mean } from '../stats/mean.ts';
import { holm } from '../stats/multiple-testing.ts';
import { median } from '../stats/quantile.ts';
import { shareEvidence, turnEvidence } from './evidence.ts';
import { checkSentence, isOftenNotInEffect } from './format-checks.ts';
import { settledLoads, type TrialLoad } from './judged-loads.ts';
import { type ArmLosses, lossesByArm, lossTable, type SlotLoss, slotLosses } from './losses.ts';
import { checkCarryOver, turnValues } from './slot-checks.ts';
import { lastStretch } from './stretches.ts';
import { ALARM_EVIDENCE, CHECKED_LOADS_PER_ARM, MAX_EXCESS_LOST_SHARE, WARNING_EVIDENCE } from './trial-defaults.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';
import type { Finding, InvalidReason, LostLoadsCheck, NotInEffectCheck, SampleRatioCheck, TrialCheck } from './trial-state.ts';

/** @param marked all loads of the trial, the washout and what cannot be used among them. */
export function trialChecks(plan: TrialPlan, progress: TrialProgress, marked: readonly TrialLoad[]): readonly TrialCheck[] {
  const { arms } = lastStretch(progress);
  const table = lossTable(progress, marked);
  const turns = turnValues(marked, settledLoads(plan, progress, marked));
  return [
    checkSampleRatio(table, arms),
    checkLostLoads(table, slotLosses(plan, progress, marked), arms),
    checkInEffect(marked, arms),
    checkCarryOver(turns, plan.baseline),
  ].map((found) => ({ ...found, sentence: checkSentence(found) }));
}

export function failuresOf(checks: readonly TrialCheck[]): readonly InvalidReason[] {
  return checks.flatMap((check) => (check.outcome !== 'failed' ? [] : [{ kind: check.kind, check }]));
}

/**
 * The checks that a verdict waits for: those that have not seen enough, and those that may have seen something. Whether profiles were in
 * effect shows load by load: no verdict waits for that.
 */
export function openChecks(checks: readonly TrialCheck[]): readonly TrialCheck[] {
  const waitedFor: readonly TrialCheck['kind'][] = ['sample-ratio', 'lost-loads', 'carry-over'];
  return checks.filter(({ kind, outcome }) => (outcome === 'too-early' || outcome === 'warning') && waitedFor.includes(kind));
}

/** Whether each profile was in effect, by what was read back as its loads began. @param loads of the trial, the washout among them. */
export function checkInEffect(loads: readonly TrialLoad[], arms: readonly string[]): Finding<NotInEffectCheck> {
  const found = arms.map((profileId) => {
    const own = loads.filter((load) => load.profileId === profileId);
    return { profileId, recorded: own.length, mismatched: own.filter(({ inEffect }) => !inEffect).length };
  });
  const some = found.some(({ mismatched }) => mismatched > 0);
  return { kind: 'not-in-effect', arms: found, outcome: found.some(isOftenNotInEffect) ? 'failed' : some ? 'warning' : 'passed' };
}

type LossTable = readonly (readonly ArmLosses[])[];
type SlotPairs = readonly (readonly SlotLoss[])[];
type Outcome = TrialCheck['outcome'];

/** @param active arms that still have turns: they need enough loads for the check to vouch for them. */
export function checkSampleRatio(table: LossTable, active: readonly string[]): Finding<SampleRatioCheck> {
  const arms = lossesByArm(table);
  const usable = arms.reduce((sum, arm) => sum + arm.usable, 0);
  const expected = new Map(arms.map(({ profileId }) => [profileId, expectedUsable(table, profileId)]));
  const adjusted =
    usable === 0 ? [] : holm(arms.map((arm) => binomialTest(arm.usable, usable, shareOf(expected.get(arm.profileId), usable)).p));
  const found = arms.map((arm, at) => ({
    profileId: arm.profileId,
    usable: arm.usable,
    attempted: arm.attempted,
    expected: expected.get(arm.profileId) ?? 0,
    adjustedP: adjusted[at] ?? 1,
    evidence: evidenceOf(table, arm.profileId, ({ usable: count }) => count) / arms.length,
  }));
  const outcome = outcomeOf(found, { arms, active });
  return { kind: 'sample-ratio', arms: found, outcome };
}

/**
 * Failed by the evidence of whole slots, which a network that was dead for a while does not mislead; or where the median slot of an arm
 * lost so much more than the others' that what is left need not be like what is missing, and single loads rule out chance.
 */
export function checkLostLoads(table: LossTable, pairs: SlotPairs, active: readonly string[]): Finding<LostLoadsCheck> {
  const arms = lossesByArm(table);
  const found = arms.map((arm) => ({ ...arm, evidence: lossEvidence(pairs, arm.profileId) / (arms.length === 2 ? 1 : arms.length) }));
  const counted = outcomeOf(found, { arms, active });
  const outcome = counted !== 'too-early' && arms.some((arm) => isLosingMore(arm, { pairs, table })) ? 'failed' : counted;
  return { kind: 'lost-loads', arms: found, outcome };
}

function lossEvidence(pairs: SlotPairs, profileId: string): number {
  return turnEvidence(
    pairs.flatMap((slots) => {
      const arms = groupBy(slots, (slot) => slot.profileId);
      const lostOf = (own: readonly SlotLoss[]) => mean(own.map(({ lost }) => lost));
      const own = arms.get(profileId);
      return own === undefined || arms.size < 2 ? [] : [{ own: lostOf(own), all: [...arms.values()].map(lostOf) }];
    }),
  );
}

function isLosingMore(arm: ArmLosses, { pairs, table }: { readonly pairs: SlotPairs; readonly table: LossTable }): boolean {
  const slots = pairs.flat();
  const own = median(slots.filter(({ profileId }) => profileId === arm.profileId).map(({ lost }) => lost));
  const others = median(slots.filter(({ profileId }) => profileId !== arm.profileId).map(({ lost }) => lost));
  if (own === undefined || others === undefined || own - others < MAX_EXCESS_LOST_SHARE) return false;
  const arms = lossesByArm(table).length;
  return evidenceOf(table, arm.profileId, ({ lost }) => lost) / arms >= ALARM_EVIDENCE;
}

/** Evidence for one arm among k; callers divide it by k, so that any of them raises a false alarm as seldom as a single one would. */
function evidenceOf(table: LossTable, profileId: string, countOf: (arm: ArmLosses) => number): number {
  return shareEvidence(
    table.flatMap((stretch) => {
      const own = stretch.find((arm) => arm.profileId === profileId);
      const attempted = stretch.reduce((sum, arm) => sum + arm.attempted, 0);
      if (own === undefined || attempted === 0) return [];
      return [{ own: countOf(own), total: stretch.reduce((sum, arm) => sum + countOf(arm), 0), share: own.attempted / attempted }];
    }),
  );
}

/** Usable loads of the arm if each kept as many of its attempts as the others in the same stretch. */
function expectedUsable(table: LossTable, profileId: string): number {
  return table.reduce((sum, stretch) => {
    const attempted = stretch.reduce((total, arm) => total + arm.attempted, 0);
    const usable = stretch.reduce((total, arm) => total + arm.usable, 0);
    const own = stretch.find((arm) => arm.profileId === profileId)?.attempted ?? 0;
    return attempted === 0 ? sum : sum + (usable * own) / attempted;
  }, 0);
}

/** Within [0, 1], which rounding may miss. */
const shareOf = (expected: number | undefined, usable: number): number => Math.min(1, Math.max(0, (expected ?? 0) / usable));

function outcomeOf(
  found: readonly { readonly evidence: number }[],
  { arms, active }: { readonly arms: readonly ArmLosses[]; readonly active: readonly string[] },
): Outcome {
  const most = Math.max(0, ...found.map(({ evidence }) => evidence));
  if (most >= ALARM_EVIDENCE) return 'failed';
  const enough = active.every((id) => (arms.find(({ profileId }) => profileId === id)?.attempted ?? 0) >= CHECKED_LOADS_PER_ARM);
  if (!enough) return 'too-early';
  return most >= WARNING_EVIDENCE ? 'warning' : 'passed';
}
