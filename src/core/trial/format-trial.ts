/** The sentences of a trial, the same wherever it is shown. */

import { assertNever } from '../errors.ts';
import { BASELINE_ID, CONTROL_ID, isPluralLabel, profileLabel } from '../profiles/presets.ts';
import { counted, formatRange, percent, signedPercent, speedComparison } from '../text/figures.ts';
import { protocolLabel } from '../text/labels.ts';
import { candidatesAmong } from './gateway-arms.ts';
import { lastStretch } from './stretches.ts';
import { roundBudget } from './successive-halving.ts';
import { judgedLoadsPlanned, type TrialPlan } from './trial-plan.ts';
import { type ArmFinding, type DroppedArm, isSlower, type TrialProgress } from './trial-progress.ts';
import type { InvalidReason, NoDifferenceReason, StoppedReason, TrialCheck, TrialFigures } from './trial-state.ts';

/** Before there is a finding: how many loads there are, and of how many. */
export function collectingSentence(plan: TrialPlan, progress: TrialProgress, { loads }: TrialFigures): string {
  if (progress.status === 'planned') return 'The trial has not begun.';
  const so = `${counted(loads, 'page load')} so far`;
  const budget = roundBudget(progress, plan);
  const [first, ...others] = candidatesAmong(plan, lastStretch(progress).arms);
  if (budget === undefined || first === undefined) return `${so}, not enough data yet.`;
  if (others.length === 0)
    return `${so}. ${armWith(first, 'is')} not faster than ${armLabel(plan.baseline)} yet, so there is nothing to confirm.`;
  return `${so}. Round ${budget.round} of the choice among ${counted(others.length + 1, 'candidate')}: ${budget.loads} of ${counted(budget.planned, 'page load')}.`;
}

/** @param waitedFor - At least one check that is open. */
export function checkingSentence(waitedFor: readonly TrialCheck[]): string {
  return `There is a first result, but it cannot be trusted yet. ${waitedFor.map(({ sentence }) => sentence).join(' ')}`;
}

interface Leading {
  readonly leader: ArmFinding;
  /** The same profile on fresh loads; `undefined`: there are none. */
  readonly fresh: ArmFinding | undefined;
  readonly counted: number;
}

/** How the candidate under confirmation looked, how many fresh loads there are, and its figure on them. */
export function leadingSentence({ leader, fresh, counted }: Leading, plan: TrialPlan): string {
  const { against = plan.baseline, ratio } = leader;
  const than = against === plan.baseline ? '' : ` against ${armLabel(against)}`;
  const ahead = ratio === undefined ? '' : ` (${signedPercent(ratio - 1)}${than})`;
  const planned = `about ${judgedLoadsPlanned(plan)}, at most ${Math.round(plan.mostLoadsPerArm * plan.protocols.share)}`;
  const soFar = fresh?.ratio === undefined || counted === 0 ? '' : ` ${signedPercent(fresh.ratio - 1)}${bounds(fresh)} so far.`;
  return `${armWith(leader.profileId, 'looks')} best${overProtocol(leader)}${ahead}. Confirming with fresh page loads: ${counted} of ${planned} of each.${soFar}`;
}

/** @param verdict - Only on fresh loads. */
export function confirmedSentence(verdict: ArmFinding, plan: TrialPlan): string {
  const baseline = verdict.against ?? plan.baseline;
  const gain =
    verdict.gain === undefined ? '' : ` With what the gateway does by itself: ${speedComparison(verdict.gain, armLabel(plan.baseline))}.`;
  return `Confirmed on fresh page loads: ${armWith(verdict.profileId, 'is')} ${formatFinding(verdict, baseline)}.${gain}`;
}

export function noDifferenceSentence(reason: NoDifferenceReason, plan: TrialPlan): string {
  const { meaningfulChange, mostLoadsPerArm } = plan;
  switch (reason.kind) {
    case 'within-meaningful-change': {
      const { verdict } = reason;
      const baseline = verdict.against ?? plan.baseline;
      return `No real difference: ${armLabel(verdict.profileId)} and ${armLabel(baseline)} differ by less than ${percent(meaningfulChange)}. ${armWith(verdict.profileId, 'is')} ${formatFinding(verdict, baseline)}.`;
    }
    case 'loads-used-up': {
      const { closest } = reason;
      const planned = `the ${counted(mostLoadsPerArm, 'page load')} of each profile that were planned`;
      if (closest?.ratio === undefined) return `Not enough data: of ${planned}, too few can be compared.`;
      return `Not enough data: ${planned} leave it open. ${armWith(closest.profileId, 'looks')} ${formatFinding(closest, closest.against ?? plan.baseline)}.`;
    }
    default:
      return assertNever(reason);
  }
}

/**
 * @param reasons - Checks that fail now; empty: a check was open, or had failed, when the trial ended.
 * @param unproven - Candidates that the harm stop dropped while a check failed.
 */
