/** The sentences of a trial, the same wherever it is shown. */

import { changeLabel } from '../answer/format-answer.ts';
import { bestSoFar } from '../answer/trial-answer.ts';
import { MEANINGFUL_CHANGE, TARGET_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { type CoreLanguage, formatRange, IN_ENGLISH, speedComparison } from '../text/figures.ts';
import { protocolLabel } from '../text/labels.ts';
import { armLabel, armNumber } from '../text/profile-name.ts';
import { loadsLeft } from './course.ts';
import { checkSentence } from './format-checks.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { ArmFinding, DroppedArm, TrialProgress } from './trial-progress.ts';
import type { NoDifferenceReason, StoppedReason, TrialFinding } from './trial-state.ts';

interface Judged {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
}

/** What a trial has found so far, or why it says nothing. */
export function trialSentence(found: TrialFinding, { plan, progress }: Judged, language: CoreLanguage = IN_ENGLISH): string {
  switch (found.kind) {
    case 'collecting':
      return collectingSentence({ plan, progress }, found, language);
    case 'checking': {
      const waitedFor = found.checks.filter(({ kind }) => found.waitingFor.includes(kind));
      return language.text('course.checking', { checks: waitedFor.map((check) => checkSentence(check, language)).join(' ') });
    }
    case 'leading':
      return leadingSentence(found.leader, { plan, progress }, language);
    case 'confirmed':
      return confirmedSentence(found.verdict, plan, language);
    case 'no-difference':
      return noDifferenceSentence(found.reason, plan, language);
    case 'invalid':
      return invalidSentence(found, language);
    case 'stopped':
      return stoppedSentence(found.reason, plan, language);
    default:
      return assertNever(found);
  }
}

type Collecting = Extract<TrialFinding, { readonly kind: 'collecting' }>;

/** Before anybody is ahead: how many page loads the person has made, and the best so far, as every page says it. */
function collectingSentence({ plan, progress }: Judged, found: Collecting, language: CoreLanguage): string {
  const { text } = language;
  if (progress.status === 'planned') return text('course.notBegun');
  const soFar = text('course.soFar', { count: progress.made });
  const best = bestSoFar({ plan, progress, state: found });
  return best === undefined
    ? text('course.notEnough', { soFar })
    : text('course.best', { soFar, settings: armLabel(best.profileId, language), change: changeLabel(best.change, language) });
}

/** Who is ahead, with its interval, and how many page loads the person has made and is expected to make. */
function leadingSentence(leader: ArmFinding, { plan, progress }: Judged, language: CoreLanguage): string {
  return language.text('course.leading', {
    ...named(leader.profileId, language),
    finding: formatFinding(leader, leader.against ?? plan.baseline, language),
    loads: progress.made,
    left: loadsLeft(plan, progress),
  });
}

function confirmedSentence(verdict: ArmFinding, plan: TrialPlan, language: CoreLanguage): string {
  const { text } = language;
  const finding = formatFinding(verdict, verdict.against ?? plan.baseline, language);
  const confirmed = text('course.confirmed', { ...named(verdict.profileId, language), finding });
  if (verdict.gain === undefined) return confirmed;
  const speed = speedComparison(verdict.gain, armLabel(plan.baseline, language), language);
  return `${confirmed}${text('course.withGateway', { speed })}`;
}

function noDifferenceSentence(reason: NoDifferenceReason, plan: TrialPlan, language: CoreLanguage): string {
  const { text } = language;
  switch (reason.kind) {
    case 'within-meaningful-change': {
      const { verdict } = reason;
      const against = verdict.against ?? plan.baseline;
      const finding = formatFinding(verdict, against, language);
      return text('course.same', {
        ...named(verdict.profileId, language),
        baseline: armLabel(against, language),
        change: MEANINGFUL_CHANGE,
        finding,
      });
    }
    case 'not-found': {
      const { closest, isFutile } = reason;
      if (closest?.ratio === undefined) return text('course.usedUp.few');
      const finding = formatFinding(closest, closest.against ?? plan.baseline, language);
      const looks = text('course.looks', { ...named(closest.profileId, language), finding });
      return text(isFutile ? 'course.futile' : 'course.usedUp', { change: TARGET_CHANGE, closest: looks });
    }
    default:
      return assertNever(reason);
  }
}

/** Without a check that fails now, one was open, or had failed, when the trial ended. */
function invalidSentence({ reasons, unproven }: Extract<TrialFinding, { readonly kind: 'invalid' }>, language: CoreLanguage): string {
  const { text } = language;
  const stopped = unproven.map((id) => text('course.unproven', named(id, language))).join('');
  if (reasons.length > 0) {
    return text('course.noVerdict', { checks: reasons.map(({ check }) => checkSentence(check, language)).join(' '), stopped });
  }
  return unproven.length > 0 ? text('course.noVerdict.failed', { stopped }) : text('course.noVerdict.open');
}

function stoppedSentence(reason: StoppedReason, { baseline }: TrialPlan, language: CoreLanguage): string {
  const { text, label } = language;
  switch (reason.kind) {
    case 'by-person':
      return text('course.byPerson');
    case 'baseline-not-applicable':
      return text('course.noBaseline', { baseline, why: label(reason.because) });
    case 'no-candidate-left': {
      const dropped = reason.dropped.map((arm) => droppedSentence(arm, baseline, language)).join(' ');
      return text('course.noCandidate', { baseline: armLabel(baseline, language), dropped });
    }
    default:
      return assertNever(reason);
  }
}

/** Why an arm has no more turns, as `12 % slower than ...`. */
export function droppedBecause(arm: DroppedArm, baseline: string, language: CoreLanguage = IN_ENGLISH): string {
  const { text, label } = language;
  if (!('found' in arm)) return label(arm.because);
  if (arm.checkFailed) return text('course.unprovenSlower');
  const finding = formatFinding(arm.found, arm.found.against ?? baseline, language);
  return arm.reason === 'behind' ? text('course.behind', { finding }) : finding;
}

function droppedSentence(arm: DroppedArm, baseline: string, language: CoreLanguage): string {
  const parameters = { ...named(arm.profileId, language), why: droppedBecause(arm, baseline, language) };
  return language.text(arm.reason === 'harmful' ? 'course.droppedEarly' : 'course.dropped', parameters);
}

/** `12 % slower than Firefox's own settings over HTTP/2 (−20 % to −3 %), from 24 loads with 3 connections and 20 with Firefox's own settings`. */
function formatFinding(finding: ArmFinding, against: string, language: CoreLanguage): string {
  const { text } = language;
  const { profileId, ratio, loads: count, baselineLoads: others } = finding;
  const baseline = armLabel(against, language);
  const over = overProtocol(finding, language);
  const found =
    ratio === undefined
      ? text('course.notCompared', { baseline, over })
      : `${speedComparison(ratio, baseline, language)}${over}${bounds(finding, language)}`;
  return text('course.finding', { found, count, settings: armLabel(profileId, language), others, baseline });
}

/** ` over HTTP/1.1`, where the trial has pages of other protocols as well. */
const overProtocol = ({ protocol }: Pick<ArmFinding, 'protocol'>, { text, label }: CoreLanguage): string =>
  protocol === undefined ? '' : text('answer.over', { protocol: label(protocolLabel(protocol)) });

/** The finding over a protocol that is not judged. */
export function otherProtocolSentence(found: ArmFinding, plan: TrialPlan, language: CoreLanguage = IN_ENGLISH): string {
  const finding = formatFinding(found, found.against ?? plan.baseline, language);
  return language.text('course.other', { ...named(found.profileId, language), finding });
}

const bounds = ({ low, high }: ArmFinding, language: CoreLanguage): string =>
  low === undefined || high === undefined ? '' : ` (${formatRange(low, high, language)})`;

const named = (profileId: string, language: CoreLanguage) => ({ settings: armLabel(profileId, language), count: armNumber(profileId) });
