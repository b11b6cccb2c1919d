/** Everything the page "More" shows, computed from `PopupState`: pure, so that every state can be tested without a browser. */
import type { Answer, Change } from '../core/answer/answer.ts';
import { milliseconds, ratio } from '../core/units.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { type AnswerView, answerView } from '../views/answer-view.ts';
import type { FieldState } from '../views/field-comparison.ts';
import { type RecordingView, recordingView, recordLossText } from '../views/recording-view.ts';
import { text } from '../views/text.ts';
import { type ComparisonView, comparisonStatus, comparisonView, excludedLabel, noComparison } from './comparison-view.ts';
import { loadView, type ShownLoad } from './load.ts';
import { type ProfileView, profileView } from './profile-view.ts';
import { type TrialView, trialView } from './trial-view.ts';

export interface ControlsView {
  readonly recording: RecordingView;
  /** The records that Firefox has lost. */
  readonly loss: string | undefined;
  readonly answer: AnswerView;
  readonly profile: ProfileView;
  /** Absent where nothing is known of trials. */
  readonly trial: TrialView | undefined;
  readonly load: ShownLoad;
  /** `empty`: what to do to get one. */
  readonly comparison: { readonly state: 'known'; readonly view: ComparisonView } | { readonly state: 'empty'; readonly text: string };
  /** Whether a newer one is being computed, or why there is none. */
  readonly comparisonStatus: string | undefined;
  readonly records: {
    readonly text: string;
    readonly canExport: boolean;
    readonly canDelete: boolean;
    readonly deleteQuestion: string;
  };
}

interface ViewOptions {
  readonly answer: Answer;
  /** Wall clock, ms since the epoch. */
  readonly now: number;
}

export function controlsView(state: PopupState, { answer, now }: ViewOptions): ControlsView {
  const shown = answerView(answer, state);
  return {
    recording: recordingView(state.recording),
    loss: recordLossText(state, now),
    answer: shown,
    profile: profileView(state.active, state),
    trial: state.trial && trialView(state.trial, now),
    load:
      state.lastLoad === undefined
        ? { state: 'empty', text: text(state.recording.state === 'recording' ? 'load.none.recording' : 'load.none') }
        : { state: 'known', view: loadView(state.lastLoad, now) },
    comparison:
      state.comparison === undefined || state.comparison.profiles.length === 0
        ? { state: 'empty', text: noComparison(state) }
        : {
            state: 'known',
            view: comparisonView(state.comparison, {
              recommended: shown.profileId,
              inTrial: trialFigures(state.trial),
              excluded: excludedLabel(state),
            }),
          },
    comparisonStatus: comparisonStatus(state),
    records: records(state),
  };
}

/** The figures of a trial under way, as the card shows them. */
function trialFigures(trial: PopupState['trial']): ReadonlyMap<string, Change | undefined> {
  const current = trial?.current;
  if (current === undefined || current.now.state === 'ended') return new Map();
  const candidates = current.arms.slice(1).filter(({ isControl }) => !isControl);
  return new Map(candidates.map(({ profileId }) => [profileId, current.rows?.find((row) => row.profileId === profileId)?.change]));
}

function records({ loads: count, unreadable = 0, recording }: PopupState): ControlsView['records'] {
  const loads = text('count.loads', { count });
  const stored = [text('records.some', { loads }), ...(unreadable === 0 ? [] : [text('comparison.unreadable', { count: unreadable })])];
  return {
    text: count === 0 ? text('records.none') : stored.join(' '),
    canExport: count > 0,
    // A failed store may hold records it can no longer count.
    canDelete: count > 0 || recording.state === 'store-failed',
    deleteQuestion: count === 0 ? text('records.deleteQuestion.unknown') : text('records.deleteQuestion', { loads }),
  };
}

/** The background's state with the results of the comparison of everyday loads. */
export function withEverydayComparison(state: PopupState, { answer, comparing, failure }: FieldState): PopupState {
  if (state.loads === 0) return state;
  return {
    ...state,
    lastLoad: lastLoad(state.lastLoad, answer, comparing !== undefined),
    // A comparison made by the background has priority.
    comparison: state.comparison ?? answer?.comparison,
    ...(comparing && { comparing }),
    ...(failure !== undefined && { comparisonFailure: failure }),
    ...(answer && { unreadable: answer.unreadable, excluded: answer.excluded, withoutLink: answer.withoutLink }),
  };
}

/** The last load with its figures, if it is the newest compared load. */
function lastLoad(load: PopupState['lastLoad'], answer: FieldState['answer'], isComparing: boolean): PopupState['lastLoad'] {
  const newest = answer?.newest;
  if (load === undefined || load.link !== undefined) return load;
  if (newest?.startedAt !== load.startedAt) return { ...load, ...(isComparing && { linkPending: true }) };
  const { idealTimeMs, efficiency, utilisation, link } = newest;
  return {
    ...load,
    link,
    measures: {
      ...load.measures,
      ...(idealTimeMs !== undefined && { idealTimeMs: milliseconds(idealTimeMs) }),
      ...(efficiency !== undefined && { efficiency: ratio(efficiency) }),
      ...(utilisation !== undefined && { utilisation: ratio(utilisation) }),
    },
  };
}
