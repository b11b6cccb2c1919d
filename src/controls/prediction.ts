/**
 * The popup's prediction for the newest loads: computed in a worker when the answer needs it, when its section is unfolded, and for a trial that
 * begins with the best profile. It is computed once for the same loads, and stored for the next time the popup opens.
 */
import { browser } from '../adapters/browser.ts';
import { type HeldPrediction, readLastFieldPrediction, writeLastFieldPrediction } from '../adapters/field-storage.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { heldStanding, type PredictedLoads, type PredictionStanding, type ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import { pageElement, reportOnPage, show } from '../views/page.ts';
import { createPredictionAsker, createPredictionClient } from '../views/prediction-client.ts';
import { predictionView, renderPrediction } from '../views/prediction-view.ts';

interface PopupPrediction {
  /** Call with each state that is shown: an unfolded prediction follows the loads. */
  readonly follow: (state: PopupState) => void;
  readonly standing: () => PredictionStanding;
  /** The standing once a prediction in progress is done or takes too long: what is written to a file stays there. */
  readonly settled: () => Promise<PredictionStanding>;
  /** Removes the prediction when there are no loads any more. */
  readonly forget: () => Promise<void>;
  /** Predicts for the newest loads. @throws PlumbfoxError `internal` when it fails. */
  readonly predict: () => Promise<ShownFieldPrediction>;
}

/** Predicting 20 pages takes some seconds at most (`PREDICTED_PAGES`). */
const SETTLED_WITHIN_MS = 15_000;

/** @param onChange - Called when `standing` may have changed. */
export async function wirePrediction(onChange: () => void): Promise<PopupPrediction> {
  const details = pageElement('prediction', HTMLDetailsElement);
  const { version } = browser.runtime.getManifest();
  // The stored prediction only saves time: without it everything is computed again.
  let held = await readLastFieldPrediction().catch(() => undefined);
  let candidates: readonly string[] = [];
  /** Identify what is to be predicted, and what was requested last. */
  let wanted = '';
  let asked = '';
  let now: PredictedLoads = { loads: 0, newestAt: undefined };
  let askedFor = now;
  let underWay: Promise<unknown> = Promise.resolve();

  const asker = createPredictionAsker(createPredictionClient(), () => {
    const state = asker.state();
    if (state === undefined) return;
    renderPrediction('prediction', predictionView(state), { beside: 'nothing' });
    if (state.state === 'answered' && !state.again) keep({ of: asked, ...askedFor, answer: state.answer });
    onChange();
  });
  const keep = (answered: HeldPrediction) => {
    held = answered;
    writeLastFieldPrediction(answered).catch(reportOnPage('failed.keepPrediction'));
  };
  const predict = () => {
    asked = wanted;
    askedFor = now;
    const answered = asker.predict(candidates);
    underWay = answered.catch(() => undefined);
    return answered;
  };
  /** The section itself shows a failure. */
  const predictOnce = () => {
    if (asked !== wanted) predict().catch(() => undefined);
  };
  const predictIfShown = () => {
    if (details.open) predictOnce();
  };
  /** While a newer prediction is computed, the last one stays shown. */
  const standing = (): PredictionStanding => (asker.state()?.state === 'failed' ? { state: 'failed' } : heldStanding(held, now));
  details.addEventListener('toggle', predictIfShown);
  return {
    follow: ({ trial, loads, lastLoad }) => {
      // Absent where the store cannot be read, which is shown elsewhere.
      show('predictions', trial !== undefined);
      if (trial === undefined) return;
      candidates = trial.offer.offered.map(({ id }) => id);
      now = { loads, newestAt: lastLoad?.startedAt };
      wanted = `${version} ${loads} ${lastLoad?.startedAt} ${candidates.join(' ')}`;
      predictIfShown();
      const restsOnIt = trial.current?.answer === undefined && loads > 0;
      if (restsOnIt && held?.of !== wanted && !document.hidden) predictOnce();
    },
    standing,
    settled: async () => {
      if (now.loads > 0 && held?.of !== wanted) predictOnce();
      await Promise.race([underWay, new Promise((done) => setTimeout(done, SETTLED_WITHIN_MS))]);
      return standing();
    },
    forget: async () => {
      held = undefined;
      await writeLastFieldPrediction(undefined);
    },
    predict,
  };
}
