/** The decision of a look about the trial's course. */

import type { JudgedCandidates } from '../compare/compare-profiles.ts';
import type { DropReason } from '../compare/comparison.ts';
import { MIN_PAIRS } from '../compare/thresholds.ts';
import { type RaceStep, raceStep } from '../experiment/race-step.ts';
import { bestOf } from './arm-findings.ts';
import { candidatesKept } from './course.ts';
import { lastStretch } from './stretches.ts';
import { failuresOf, openChecks } from './trial-checks.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { ArmFinding, TrialProgress } from './trial-progress.ts';
import type { LosingStep, TrialCheck, TrialDecision } from './trial-state.ts';
import { drawsOver, isBlockOver } from './turn-slots.ts';

/** What a decision rests on: what is found, and every check. */
interface LookInput extends Pick<JudgedCandidates, 'candidates' | 'recommended'> {
  readonly findings: readonly ArmFinding[];
  /** Draws with which the trial ends. */
  readonly end: number;
  /** That end, where this look has planned it anew. */
  readonly replanned: number | undefined;
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
  const { replanned } = look;
  return { ...goOnFrom(progress), step: stepOf(plan, progress, look), ...(replanned !== undefined && { plannedDraws: replanned }) };
}

const GO_ON: Step = { kind: 'go-on' };

function stepOf(plan: TrialPlan, progress: TrialProgress, look: LookInput): Step {
  if (!isDecided(progress, plan)) return GO_ON;
  const { end, checks } = look;
  const harmful = activeOnes(progress, look.harmful);
  if (harmful.length > 0) {
    const checkFailed = failuresOf(checks()).length > 0;
    return {
      kind: 'drop',
      arms: onePerArm(harmful).map((found) => ({ ...losing(found, 'harmful'), ...(checkFailed && { checkFailed }) })),
    };
  }
  // Two blocks are one draw, and one value of the comparison.
  if (progress.current.block % 2 === 0) return GO_ON;
  const draws = drawsOver(progress, plan);
  const ids = lastStretch(progress).arms;
  const active = look.candidates.filter(({ profile }) => ids.includes(profile.id));
  const race = raceAt({ draws, end }, { active, recommended: look.recommended, keep: candidatesKept(plan, { draws, end }) });
  const isUsedUp = draws >= end;
  if (!race.isOver && race.drops.length === 0 && !isUsedUp) return GO_ON;
  if (failuresOf(checks()).length > 0) return isUsedUp ? { kind: 'end', as: 'invalid' } : GO_ON;
  if (draws >= MAX_WAITING * end) return { kind: 'end', as: 'invalid' };
  const isFinal = openChecks(checks()).length === 0;
  const findings = activeOnes(progress, look.findings);
  const findingOf = (id: string) => findings.find(({ profileId }) => profileId === id);
  if (look.recommended !== undefined && (race.isOver || isUsedUp)) {
    const found = findingOf(look.recommended.profile.id);
    return isFinal && found !== undefined ? { kind: 'end', as: 'confirmed', found } : GO_ON;
  }
  const drops = race.drops.filter(({ because }) => isFinal || because === 'behind');
  const arms = drops.flatMap(({ profileId, because }) => {
    const found = findingOf(profileId);
    return found === undefined ? [] : [losing(found, because)];
  });
  if (arms.length > 0) return { kind: 'drop', arms };
  if (!isUsedUp || findings.some(({ finding }) => finding !== 'undecided')) return GO_ON;
  const found = bestOf(findings);
  return { kind: 'end', as: 'no-difference', ...(found !== undefined && { found }) };
}

/** That nobody can win is asked from the sixth draw on, when something is known of the spread, and not at the end, which answers it. */
function raceAt({ draws, end }: { readonly draws: number; readonly end: number }, look: Parameters<typeof raceStep>[0]): RaceStep {
  const step = raceStep(look);
  if (draws < MIN_PAIRS) return { drops: step.drops.filter(({ because }) => because === 'behind'), isOver: false };
  return draws < end ? step : { ...step, drops: step.drops.filter(({ because }) => because !== 'cannot-win') };
}

/** An arm may do harm over several protocols: the finding over the judged one comes first. */
const onePerArm = (harmful: readonly ArmFinding[]): readonly ArmFinding[] =>
  harmful.filter((one, at) => harmful.findIndex(({ profileId }) => profileId === one.profileId) === at);

const losing = (found: ArmFinding, reason: DropReason | 'harmful'): LosingStep => ({ profileId: found.profileId, reason, found });

/** Findings of arms that still have turns: those of dropped arms are reported, but decide nothing more. */
export function activeOnes(progress: TrialProgress, findings: readonly ArmFinding[]): readonly ArmFinding[] {
  const { arms } = lastStretch(progress);
  return findings.filter(({ profileId }) => arms.includes(profileId));
}

/** A verdict waits for a check until this many times the planned draws, then there is none. Chosen, not measured. */
const MAX_WAITING = 2;
