/** The section of the trial: its state, the loads of each profile, and what the person can do. Pure. */
import { assertNever } from '../core/errors.ts';
import { BASELINE_ID } from '../core/profiles/profile.ts';
import type { MessageId, PlainId } from '../core/text/messages.ts';
import type { FormerProfile } from '../protocol/trial-record.ts';
import type { CurrentTrial, TrialArm, TrialFacts, TrialNow } from '../protocol/trial-state.ts';
import { armText } from '../views/profile-text.ts';
import { withoutStop } from '../views/recording-view.ts';
import { fixedText, format, text } from '../views/text.ts';
import { type TrialSetupView, trialSetupView } from './trial-setup-view.ts';

export interface TrialRow {
  readonly name: string;
  /** Its role in the trial, or why it was dropped. */
  readonly note: string;
  readonly recorded: string;
  readonly lost: string;
  /** Whether it is in use now. */
  readonly isOn: boolean;
}

export interface CurrentTrialView {
  readonly title: string;
  /** The verdict so far. */
  readonly sentence: string;
  /** What is happening at this moment. */
  readonly now: string;
  /** What the person has to do; absent: nothing. */
  readonly task: string | undefined;
  /** What happens to the profile that the person had applied; absent: there was none, or it is not known yet. */
  readonly former: FormerView | undefined;
  readonly warnings: readonly string[];
  /** The findings for pages over other protocols. */
  readonly otherProtocols: readonly string[];
  readonly rows: readonly TrialRow[];
  readonly canPause: boolean;
  readonly canResume: boolean;
  readonly canStop: boolean;
  /** The text of the policies.json to save. */
  readonly policies: string | undefined;
}

export interface TrialView {
  /** Absent while a trial is in progress. */
  readonly intro: string | undefined;
  /** Why the trial could not continue; absent: it could. */
  readonly problem: string | undefined;
  readonly current: CurrentTrialView | undefined;
  /** Absent while a trial is in progress. */
  readonly setup: TrialSetupView | undefined;
}

export function trialView(facts: TrialFacts, now: number): TrialView {
  const { current, failure, byHand } = facts;
  const isUnderWay = current !== undefined && !(current.now.state === 'ended' && !current.now.restoring);
  return {
    intro: isUnderWay ? undefined : text('trial.intro'),
    problem: failure === undefined ? undefined : text('trial.failed', { why: withoutStop(fixedText(failure)) }),
    current: current && currentView(current, { now, byHand }),
    setup: isUnderWay ? undefined : trialSetupView(facts),
  };
}

function currentView(
  trial: CurrentTrial,
  { now, byHand }: { readonly now: number; readonly byHand: TrialFacts['byHand'] | undefined },
): CurrentTrialView {
  const { state } = trial.now;
  return {
    title: titleOf(trial),
    sentence: trial.sentence,
    now: nowText(trial, now),
    task: taskOf(trial, byHand),
    former: trial.former && formerView(trial.former, trial.now),
    warnings: trial.warnings,
    otherProtocols: trial.otherProtocols ?? [],
    rows: trial.arms.map((arm, at) => row(arm, { trial, isBaseline: at === 0 })),
    canPause: state !== 'paused' && state !== 'ended',
    canResume: state === 'paused',
    canStop: state !== 'ended',
    policies: isInPlace(trial) || trial.due?.helper || byHand === 'android' ? undefined : trial.due?.policies,
  };
}

const TITLES = {
  collecting: 'trial.collecting',
  checking: 'trial.checking',
  leading: 'trial.leading',
  confirmed: 'trial.confirmed',
  'no-difference': 'trial.noDifference',
  invalid: 'trial.invalid',
  stopped: 'trial.stopped',
} as const satisfies Record<CurrentTrial['stateKind'], PlainId>;

function titleOf({ answer, stateKind, now }: CurrentTrial): string {
  if (now.state === 'paused') return text('trial.paused');
  return text(stateKind === 'no-difference' && answer?.state === 'open' ? 'trial.open' : TITLES[stateKind]);
}

function row(
  { profileId, attempted, recorded, lost, dropped, predictedRatio, isControl }: TrialArm,
  { trial, isBaseline }: { trial: CurrentTrial; isBaseline: boolean },
): TrialRow {
  return {
    name: armText(profileId),
    note: [
      ...(isBaseline && dropped === undefined ? [text('trial.baseline')] : []),
      ...(isControl && dropped === undefined ? [text('trial.control')] : []),
      ...(dropped === undefined ? [] : [text('trial.dropped', { why: dropped })]),
      ...(predictedRatio === undefined ? [] : [text('trial.predicted', { change: predictedRatio })]),
    ].join(' · '),
    recorded: text('trial.recorded', { recorded, attempted }),
    lost: String(lost),
    isOn: trial.now.state === 'in-effect' && trial.turn.profileId === profileId,
  };
}

