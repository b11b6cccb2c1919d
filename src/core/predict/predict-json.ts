/** The JSON document of `plumbfox predict` (`PredictDocument`), of what a prediction found. */
import type { Inference } from '../graph/inference.ts';
import { DEFAULT_ORIGIN, type PageGraph } from '../graph/page-graph.ts';
import { type DuplicateMeasures, duplicateCost } from '../measure/duplicate-fetches.ts';
import { completeLink, type SimulatedLink } from '../simulate/link.ts';
import type { ModelCoverage } from '../simulate/simulated-profile.ts';
import type { ModelError, RegimeError } from './model-error.ts';
import type {
  DuplicatesDocument,
  PredictDocument,
  PredictedLink,
  PredictedPage,
  PredictedScenarioDocument,
  RecordedDocument,
} from './predict-document.ts';
import { type PredictedProfile, type PredictedScenario, predictedEffect } from './predicted-profiles.ts';
import { type PredictedRecommendation, profileReach } from './recommend-prediction.ts';
import type { RecordComparison, RecordedLoads } from './recorded-loads.ts';

export interface NamedPage {
  readonly name: string;
  readonly page: PageGraph;
  /** What had to be assumed of it. */
  readonly inferred: readonly Inference[];
  /** What the load that it is of fetched more than once; absent: unknown. */
  readonly duplicates?: DuplicateMeasures;
}

export interface NamedLink {
  readonly name: string;
  /** `given`: as requested; `configured`: what the lab emulated; `estimated`: from the loads of the file; `default`: the file shows none. */
  readonly basis: 'given' | 'configured' | 'estimated' | 'default';
  readonly link: SimulatedLink;
  /** What had to be assumed of it; nothing unless given. */
  readonly inferred?: readonly Inference[];
}

export interface PredictionResult {
  readonly source: { readonly kind: 'har' | 'report' | 'recipe'; readonly file: string };
  readonly pages: readonly NamedPage[];
  readonly links: readonly NamedLink[];
  readonly scenarios: readonly (PredictedScenario & { readonly runs: number })[];
  readonly profiles: readonly PredictedProfile[];
  readonly recommendation: PredictedRecommendation;
  /** Loads of these pages that the file holds, over its own links. */
  readonly recorded: readonly RecordedLoads[];
  /** Those of them that were simulated, beside the simulation. */
  readonly beside: readonly RecordComparison[];
  /** The largest error among the regimes of these predictions; `undefined`: one of them was not measured. */
  readonly error: ModelError | undefined;
  /** What was measured of their regimes, and those of which nothing was, in words. */
  readonly regimes: readonly RegimeError[];
  readonly unmeasured: readonly string[];
  /** What a reader must know besides, in sentences. */
  readonly notes: readonly string[];
}

/** Where no real load was there to hold the prediction against. */
const ERROR_UNKNOWN = 'not measured';

/** @throws RangeError when a scenario names a page or a link that is not among them. */
export function predictJson(result: PredictionResult): PredictDocument {
  const { source, pages, links, profiles, recommendation, error, notes } = result;
  const [link] = links;
  return {
    source,
    link: link !== undefined && links.length === 1 ? linkJson(link) : null,
    page: sumOf(pages.map(({ page }) => pageJson(page))),
    profiles: profiles.map((each) => ({
      id: each.profile.id,
      carrier: each.carrier,
      loadTimeMs: each.loadTimeMs,
      efficiency: each.efficiency,
      ratio: predictedEffect(each) === 'predicted' ? each.ratio : null,
      loadTimeBandMs: each.loadTimeBandMs ?? null,
      ratioBand: (predictedEffect(each) === 'predicted' && each.ratioBand) || null,
      connections: each.connections,
      bound: each.bound,
      boundShares: each.boundShares,
      effect: predictedEffect(each),
      gateway: each.gateway ?? null,
      coverage: coverageJson(each.coverage),
    })),
    recommendation,
    model: {
      errorP50: error?.errorP50 ?? null,
      errorP90: error?.errorP90 ?? null,
      basis: error?.basis ?? ERROR_UNKNOWN,
      regimes: result.regimes,
      unmeasured: result.unmeasured,
    },
    inferred: [
      ...pages.flatMap(({ name, inferred }) => inferred.map((each) => ({ page: name, ...each }))),
      ...links.flatMap(({ inferred = [] }) => inferred.map((each) => ({ page: null, ...each }))),
    ],
    recorded: result.recorded.map((record) => recordedJson(record, result.beside)),
    reach: profileReach(pages.map(({ page }) => page)),
    scenarios: result.scenarios.map((scenario) => scenarioJson(scenario, result)),
    duplicates: duplicatesJson(result),
    notes,
  };
}

