/** The state of a trial at any moment, and what follows for its course; see `compareProfiles` and `trialChecks`. */
import type { ComparableLoad, TrialProtocol } from '../compare/comparison.ts';
import { assertNever } from '../errors.ts';
import { armFindings, byRatio, confirmingFindings, harmfulArms, looksHarmful, type StageFindings } from './arm-findings.ts';
import { activeFindings, areLoadsUsedUp, blocksOver, decideTrial, goOnFrom, isDecided } from './decide-trial.ts';
import { trialSentence } from './format-trial.ts';
import { lossTable, trimmedToEqualShares } from './losses.ts';
import { type StageLoads, stageLoads, type TrialLoad } from './stage-loads.ts';
import { lastStretch } from './stretches.ts';
import { failuresOf, openChecks, trialChecks } from './trial-checks.ts';
import { OTHERS_HARM_ALPHA } from './trial-defaults.ts';
import type { TrialPlan } from './trial-plan.ts';
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

/** @param loads all that carry the trial's marks, void ones too, in any order; with loads from before it, where there are any. */
export function judgeTrial(plan: TrialPlan, progress: TrialProgress, loads: LoadsToJudge): TrialState {
  return lookAtTrial(plan, progress, loads).state;
}

/**
 * The loads of the screening choose a candidate, and only later loads can confirm it: the best of many looks better than it is.
 * Two arms are screened for one round too, which costs little (test/calibration/trial-simulation.test.ts).
 *
 * @throws PlumbfoxError bad-input when a load carries an efficiency that is not positive and finite.
 */
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

/** The screening's own: when the confirmation's turns were drawn they had been made. */
function screenedBefore({ settled }: StageLoads): readonly ComparableLoad[] {
  return settled.screened.map((load) => ({ ...load, block: -1 - load.block }));
}

interface TrialLook {
  readonly state: TrialState;
  readonly decision: TrialDecision;
}

/** The decision of a look, without its state. */
export function decisionOn(plan: TrialPlan, progress: TrialProgress, loads: LoadsToJudge): TrialDecision {
  return isDecided(progress, plan) ? lookOf(plan, progress, loads).decision : goOnFrom(progress);
}

function lookOf(plan: TrialPlan, progress: TrialProgress, given: LoadsToJudge): Look {
  const { loads, earlier: before } = 'earlier' in given ? given : { loads: given, earlier: [] };
  const stages = stageLoads(plan, progress, loads);
  if (plan.format === 1) return outdatedLook({ plan, progress, stages, earlier: before });
  const isConfirming = lastStretch(progress).stage === 'confirming';
  const earlier = isConfirming ? [...before, ...screenedBefore(stages)] : before;
  const arms = isConfirming ? confirmedArms(progress) : plan.profiles.map(({ id }) => id);
  const settled = isConfirming ? stages.settled.fresh : stages.settled.screened;
  const { groups } = stages;
  const judged = groups.judged === undefined ? settled : settled.filter((load) => groups.of(load) === groups.judged);
  const find = (of: readonly TrialLoad[]) =>
    isConfirming
      ? confirmingFindings(of, { plan, arms, earlier, all: settled, isUsedUp: areLoadsUsedUp(progress, plan.mostLoadsPerArm) })
      : armFindings(of, { plan, arms, earlier, plannedBlocks: undefined });
  const harmed = progress.dropped.some(({ reason }) => reason === 'harmful') ? harmfulArms(judged, { plan, arms, earlier }) : [];
  const bounded = withinBounds(boundedBy(harmed, find(judged)), () => {
    const trimmed = trimmedToEqualShares(judged, lossTable(progress, stages.marked), lastStretch(progress).arms);
    return trimmed === judged ? undefined : find(trimmed);
  });
  const others = groups.others.map((protocol) =>
    otherProtocol(protocol, { plan, arms, earlier, loads: settled.filter((load) => groups.of(load) === protocol) }),
  );
  const found = { ...inProtocol(bounded, groups.judged), ...(others.length > 0 && { others: others.flatMap(({ findings }) => findings) }) };
  const harmful = isDecided(progress, plan)
    ? [
        ...(found.findings.some(looksHarmful) ? harmfulArms(judged, { plan, arms, earlier }).map(over(groups.judged)) : []),
        ...others.flatMap(({ harmful: own }) => own()),
      ]
    : [];
  let known: readonly TrialCheck[] | undefined;
  const checks = () => {
    known ??= trialChecks(plan, progress, stages.marked);
    return known;
  };
  return {
    plan,
    progress,
    stages,
    earlier: before,
    checks,
    ...found,
    decision: decideTrial(plan, progress, { ...found, checks, harmful }),
  };
}

