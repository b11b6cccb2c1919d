/** The trial in words: what is going on, what each profile has had, and what the person may do. */
import { assertNever } from '../core/errors.ts';
import { BASELINE_ID } from '../core/profiles/presets.ts';
import type { CurrentTrial, TrialArm, TrialFacts, TrialNow } from '../protocol/trial-state.ts';
import type { Figures } from '../core/text/number-format.ts';
import { type FormerView, formerView } from './trial-former-view.ts';
import { type TrialSetupView, trialSetupView } from './trial-setup-view.ts';

export interface TrialRow {
  readonly id: string;
  /** What it is in the trial, or why it has no turn any more. */
  readonly note: string;
  readonly recorded: string;
  readonly lost: string;
  /** It has its turn now. */
  readonly isOn: boolean;
}

export interface CurrentTrialView {
  readonly title: string;
  /** What the trial says of the profiles. */
  readonly sentence: string;
  /** What is happening at this moment. */
  readonly now: string;
  /** What the person has to do, where something is; absent: nothing. */
  readonly task: string | undefined;
  /** What becomes of the profile that the person had applied; absent: there was none, or nothing can be said yet. */
  readonly former: FormerView | undefined;
  readonly warnings: readonly string[];
  /** What pages of other protocols than the judged one say. */
  readonly beside: readonly string[];
  readonly rows: readonly TrialRow[];
  readonly canPause: boolean;
  readonly canResume: boolean;
  readonly canStop: boolean;
  /** A policies.json to save: its text. */
  readonly policies: string | undefined;
}

export interface TrialView {
  /** Absent while a trial is under way. */
  readonly intro: string | undefined;
  /** Why the trial could not be carried on; absent: it could. */
  readonly problem: string | undefined;
  readonly current: CurrentTrialView | undefined;
  /** Absent while a trial is under way. */
  readonly setup: TrialSetupView | undefined;
}

const INTRO =
  'A trial lets profiles take turns while you browse as usual, in random order and never in the middle of a page, and says which one proves better.';

export function trialView(facts: TrialFacts, { now, figures }: { readonly now: number; readonly figures: Figures }): TrialView {
  const { current, failure, byHand } = facts;
  const isUnderWay = current !== undefined && !(current.now.state === 'ended' && !current.now.restoring);
  return {
    intro: isUnderWay ? undefined : INTRO,
    problem:
      failure === undefined
        ? undefined
        : `The trial could not go on: ${failure.trim().replace(/\.+$/, '')}. It is tried again with the next page you load.`,
    current: current && currentView(current, { now, figures, byHand }),
    setup: isUnderWay ? undefined : trialSetupView(facts),
  };
}

function currentView(
  trial: CurrentTrial,
  { now, figures, byHand }: Moment & { readonly byHand: TrialFacts['byHand'] | undefined },
): CurrentTrialView {
  const { state } = trial.now;
  return {
    title: titleOf(trial),
    sentence: trial.sentence,
    now: nowWords(trial, { now, figures }),
    task: taskWords(trial, byHand),
    former: trial.former && formerView(trial.former, trial.now),
    warnings: trial.warnings,
    beside: trial.beside ?? [],
    rows: trial.arms.map((arm, at) => row(arm, { trial, isBaseline: at === 0, figures })),
    canPause: state !== 'paused' && state !== 'ended',
    canResume: state === 'paused',
    canStop: state !== 'ended',
    policies: isInPlace(trial) || trial.due?.helper || byHand === 'android' ? undefined : trial.due?.policies,
  };
}

function titleOf({ answer, said, now }: CurrentTrial): string {
  if (now.state === 'paused') return 'Paused.';
  switch (said) {
    case 'collecting':
      return 'Collecting.';
    case 'checking':
      return 'Checking.';
    case 'leading':
      return 'One is ahead, being confirmed.';
    case 'confirmed':
      return 'Confirmed.';
    case 'no-difference':
      return answer?.state === 'open' ? 'Not enough data.' : 'No real difference.';
    case 'invalid':
      return 'No verdict.';
    case 'stopped':
      return 'Stopped.';
    default:
      return assertNever(said);
  }
}

function row(
  { profileId, attempted, recorded, lost, dropped, predictedRatio, isControl }: TrialArm,
  { trial, isBaseline, figures }: { trial: CurrentTrial; isBaseline: boolean; figures: Figures },
): TrialRow {
  return {
    id: profileId,
    note: [
      ...(isBaseline && dropped === undefined ? ['baseline'] : []),
      ...(isControl && dropped === undefined ? ['the gateway by itself'] : []),
      ...(dropped === undefined ? [] : [`out: ${dropped}`]),
      ...(predictedRatio === undefined ? [] : [`predicted ≈\u00a0${figures.change(predictedRatio)}, not measured`]),
    ].join(' · '),
    recorded: `${recorded} of ${attempted}`,
    lost: String(lost),
    isOn: trial.now.state === 'in-effect' && trial.turn.profileId === profileId,
  };
}

