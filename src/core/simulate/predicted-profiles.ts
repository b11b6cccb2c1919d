/** Predictions of several scenarios as one figure per profile. */
import { carrierFor } from '../profiles/carrier-for.ts';
import { compareCost } from '../profiles/compare-cost.ts';
import type { Carrier, Profile } from '../profiles/profile.ts';
import { type ModelCoverage, modelCoverage } from './model-coverage.ts';
import type { PageGraph } from './page-graph.ts';
import { type Band, bandOf } from './predict-typical.ts';
import { BOUNDS, type Bound, type Prediction } from './prediction.ts';

/** One page over one link, as every profile would do it. */
export interface PredictedScenario {
  readonly page: string;
  readonly link: string;
  /** One per profile, in any order. */
  readonly predictions: readonly Prediction[];
}

export interface PredictedProfile {
  readonly profile: Profile;
  /** What would carry its depth; whether a page lets it is another question, see `profileReach`. */
  readonly carrier: Carrier;
  /** Over several scenarios the geometric mean, ms. */
  readonly loadTimeMs: number;
  /** Over several scenarios the geometric mean, in (0, 1]. */
  readonly efficiency: number;
  /** Its efficiency over the baseline's. */
  readonly ratio: number;
  /** Of `loadTimeMs` and of `ratio`, which is of runs that were shaken alike; absent: one load was simulated. */
  readonly loadTimeBandMs?: Band;
  readonly ratioBand?: Band;
  /** Opened in a load; over several scenarios the most. */
  readonly connections: number;
  /** What took most of the time of all scenarios together. */
  readonly bound: Bound;
  /** Share of that time by what bound it; sums to 1. */
  readonly boundShares: Readonly<Record<Bound, number>>;
  /** Whether all that it sets is simulated. */
  readonly coverage: ModelCoverage;
}

/**
 * In the order of their predicted load time; equal ones by cost, see `compareCost`.
 * @param scenarios - At least one; each must hold a prediction of every profile and of the baseline.
 * @param pages - What is on their pages: decides which preferences can act at all; absent: any may.
 * @throws RangeError when one is missing.
 */
export function predictedProfiles(
  scenarios: readonly PredictedScenario[],
  {
    profiles,
    baseline,
    pages,
  }: { readonly profiles: readonly Profile[]; readonly baseline: string; readonly pages?: readonly PageGraph[] },
): readonly PredictedProfile[] {
  const ofBaseline = predictionsOf(scenarios, baseline);
  const baselineEfficiency = geometricMean(ofBaseline.map(({ efficiency }) => efficiency));
  const baselineRuns = runsOf(ofBaseline);
  return profiles
    .map((profile): PredictedProfile => {
      const own = predictionsOf(scenarios, profile.id);
      const efficiency = geometricMean(own.map((each) => each.efficiency));
      const boundShares = sharesOf(own);
      return {
        profile,
        carrier: carrierFor(profile, { gateway: true }),
        loadTimeMs: geometricMean(own.map(({ loadTimeMs }) => loadTimeMs)),
        efficiency,
        ratio: efficiency / baselineEfficiency,
        ...bands(runsOf(own), { baselineRuns, ratio: efficiency / baselineEfficiency }),
        connections: Math.max(...own.map(({ connections }) => connections)),
        bound: largest(boundShares),
        boundShares,
        coverage: modelCoverage(profile, pages),
      };
    })
    .sort((a, b) => a.loadTimeMs - b.loadTimeMs || compareCost(costOf(a), costOf(b)));
}

/** What decides the cost of a predicted profile, for `compareCost`. */
export const costOf = ({ profile, carrier }: PredictedProfile) => ({ connections: profile.connections, depth: profile.depth, carrier });

/** Load times of each run, over several scenarios their geometric mean; as many as all have. */
function runsOf(own: readonly Prediction[]): readonly number[] {
  const fewest = Math.min(...own.map(({ runsMs = [] }) => runsMs.length));
  return Array.from({ length: fewest }, (_, run) => geometricMean(own.map(({ runsMs = [] }) => runsMs[run] as number)));
}

/** The ratio of medians is not the median of ratios: its band reaches to it where it would be outside. */
function bands(runs: readonly number[], { baselineRuns, ratio }: { readonly baselineRuns: readonly number[]; readonly ratio: number }) {
  const loadTimeBandMs = bandOf(runs);
  const band = bandOf(runs.flatMap((ms, run) => (run < baselineRuns.length ? (baselineRuns[run] as number) / ms : [])));
  return {
    ...(loadTimeBandMs && { loadTimeBandMs }),
    ...(band && { ratioBand: { low: Math.min(band.low, ratio), high: Math.max(band.high, ratio) } }),
  };
}

function predictionsOf(scenarios: readonly PredictedScenario[], id: string): readonly Prediction[] {
  if (scenarios.length === 0) throw new RangeError('There is no scenario');
  return scenarios.map(({ predictions, page, link }) => {
    const own = predictions.find(({ profileId }) => profileId === id);
    if (own === undefined) throw new RangeError(`${id} has no prediction for ${page} over ${link}`);
    return own;
  });
}

/** A single value comes back as it is, to the last digit. */
function geometricMean(values: readonly number[]): number {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function sharesOf(predictions: readonly Prediction[]): Readonly<Record<Bound, number>> {
  const total = predictions.reduce((sum, { loadTimeMs }) => sum + loadTimeMs, 0);
  const share = (bound: Bound) =>
    total === 0
      ? (predictions[0]?.boundShares[bound] ?? 0)
      : predictions.reduce((sum, { loadTimeMs, boundShares }) => sum + loadTimeMs * boundShares[bound], 0) / total;
  return {
    bandwidth: share('bandwidth'),
    'queue-wait': share('queue-wait'),
    'round-trips': share('round-trips'),
    loss: share('loss'),
    server: share('server'),
    page: share('page'),
  };
}

/** The first of those that are equally large. */
function largest(shares: Readonly<Record<Bound, number>>): Bound {
  return BOUNDS.reduce((most, bound) => (shares[bound] > shares[most] ? bound : most));
}
