/** What a trial says, in plain words, the same wherever it is shown. */
import { counted, percent, rangeInWords, speedComparison, speedInWords } from '../compare/plain-words.ts';
import { assertNever } from '../errors.ts';
import { candidatesAmong } from './control-arm.ts';
import { lastStretch } from './stretches.ts';
import { roundBudget } from './successive-halving.ts';
import { judgedLoadsPlanned, type TrialPlan } from './trial-plan.ts';
import { type DroppedArm, isSlower, type TrialProgress } from './trial-progress.ts';
import { protocolLabel } from './trial-protocol.ts';
import type { ArmFinding, InvalidReason, NoDifferenceReason, StoppedReason, TrialCheck, TrialFigures } from './trial-state.ts';

/** While nothing can be said of profiles: how many loads there are, and of how many. */
export function collectingSentence(plan: TrialPlan, progress: TrialProgress, { loads }: TrialFigures): string {
  if (progress.status === 'planned') return 'The trial has not begun.';
  const so = `${counted(loads, 'load')} counted so far`;
  const budget = roundBudget(progress, plan);
  const candidates = candidatesAmong(plan, lastStretch(progress).arms).length;
  if (budget === undefined) return `${so}; too few to tell the profiles apart.`;
  if (candidates === 1) return `${so}; the candidate is not ahead of ${plan.baseline} yet, so there is nothing to confirm.`;
  return `${so}; round ${budget.round} of the choice among ${counted(candidates, 'candidate')}: ${budget.loads} of ${counted(budget.planned, 'load')}.`;
}

/** @param waitedFor - At least one check that is open. */
export function checkingSentence(waitedFor: readonly TrialCheck[]): string {
  return `The loads begin to say something, but it cannot be trusted yet. ${waitedFor.map(({ sentence }) => sentence).join(' ')}`;
}

export interface Leading {
  /** As found by screening. */
  readonly leader: ArmFinding;
  /** The same profile on loads since; `undefined`: there is none. */
  readonly fresh: ArmFinding | undefined;
  /** Counted loads of each arm since, the least; of `plannedLoadsPerArm`. */
  readonly counted: number;
}

/** How the candidate looked that is being confirmed, how many fresh loads there are, and what they say so far. */
export function leadingSentence({ leader, fresh, counted }: Leading, plan: TrialPlan): string {
  const ahead =
    leader.ratio === undefined
      ? 'came out ahead'
      : `came out ahead, ${speedComparison(leader.ratio, leader.against ?? plan.baseline)}${overProtocol(leader)}`;
  const lead = `${leader.profileId} ${ahead}; what is picked for being ahead looks better than it is, so it is measured again on fresh loads.`;
  const planned = `about ${judgedLoadsPlanned(plan)}, at most ${Math.round(plan.mostLoadsPerArm * plan.protocols.share)}`;
  if (fresh === undefined || counted === 0) return `${lead} There are none yet; it takes ${planned} of each.`;
  const soFar = fresh.ratio === undefined ? 'too few to compare' : `${speedInWords(fresh.ratio)}${bounds(fresh)}`;
  return `${lead} ${counted} of ${planned} of each so far: ${soFar}.`;
}

/** @param verdict - On fresh loads alone. */
export function confirmedSentence(verdict: ArmFinding, plan: TrialPlan): string {
  const baseline = verdict.against ?? plan.baseline;
  const gain = verdict.gain === undefined ? '' : `; with what the gateway does by itself, ${speedComparison(verdict.gain, plan.baseline)}`;
  return `Confirmed on fresh loads: ${verdict.profileId} is ${verdictWords(verdict, baseline)}, over ${loadsOf(verdict, baseline)}${gain}.`;
}

