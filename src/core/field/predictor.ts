/** The simulator as everyday loads use it; handed in, so that what is made of its answers can be checked against answers that are known. */

import type { InferredPage } from '../graph/inference.ts';
import type { ModelError, RatioAsked } from '../predict/model-error.ts';
import type { TypicalOptions } from '../predict/predict-typical.ts';
import type { Prediction } from '../simulate/prediction.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';

export interface Predictor {
  /** @throws PlumbfoxError `bad-input` when nothing can be predicted of this load, such as of one that came from the cache. */
  readonly pageFromLoad: (load: MarkedPageLoad) => InferredPage;
  /** @throws PlumbfoxError `bad-input` when page or link cannot be used. */
  readonly predict: (options: TypicalOptions) => readonly Prediction[];
  /** Of the regimes of these predictions, and of their ratios to those of the baseline; `undefined`: not measured. */
  readonly errorOf: (predictions: readonly Prediction[], ratio?: RatioAsked) => ModelError | undefined;
}