const over =
  (protocol: TrialProtocol | undefined) =>
  (found: ArmFinding): ArmFinding =>
    protocol === undefined ? found : { ...found, protocol };

const inProtocol = (found: StageFindings, protocol: TrialProtocol | undefined): StageFindings => ({
  ...found,
  findings: found.findings.map(over(protocol)),
});

/** Compared for the reader, at any look. It proves nothing, but harm ends an arm. */
function otherProtocol(
  protocol: TrialProtocol,
  {
    plan,
    arms,
    earlier,
    loads,
  }: Pick<Look, 'plan' | 'earlier'> & { readonly arms: readonly string[]; readonly loads: readonly TrialLoad[] },
): { readonly findings: readonly ArmFinding[]; readonly harmful: () => readonly ArmFinding[] } {
  const { findings } = armFindings(loads, { plan, arms, earlier, plannedBlocks: undefined });
  const harmful = () =>
    findings.some(looksHarmful) ? harmfulArms(loads, { plan, arms, earlier, alpha: OTHERS_HARM_ALPHA }).map(over(protocol)) : [];
  return { findings: findings.map(over(protocol)), harmful };
}

/** Better or worse only if that holds even when what an arm has lost beyond the others was its slowest. */
function withinBounds(found: StageFindings, trimmed: () => StageFindings | undefined): StageFindings {
  if (found.findings.every(({ finding }) => finding !== 'better' && finding !== 'worse')) return found;
  const bounds = trimmed();
  if (bounds === undefined) return found;
  const stands = ({ profileId, finding }: ArmFinding) =>
    bounds.findings.some((other) => other.profileId === profileId && other.finding === finding);
  const findings = found.findings.map((one): ArmFinding => (stands(one) ? one : { ...one, finding: 'undecided' }));
  const isBetter = findings.some(({ profileId, finding }) => profileId === found.recommended && finding === 'better');
  return { ...found, findings, recommended: isBetter ? found.recommended : undefined };
}

/** An arm that the harm stop dropped has its interval where the trial's own, made for many more loads, is not bounded yet. */
function boundedBy(harmed: readonly ArmFinding[], found: StageFindings): StageFindings {
  const harmOf = (one: ArmFinding) => harmed.find(({ profileId }) => profileId === one.profileId);
  const findings = found.findings.map((one) => (one.low === undefined || one.high === undefined ? (harmOf(one) ?? one) : one));
  return { ...found, findings };
}

/** The loads of an earlier rule are not judged again: what the trial ended with stays valid. */
function outdatedLook(known: Pick<Look, 'plan' | 'progress' | 'stages' | 'earlier'>): Look {
  const { end } = known.progress;
  const found = end?.kind === 'confirmed' || end?.kind === 'no-difference' ? end.found : undefined;
  const findings = found === undefined ? [] : [found];
  return { ...known, findings, recommended: undefined, checks: () => [], decision: goOnFrom(known.progress) };
}

interface Look extends StageFindings {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  readonly stages: StageLoads;
  /** Loads from before the trial. */
  readonly earlier: readonly ComparableLoad[];
  readonly checks: () => readonly TrialCheck[];
  readonly decision: TrialDecision;
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
  if (
    progress.end === undefined &&
    open.length > 0 &&
    activeFindings(progress, look.findings).some(({ finding }) => finding !== 'undecided')
  ) {
    return {
      kind: 'checking',
      waitingFor: open.map(({ kind }) => kind),
      checks,
      figures: figuresOf(look, { trusted: false }),
    };
  }
  return concluded(look, shown) ?? unsettled(look, shown);
}

