/** The answer at the head of the dashboard: the popup's, from the prediction that this page has made itself. */
import type { DashboardState } from '../protocol/page-state.ts';
import { type PredictionStanding, shownAnswer } from '../protocol/prediction-answer.ts';
import { type AnswerView, answerView } from '../views/answer-view.ts';
import type { PredictionState } from '../views/prediction-view.ts';

/** @param prediction - `undefined`: not asked for yet. @param predictedLoads - How many loads there were when it was last made. */
export function dashboardAnswer(state: DashboardState, prediction: PredictionState | undefined, predictedLoads?: number): AnswerView {
  const loadsSince = Math.max(0, state.loads - (predictedLoads ?? state.loads));
  return answerView(shownAnswer(state, standingOf(prediction, loadsSince)), state);
}

/** While newer loads are worked out, what was predicted before them. */
function standingOf(prediction: PredictionState | undefined, loadsSince: number): PredictionStanding {
  if (prediction?.state === 'answered') return { ...prediction.answer, loadsSince };
  return { state: prediction?.state === 'failed' ? 'failed' : 'working' };
}
