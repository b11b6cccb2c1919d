/**
 * The popup's prediction for the newest loads: computed in a worker when the answer rests on it, when its section is unfolded, and for the
 * trial that is to begin with the best. For the same loads it is computed once, and kept until the popup is next opened.
 */

import { browser } from '../adapters/browser.ts';
import { type HeldPrediction, readLastFieldPrediction, writeLastFieldPrediction } from '../adapters/field-storage.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { heldStanding, type PredictedLoads, type PredictionStanding, type ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import { pageElement, reportOnPage, show } from '../views/page.ts';
import { createPredictionAsker, createPredictionClient } from '../views/prediction-client.ts';
import { predictionView, renderPrediction } from '../views/prediction-view.ts';

interface PopupPrediction {
  /** To be called with each state that is shown: an unfolded prediction follows the loads. */
  readonly follow: (state: PopupState) => void;
  /** What is known of it now. */
  readonly standing: () => PredictionStanding;
  /** The same, once what is being worked out is there, or the time for it is up: what is written to a file stays there. */
  readonly settled: () => Promise<PredictionStanding>;
  /** There are no loads any more. */
  readonly forget: () => Promise<void>;
  /** For the newest loads. @throws PlumbfoxError `internal` when it fails. */
  readonly predict: () => Promise<ShownFieldPrediction>;
}

/** Predicting 20 pages takes some seconds at most (`PREDICTED_PAGES`). Our own choice. */
const SETTLED_WITHIN_MS = 15_000;

/** @param onChange - Called when `standing` may have changed. */
export async function wirePrediction(onChange: () => void): Promise<PopupPrediction> {
  const details = pageElement('prediction', HTMLDetailsElement);
  const { version } = browser.runtime.getManifest();
  // What was kept only saves time: without it everything is computed anew.
  let held = await readLastFieldPrediction().catch(() => undefined);
  let candidates: readonly string[] = [];
  /** For what is to be predicted, and for what was asked last. */
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
  /** A failure is said in the section itself. */
  const predictOnce = () => {
    if (asked !== wanted) predict().catch(() => undefined);
  };
  const predictIfShown = () => {
    if (details.open) predictOnce();
  };
  /** While newer loads are worked out, what was predicted before them. */
  const standing = (): PredictionStanding => (asker.state()?.state === 'failed' ? { state: 'failed' } : heldStanding(held, now));
  details.addEventListener('toggle', predictIfShown);
  return {
    follow: ({ trial, loads, lastLoad }) => {
      // Absent where the store cannot be read, which is said elsewhere.
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