type Shown = Pick<TrialState, 'checks' | 'figures'>;

/**
 * What the trial ended as, or ends as with this look: between blocks an interval may come and go, but a verdict stays, with its figures. One
 * that ended without figures has those of the loads that are left.
 */
function concluded({ progress, findings, decision }: Look, shown: Shown): TrialFinding | undefined {
  const { step } = decision;
  const ends =
    step.kind === 'end' && (step.as === 'confirmed' || step.as === 'no-difference') ? { kind: step.as, found: step.found } : undefined;
  const end = progress.end ?? ends;
  if (end?.kind !== 'confirmed' && end?.kind !== 'no-difference') return undefined;
  const found = end.found ?? byRatio(activeFindings(progress, findings))[0];
  if (end.kind === 'confirmed') {
    return found && { kind: 'confirmed', verdict: found, ...shown };
  }
  const reason: NoDifferenceReason =
    found?.finding === 'no-meaningful-difference'
      ? { kind: 'within-meaningful-change', verdict: found }
      : { kind: 'loads-used-up', closest: found };
  return { kind: 'no-difference', reason, ...shown };
}

function unsettled({ plan, progress, stages, earlier, findings, recommended }: Look, shown: Shown): TrialFinding {
  const isConfirming = lastStretch(progress).stage === 'confirming';
  const all = plan.profiles.map(({ id }) => id);
  const chosen = isConfirming ? findings[0]?.profileId : recommended;
  const { groups, settled } = stages;
  const before = settled.screened.filter((load) => groups.judged === undefined || groups.of(load) === groups.judged);
  const screened = isConfirming
    ? armFindings(before, { plan, arms: all, earlier, plannedBlocks: undefined }).findings.map(over(groups.judged))
    : findings;
  const leader = screened.find(({ profileId }) => profileId === chosen);
  if (leader === undefined) return { kind: 'collecting', ...shown };
  const fresh = isConfirming ? findings[0] : undefined;
  return {
    kind: 'leading',
    leader,
    fresh,
    counted: countedPerArm(progress, stages),
    ...shown,
  };
}

function stoppedReason({ end, dropped }: TrialProgress): StoppedReason | undefined {
  if (end === undefined) return undefined;
  switch (end.kind) {
    case 'stopped-by-person':
      return { kind: 'by-person' };
    case 'outdated':
      return end;
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

/** The baseline and the chosen candidate, even if it was dropped again. */
function confirmedArms({ stretches }: TrialProgress): readonly string[] {
  return stretches.find(({ stage }) => stage === 'confirming')?.arms ?? [];
}

const judgedFresh = ({ fresh, groups }: StageLoads): readonly TrialLoad[] =>
  groups.judged === undefined ? fresh : fresh.filter((load) => groups.of(load) === groups.judged);

/** Fresh loads of the arm that has the fewest; 0 before the confirmation. */
function countedPerArm(progress: TrialProgress, stages: StageLoads): number {
  const own = judgedFresh(stages);
  return Math.min(...lastStretch(progress).arms.map((id) => own.filter(({ profileId }) => profileId === id).length));
}

/** Findings that cannot be trusted are left out. */
function figuresOf(
  { plan, progress, stages, findings, others, control }: Pick<Look, 'plan' | 'progress' | 'stages' | 'findings' | 'others' | 'control'>,
  { trusted }: { readonly trusted: boolean },
): TrialFigures {
  return {
    loads: stages.screened.length + stages.fresh.length,
    freshLoads: judgedFresh(stages).length,
    blocks: blocksOver(progress, plan),
    loadsPerArmNeeded: Math.max(0, Math.ceil(plan.plannedLoadsPerArm - countedPerArm(progress, stages) / plan.protocols.share)),
    findings: trusted ? findings : [],
    ...(trusted && others !== undefined && { others }),
    ...(trusted && control !== undefined && { control }),
  };
}
