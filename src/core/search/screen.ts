/**
 * The screening of a search: simulated loads of every combination, with the bands that such predictions have. First one load of each, then as many
 * as a band takes, of the most promising first, until the loads are used up or the caller is in a hurry.
 */

import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import type { PageGraph } from '../graph/page-graph.ts';
import { predict, predictTypical, runsFor, shakenLink } from '../predict/predict.ts';
import { isUnchanged, type PredictedProfile, type PredictedScenario, predictedProfiles } from '../predict/predicted-profiles.ts';
import { doubtOf } from '../predict/recommend-prediction.ts';
import { FIREFOX_DEFAULT, profileOf } from '../profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import type { SimulatedLink } from '../simulate/link.ts';
import type { Settings } from './factorial.ts';
import { choosesProtocol } from './protocol-knobs.ts';

/** A page over a link, as it is simulated. */
export interface ScreenScenario {
  readonly page: string;
  readonly link: string;
  readonly graph: PageGraph;
  /** The page as it comes under settings that choose its protocol; absent: as `graph`, whatever is set. */
  readonly servedUnder?: (settings: Settings) => PageGraph;
  readonly simulated: SimulatedLink;
}

export interface ScreenOptions {
  readonly scenarios: readonly ScreenScenario[];
  readonly settings: readonly Settings[];
  readonly seed: number;
  /** Simulated loads, over all scenarios; `MAX_SIMULATED_LOADS` unless given. */
  readonly maxLoads?: number;
}

/** Chosen; a screening that takes too long ends with fewer (`isInHurry`). */
export const MAX_SIMULATED_LOADS = 100_000;

/**
 * What the band of a prediction says of a gain of 3 %. `supported`: there is one, and a gain over the whole band.
 * `possible`: a gain is predicted, and the band reaches 3 %. `no-gain`: neither. `no-effect`: no simulated load changed.
 */
export type Support = 'supported' | 'possible' | 'no-gain' | 'no-effect';

export interface Screened {
  readonly settings: Settings;
  readonly predicted: PredictedProfile;
  readonly support: Support;
}

export interface Screening {
  /** All of which a band was simulated, fastest first, Firefox's own settings not among them. */
  readonly screened: readonly Screened[];
  /** Combinations in all, Firefox's own settings among them. */
  readonly combinations: number;
  readonly simulatedLoads: number;
}

export interface ScreenProgress {
  readonly done: number;
  /** Known after the first load of each; until then the loads of that. */
  readonly total: number;
}

/** Profiles simulated between two yields: a few dozen milliseconds. */
const CHUNK = 8;

/**
 * Simulates, and yields after every few loads. A caller that passes `true` to `next` is in a hurry: what has a band by then is all that is screened.
 * @throws PlumbfoxError `bad-input` as `predict` does.
 */
export function* screen(options: ScreenOptions): Generator<ScreenProgress, Screening, boolean | undefined> {
  const { scenarios, settings, seed, maxLoads = MAX_SIMULATED_LOADS } = options;
  const profiles = settings.map((each) => ({ settings: each, profile: profileOf({ depth: 1, preferences: each }) }));
  const candidates = profiles.filter(({ profile }) => profile.id !== BASELINE_ID);
  const quick = candidates.length * scenarios.length;
  const ratios = new Map<string, number>();
  let done = 0;
  let isInHurry = false;
  for (const chunk of chunks(candidates)) {
    if (isInHurry) break;
    for (const [id, ratio] of quickRatios(chunk, { scenarios, seed })) ratios.set(id, ratio);
    done += chunk.length * scenarios.length;
    isInHurry = (yield { done, total: quick }) === true;
  }
  const promising = candidates.toSorted((a, b) => (ratios.get(b.profile.id) ?? 0) - (ratios.get(a.profile.id) ?? 0));
  const runsEach = scenarios.reduce((sum, scenario) => sum + runsOf(scenario), 0);
  const affordable = promising.slice(0, Math.max(CHUNK, Math.floor((maxLoads - quick) / runsEach)));
  const total = quick + affordable.length * runsEach;
  const baseline = new Map(scenarios.map((scenario) => [scenario, typical(scenario, scenario.graph, [FIREFOX_DEFAULT], seed)[0]]));
  const screened: Screened[] = [];
  isInHurry = false;
  for (const chunk of chunks(affordable)) {
    if (isInHurry) break;
    const predicted = scenarios.map((scenario): PredictedScenario => {
      const own = baseline.get(scenario);
      const predictions = byGraph(scenario, chunk).flatMap(([graph, profiles]) => typical(scenario, graph, profiles, seed));
      return { page: scenario.page, link: scenario.link, predictions: own === undefined ? predictions : [own, ...predictions] };
    });
    screened.push(...judged(predicted, { chunk, scenarios }));
    done += chunk.length * runsEach;
    isInHurry = (yield { done, total }) === true;
  }
  screened.sort((a, b) => b.predicted.ratio - a.predicted.ratio);
  return { screened, combinations: ratios.size + 1, simulatedLoads: done };
}

