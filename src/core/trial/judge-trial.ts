/** The state of a trial at any moment, and what follows for its course; see `compareProfiles` and `trialChecks`. */

import { blindDrawVariance } from '../compare/blind-variance.ts';
import { drawOf } from '../compare/block-order.ts';
import type { JudgedCandidates } from '../compare/compare-profiles.ts';
import type { ComparableLoad, TrialProtocol } from '../compare/comparison.ts';
import { MEANINGFUL_CHANGE, MIN_PAIRS } from '../compare/thresholds.ts';
import type { ControlFinding } from '../compare/verdict.ts';
import { assertNever } from '../errors.ts';
import { armsAtAnyLook, armsAtLooks, bestOf, findingsOf, harmfulArms, looksHarmful, onlyWhere } from './arm-findings.ts';
import { drawsPlanned } from './course.ts';
import { activeOnes, decideTrial, goOnFrom, isDecided } from './decide-trial.ts';
import { trialSentence } from './format-trial.ts';
import { candidatesAmong } from './gateway-arms.ts';
import { isCounted, type JudgedLoads, judgedLoads, type TrialLoad } from './judged-loads.ts';
import { lossTable, trimmedToEqualShares } from './losses.ts';
import { lastStretch } from './stretches.ts';
import { failuresOf, openChecks, trialChecks } from './trial-checks.ts';
import { OTHERS_HARM_ALPHA } from './trial-defaults.ts';
import { replannedDraws, type TrialPlan } from './trial-plan.ts';
import { type ArmFinding, isSlower, type TrialProgress } from './trial-progress.ts';
import type {
  NoDifferenceReason,
  StoppedReason,
  TrialCheck,
  TrialDecision,
  TrialFigures,
  TrialFinding,
  TrialState,
} from './trial-state.ts';
import { drawsOver } from './turn-slots.ts';

/** @param loads all that carry the trial's marks, void ones too, in any order; with loads from before it, where there are any. */
export function judgeTrial(plan: TrialPlan, progress: TrialProgress, loads: LoadsToJudge): TrialState {
  return lookAtTrial(plan, progress, loads).state;
}

/** @throws PlumbfoxError bad-input when a load carries an efficiency that is not positive and finite. */
export function lookAtTrial(plan: TrialPlan, progress: TrialProgress, loads: LoadsToJudge): TrialLook {
  const look = lookOf(plan, progress, loads);
  const found = findingOf(look);
  return { state: { ...found, sentence: trialSentence(found, look) }, decision: look.decision };
}

type LoadsToJudge = readonly TrialLoad[] | LoadsOfTrial;

/** The loads of a trial, and everyday ones from before it in blocks of their own: these say what pages take (`CompareOptions.earlier`). */
export interface LoadsOfTrial {
  readonly loads: readonly TrialLoad[];
  readonly earlier: readonly ComparableLoad[];
}

interface TrialLook {
  readonly state: TrialState;
  readonly decision: TrialDecision;
}

/** The decision of a look, without its state. */
export function decisionOn(plan: TrialPlan, progress: TrialProgress, loads: LoadsToJudge): TrialDecision {
  return isDecided(progress, plan) ? lookOf(plan, progress, loads).decision : goOnFrom(progress);
}

interface Look {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  readonly loads: JudgedLoads;
  readonly findings: readonly ArmFinding[];
  /** Findings over other protocols than the judged one; absent: there are none. */
  readonly others?: readonly ArmFinding[];
  /** What the gateway does by itself; `undefined`: there is no control. */
  readonly control: ControlFinding | undefined;
  readonly checks: () => readonly TrialCheck[];
  readonly decision: TrialDecision;
}

