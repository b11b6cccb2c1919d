/**
 * Predictions for the stored loads, in a separate thread: simulating twenty pages under every profile would block a page
 * for too long. The worker belongs to the page that starts it and ends with it.
 */
import * as v from 'valibot';
import { readFigures } from '../adapters/figures-store.ts';
import { loadById, newestLoads } from '../adapters/load-store.ts';
import { type LoadSummary, loadSummary } from '../core/field/load-summary.ts';
import { type FieldPrediction, predictField } from '../core/field/predict-field.ts';
import { type LoadPrediction, predictedAsLoaded, predictLoad } from '../core/field/predict-load.ts';
import type { Predictor } from '../core/field/predicted-pages.ts';
import { gridProfileIds } from '../core/field/settings-map.ts';
import { pageFromLoad } from '../core/graph/page-from-load.ts';
import { loadTimeline } from '../core/measure/load-timeline.ts';
import { errorOf } from '../core/predict/model-error.ts';
import { predictTypical } from '../core/predict/predict.ts';
import { type PredictedProfile, predictedEffect } from '../core/predict/predicted-profiles.ts';
import { bandOf } from '../core/predict/run-band.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../core/profiles/profile.ts';
import { predictedBars } from '../core/report/waterfall-svg.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import type { ModelsAnswer } from '../protocol/models-answer.ts';
import {
  type DrawnLoads,
  type PredictedRow,
  type PredictionReply,
  type PredictionRequest,
  predictionRequestSchema,
  type ShownFieldPrediction,
  type ShownLoadPrediction,
} from '../protocol/prediction-answer.ts';

/** TypeScript types globalThis as a window; a worker's postMessage works alike. */
const post = (reply: PredictionReply): void => globalThis.postMessage(reply);

/** Newest loads that are searched for pages to predict: some 4 MB of records. */
const MAX_LOADS_SEARCHED = 200;

const PREDICTOR: Predictor = { pageFromLoad, predict: (options) => predictTypical(options).predictions, errorOf };

globalThis.onmessage = async ({ data }: MessageEvent<unknown>) => {
  const request = v.parse(predictionRequestSchema, data);
  try {
    post(await replyTo(request));
  } catch (error) {
    post({ kind: 'failed', number: request.number, message: error instanceof Error ? error.message : String(error) });
  }
};

async function replyTo(request: PredictionRequest): Promise<PredictionReply> {
  const { kind, number, names } = request;
  const { figures } = await readFigures();
  switch (kind) {
    case 'predict-field': {
      const loads = await newestLoads(MAX_LOADS_SEARCHED);
      const profiles = profilesOf(request.profiles);
      const { named } = request;
      return { kind, number, answer: shownField(predictField({ loads, figures, names, profiles, predictor: PREDICTOR, named })) };
    }
    case 'predict-load': {
      const load = await loadById(request.id);
      const profiles = profilesOf(request.profiles);
      const answer = load && shownLoad(predictLoad({ load, figures, names, profiles, predictor: PREDICTOR }));
      return { kind, number, ...(answer && { answer }) };
    }
    case 'predict-models': {
      const loads = await newestLoads(MAX_LOADS_SEARCHED);
      const profiles = profilesOf([...gridProfileIds(), ...request.profiles]);
      return { kind, number, answer: models(predictField({ loads, figures, names, profiles, predictor: PREDICTOR }), loads) };
    }
    case 'draw-loads': {
      const answer = await drawnLoads(request, figures);
      return { kind, number, ...(answer && { answer }) };
    }
  }
}

async function drawnLoads(
  { loads, names }: Extract<PredictionRequest, { kind: 'draw-loads' }>,
  figures: readonly LoadSummary[],
): Promise<DrawnLoads | undefined> {
  const found = await Promise.all(loads.map(({ id }) => loadById(id)));
  const drawn = found.flatMap((load, at) => {
    const timeline = load && loadTimeline(load);
    return timeline ? [{ label: loads[at]?.label ?? '', timeline }] : [];
  });
  if (drawn.length < loads.length) return undefined;
  const [only] = found.length === 1 ? found : [];
  const predicted = only && predictedAsLoaded(only, { figures, names, predictor: PREDICTOR });
  return { loads: drawn as DrawnLoads['loads'], ...(predicted && { predicted: drawnPrediction(predicted) }) };
}

