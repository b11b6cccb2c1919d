/**
 * The prediction for the newest loads, for a page that shows it: computed in a worker once for the same loads, and stored. Whichever page made it, all
 * show the stored one.
 */
import { browser } from '../adapters/browser.ts';
import { type HeldPrediction, onFieldPrediction, readLastFieldPrediction, writeLastFieldPrediction } from '../adapters/field-storage.ts';
import type { DashboardState, PopupState } from '../protocol/page-state.ts';
import { heldStanding, type PredictedLoads, type PredictionStanding, type ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import { reportOnPage } from './page.ts';
import { createPredictionAsker, createPredictionClient } from './prediction-client.ts';
import type { PredictionState } from './prediction-view.ts';

/** Predicting 20 pages takes some seconds at most (`PREDICTED_PAGES`). */
const SETTLED_WITHIN_MS = 15_000;

interface PredictorPage {
  /** Called with each state of a prediction that is made now. */
  readonly onState?: (state: PredictionState) => void;
  /** Called when `standing` may have changed. */
  readonly onChange: () => void;
  /** Whether the page shows it in any case. */
  readonly isShown?: () => boolean;
}

type FollowedState = Pick<PopupState, 'trial' | 'loads'> & { readonly lastLoad?: DashboardState['lastLoad'] | undefined };

/** Follows the newest loads with a prediction of what settings would gain on them. */
export type FieldPredictor = Awaited<ReturnType<typeof createFieldPredictor>>;

export async function createFieldPredictor({ onState, onChange, isShown = () => false }: PredictorPage) {
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
    onState?.(state);
    if (state.state === 'answered' && !state.again) keep({ of: asked, ...askedFor, madeAt: Date.now(), answer: state.answer });
    onChange();
  });
  const keep = (answered: HeldPrediction) => {
    held = answered;
    writeLastFieldPrediction(answered).catch(reportOnPage('failed.keepPrediction'));
  };
  onFieldPrediction((stored) => {
    held = stored;
    if (stored.of === wanted) asked = wanted;
    onState?.({ state: 'answered', answer: stored.answer, again: false });
    onChange();
  });
  const named = () => (held?.answer.state === 'predicted' ? held.answer.recommended?.id : undefined);
  /** Predicts for the newest loads. @throws PlumbfoxError `internal` when it fails. */
  const predict = (): Promise<ShownFieldPrediction> => {
    asked = wanted;
    askedFor = now;
    const answered = asker.predict(candidates, named());
    underWay = answered.catch(() => undefined);
    return answered;
  };
  /** `onState` reports a failure. */
  const predictOnce = () => {
    if (asked === wanted) return;
    if (held?.of !== wanted) {
      predict().catch(() => undefined);
      return;
    }
    asked = wanted;
    onState?.({ state: 'answered', answer: held.answer, again: false });
  };
  const predictIfShown = () => {
    if (isShown()) predictOnce();
  };
  /** While a newer prediction is computed, or when it fails, the last one stays shown. */
  const standing = (): PredictionStanding =>
    held === undefined && asker.state()?.state === 'failed' ? { state: 'failed' } : heldStanding(held, now);
  return {
    /** Call with each state that is shown: the prediction follows the loads. @param later - Only what is kept is shown for now. */
    follow: ({ trial, loads, lastLoad }: FollowedState, { later = false } = {}): void => {
      if (trial === undefined) {
        // Once the store can be read, the prediction is shown again.
        asked = '';
        onState?.({ state: 'unreadable' });
        return;
      }
      candidates = trial.offer.offered.map(({ id }) => id);
      now = { loads, newestAt: lastLoad?.startedAt };
      wanted = `${version} ${loads} ${lastLoad?.startedAt} ${candidates.join(' ')}`;
      if (later && held?.of !== wanted) return;
      predictIfShown();
      const restsOnIt = trial.current?.answer === undefined && loads > 0;
      if (restsOnIt && held?.of !== wanted && !document.hidden) predictOnce();
    },
    standing,
    predictIfShown,
    predict,
    /** The standing once a prediction in progress is done or takes too long: what is written to a file stays there. */
    settled: async (): Promise<PredictionStanding> => {
      if (now.loads > 0 && held?.of !== wanted) predictOnce();
      await Promise.race([underWay, new Promise((done) => setTimeout(done, SETTLED_WITHIN_MS))]);
      return standing();
    },
    /** Call when networks were named: the next `follow` predicts again, because the prediction that is kept has their former names. */
    renamed: (): void => {
      asked = '';
      held = held && { ...held, of: '' };
    },
    /** Removes the prediction when there are no loads any more. */
    forget: async (): Promise<void> => {
      held = undefined;
      await writeLastFieldPrediction(undefined);
    },
    /** The last prediction, made now or kept; `undefined`: there is none. */
    last: (): ShownFieldPrediction | undefined => held?.answer,
  };
}
