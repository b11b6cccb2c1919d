/**
 * The section "Predicted for your loads": computed when the answer needs it, when the section is unfolded, and for a trial that begins with the best
 * profile.
 */

import { createFieldPredictor, type FieldPredictor } from '../views/field-prediction.ts';
import { pageElement, show } from '../views/page.ts';
import { predictionView, renderPrediction } from '../views/prediction-view.ts';

/** @param onChange - Called when `standing` may have changed. */
export async function wirePrediction(onChange: () => void): Promise<FieldPredictor> {
  const details = pageElement('prediction', HTMLDetailsElement);
  const predictor = await createFieldPredictor({
    onState: (state) => renderPrediction('prediction', predictionView(state), { beside: 'nothing' }),
    onChange,
    isShown: () => details.open,
  });
  details.addEventListener('toggle', predictor.predictIfShown);
  return {
    ...predictor,
    follow: (state) => {
      // Absent where the store cannot be read, which is shown elsewhere.
      show('predictions', state.trial !== undefined);
      predictor.follow(state);
    },
  };
}
