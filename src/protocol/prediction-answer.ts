/** The messages between the extension's pages and their prediction worker: schemas and types. Nothing here is ever a measurement but what says so. */
import * as v from 'valibot';
import {
  type Answer,
  type AnswerInput,
  answerOf,
  predictedChangeSchema,
  predictedFasterSchema,
  triedSchema,
} from '../core/answer/answer.ts';
import { LOAD_STATUSES } from '../core/field/load-summary.ts';
import { GATEWAY_VISITS, WITHHELD } from '../core/gateway-policy.ts';
import { inferenceSchema } from '../core/graph/inference.ts';
import { loadTimelineSchema } from '../core/measure/load-timeline.ts';
import { RECORD_STATES } from '../core/predict/recorded-loads.ts';
import { profileIdSchema } from '../core/profiles/profile-id.ts';
import { timelineBarSchema } from '../core/report/timeline-bar.ts';
import { count, finite } from '../core/schema.ts';
import { BOUNDS } from '../core/simulate/prediction.ts';
import { fieldLinkSchema, givenLinkNamesSchema } from './field-answer.ts';
import { modelsAnswerSchema } from './models-answer.ts';
import type { PopupState } from './page-state.ts';

const positive = v.pipe(finite, v.gtValue(0));

const predictedRowSchema = v.object({
  id: profileIdSchema,
  loadTimeMs: v.pipe(finite, v.minValue(0)),
  /** Predicted efficiency over the baseline's. */
  ratio: positive,
  /** Where measured ratios should lie; absent: such bands are not known to hold. */
  ratioBand: v.exactOptional(v.object({ low: positive, high: positive })),
  bound: v.picklist(BOUNDS),
  /** Absent: nothing went through the gateway. */
  gateway: v.exactOptional(v.picklist(GATEWAY_VISITS)),
  /**
   * Where the profile sets what is not simulated, what changes no simulated load or cannot act on these pages, or why its change is
   * withheld; absent: all of it is predicted.
   */
  coverage: v.exactOptional(v.picklist(['in-part', 'unchanged', 'not-modelled', 'cannot-act', ...WITHHELD])),
  /** The measured time of whole loads of the page over the link under this profile; absent: there are none, or it is of several pages. */
  measured: v.optional(v.object({ loads: count, medianMs: finite })),
});
export type PredictedRow = v.InferOutput<typeof predictedRowSchema>;

/** See `SiteOutlook`. No address is in it: `load` is the id of a stored load. */
const siteOutlookSchema = v.object({
  load: v.string(),
  requests: count,
  gains: v.exactOptional(v.object({ id: profileIdSchema, change: predictedChangeSchema })),
  isSimulated: v.boolean(),
});

const modelErrorSchema = v.object({ errorP50: finite, errorP90: finite, basis: v.string() });

/** Profiles ordered by predicted load time, the baseline among them; what was assumed, and how wrong the model is known to be (absent: not known). */
const predictedEntries = {
  rows: v.array(predictedRowSchema),
  /** How many of the requests go to servers with HTTP/1.1, on which the number of connections acts. */
  reach: v.object({ requests: count, byConnections: count }),
  inferred: v.array(inferenceSchema),
  error: v.optional(modelErrorSchema),
};
const predictedSchema = v.object(predictedEntries);
export type Predicted = v.InferOutput<typeof predictedSchema>;

/** See `FieldPrediction`. */
export const shownFieldPredictionSchema = v.variant('state', [
  v.object({ state: v.literal('no-loads') }),
  v.object({ state: v.literal('link-not-known') }),
  v.object({ state: v.literal('rate-not-known'), link: fieldLinkSchema }),
  v.object({ state: v.literal('nothing-to-predict'), link: fieldLinkSchema, because: v.optional(v.string()) }),
  v.object({
    state: v.literal('predicted'),
    link: fieldLinkSchema,
    /** See `PredictedField`. */
    isFormer: v.boolean(),
    pages: v.pipe(count, v.minValue(1)),
    outside: count,
    sites: v.array(siteOutlookSchema),
    /**
     * Page by page: the median of its loads under Firefox's own settings, and its simulation under them. Pages that were never loaded so are missing.
     */
    beside: v.exactOptional(v.array(v.object({ recordedMs: positive, simulatedMs: positive, state: v.picklist(RECORD_STATES) }))),
    /** With which a trial may begin, the most efficient first; empty: none is predicted to gain anything. */
    best: v.array(profileIdSchema),
    /** The one to try, with its band; absent: the baseline stays. */
    recommended: v.exactOptional(
      v.object({ id: profileIdSchema, change: predictedChangeSchema, faster: v.exactOptional(predictedFasterSchema) }),
    ),
    /** See `PredictedField`; absent: not known. */
    atMost: v.exactOptional(v.pipe(finite, v.minValue(0))),
    tried: triedSchema,
    ...predictedEntries,
  }),
]);
export type ShownFieldPrediction = v.InferOutput<typeof shownFieldPredictionSchema>;

const recordedLoadSchema = v.object({
  id: v.string(),
  url: v.string(),
  startedAt: finite,
  profileId: v.string(),
  standing: v.picklist(LOAD_STATUSES),
  link: v.optional(fieldLinkSchema),
  loadTimeMs: v.optional(finite),
  efficiency: v.optional(finite),
  linkDisproved: v.optional(v.literal(true)),
  duplicates: v.optional(
    v.object({ requests: count, roundTrips: count, emptySources: count, bytes: v.optional(finite), ms: v.optional(finite) }),
  ),
});
export type ShownLoad = v.InferOutput<typeof recordedLoadSchema>;