interface Moment {
  readonly now: number;
  readonly figures: Figures;
}

function nowWords(trial: CurrentTrial, moment: Moment): string {
  const { turn, now } = trial;
  const slot = `${slotName(trial)}: ${turn.profileId}`;
  switch (now.state) {
    case 'in-effect':
      return `${slot} since ${moment.figures.clock(now.since, moment.now)}.${now.washout ? ' The next load is the first after the switch and does not count.' : ''}`;
    case 'switching':
      return `${slot} is due. ${now.loading === 0 ? 'It is about to be put in effect.' : `It is put in effect as soon as ${loadingWords(now.loading)}.`}`;
    case 'due-at-start':
      return `${slot} is due. ${heldWords(turn.profileId, now.held)}`;
    case 'paused':
      return `${now.because ?? 'You have paused the trial.'} Loads do not count for it. ${now.because !== undefined && !now.restoring ? leftAloneWords(trial) : restoredWords(trial, now)}`;
    case 'ended':
      return restoredWords(trial, now);
    default:
      return assertNever(now);
  }
}

/** Slots are numbered through; a person counts them within their block, from 1. */
const slotName = ({ turn }: CurrentTrial): string => `Slot ${turn.slotOfBlock + 1} of block ${turn.block + 1}`;

function loadingWords(loading: number): string {
  const pages = loading === 1 ? 'the page that is loading has' : `the ${loading} pages that are loading have`;
  return `${pages} finished, at the latest in two minutes`;
}

function heldWords(due: string, held: string): string {
  return held === due
    ? 'This session runs under it already, and from its next start Firefox counts for it.'
    : `This session runs under ${held}, so its loads do not count.`;
}

const LEFT_ALONE =
  'What someone else has set was left alone, all else is as it was before the trial. It goes on when that is as before, too.';

const leftAloneWords = ({ byGateway }: CurrentTrial): string =>
  byGateway ? 'When you go on, the gateway is switched on again.' : LEFT_ALONE;

const SET_NOTHING = 'Plumbfox itself has set nothing: what was put in place for the trial stays until it is taken away.';

function restoredWords(
  { byHelper, byGateway, slots, former }: CurrentTrial,
  { restoring }: Extract<TrialNow, { readonly restoring: boolean }>,
): string {
  if (slots.kind === 'session' && !byHelper) return SET_NOTHING;
  // The line on what was applied before says it.
  if (former?.by === 'helper' && !restoring && former.notAgain === undefined) return 'Nothing of the trial is left.';
  if (byHelper && !restoring) return 'From the next start of Firefox on your preferences are your own again, without anything of Plumbfox.';
  if (byGateway && !restoring) return 'The gateway is as it was before the trial.';
  if (byGateway) return 'The gateway returns to what it was as soon as no page is loading, at the latest in two minutes.';
  return restoring
    ? 'Your preferences return to what they were as soon as no page is loading, at the latest in two minutes.'
    : 'Your preferences are as they were before the trial.';
}

/** Slots by session: whether what is due is what this session runs under, so that nothing has to be changed. */
const isInPlace = ({ due, now }: CurrentTrial): boolean => now.state === 'due-at-start' && now.held === due?.profileId;

function taskWords(trial: CurrentTrial, byHand: TrialFacts['byHand'] | undefined): string | undefined {
  const { due } = trial;
  if (due === undefined) return undefined;
  if (isInPlace(trial)) return 'Leave everything as it is, and start Firefox anew when it suits you.';
  if (due.helper !== undefined) return helperTask(due);
  const { profileId } = due;
  const handiwork = profileId === BASELINE_ID ? 'go back to before by hand, above' : `set ${profileId} by hand, above`;
  if (byHand === 'android') return `Before you next start Firefox, ${handiwork}.`;
  const policy = `Before you next start Firefox, install the policies.json of ${profileId}: save it below, and put it in the folder “distribution” beside Firefox, or on Linux in /etc/firefox/policies.`;
  return byHand === undefined ? policy : `${policy} Or ${handiwork}.`;
}

function helperTask({ profileId, helper }: Pick<NonNullable<CurrentTrial['due']>, 'profileId' | 'helper'>): string {
  const ready = `${profileId} lies ready: close Firefox and start it again when it suits you.`;
  const waits = `${profileId} is not laid ready yet: the helper does that when a page has come and Firefox has run for half a minute. If it stays so, apply it yourself, above, and start Firefox anew.`;
  return helper === 'laid-ready' ? ready : waits;
}