/** Slots are numbered throughout; a person counts them within their block, from 1. */
const slotOf = ({ turn }: CurrentTrial): string =>
  text('trial.slot', { slot: turn.slotInBlock + 1, block: turn.block + 1, profile: armText(turn.profileId) });

function nowText(trial: CurrentTrial, moment: number): string {
  const { turn, now } = trial;
  const slot = slotOf(trial);
  switch (now.state) {
    case 'in-effect': {
      const since = text('trial.since', { slot, time: format.clock(now.since, moment) });
      return now.washout ? `${since} ${text('trial.washout')}` : since;
    }
    case 'switching':
      return now.loading === 0 ? text('trial.switching', { slot }) : text('trial.loading', { slot, count: now.loading });
    case 'due-at-start':
      return now.held === turn.profileId
        ? text('trial.dueAtStart.held', { slot })
        : text('trial.dueAtStart', { slot, held: armText(now.held) });
    case 'paused': {
      const isLeftAlone = now.because !== undefined && !now.restoring;
      const rest = text(isLeftAlone ? (trial.byGateway ? 'trial.gatewayAgain' : 'trial.leftAlone') : restoredId(trial, now));
      return text('trial.pausedNow', { why: now.because === undefined ? text('trial.pausedByYou') : fixedText(now.because), state: rest });
    }
    case 'ended':
      return text(restoredId(trial, now));
    default:
      return assertNever(now);
  }
}

function restoredId(
  { byHelper, byGateway, slots, former }: CurrentTrial,
  { restoring }: Extract<TrialNow, { readonly restoring: boolean }>,
): PlainId {
  if (slots.kind === 'session' && !byHelper) return 'trial.setNothing';
  // The line about the previous profile says the rest.
  if (former?.by === 'helper' && !restoring && former.notAgain === undefined) return 'trial.nothingLeft';
  if (byHelper && !restoring) return 'trial.restoredAtStart';
  if (byGateway) return restoring ? 'trial.gatewayRestoring' : 'trial.gatewayRestored';
  return restoring ? 'trial.restoring' : 'trial.restored';
}

/** Whether this session already uses the due profile, where slots are sessions. */
const isInPlace = ({ due, now }: CurrentTrial): boolean => now.state === 'due-at-start' && now.held === due?.profileId;

function taskOf(trial: CurrentTrial, byHand: TrialFacts['byHand'] | undefined): string | undefined {
  const { due } = trial;
  if (due === undefined) return undefined;
  if (isInPlace(trial)) return text('trial.task.leave');
  const { profileId, helper } = due;
  const profile = armText(profileId);
  if (helper !== undefined) return text(helper === 'staged' ? 'trial.task.ready' : 'trial.task.notReady', { profile });
  const isBaseline = profileId === BASELINE_ID;
  if (byHand === 'android') return isBaseline ? text('trial.task.manualUndo') : text('trial.task.manual', { profile });
  const policy = text('trial.task.policy', { profile });
  if (byHand === undefined) return policy;
  return `${policy} ${isBaseline ? text('trial.task.orManualUndo') : text('trial.task.orManual', { profile })}`;
}

/** What happens to the profile that the person had applied. */
interface FormerView {
  readonly text: string;
  /** Whether the person has to do something. */
  readonly isProblem: boolean;
}

/** The view of the previous profile during a trial, or after it. */
export function formerView({ profileId, by, notAgain }: FormerProfile, now: TrialNow): FormerView | undefined {
  const profile = armText(profileId);
  if (now.state !== 'paused' && now.state !== 'ended')
    return by === 'person' ? undefined : { text: text('trial.former.returns', { profile }), isProblem: false };
  if (now.restoring) return undefined;
  if (notAgain !== undefined) {
    const id = now.state === 'paused' ? 'trial.former.failed.paused' : 'trial.former.failed';
    return { text: text(id, { profile, why: withoutStop(fixedText(notAgain)) }), isProblem: true };
  }
  return { text: text(AGAIN[by], { profile }), isProblem: by === 'person' };
}

const AGAIN = {
  live: 'trial.former.again',
  helper: 'trial.former.againAtStart',
  person: 'trial.former.restore',
} as const satisfies Record<FormerProfile['by'], MessageId>;