function lookOf(plan: TrialPlan, progress: TrialProgress, given: LoadsToJudge): Look {
  const { loads: all, earlier } = 'earlier' in given ? given : { loads: given, earlier: [] };
  const loads = judgedLoads(plan, progress, all);
  const { groups, marked, settled } = loads;
  const draws = drawsOver(progress, plan);
  const judged = groups.judged === undefined ? settled : settled.filter((load) => groups.of(load) === groups.judged);
  const whole = (some: readonly TrialLoad[]) => some.filter(({ block }) => drawOf(block) < draws);
  const replanned =
    progress.plannedDraws === undefined && draws >= MIN_PAIRS ? endFor(whole(judged), { plan, progress, earlier }) : undefined;
  const end = replanned ?? drawsPlanned(plan, progress);
  const active = lastStretch(progress).arms;
  const find = (some: readonly TrialLoad[]) => armsAtLooks(whole(some), { plan, earlier, end, draws, active });
  const found = withinBounds(find(judged), () => {
    const trimmed = trimmedToEqualShares(judged, lossTable(progress, marked), active);
    return trimmed === judged ? undefined : find(trimmed);
  });
  const context = { plan, earlier, end };
  const others = groups.others.map((protocol) =>
    otherProtocol(
      protocol,
      settled.filter((load) => groups.of(load) === protocol),
      context,
    ),
  );
  const findings = findingsOf(found, whole(judged), plan.baseline).map((own) => ({
    ...stoodAtDrop(progress, own),
    ...over(groups.judged),
  }));
  let known: readonly TrialCheck[] | undefined;
  const checks = () => {
    known ??= trialChecks(plan, progress, marked);
    return known;
  };
  const harmful = isDecided(progress, plan)
    ? [...harmOf(judged, context).map((own) => ({ ...own, ...over(groups.judged) })), ...others.flatMap(({ harmful: own }) => own())]
    : [];
  return {
    plan,
    progress,
    loads,
    findings,
    ...(others.length > 0 && { others: others.flatMap((other) => other.findings) }),
    control: found.control,
    checks,
    decision: decideTrial(plan, progress, { ...found, findings, end, replanned, checks, harmful }),
  };
}

interface LookContext {
  readonly plan: TrialPlan;
  readonly earlier: readonly ComparableLoad[];
  readonly end: number;
}

/** The end planned anew, once, from how much the loads so far vary, whichever profile is which. */
function endFor(
  loads: readonly TrialLoad[],
  { plan, progress, earlier }: Pick<LookContext, 'plan' | 'earlier'> & { readonly progress: TrialProgress },
): number | undefined {
  const { baseline, profiles } = plan;
  const candidates = candidatesAmong(plan, lastStretch(progress).arms);
  const variance = blindDrawVariance(loads, { baseline, profileIds: profiles.map(({ id }) => id), candidates, earlier });
  return variance === undefined ? undefined : replannedDraws(plan, variance);
}

const over = (protocol: TrialProtocol | undefined): Pick<ArmFinding, 'protocol'> => (protocol === undefined ? {} : { protocol });

/** A dropped arm keeps the figures that it was dropped with. */
function stoodAtDrop({ dropped }: TrialProgress, own: ArmFinding): ArmFinding {
  const gone = dropped.find(({ profileId }) => profileId === own.profileId);
  return gone !== undefined && 'found' in gone ? gone.found : own;
}

/** The harm stop has intervals of its own, which take as long to make: only where one may be harmful. */
function harmOf(loads: readonly TrialLoad[], { alpha, ...context }: LookContext & { readonly alpha?: number }): readonly ArmFinding[] {
  const { plan } = context;
  const seen = findingsOf(armsAtAnyLook(loads, context), loads, plan.baseline);
  return seen.some(looksHarmful) ? harmfulArms(loads, { ...context, ...(alpha !== undefined && { alpha }) }) : [];
}

/** Compared for the reader, at any look. It proves nothing, but harm ends an arm. */
function otherProtocol(
  protocol: TrialProtocol,
  loads: readonly TrialLoad[],
  context: LookContext,
): { readonly findings: readonly ArmFinding[]; readonly harmful: () => readonly ArmFinding[] } {
  const inProtocol = (found: readonly ArmFinding[]) => found.map((own): ArmFinding => ({ ...own, protocol }));
  const findings = inProtocol(findingsOf(armsAtAnyLook(loads, context), loads, context.plan.baseline));
  const harmful = () => (findings.some(looksHarmful) ? inProtocol(harmfulArms(loads, { ...context, alpha: OTHERS_HARM_ALPHA })) : []);
  return { findings, harmful };
}

/** Better or worse only if that holds even when what an arm has lost beyond the others was its slowest. */
function withinBounds(found: JudgedCandidates, trimmed: () => JudgedCandidates | undefined): JudgedCandidates {
  if (found.candidates.every(({ shown }) => shown.verdict !== 'better' && shown.verdict !== 'worse')) return found;
  const bounds = trimmed();
  if (bounds === undefined) return found;
  return onlyWhere(found, ({ profile, shown }) =>
    bounds.candidates.some((other) => other.profile.id === profile.id && other.shown.verdict === shown.verdict),
  );
}