function drawnPrediction({ page, prediction }: NonNullable<ReturnType<typeof predictedAsLoaded>>): NonNullable<DrawnLoads['predicted']> {
  const { profileId, loadTimeMs, connections, bound, boundShares, runsMs = [] } = prediction;
  const band = bandOf(runsMs);
  const bars = [...predictedBars(prediction, page)];
  return { profileId, loadTimeMs, connections, bound, boundShare: boundShares[bound], bars, ...(band && { band: { ...band } }) };
}

/** The profiles, the baseline first, without those that this version does not know. */
function profilesOf(ids: readonly string[]): readonly Profile[] {
  return [...new Set([BASELINE_ID, ...ids])].flatMap((id) => findProfile(id) ?? []);
}

function shownField(prediction: FieldPrediction): ShownFieldPrediction {
  if (prediction.state === 'nothing-to-predict') {
    const { because, ...rest } = prediction;
    return { ...rest, ...(because !== undefined && { because }) };
  }
  if (prediction.state !== 'predicted') return prediction;
  const { state, link, isFormer, pages, outside, best, recommended, atMost, tried, beside: comparisons, sites } = prediction;
  return {
    state,
    link,
    isFormer,
    pages,
    outside,
    sites: [...sites],
    beside: comparisons.map(({ recordedMs, simulatedMs, state: agreement }) => ({ recordedMs, simulatedMs, state: agreement })),
    best: best.map(({ profile }) => profile.id),
    ...(recommended && {
      recommended: { id: recommended.profile.id, change: recommended.change, ...(recommended.faster && { faster: recommended.faster }) },
    }),
    ...(atMost !== undefined && { atMost }),
    tried,
    ...predicted(prediction),
  };
}

/** @param loads - Those that were predicted: they have the addresses of their pages. */
function models(prediction: FieldPrediction, loads: readonly MarkedPageLoad[]): ModelsAnswer {
  if (prediction.state !== 'predicted') return { state: prediction.state };
  const { state, link, pages, profiles, reach, beside } = prediction;
  const withheld = profiles.find((one) => one.withheld !== undefined)?.withheld;
  const addresses = new Map(loads.map((load) => [String(loadSummary(load).page), load.url]));
  return {
    state,
    link,
    pages,
    rows: profiles
      .filter((each) => ['predicted', 'unchanged'].includes(predictedEffect(each)))
      .map(({ profile, ratio, ratioBand }) => ({ id: profile.id, ratio, ...(ratioBand && { band: ratioBand }) })),
    ...(withheld && { withheld }),
    reach: { requests: reach.requests, byConnections: reach.byConnections, byDepth: reach.byDepth },
    checked: beside.map((one) => {
      const url = addresses.get(one.page);
      return {
        ...(url !== undefined && { url }),
        loads: one.loads,
        measuredMs: one.recordedMs,
        ...(one.recordedIntervalMs && { intervalMs: one.recordedIntervalMs }),
        predictedMs: one.simulatedMs,
        ...(one.simulatedBandMs && { bandMs: { ...one.simulatedBandMs } }),
        state: one.state,
      };
    }),
  };
}

function shownLoad({ load, prediction }: LoadPrediction): ShownLoadPrediction {
  return { load, prediction: prediction.state === 'predicted' ? { state: 'predicted', ...predicted(prediction) } : prediction };
}

type AnyPredicted = Extract<FieldPrediction | LoadPrediction['prediction'], { readonly state: 'predicted' }>;

function predicted({ profiles, reach, inferred, error }: AnyPredicted) {
  return {
    rows: profiles.map(row),
    inferred: [...inferred],
    reach: { requests: reach.requests, byConnections: reach.byConnections },
    ...(error && { error }),
  };
}

function row(one: PredictedProfile & { readonly measured?: PredictedRow['measured'] | undefined }): PredictedRow {
  const { profile, loadTimeMs, ratio, ratioBand, gateway, bound, coverage, measured } = one;
  const effect = predictedEffect(one);
  return {
    id: profile.id,
    loadTimeMs,
    ratio,
    ...(ratioBand && { ratioBand }),
    ...(gateway && { gateway }),
    bound,
    ...(effect !== 'predicted' ? { coverage: effect } : coverage.state === 'in-part' && { coverage: coverage.state }),
    ...(measured && { measured }),
  };
}