interface Candidate {
  readonly settings: Settings;
  readonly profile: Profile;
}

function* chunks(candidates: readonly Candidate[]): Generator<readonly Candidate[]> {
  for (let at = 0; at < candidates.length; at += CHUNK) yield candidates.slice(at, at + CHUNK);
}

/** Every profile has as many runs as one by itself. */
const runsOf = ({ graph, simulated }: ScreenScenario): number =>
  runsFor({ page: graph, link: simulated, profiles: [FIREFOX_DEFAULT], maxPackets: 1 });

/** Profiles under which the page comes the same way are predicted together. */
function byGraph(
  { graph, servedUnder }: ScreenScenario,
  candidates: readonly Candidate[],
): readonly (readonly [PageGraph, readonly Profile[]])[] {
  const groups = new Map<PageGraph, Profile[]>();
  for (const { settings, profile } of candidates) {
    const own = servedUnder?.(settings) ?? graph;
    groups.set(own, [...(groups.get(own) ?? []), profile]);
  }
  return [...groups];
}

const typical = ({ simulated }: ScreenScenario, graph: PageGraph, profiles: readonly Profile[], seed: number) =>
  predictTypical({ page: graph, link: simulated, profiles, seed, maxPackets: 1 }).predictions;

/** Speed over Firefox's own settings in one load of each scenario, geometric mean. */
function quickRatios(
  candidates: readonly Candidate[],
  { scenarios, seed }: Pick<ScreenOptions, 'scenarios' | 'seed'>,
): ReadonlyMap<string, number> {
  const logs = new Map<string, number>();
  for (const scenario of scenarios) {
    const load = (page: PageGraph, profiles: readonly Profile[]) =>
      predict({ page, ...shakenLink(scenario.simulated, seed), profiles, seed });
    const [own] = load(scenario.graph, [FIREFOX_DEFAULT]);
    const others = byGraph(scenario, candidates).flatMap(([graph, profiles]) => load(graph, profiles));
    if (own === undefined) continue;
    for (const { profileId, loadTimeMs } of others) logs.set(profileId, (logs.get(profileId) ?? 0) + Math.log(own.loadTimeMs / loadTimeMs));
  }
  return new Map([...logs].map(([id, sum]) => [id, Math.exp(sum / scenarios.length)]));
}

function judged(
  predicted: readonly PredictedScenario[],
  { chunk, scenarios }: { readonly chunk: readonly Candidate[]; readonly scenarios: readonly ScreenScenario[] },
): readonly Screened[] {
  const profiles = predictedProfiles(predicted, {
    profiles: chunk.map(({ profile }) => profile),
    baseline: BASELINE_ID,
    pages: scenarios.map(({ graph }) => graph),
  });
  return chunk.flatMap(({ settings, profile }) => {
    const own = profiles.find((each) => each.profile.id === profile.id);
    if (own === undefined) return [];
    return [{ settings, predicted: own, support: Object.keys(settings).some(choosesProtocol) ? supportAcross(own) : supportOf(own) }];
  });
}

/** A band that was not measured is that of the simulated loads. */
export function supportOf(predicted: Pick<PredictedProfile, 'ratio' | 'ratioBand' | 'simulatedRatioBand'>): Support {
  if (isUnchanged(predicted)) return 'no-effect';
  const { ratio, ratioBand = predicted.simulatedRatioBand } = predicted;
  if (ratio - 1 >= MEANINGFUL_CHANGE && doubtOf(predicted) === undefined) return 'supported';
  return ratio > 1 && Math.max(ratio, ratioBand?.high ?? ratio) - 1 >= MEANINGFUL_CHANGE ? 'possible' : 'no-gain';
}

/**
 * How far the simulator is off between protocols was never measured: only what is predicted to be slower by more than load times are off by, and by 30 %, is
 * no gain.
 */
function supportAcross({ ratio, error }: PredictedProfile): Support {
  return ratio * (1 + Math.max(UNMEASURED_MARGIN, error?.errorP90 ?? 0)) - 1 >= MEANINGFUL_CHANGE ? 'possible' : 'no-gain';
}
const UNMEASURED_MARGIN = 0.3;
