/** The answer at the head of the dashboard: the popup's, from the prediction that this page has made itself. */
import type { DashboardState } from '../protocol/dashboard-state.ts';
import { type PredictionStanding, shownAnswer } from '../protocol/shown-answer.ts';
import { type AnswerView, answerView } from '../views/answer-view.ts';
import type { PredictionState } from '../views/prediction-view.ts';

/** @param prediction - `undefined`: not asked for yet. */
export function dashboardAnswer(state: DashboardState, prediction: PredictionState | undefined): AnswerView {
  return answerView(shownAnswer(state, standingOf(prediction)), state);
}

/** For the loads until now, while newer ones are worked out. */
function standingOf(prediction: PredictionState | undefined): PredictionStanding {
  if (prediction?.state === 'answered') return prediction.answer;
  return { state: prediction?.state === 'failed' ? 'failed' : 'working' };
}
