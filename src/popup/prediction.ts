/** The popup's section of predictions: computed in a worker when it is unfolded, and for the trial that is to begin with the best of them. */
import type { PopupState } from '../protocol/popup-state.ts';
import type { ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import { createFigures } from '../views/figures.ts';
import { pageElement } from '../views/page-element.ts';
import { show } from '../views/page-text.ts';
import { createPredictionAsker } from '../views/prediction-asker.ts';
import { createPredictionClient } from '../views/prediction-client.ts';
import { renderPrediction } from '../views/prediction-render.ts';
import { predictionView } from '../views/prediction-view.ts';

export interface PopupPrediction {
  /** To be called with each state that is shown: an unfolded prediction follows the loads. */
  readonly follow: (state: PopupState) => void;
  /** For the newest loads. @throws PlumbfoxError `internal` when it fails. */
  readonly predict: () => Promise<ShownFieldPrediction>;
}

export function wirePrediction(): PopupPrediction {
  const figures = createFigures('en');
  const details = pageElement('prediction', HTMLDetailsElement);
  let candidates: readonly string[] = [];
  let loads = '';
  let predicted = '';

  const asker = createPredictionAsker(createPredictionClient(), () => {
    const state = asker.state();
    if (state !== undefined) renderPrediction('prediction', predictionView(state, figures), { beside: 'nothing' });
  });
  const predict = () => {
    predicted = loads;
    return asker.predict(candidates);
  };
  /** A failure is said in the section itself. */
  const predictIfShown = () => {
    if (details.open && predicted !== loads) predict().catch(() => undefined);
  };
  details.addEventListener('toggle', predictIfShown);
  return {
    follow: ({ trial, loads: count, lastLoad }) => {
      // Absent where the store cannot be read, which is said elsewhere.
      show('predictions', trial !== undefined);
      if (trial === undefined) return;
      candidates = trial.offer.offered.map(({ id }) => id);
      loads = `${count} ${lastLoad?.startedAt} ${candidates.join(' ')}`;
      predictIfShown();
    },
    predict,
  };
}
