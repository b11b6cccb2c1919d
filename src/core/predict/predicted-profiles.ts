/** Predictions of several scenarios as one figure per profile. */
import { type GatewayVisit, MIN_GATEWAY_RTT_MS, type Withheld } from '../gateway-policy.ts';
import type { PageGraph } from '../graph/page-graph.ts';
import { carrierFor } from '../profiles/carrier.ts';
import { HTTP2_CONCURRENT, HTTP2_PULL_ALLOWANCE } from '../profiles/catalogue.ts';
import { compareCost } from '../profiles/compare-cost.ts';
import type { Carrier, Profile } from '../profiles/profile.ts';
import { BOUNDS, type Bound, type Prediction } from '../simulate/prediction.ts';
import { differsFromShipped, type ModelCoverage, modelCoverage } from '../simulate/simulated-profile.ts';
import { errorOf, type Margins, type ModelError, timeScale, unprovenRatios, widened } from './model-error.ts';
import { type Band, bandOf } from './run-band.ts';

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
  /** Error of such load times, for this profile's regimes; absent: one of them was never measured. */
  readonly error?: ModelError;
  /** Regimes of `ratio` whose bands are not known to hold, and what is known of them, in words. */
  readonly unproven: readonly string[];
  /**
   * The 5-95 % range of simulated loads, widened by the margins of their regimes. The band of `ratio` is from runs with equal perturbations. Absent: such
   * bands are not known to hold at least `MIN_HELD` of what is measured, or the profile is simulated in part only.
   */
  readonly loadTimeBandMs?: Band;
  readonly ratioBand?: Band;
  /** 5 to 95 % of the simulated ratios, not widened; absent: one load was simulated. */
  readonly simulatedRatioBand?: Band;
  /** Absent: the change is predicted. Else it has no band and no error. */
  readonly withheld?: Withheld;
  /** Absent: nothing of it went through the gateway. */
  readonly gateway?: GatewayVisit;
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
    errorOf: errorOfThese = errorOf,
  }: {
    readonly profiles: readonly Profile[];
    readonly baseline: string;
    readonly pages?: readonly PageGraph[];
    readonly errorOf?: typeof errorOf;
  },
): readonly PredictedProfile[] {
  const ofBaseline = predictionsOf(scenarios, baseline);
  const baselineEfficiency = geometricMean(ofBaseline.map(({ efficiency }) => efficiency));
  const baselineRuns = runsOf(ofBaseline);
  return profiles
    .map((profile): PredictedProfile => {
      const own = predictionsOf(scenarios, profile.id);
      const loadTimeMs = geometricMean(own.map((each) => each.loadTimeMs));
      const efficiency = geometricMean(own.map((each) => each.efficiency));
      const boundShares = sharesOf(own);
      const error = errorOfThese(own);
      const withheld = withheldOf(own, ofBaseline);
      const gateway = own.find((each) => each.gateway !== undefined)?.gateway?.visit;
      const coverage = modelCoverage(profile, pages);
      const pairs = changedBy(own, ofBaseline);
      const changed = pairs.map(({ each }) => each);
      const asked = { baseline: pairs.map(({ baseline }) => baseline), actsOnHttp1Alone: actsOnHttp1Alone(profile, pages) };
      const isJudged = withheld === undefined && coverage.state !== 'in-part';
      const margins = isJudged ? { loadTime: error?.margins, ratio: errorOfThese(changed, asked)?.ratio } : {};
      const ratio = efficiency / baselineEfficiency;
      return {
        profile,
        carrier: carrierFor(profile, { gateway: true }),
        loadTimeMs,
        efficiency,
        ratio,
        ...(error && { error }),
        ...bands({ loadTimeMs, ratio, runs: runsOf(own), baselineRuns }, margins),
        ...(withheld && { withheld }),
        ...(gateway && { gateway }),
        unproven: unprovenRatios(changed, asked),
        connections: Math.max(...own.map(({ connections }) => connections)),
        bound: largest(boundShares),
        boundShares,
        coverage,
      };
    })
    .sort((a, b) => a.loadTimeMs - b.loadTimeMs || compareCost(predictedCost(a), predictedCost(b)));
}

/**
 * Connections and depth act on HTTP/1.1 only. Of the simulated HTTP/2 settings the window acts beyond it, and the stream limit too where a server
 * sets none of its own.
 */
function actsOnHttp1Alone({ preferences }: Profile, pages: readonly PageGraph[] | undefined): boolean {
  if (Object.hasOwn(preferences, HTTP2_PULL_ALLOWANCE)) return false;
  if (!Object.hasOwn(preferences, HTTP2_CONCURRENT)) return true;
  return pages?.every(({ origins = {} }) => Object.values(origins).every(({ maxStreams }) => maxStreams !== 'none')) ?? false;
}

