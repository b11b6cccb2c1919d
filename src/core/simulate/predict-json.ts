/** The JSON document of `plumbfox predict`. Members keep their meaning; others may be added. */
import { type DuplicateMeasures, duplicateCost } from '../measure/duplicate-fetches.ts';
import type { BesideRecord, RecordedLoads } from './beside-record.ts';
import { type CheckedLink, checkedLink } from './checked-link.ts';
import type { Inference } from './inference.ts';
import type { ModelCoverage } from './model-coverage.ts';
import type { ModelError, RegimeError } from './model-error.ts';
import { DEFAULT_ORIGIN, type PageGraph } from './page-graph.ts';
import type { Band } from './predict-typical.ts';
import type { PredictedProfile, PredictedScenario } from './predicted-profiles.ts';
import type { Bound } from './prediction.ts';
import { type ProfileReach, profileReach } from './profile-reach.ts';
import type { PredictedRecommendation } from './recommend-prediction.ts';
import type { SimulatedLink } from './simulated-link.ts';

export interface NamedPage {
  readonly name: string;
  readonly page: PageGraph;
  /** What had to be assumed of it. */
  readonly inferred: readonly Inference[];
  /** What the load that it is of fetched more than once; absent: no record tells. */
  readonly duplicates?: DuplicateMeasures;
}

export interface NamedLink {
  readonly name: string;
  /** `given`: as asked for; `configured`: what the lab emulated; `estimated`: from the loads of the file; `default`: the file shows none. */
  readonly basis: 'given' | 'configured' | 'estimated' | 'default';
  readonly link: SimulatedLink;
  /** What had to be assumed of it; nothing unless given. */
  readonly inferred?: readonly Inference[];
}

/** All that a prediction of some pages over some links found. */
export interface PredictionFacts {
  readonly source: { readonly kind: 'har' | 'report' | 'recipe'; readonly file: string };
  readonly pages: readonly NamedPage[];
  readonly links: readonly NamedLink[];
  readonly scenarios: readonly (PredictedScenario & { readonly runs: number })[];
  readonly profiles: readonly PredictedProfile[];
  readonly recommendation: PredictedRecommendation;
  /** Loads of these pages that the file holds, over its own links. */
  readonly recorded: readonly RecordedLoads[];
  /** Those of them that were simulated, beside the simulation. */
  readonly beside: readonly BesideRecord[];
  /** Of the regimes of all these predictions the largest; `undefined`: one of them was not measured. */
  readonly error: ModelError | undefined;
  /** What was measured of their regimes, and those of which nothing was, in words. */
  readonly regimes: readonly RegimeError[];
  readonly unmeasured: readonly string[];
  /** What a reader must know besides, in sentences. */
  readonly notes: readonly string[];
}

/** `bytes`: of all responses, headers included. */
export interface PageJson {
  readonly requests: number;
  readonly origins: number;
  readonly bytes: number;
}

type LinkFigure =
  | 'rttMs'
  | 'downKbps'
  | 'upKbps'
  | 'lossDown'
  | 'lossUp'
  | 'queuePackets'
  | 'jitterMs'
  | 'initialWindow'
  | 'congestionControl';

/** Units are in the names; loss is a share, 0 to 1. */
export interface LinkJson extends Pick<CheckedLink, LinkFigure> {
  readonly name: string;
  readonly basis: NamedLink['basis'];
}

export interface PredictJson {
  readonly source: PredictionFacts['source'];
  /** `null`: there are several, see `scenarios`. */
  readonly link: LinkJson | null;
  /** Of all pages together. */
  readonly page: PageJson;
  /** In the order of their load time. */
  readonly profiles: readonly {
    readonly id: string;
    readonly carrier: string;
    readonly loadTimeMs: number;
    readonly efficiency: number;
    readonly ratio: number;
    /** Where nine of ten measured figures lie. `null`: how far such predictions are off was not measured. */
    readonly loadTimeBandMs: Band | null;
    readonly ratioBand: Band | null;
    readonly connections: number;
    readonly bound: Bound;
    readonly boundShares: Readonly<Record<Bound, number>>;
    readonly coverage: { readonly state: ModelCoverage['state']; readonly notModelled: readonly string[] };
    /** Nine of ten such ratios were off by less, a share. `null`: not measured. */
    readonly ratioErrorP90: number | null;
  }[];
  readonly recommendation: PredictedRecommendation;
  /** Of several regimes the largest error; `null`: one of them, or its ratios, was not measured. */
  readonly model: {
    readonly errorP50: number | null;
    readonly errorP90: number | null;
    readonly ratioErrorP50: number | null;
    readonly ratioErrorP90: number | null;
    readonly basis: string;
    readonly regimes: readonly RegimeError[];
    readonly unmeasured: readonly string[];
  };
  /** `page`: of which page; `null`: of the link. */
  readonly inferred: readonly (Inference & { readonly page: string | null })[];
  readonly recorded: readonly RecordedJson[];
  readonly reach: ProfileReach;
  readonly scenarios: readonly ScenarioJson[];
  readonly duplicates: readonly DuplicatesJson[];
  readonly notes: readonly string[];
}

