/** The answer that popup and export show, from what the extension's contexts know. */
import { type Answer, answerOf } from '../core/answer/answer.ts';
import type { PopupState } from './popup-state.ts';
import type { ShownFieldPrediction } from './prediction-answer.ts';

/** What is known of the prediction for the newest loads: it, or where it stands. */
export type PredictionStanding = ShownFieldPrediction | { readonly state: 'working' | 'failed' };

export function shownAnswer({ loads, trial: facts }: Pick<PopupState, 'loads' | 'trial'>, prediction: PredictionStanding): Answer {
  const { answer, slower } = facts?.current ?? {};
  return answerOf({ trial: answer, slower, prediction: loads === 0 ? { state: 'no-loads' } : prediction });
}
