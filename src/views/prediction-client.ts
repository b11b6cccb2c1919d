/** A page's client of the prediction worker. */
import { PlumbfoxError } from '../core/errors.ts';
import {
  type PredictionAnswers,
  type PredictionRequest,
  predictionReplySchema,
  type ShownFieldPrediction,
} from '../protocol/prediction-answer.ts';
import type { PredictionState } from './prediction-view.ts';
import { createWorkerClient, type WorkerClient } from './worker-client.ts';

export type PredictionClient = WorkerClient<PredictionRequest, PredictionAnswers>;

/** Creates a client without starting the worker. */
export const createPredictionClient = (): PredictionClient =>
  createWorkerClient<PredictionRequest, PredictionAnswers>({
    // The same path from every page of the extension.
    path: '../views/prediction-worker.js',
    replySchema: predictionReplySchema,
    badReply: 'prediction.badReply',
    notStarted: 'prediction.notStarted',
  });

/** The prediction for the newest loads, requested when it is wanted, and once more when something has changed since. */
interface PredictionAsker {
  /** `undefined`: never requested. */
  readonly state: () => PredictionState | undefined;
  /** Predicts again; while a prediction is in progress, once more after it. @param named - By the prediction before. @returns the last answer. @throws as the client does. */
  readonly predict: (profiles: readonly string[], named?: string | undefined) => Promise<ShownFieldPrediction>;
}

/** Combines requests that come while a prediction is in progress into one. */
export function createPredictionAsker(client: PredictionClient, onChange: () => void): PredictionAsker {
  let state: PredictionState | undefined;
  let last: ShownFieldPrediction | undefined;
  let underWay: Promise<ShownFieldPrediction> | undefined;
  let wanted: { readonly profiles: readonly string[]; readonly named: string | undefined } | undefined;

  const change = (changed: PredictionState) => {
    state = changed;
    onChange();
  };
  const run = async (): Promise<ShownFieldPrediction> => {
    try {
      while (wanted !== undefined) {
        const { profiles, named } = wanted;
        wanted = undefined;
        change(last === undefined ? { state: 'computing' } : { state: 'answered', answer: last, again: true });
        last = await client.ask({ kind: 'predict-field', profiles: [...profiles], ...(named !== undefined && { named }) });
      }
      if (last === undefined) throw new PlumbfoxError('internal', 'Nothing was asked for.');
      underWay = undefined;
      change({ state: 'answered', answer: last, again: false });
      return last;
    } catch (error) {
      last = undefined;
      wanted = undefined;
      underWay = undefined;
      change({ state: 'failed', message: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };
  return {
    state: () => state,
    predict: (profiles, named) => {
      wanted = { profiles, named };
      underWay ??= run();
      return underWay;
    },
  };
}