/** The figures that decide the cost of a predicted profile, for `compareCost`. */
export const predictedCost = ({ profile, carrier }: PredictedProfile) => ({
  connections: profile.connections,
  depth: profile.depth,
  preferences: profile.preferences,
  carrier,
});

/** Load times of each run, over several scenarios their geometric mean; as many as all have. */
function runsOf(own: readonly Prediction[]): readonly number[] {
  const fewest = Math.min(...own.map(({ runsMs = [] }) => runsMs.length));
  return Array.from({ length: fewest }, (_, run) => geometricMean(own.map(({ runsMs = [] }) => runsMs[run] as number)));
}

interface Simulated {
  readonly loadTimeMs: number;
  readonly ratio: number;
  readonly runs: readonly number[];
  readonly baselineRuns: readonly number[];
}

/**
 * The band of a single load is the load itself. The ratio of medians is not the median of ratios: its band reaches to it where it would be outside.
 */
function bands(
  { loadTimeMs, ratio, runs, baselineRuns }: Simulated,
  margins: { readonly [Figure in 'loadTime' | 'ratio']?: Margins | undefined },
) {
  const loadTimes = bandOf(runs) ?? { low: loadTimeMs, high: loadTimeMs };
  const ratios = bandOf(runs.flatMap((ms, run) => (run < baselineRuns.length ? (baselineRuns[run] as number) / ms : [])));
  const ratioBand = { low: Math.min(ratios?.low ?? ratio, ratio), high: Math.max(ratios?.high ?? ratio, ratio) };
  const judgedBand = isNoChange(ratioBand) ? ratioBand : margins.ratio && widened(ratioBand, margins.ratio);
  return {
    ...(margins.loadTime && { loadTimeBandMs: widened(loadTimes, margins.loadTime, timeScale(loadTimeMs)) }),
    ...(judgedBand && { ratioBand: judgedBand }),
    ...(ratios && { simulatedRatioBand: ratioBand }),
  };
}

interface Changed {
  readonly each: Prediction;
  readonly baseline: Prediction;
}

/** The scenarios whose simulated loads the profile changes. */
const changedBy = (own: readonly Prediction[], ofBaseline: readonly Prediction[]): readonly Changed[] =>
  own.flatMap((each, at) => {
    const baseline = ofBaseline[at];
    return baseline === undefined || isSameLoad(each, baseline) ? [] : [{ each, baseline }];
  });

function withheldOf(own: readonly Prediction[], ofBaseline: readonly Prediction[]): Withheld | undefined {
  const isNear = own.some(({ gateway }, at) => {
    const [each, baseline] = [own[at], ofBaseline[at]];
    return gateway !== undefined && gateway.rttMs < MIN_GATEWAY_RTT_MS && each && baseline && !isSameLoad(each, baseline);
  });
  return isNear ? 'short-round-trips' : undefined;
}

const isSameLoad = (one: Prediction, other: Prediction): boolean =>
  one.loadTimeMs === other.loadTimeMs && (one.runsMs ?? []).every((ms, run) => ms === other.runsMs?.[run]);

/** Equal to the baseline in every perturbed run. */
export const isUnchanged = ({ ratioBand }: Pick<PredictedProfile, 'ratioBand'>): boolean =>
  ratioBand !== undefined && isNoChange(ratioBand);

/**
 * What can be said of a profile on these pages. `unchanged`: it is simulated, and every load takes as long as under Firefox's own settings.
 * `not-modelled`: the simulator has no model of what acts. `cannot-act`: no request uses a protocol that any of it acts on. A reason why the change is
 * withheld stands for itself.
 */
export type PredictedEffect = 'predicted' | 'unchanged' | 'not-modelled' | 'cannot-act' | Withheld;

/** A profile that sets nothing but Firefox's own values is predicted: it is as fast as they are. */
export function predictedEffect(row: Pick<PredictedProfile, 'coverage' | 'profile' | 'ratioBand' | 'withheld'>): PredictedEffect {
  const { coverage, profile, withheld } = row;
  if (withheld !== undefined) return withheld;
  if (coverage.state === 'not-modelled' || coverage.state === 'cannot-act') return coverage.state;
  if (!isUnchanged(row) || !differsFromShipped(profile)) return 'predicted';
  return coverage.state === 'modelled' ? 'unchanged' : 'not-modelled';
}

const isNoChange = ({ low, high }: Band): boolean => low === 1 && high === 1;

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
  return Object.fromEntries(BOUNDS.map((bound) => [bound, share(bound)])) as Record<Bound, number>;
}

/** The first of those that are equally large. */
function largest(shares: Readonly<Record<Bound, number>>): Bound {
  return BOUNDS.reduce((most, bound) => (shares[bound] > shares[most] ? bound : most));
}
