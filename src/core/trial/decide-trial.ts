/** The decision of a look about the trial's course. */

import { byRatio, type StageFindings } from './arm-findings.ts';
import { blockOfSlot } from './assignment.ts';
import { confirmingFrom } from './stage-loads.ts';
import { lastStretch } from './stretches.ts';
import { betterHalf, roundBudget } from './successive-halving.ts';
import { failuresOf, openChecks } from './trial-checks.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { ArmFinding, SlowerArm, TrialProgress } from './trial-progress.ts';
import type { TrialCheck, TrialDecision } from './trial-state.ts';
import { isBlockOver } from './turn-slots.ts';

/** What a decision rests on: the findings of the stage in progress, and every check. */
interface LookInput extends StageFindings {
  /** Called only where there is something to decide, as the checks take longer than the comparison. */
  readonly checks: () => readonly TrialCheck[];
  readonly harmful: readonly ArmFinding[];
}

type Step = TrialDecision['step'];

/** Whether a look now may change the trial's course: at the end of a block, when all arms have had equally many turns. */
export function isDecided(progress: TrialProgress, plan: TrialPlan): boolean {
  return progress.status === 'running' && isBlockOver(progress, plan);
}

/** The decision that nothing is decided yet. */
export function goOnFrom(progress: TrialProgress): TrialDecision {
  return { slot: progress.current.slot, stretch: progress.stretches.length, step: { kind: 'go-on' } };
}

/** While a check fails nothing is decided but that the loads are used up, and that an arm does harm: that needs no proof. */
export function decideTrial(plan: TrialPlan, progress: TrialProgress, look: LookInput): TrialDecision {
  return { ...goOnFrom(progress), step: stepOf(plan, progress, look) };
}

function stepOf(plan: TrialPlan, progress: TrialProgress, look: LookInput): Step {
  const goOn: Step = { kind: 'go-on' };
  if (!isDecided(progress, plan)) return goOn;
  const usedUp = areLoadsUsedUp(progress, plan.mostLoadsPerArm);
  const active = activeFindings(progress, look.findings);
  const harmful = activeFindings(progress, look.harmful);
  const isConfirming = lastStretch(progress).stage === 'confirming';
  if (isConfirming && !usedUp && harmful.length === 0 && active.every(({ finding }) => finding === 'undecided')) return goOn;
  const checks = look.checks();
  const checkFailed = failuresOf(checks).length > 0;
  if (harmful.length > 0) {
    const arms = onePerArm(harmful).map((found) => ({ ...dropped(found, 'harmful'), ...(checkFailed && { checkFailed: true as const }) }));
    return { kind: 'drop', arms };
  }
  if (checkFailed) return usedUp ? { kind: 'end', as: 'invalid' } : goOn;
  if (areLoadsUsedUp(progress, MAX_WAITING * plan.mostLoadsPerArm)) return { kind: 'end', as: 'invalid' };
  const isFinal = openChecks(checks).length === 0;
  const worse = active.filter(({ finding }) => finding === 'worse');
  if (isFinal && worse.length > 0) return { kind: 'drop', arms: worse.map((arm) => dropped(arm, 'worse')) };
  if (isConfirming) return confirmingStep({ active, isFinal, usedUp });
  return screeningStep({ plan, progress, active, recommended: look.recommended, isFinal, usedUp });
}

/** The interval of the fresh loads decides, or no more loads are to come. What has been found waits for the checks. */
function confirmingStep({ active, isFinal, usedUp }: Pick<Screening, 'active' | 'isFinal' | 'usedUp'>): Step {
  const [found] = active;
  const finding = found?.finding ?? 'undecided';
  if (isFinal && finding === 'better') return endAs('confirmed', found);
  if (isFinal && finding === 'no-meaningful-difference') return endAs('no-difference', found);
  return usedUp && finding === 'undecided' ? endAs('no-difference', found) : { kind: 'go-on' };
}

interface Screening {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  readonly active: readonly ArmFinding[];
  readonly recommended: string | undefined;
  readonly isFinal: boolean;
  readonly usedUp: boolean;
}

/**
 * On to the confirmation with the candidate whose interval excludes no change, or that is left and ahead when its rounds are over. One
 * that is left but behind is screened on: one more round may turn it.
 */
function screeningStep({ plan, progress, active, recommended, isFinal, usedUp }: Screening): Step {
  if (recommended !== undefined) return { kind: 'confirm', profileId: recommended };
  const budget = roundBudget(progress, plan);
  const best = byRatio(active)[0];
  if (budget !== undefined && best !== undefined && budget.loads >= budget.planned) {
    const keep = betterHalf(active);
    if (active.length > 1 && keep.length > 1) return { kind: 'next-round', keep: keep.map(({ profileId }) => profileId) };
    if ((best.ratio ?? 0) > 1) return { kind: 'confirm', profileId: best.profileId };
    if (active.length > 1) return { kind: 'next-round', keep: [best.profileId] };
  }
  const isWithin = ({ finding }: ArmFinding): boolean => finding === 'no-meaningful-difference';
  const allWithin = isFinal && active.length > 0 && active.every(isWithin);
  const isOpen = usedUp && active.every((arm) => arm.finding === 'undecided' || (isFinal && isWithin(arm)));
  const [closest] = byRatio(allWithin ? active : active.filter((arm) => !isWithin(arm)));
  return isOpen || allWithin ? endAs('no-difference', closest) : { kind: 'go-on' };
}

function endAs(as: 'confirmed' | 'no-difference', found: ArmFinding | undefined): Step {
  return { kind: 'end', as, ...(found !== undefined && { found }) };
}

/** An arm may do harm over several protocols: the finding over the judged one comes first. */
const onePerArm = (harmful: readonly ArmFinding[]): readonly ArmFinding[] =>
  harmful.filter((one, at) => harmful.findIndex(({ profileId }) => profileId === one.profileId) === at);

const dropped = (found: ArmFinding, reason: SlowerArm['reason']): SlowerArm => ({ profileId: found.profileId, reason, found });

/** Findings of arms that still have turns: those of dropped arms are reported, but decide nothing more. */
export function activeFindings(progress: TrialProgress, findings: readonly ArmFinding[]): readonly ArmFinding[] {
  const { arms } = lastStretch(progress);
  return findings.filter(({ profileId }) => arms.includes(profileId));
}

/** A verdict waits for a check until this many times the planned loads, then there is none. Chosen, not measured. */
const MAX_WAITING = 2;

/** Whether every arm that is left has had this many loads in this stage, counted as they began. */
export function areLoadsUsedUp(progress: TrialProgress, mostLoadsPerArm: number): boolean {
  const { arms, stage } = lastStretch(progress);
  const own = progress.stretches.filter((stretch) => stretch.stage === stage);
  return arms.every((id) => own.reduce((sum, { counts }) => sum + (counts[id]?.attempted ?? 0), 0) >= mostLoadsPerArm);
}

/** Complete blocks of the stage in progress. */
export function blocksOver(progress: TrialProgress, plan: TrialPlan): number {
  const from = confirmingFrom(progress) ?? 0;
  const begun = new Set(progress.slots.filter(({ slot }) => slot >= from).map(({ slot }) => blockOfSlot(plan, slot)));
  return begun.size - (begun.has(progress.current.block) && !isBlockOver(progress, plan) ? 1 : 0);
}