/** Says which it was: shown to be small, or not found in the loads there were. */
export function noDifferenceSentence(reason: NoDifferenceReason, plan: TrialPlan): string {
  const { meaningfulChange, mostLoadsPerArm } = plan;
  switch (reason.kind) {
    case 'within-meaningful-change': {
      const { verdict } = reason;
      const baseline = verdict.against ?? plan.baseline;
      return `${verdict.profileId} and ${baseline} differ by less than ${percent(meaningfulChange)}: ${verdictWords(verdict, baseline)}, over ${loadsOf(verdict, baseline)}.`;
    }
    case 'loads-used-up': {
      const { closest } = reason;
      const planned = `the ${counted(mostLoadsPerArm, 'load')} of each profile that were planned`;
      if (closest?.ratio === undefined) return `${capital(planned)} are made, but too few of them can be compared: nothing was found out.`;
      return `No difference was found in ${planned}. ${closest.profileId} looks ${verdictWords(closest, closest.against ?? plan.baseline)}, which leaves it open.`;
    }
    default:
      return assertNever(reason);
  }
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * @param reasons - Checks that fail now; empty: a check was open, or had failed, when the trial ended.
 * @param unproven - Candidates that the harm stop dropped while a check failed.
 */
export function invalidSentence(reasons: readonly InvalidReason[], unproven: readonly string[]): string {
  const stopped = unproven
    .map((id) => ` ${id} has no more turns: its loads were much slower, which ends its turns and proves nothing.`)
    .join('');
  if (reasons.length > 0) return `No verdict. ${reasons.map(({ check }) => check.sentence).join(' ')}${stopped}`;
  if (unproven.length > 0) return `No verdict: a check had failed.${stopped}`;
  return 'No verdict: a check was open, or had failed, until the loads were used up.';
}

/** Why a trial of an earlier format has no verdict. */
const OUTDATED = {
  1: 'its turns cannot tell a profile from what the one before left behind',
  2: 'it judged pages of all HTTP versions together',
} as const;

/** Ended without a verdict, and whose doing that was. */
export function stoppedSentence(reason: StoppedReason, { baseline, format }: TrialPlan): string {
  switch (reason.kind) {
    case 'by-person':
      return 'The trial was stopped before it came to a verdict.';
    case 'outdated':
      return `The trial has ended: an earlier version of Plumbfox began it, and ${OUTDATED[format === 1 ? 1 : 2]}. Start it again.`;
    case 'baseline-not-applicable':
      return `The trial stopped: ${baseline} has to have its turns, but ${reason.because}.`;
    case 'no-candidate-left':
      return `The trial is over: no candidate is left beside ${baseline}. ${reason.dropped.map((arm) => droppedWords(arm, baseline)).join(' ')}`;
    default:
      return assertNever(reason);
  }
}

/** Why an arm has no more turns, as `it is 12 % slower than ...`. */
export function droppedBecause(arm: DroppedArm, baseline: string): string {
  if (isSlower(arm) && arm.checkFailed) return 'its loads were much slower while a check failed, which proves nothing';
  if (!isSlower(arm) || arm.found === undefined) return arm.because ?? 'it is slower';
  const against = arm.found.against ?? baseline;
  return `it is ${verdictWords(arm.found, against)}, over ${loadsOf(arm.found, against)}`;
}

function droppedWords(arm: DroppedArm, baseline: string): string {
  const { profileId, reason } = arm;
  const because = droppedBecause(arm, baseline);
  switch (reason) {
    case 'harmful':
      return `${profileId} was dropped early: ${because}.`;
    case 'worse':
    case 'not-applicable':
    case 'screened-out':
      return `${profileId} was dropped: ${because}.`;
    default:
      return assertNever(reason);
  }
}

function verdictWords(finding: ArmFinding, baseline: string): string {
  return finding.ratio === undefined
    ? 'not compared yet'
    : `${speedComparison(finding.ratio, baseline)}${overProtocol(finding)}${bounds(finding)}`;
}

/** ` over HTTP/1.1`, where the trial has pages of other protocols as well. */
function overProtocol({ protocol }: Pick<ArmFinding, 'protocol'>): string {
  return protocol === undefined ? '' : ` over ${protocolLabel(protocol)}`;
}

/** Of a protocol that is not judged. */
export function otherProtocolSentence(found: ArmFinding, plan: TrialPlan): string {
  const against = found.against ?? plan.baseline;
  return `Beside the verdict: ${found.profileId} is ${verdictWords(found, against)}, over ${loadsOf(found, against)}. That proves nothing, but much slower pages end its turns.`;
}

function bounds({ low, high }: ArmFinding): string {
  return low === undefined || high === undefined ? '' : ` (${rangeInWords(low, high)})`;
}

function loadsOf({ profileId, loads, baselineLoads }: ArmFinding, baseline: string): string {
  return `${counted(loads, 'load')} of ${profileId} and ${baselineLoads} of ${baseline}`;
}