function coverageJson(coverage: ModelCoverage): PredictDocument['profiles'][number]['coverage'] {
  return {
    state: coverage.state,
    notModelled: 'notModelled' in coverage ? coverage.notModelled : [],
    cannotAct: 'cannotAct' in coverage ? coverage.cannotAct : [],
  };
}

/** One entry for each page whose record holds any. */
export function duplicatesJson({ pages, links }: Pick<PredictionResult, 'pages' | 'links'>): readonly DuplicatesDocument[] {
  return pages.flatMap(({ name: page, duplicates }) => {
    const costs = links.map(({ name, link }) => ({ link: name, cost: duplicates && duplicateCost(duplicates, link) }));
    const cost = costs[0]?.cost;
    if (cost === undefined) return [];
    const { requests, roundTrips, emptySources, bytes } = cost;
    const ofLinks = costs.map(({ link, cost }) => ({ link, ms: cost?.ms ?? null }));
    return [{ page, requests, roundTrips, emptySources, bytes: bytes ?? null, links: ofLinks }];
  });
}

/** Requests, servers and response bytes of a page. */
export function pageJson({ requests }: PageGraph): PredictedPage {
  return {
    requests: requests.length,
    origins: new Set(requests.map(({ origin = DEFAULT_ORIGIN }) => origin)).size,
    bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

const sumOf = (pages: readonly PredictedPage[]): PredictedPage =>
  pages.reduce(
    (sum, { requests, origins, bytes }) => ({
      requests: sum.requests + requests,
      origins: sum.origins + origins,
      bytes: sum.bytes + bytes,
    }),
    { requests: 0, origins: 0, bytes: 0 },
  );

function linkJson({ name, basis, link }: NamedLink): PredictedLink {
  const { segmentBytes: _, ...figures } = completeLink(link);
  return { name, basis, ...figures };
}

function recordedJson({ page, link, profileId, loads, loadTimeMs }: RecordedLoads, beside: readonly RecordComparison[]): RecordedDocument {
  const own = beside.find((each) => each.page === page && each.link === link && each.profileId === profileId);
  return {
    ...{ page, link: link ?? null, profileId, loads, loadTimeMs },
    simulatedMs: own?.simulatedMs ?? null,
    difference: own?.difference ?? null,
    state: own?.state ?? 'not-judged',
  };
}

function scenarioJson(
  { page, link, runs, predictions }: PredictionResult['scenarios'][number],
  result: PredictionResult,
): PredictedScenarioDocument {
  const ownPage = result.pages.find(({ name }) => name === page);
  const ownLink = result.links.find(({ name }) => name === link);
  if (ownPage === undefined || ownLink === undefined) throw new RangeError(`There is no page ${page} or no link ${link}`);
  return {
    page: { name: page, ...pageJson(ownPage.page) },
    link: linkJson(ownLink),
    runs,
    profiles: predictions.map(({ profileId, loadTimeMs, efficiency, connections, bound, retransmissions }) => ({
      id: profileId,
      loadTimeMs,
      efficiency,
      connections,
      bound,
      retransmissions,
    })),
  };
}