/** See `LoadPrediction`. */
const shownLoadPredictionSchema = v.object({
  load: recordedLoadSchema,
  prediction: v.variant('state', [
    v.object({ state: v.literal('link-not-known') }),
    v.object({ state: v.literal('rate-not-known') }),
    v.object({ state: v.literal('nothing-to-predict'), because: v.string() }),
    v.object({ state: v.literal('predicted'), ...predictedEntries }),
  ]),
});
export type ShownLoadPrediction = v.InferOutput<typeof shownLoadPredictionSchema>;

/** What is drawn of recorded loads on one axis of time. Addresses stay within the extension. */
const drawnLoadsSchema = v.object({
  loads: v.array(v.object({ label: v.string(), timeline: loadTimelineSchema })),
  /** What is predicted for a load that is drawn alone, under the settings that it ran with. `low` to `high`: nine in ten, if the network varies. */
  predicted: v.exactOptional(
    v.object({
      profileId: profileIdSchema,
      loadTimeMs: finite,
      band: v.exactOptional(v.object({ low: finite, high: finite })),
      connections: count,
      bound: v.picklist(BOUNDS),
      boundShare: finite,
      bars: v.array(timelineBarSchema),
    }),
  ),
});
export type DrawnLoads = v.InferOutput<typeof drawnLoadsSchema>;

const profiles = v.pipe(v.array(profileIdSchema), v.maxLength(64));

/** `number`: the reply carries the same. `profiles`: candidates by name; the baseline is always among them. */
export const predictionRequestSchema = v.variant('kind', [
  /** `named`: by the prediction before, see `PredictFieldInput`. */
  v.object({
    kind: v.literal('predict-field'),
    number: count,
    names: givenLinkNamesSchema,
    profiles,
    named: v.exactOptional(profileIdSchema),
  }),
  v.object({ kind: v.literal('predict-load'), number: count, names: givenLinkNamesSchema, profiles, id: v.string() }),
  /** The grid of connections by requests per connection, and these besides. */
  v.object({ kind: v.literal('predict-models'), number: count, names: givenLinkNamesSchema, profiles }),
  v.object({
    kind: v.literal('draw-loads'),
    number: count,
    names: givenLinkNamesSchema,
    loads: v.pipe(v.array(v.object({ id: v.string(), label: v.string() })), v.minLength(1), v.maxLength(2)),
  }),
]);
export type PredictionRequest = v.InferOutput<typeof predictionRequestSchema>;

/** `number`: of the request that it answers. */
export const predictionReplySchema = v.variant('kind', [
  v.object({ kind: v.literal('predict-field'), number: count, answer: shownFieldPredictionSchema }),
  /** Without an answer: there is no such load any more. */
  v.object({ kind: v.literal('predict-load'), number: count, answer: v.optional(shownLoadPredictionSchema) }),
  v.object({ kind: v.literal('predict-models'), number: count, answer: modelsAnswerSchema }),
  /** Without an answer: one of the loads is gone, or has no times. */
  v.object({ kind: v.literal('draw-loads'), number: count, answer: v.optional(drawnLoadsSchema) }),
  v.object({ kind: v.literal('failed'), number: count, message: v.string() }),
]);
export type PredictionReply = v.InferOutput<typeof predictionReplySchema>;

/** The answer to a request of each kind. */
export type PredictionAnswers = {
  [K in PredictionRequest['kind']]: Extract<PredictionReply, { kind: K }>['answer'];
};

/** The state of the prediction for the newest loads, or its result. `loadsSince`: recorded since it was made. */
export type PredictionStanding = (ShownFieldPrediction & { readonly loadsSince?: number }) | { readonly state: 'working' | 'failed' };

/** Which loads a prediction is for: how many there were, and when the newest one began (ms since the epoch). */
export interface PredictedLoads {
  readonly loads: number;
  readonly newestAt: number | undefined;
}

/** The state of an earlier prediction, for the loads there are now. */
export function heldStanding(
  held: (PredictedLoads & { readonly answer: ShownFieldPrediction }) | undefined,
  now: PredictedLoads,
): PredictionStanding {
  if (held === undefined) return { state: 'working' };
  // Where the oldest make room for the newest, there are not more of them.
  const loadsSince = held.newestAt === now.newestAt ? 0 : Math.max(1, now.loads - held.loads);
  return { ...held.answer, loadsSince };
}

/** Without facts of trials the store cannot be read (`popupFacts`): then there is nothing to be waited for. */
export function shownAnswer({ loads, trial: facts }: Pick<PopupState, 'loads' | 'trial'>, prediction: PredictionStanding): Answer {
  const { answer, slower } = facts?.current ?? {};
  const standing = loads === 0 ? ({ state: 'no-loads' } as const) : answerable(prediction);
  return answerOf({ trial: answer, slower, loads, prediction: facts === undefined ? { state: 'unreadable' } : standing });
}

function answerable(prediction: PredictionStanding): AnswerInput['prediction'] {
  if (prediction.state !== 'predicted') return prediction;
  const { isFormer, link, beside = [] } = prediction;
  return {
    ...prediction,
    isMismatched: beside.length > 0 && beside.every(({ state }) => state === 'parts'),
    former: isFormer ? { name: link.given ?? link.name, isGiven: link.given !== undefined } : undefined,
  };
}

/** The answer as a file keeps it: a reader of the file does not see the end of what was being computed. */
export function keptAnswer(answer: Answer): Answer {
  const isWorking = answer.from === 'nothing' && answer.why === 'working';
  return isWorking ? { from: 'nothing', why: 'not-predicted' } : answer;
}