/** What the recorded load of a page fetched more than once, and what that takes one after the other over each link, ms. `null`: not known. */
export interface DuplicatesJson {
  readonly page: string;
  readonly requests: number;
  readonly roundTrips: number;
  readonly emptySources: number;
  readonly bytes: number | null;
  readonly links: readonly { readonly link: string; readonly ms: number | null }[];
}

/** Real loads beside their simulation; `null`: they could not be simulated, as their link is not known. */
export interface RecordedJson extends Pick<RecordedLoads, 'page' | 'profileId' | 'loads' | 'loadTimeMs'> {
  readonly link: string | null;
  readonly simulatedMs: number | null;
  /** Simulated less recorded, as a share of the recorded. */
  readonly difference: number | null;
  readonly state: BesideRecord['state'];
}

export interface ScenarioJson {
  readonly page: PageJson & { readonly name: string };
  readonly link: LinkJson;
  /** Simulated loads of each profile; the figures are those of the load in the middle. */
  readonly runs: number;
  readonly profiles: readonly {
    readonly id: string;
    readonly loadTimeMs: number;
    readonly efficiency: number;
    readonly connections: number;
    readonly bound: Bound;
    readonly retransmissions: number;
  }[];
}

/** Where no real load was there to hold the prediction against. */
export const ERROR_UNKNOWN = 'not measured';

/** @throws RangeError when a scenario names a page or a link that is not among them. */
export function predictJson(facts: PredictionFacts): PredictJson {
  const { source, pages, links, profiles, recommendation, error, notes } = facts;
  const [link] = links;
  return {
    source,
    link: link !== undefined && links.length === 1 ? linkJson(link) : null,
    page: sumOf(pages.map(({ page }) => pageJson(page))),
    profiles: profiles.map(
      ({
        profile,
        carrier,
        loadTimeMs,
        efficiency,
        ratio,
        loadTimeBandMs,
        ratioBand,
        connections,
        bound,
        boundShares,
        coverage,
        ratioError,
      }) => ({
        id: profile.id,
        carrier,
        loadTimeMs,
        efficiency,
        ratio,
        loadTimeBandMs: loadTimeBandMs ?? null,
        ratioBand: ratioBand ?? null,
        connections,
        bound,
        boundShares,
        coverage: { state: coverage.state, notModelled: coverage.state === 'modelled' ? [] : coverage.notModelled },
        ratioErrorP90: ratioError?.errorP90 ?? null,
      }),
    ),
    recommendation,
    model: {
      errorP50: error?.errorP50 ?? null,
      errorP90: error?.errorP90 ?? null,
      ratioErrorP50: error?.ratio?.errorP50 ?? null,
      ratioErrorP90: error?.ratio?.errorP90 ?? null,
      basis: error?.basis ?? ERROR_UNKNOWN,
      regimes: facts.regimes,
      unmeasured: facts.unmeasured,
    },
    inferred: [
      ...pages.flatMap(({ name, inferred }) => inferred.map((each) => ({ page: name, ...each }))),
      ...links.flatMap(({ inferred = [] }) => inferred.map((each) => ({ page: null, ...each }))),
    ],
    recorded: facts.recorded.map((record) => recordedJson(record, facts.beside)),
    reach: profileReach(pages.map(({ page }) => page)),
    scenarios: facts.scenarios.map((scenario) => scenarioJson(scenario, facts)),
    duplicates: duplicatesJson(facts),
    notes,
  };
}

/** One entry for each page whose record holds any. */
export function duplicatesJson({ pages, links }: Pick<PredictionFacts, 'pages' | 'links'>): readonly DuplicatesJson[] {
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
export function pageJson({ requests }: PageGraph): PageJson {
  return {
    requests: requests.length,
    origins: new Set(requests.map(({ origin = DEFAULT_ORIGIN }) => origin)).size,
    bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

const sumOf = (pages: readonly PageJson[]): PageJson =>
  pages.reduce(
    (sum, { requests, origins, bytes }) => ({
      requests: sum.requests + requests,
      origins: sum.origins + origins,
      bytes: sum.bytes + bytes,
    }),
    { requests: 0, origins: 0, bytes: 0 },
  );

function linkJson({ name, basis, link }: NamedLink): LinkJson {
  const { segmentBytes: _, ...figures } = checkedLink(link);
  return { name, basis, ...figures };
}

function recordedJson({ page, link, profileId, loads, loadTimeMs }: RecordedLoads, beside: readonly BesideRecord[]): RecordedJson {
  const own = beside.find((each) => each.page === page && each.link === link && each.profileId === profileId);
  return {
    ...{ page, link: link ?? null, profileId, loads, loadTimeMs },
    simulatedMs: own?.simulatedMs ?? null,
    difference: own?.difference ?? null,
    state: own?.state ?? 'not-judged',
  };
}

function scenarioJson({ page, link, runs, predictions }: PredictionFacts['scenarios'][number], facts: PredictionFacts): ScenarioJson {
  const ownPage = facts.pages.find(({ name }) => name === page);
  const ownLink = facts.links.find(({ name }) => name === link);
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