export function invalidSentence(reasons: readonly InvalidReason[], unproven: readonly string[]): string {
  const stopped = unproven
    .map((id) => ` ${armWith(id, 'has')} no more slots, because its pages loaded much slower. That proves nothing while a check fails.`)
    .join('');
  if (reasons.length > 0) return `No verdict. ${reasons.map(({ check }) => check.sentence).join(' ')}${stopped}`;
  if (unproven.length > 0) return `No verdict: a check had failed.${stopped}`;
  return 'No verdict: a check was open, or had failed, until the loads were used up.';
}

/** Why a trial of an earlier format has no verdict. */
const OUTDATED = {
  1: 'its slots cannot separate a profile from what the one before left behind',
  2: 'it judged pages of all HTTP versions together',
} as const;

export function stoppedSentence(reason: StoppedReason, { baseline, format }: TrialPlan): string {
  switch (reason.kind) {
    case 'by-person':
      return 'The trial was stopped before it reached a verdict.';
    case 'outdated':
      return `The trial has ended: an earlier version of Plumbfox began it, and ${OUTDATED[format === 1 ? 1 : 2]}. Start it again.`;
    case 'baseline-not-applicable':
      return `The trial stopped: it needs ${baseline}, but ${reason.because}.`;
    case 'no-candidate-left':
      return `The trial is over: no candidate is left to compare with ${armLabel(baseline)}. ${reason.dropped.map((arm) => droppedSentence(arm, baseline)).join(' ')}`;
    default:
      return assertNever(reason);
  }
}

/** Why an arm has no more turns, as `12 % slower than ...`. */
export function droppedBecause(arm: DroppedArm, baseline: string): string {
  if (isSlower(arm) && arm.checkFailed) return 'much slower while a check failed, which proves nothing';
  if (!isSlower(arm) || arm.found === undefined) return arm.because ?? 'slower';
  return formatFinding(arm.found, arm.found.against ?? baseline);
}

function droppedSentence(arm: DroppedArm, baseline: string): string {
  const { profileId, reason } = arm;
  const because = droppedBecause(arm, baseline);
  switch (reason) {
    case 'harmful':
      return `${armWith(profileId, 'was')} dropped early: ${because}.`;
    case 'worse':
    case 'not-applicable':
    case 'screened-out':
      return `${armWith(profileId, 'was')} dropped: ${because}.`;
    default:
      return assertNever(reason);
  }
}

/** `12 % slower than Firefox's own settings over HTTP/2 (−20 % to −3 %), from 24 loads with 3 connections and 20 with Firefox's own settings`. */
function formatFinding(finding: ArmFinding, baseline: string): string {
  const { profileId, ratio, loads, baselineLoads } = finding;
  const found =
    ratio === undefined
      ? `not compared with ${armLabel(baseline)} yet${overProtocol(finding)}`
      : `${speedComparison(ratio, armLabel(baseline))}${overProtocol(finding)}${bounds(finding)}`;
  return `${found}, from ${counted(loads, 'load')} with ${armLabel(profileId)} and ${baselineLoads} with ${armLabel(baseline)}`;
}

/** ` over HTTP/1.1`, where the trial has pages of other protocols as well. */
function overProtocol({ protocol }: Pick<ArmFinding, 'protocol'>): string {
  return protocol === undefined ? '' : ` over ${protocolLabel(protocol)}`;
}

/** The finding over a protocol that is not judged. */
export function otherProtocolSentence(found: ArmFinding, plan: TrialPlan): string {
  return `Apart from the verdict: ${armWith(found.profileId, 'is')} ${formatFinding(found, found.against ?? plan.baseline)}. That proves nothing, but much slower pages end its slots.`;
}

function bounds({ low, high }: ArmFinding): string {
  return low === undefined || high === undefined ? '' : ` (${formatRange(low, high)})`;
}

/** What a person reads in place of a profile's id in the sentences of a trial. */
const OWN: Readonly<Record<string, string>> = {
  [BASELINE_ID]: "Firefox's own settings",
  [CONTROL_ID]: "Firefox's own settings through the gateway",
};

/** `12 connections`, `Firefox's own settings`; a profile with its own name goes by that. */
export const armLabel = (profileId: string): string => OWN[profileId] ?? profileLabel(profileId);

/** The name with the form of its verb that fits it: `12 connections are`, `betterfox is`. */
export function armWith(profileId: string, verb: keyof typeof VERBS): string {
  const isPlural = Object.hasOwn(OWN, profileId) || isPluralLabel(profileId);
  return `${armLabel(profileId)} ${isPlural ? VERBS[verb] : verb}`;
}

/** Singular and plural forms. */
const VERBS = { is: 'are', was: 'were', has: 'have', looks: 'look' } as const;
