/** Which candidates a trial begins with when it begins with the predicted best, and in words why. */
import type { ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import type { TrialWish } from '../protocol/trial-state.ts';
import type { Figures } from '../views/figures.ts';
import { predictionView } from '../views/prediction-view.ts';

export interface PredictedChoice {
  /** Empty: nothing is to be chosen. */
  readonly arms: NonNullable<TrialWish['predicted']>;
  readonly words: string;
}

export function predictedChoice(answer: ShownFieldPrediction, figures: Figures): PredictedChoice {
  if (answer.state !== 'predicted') {
    const { status } = predictionView({ state: 'answered', answer, again: false }, figures);
    return { arms: [], words: `Nothing was chosen. ${status ?? ''}`.trim() };
  }
  const arms = answer.best.flatMap((id) => answer.rows.filter((row) => row.id === id).map(({ ratio }) => ({ profileId: id, ratio })));
  if (arms.length === 0) {
    return { arms, words: 'Nothing was chosen: no profile is predicted to be at least 1\u00a0% faster than firefox-default.' };
  }
  const list = arms.map(({ profileId, ratio }) => `${profileId} (≈\u00a0${figures.change(ratio)})`).join(', ');
  return { arms, words: `Chosen by prediction, not by measurement: ${list}. The trial measures them.` };
}