/** No figure of a profile is shown while a check fails, nor before the checks have seen enough. */
function findingOf(look: Look): TrialFinding {
  const { progress } = look;
  const checks = look.checks();
  const reasons = failuresOf(checks);
  // A candidate that was dropped while a check failed leaves no verdict, even if the check passes after loads were deleted.
  const unproven = progress.dropped.flatMap((arm) => (isSlower(arm) && arm.checkFailed ? [arm.profileId] : []));
  const endsUnproven = progress.end?.kind === 'no-candidate-left' && unproven.length > 0;
  const isInvalid = reasons.length > 0 || progress.end?.kind === 'invalid' || endsUnproven;
  const shown = { checks, figures: figuresOf(look, { trusted: !isInvalid }) };
  const stopped = stoppedReason(progress);
  // The loads left no candidate: a check of them that fails now comes first.
  if (stopped !== undefined && !(isInvalid && stopped.kind === 'no-candidate-left')) return { kind: 'stopped', reason: stopped, ...shown };
  if (isInvalid) return { kind: 'invalid', reasons, unproven, ...shown };
  const open = openChecks(checks);
  const active = activeOnes(progress, look.findings);
  if (progress.end === undefined && open.length > 0 && active.some(({ finding }) => finding !== 'undecided')) {
    return { kind: 'checking', waitingFor: open.map(({ kind }) => kind), checks, figures: figuresOf(look, { trusted: false }) };
  }
  const ended = concluded(look, shown);
  if (ended !== undefined) return ended;
  const best = bestOf(active.filter(isAhead));
  return best === undefined ? { kind: 'collecting', ...shown } : { kind: 'leading', leader: best, ...shown };
}

/** Whether a candidate leads by what means something, where that is bounded at all. */
const isAhead = ({ ratio = 0, gain = ratio, low, high }: ArmFinding): boolean =>
  low !== undefined && high !== undefined && gain >= 1 + MEANINGFUL_CHANGE;

/**
 * What the trial ended as, or ends as with this look: between draws an interval may come and go, but a verdict stays, with its figures. One
 * that ended without figures has those of the loads that are left.
 */
function concluded({ progress, findings, decision }: Look, shown: Pick<TrialState, 'checks' | 'figures'>): TrialFinding | undefined {
  const { step } = decision;
  const ends =
    step.kind === 'end' && (step.as === 'confirmed' || step.as === 'no-difference') ? { kind: step.as, found: step.found } : undefined;
  const end = progress.end ?? ends;
  if (end?.kind !== 'confirmed' && end?.kind !== 'no-difference') return undefined;
  const found = end.found ?? bestOf(activeOnes(progress, findings));
  if (end.kind === 'confirmed') return found && { kind: 'confirmed', verdict: found, ...shown };
  const isFutile = progress.dropped.some(({ profileId, reason }) => reason === 'cannot-win' && profileId === found?.profileId);
  const reason: NoDifferenceReason =
    found?.finding === 'no-meaningful-difference'
      ? { kind: 'within-meaningful-change', verdict: found }
      : { kind: 'not-found', isFutile, closest: found };
  return { kind: 'no-difference', reason, ...shown };
}

function stoppedReason({ end, dropped }: TrialProgress): StoppedReason | undefined {
  if (end === undefined) return undefined;
  switch (end.kind) {
    case 'stopped-by-person':
      return { kind: 'by-person' };
    case 'no-candidate-left':
      return { kind: 'no-candidate-left', dropped };
    case 'baseline-not-applicable':
      return end;
    case 'confirmed':
    case 'no-difference':
    case 'invalid':
      return undefined;
    default:
      return assertNever(end);
  }
}

/** Findings that cannot be trusted are left out. */
function figuresOf({ loads, findings, others, control }: Look, { trusted }: { readonly trusted: boolean }): TrialFigures {
  return {
    loads: loads.marked.filter(isCounted).length,
    findings: trusted ? findings : [],
    ...(trusted && others !== undefined && { others }),
    ...(trusted && control !== undefined && { control }),
  };
}
