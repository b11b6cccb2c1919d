/** The prediction for the newest loads, as a page follows it: asked for when it is wanted, and once more when something has changed meanwhile. */
import { PlumbfoxError } from '../core/errors.ts';
import type { ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import type { PredictionClient } from './prediction-client.ts';
import type { PredictionState } from './prediction-view.ts';

export interface PredictionAsker {
  /** `undefined`: never asked for. */
  readonly state: () => PredictionState | undefined;
  /** Predicts anew. While one prediction is under way, once more after it. @returns the last answer. @throws as the client does. */
  readonly predict: (profiles: readonly string[]) => Promise<ShownFieldPrediction>;
}

export function createPredictionAsker(client: PredictionClient, onChange: () => void): PredictionAsker {
  let state: PredictionState | undefined;
  let last: ShownFieldPrediction | undefined;
  let underWay: Promise<ShownFieldPrediction> | undefined;
  let wanted: readonly string[] | undefined;

  const change = (changed: PredictionState) => {
    state = changed;
    onChange();
  };
  const run = async (): Promise<ShownFieldPrediction> => {
    try {
      while (wanted !== undefined) {
        const profiles = wanted;
        wanted = undefined;
        change(last === undefined ? { state: 'computing' } : { state: 'answered', answer: last, again: true });
        last = await client.ask({ kind: 'predict-field', profiles: [...profiles] });
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
    predict: (profiles) => {
      wanted = profiles;
      underWay ??= run();
      return underWay;
    },
  };
}
