/** How fast every profile would load a person's recent pages over the current network. A prediction, never a measurement. */
import type { PredictedChange, PredictedFaster } from '../answer/answer.ts';
import { PlumbfoxError } from '../errors.ts';
import type { Inference, InferredPage } from '../graph/inference.ts';
import { groupBy } from '../group-by.ts';
import type { ModelError, RatioAsked } from '../predict/model-error.ts';
import { MIN_RUNS, packetsOf, type TypicalOptions } from '../predict/predict.ts';
import { type PredictedProfile, type PredictedScenario, predictedCost, predictedProfiles } from '../predict/predicted-profiles.ts';
import { fasterThanRecommended, type ProfileReach, profileReach, recommendPrediction } from '../predict/recommend-prediction.ts';
import { compareWithRecord, deviatesFromRecord, type RecordComparison, type RecordedLoads } from '../predict/recorded-loads.ts';
import { HTTP2_CONCURRENT, PACING_ENABLED, PER_SERVER } from '../profiles/catalogue.ts';
import { cheapestLevel } from '../profiles/compare-cost.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import type { SimulatedLink } from '../simulate/link.ts';
import type { Prediction } from '../simulate/prediction.ts';
import { type TriedPreferences, triedPreferences } from '../simulate/simulated-profile.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { asLink, type FieldLink, type GivenLinkName, type LinksOfLoads, linksOfLoads } from './field-links.ts';
import type { LoadSummary } from './load-summary.ts';
import { type Measured, measuredTimes } from './recorded-loads.ts';

/** The newest pages are predicted: as many as a person opens in an hour or two, and some seconds' work at most. */
export const PREDICTED_PAGES = 20;

/**
 * Packets that are simulated for all pages together; the newest page is predicted whatever it takes. Twenty pages of 2.5 MB under ten profiles are
 * 6.7 million, and took 4.8 s of processor time; twenty of 10 MB would take 17 s, of 50 MB 70 s.
 */
const MAX_PACKETS = 10_000_000;

export interface PredictFieldInput {
  /** The newest loads, in any order. */
  readonly loads: readonly MarkedPageLoad[];
  /** Figures of all stored loads. */
  readonly figures: readonly LoadSummary[];
  readonly names: readonly GivenLinkName[];
  /** The baseline among them. */
  readonly profiles: readonly Profile[];
  readonly predictor: Predictor;
}

export type FieldPrediction =
  | { readonly state: 'no-loads' }
  /** The newest load's network is not known yet. */
  | { readonly state: 'link-not-known' }
  /** The network is known, but no load over it has shown a rate. */
  | { readonly state: 'rate-not-known'; readonly link: FieldLink }
  /** No load over this network can be predicted. */
  | { readonly state: 'nothing-to-predict'; readonly link: FieldLink; readonly because: string | undefined }
  | ({ readonly state: 'predicted' } & PredictedField);

export interface PredictedField {
  readonly link: FieldLink;
  /** The number of pages, each predicted by its newest load over this network that allows it. */
  readonly pages: number;
  /** Profiles ordered by load time, the baseline among them; geometric means over the pages. */
  readonly profiles: readonly PredictedProfile[];
  /** The profiles with which a trial may begin; empty: none is predicted to gain anything. */
  readonly best: readonly PredictedProfile[];
  /** The one to try by the rule of predictions; absent: the baseline stays. */
  readonly recommended:
    | { readonly profile: Profile; readonly change: PredictedChange; readonly faster: PredictedFaster | undefined }
    | undefined;
  /** The highest upper bound of all modelled settings that need no gateway, a share: no more is to be gained. `undefined`: unknown. */
  readonly atMost: number | undefined;
  /** The simulation beside the loads of the same pages. Where the two disagree, a page counts for nothing else, as long as others are left. */
  readonly beside: readonly RecordComparison[];
  /** Which requests of the pages the profiles can reach at all. */
  readonly reach: ProfileReach;
  /** What `atMost` rests on. */
  readonly tried: TriedPreferences;
  readonly inferred: readonly Inference[];
  readonly error: ModelError | undefined;
}

export function predictField({ loads, figures, names, profiles, predictor }: PredictFieldInput): FieldPrediction {
  const over = linksOfLoads(loads, { figures, names });
  const newest = over.figures.findLastIndex(({ standing }) => standing !== 'unmeasurable');
  if (newest === -1) return { state: 'no-loads' };
  const link = over.linkAt(newest);
  if (link === undefined) return { state: 'link-not-known' };
  const simulated = simulatedLink(link);
  if (simulated === undefined) return { state: 'rate-not-known', link };
  const {
    scenarios: all,
    pages,
    recorded,
    because,
  } = predictedPages(newestFirst(loads, { over, link }), {
    over,
    link,
    simulated,
    profiles: [...profiles, ...FAR_ENDS],
    predictor,
  });
  if (all.length === 0) return { state: 'nothing-to-predict', link, because };
  const error = predictor.errorOf(all.flatMap(({ predictions }) => predictions));
  const beside = compareWithRecord(recorded, all, predictor.errorOf);
  const sound = all.filter((scenario) => !deviatesFromRecord(scenario, beside));
  const scenarios = sound.length > 0 ? sound : all;
  const graphs = pages.map(({ page }) => page);
  const judged = { baseline: BASELINE_ID, pages: graphs, errorOf: predictor.errorOf };
  const rows = predictedProfiles(scenarios, { profiles, ...judged });
  const farRows = predictedProfiles(scenarios, { profiles: FAR_ENDS, ...judged });
  const reach = profileReach(graphs);
  // The sentence is the answer's to make.
  const { profileId, state } = recommendPrediction({
    profiles: rows,
    baseline: BASELINE_ID,
    reach,
    beside,
    measure: () => '',
  });
  const toTry = rows.find(({ profile }) => profile.id === profileId && profileId !== BASELINE_ID);
  const best = predictedBest(rows);
  return {
    state: 'predicted',
    link,
    pages: scenarios.length,
    profiles: rows,
    best,
    recommended: toTry && withBand(toTry, best),
    atMost: state === 'parts-from-record' ? undefined : highest([...rows, ...farRows]),
    beside,
    reach,
    tried: triedPreferences(graphs, [...profiles, ...FAR_ENDS]),
    inferred: [...mergeInferences(pages.flatMap(({ inferred }) => inferred)), LINK_RULE],
    error,
  };
}

/**
 * The extremes of what the simulator models of Firefox's settings, besides the profiles on offer: unpaced requests, with the shipped number of
 * connections and with many, and as many HTTP/2 streams as needed. They bound what can be gained, and are never recommended.
 */
const FAR_ENDS: readonly Profile[] = [6, 16].map((connections) => ({
  id: `far-end-${connections}`,
  title: `${connections} connections per server, nothing paced`,
  connections,
  depth: 1,
  preferences: { [PER_SERVER]: connections, [PACING_ENABLED]: false, [HTTP2_CONCURRENT]: 1000 },
}));

/** `undefined`: the error of such predictions was never measured, so there is no band. */
function withBand(row: PredictedProfile, best: readonly PredictedProfile[]): PredictedField['recommended'] {
  const { profile, ratio, ratioBand } = row;
  if (ratioBand === undefined) return undefined;
  const change = { gain: ratio - 1, low: ratioBand.low - 1, high: ratioBand.high - 1 };
  return { profile, change, faster: fasterThanRecommended(row, best) };
}

/**
 * Judged by the simulated loads only: widened by the error of such predictions, every page would have something to gain. Where this is below 3 %, the
 * best measured gain was below 4 % in 21 of 22 published scenarios; over a shallow queue it was 10 % (docs/accuracy.md). `undefined`: the error of predictions for one of the settings was never measured.
 */
function highest(rows: readonly PredictedProfile[]): number | undefined {
  const bySettings = rows.filter(({ carrier, coverage }) => carrier === 'none' && coverage.state === 'modelled');
  const gains = bySettings.flatMap(({ ratioBand, simulatedRatioBand }) =>
    ratioBand === undefined ? [] : (simulatedRatioBand ?? ratioBand).high - 1,
  );
  return gains.length < bySettings.length ? undefined : Math.max(0, ...gains);
}

/** Why a load cannot be predicted. An odd record, which no unit can hold, is as good as none (as in `figures-store.ts`). @throws any other error. */
export function whyNotPredicted(error: unknown): string {
  if (error instanceof PlumbfoxError && error.kind === 'bad-input') return error.message;
  if (error instanceof RangeError) return `its record is inconsistent: ${error.message}`;
  throw error;
}

/** The assumption about an estimated link; see `fieldLinks` and `SimulatedLink`. */
export const LINK_RULE: Inference = {
  field: 'link',
  requests: 0,
  rule: 'Round trip and download rate are estimated from your loads; upload is taken to be as fast, and nothing to be lost but in a full queue.',
};

/** `undefined`: its rate is not known. */
export function simulatedLink(link: FieldLink): SimulatedLink | undefined {
  const known = asLink(link);
  return known && { rttMs: known.rttMs, downKbps: known.downKbps };
}

/** Loads over this link that were seen to their end. */
function newestFirst(loads: readonly MarkedPageLoad[], { over, link }: { readonly over: LinksOfLoads; readonly link: FieldLink }) {
  return loads
    .filter((load) => over.linkOf(load) === link && over.figuresOf(load).standing === 'whole')
    .toSorted((a, b) => b.startedAt - a.startedAt);
}

interface Pages {
  readonly scenarios: readonly PredictedScenario[];
  readonly pages: readonly InferredPage[];
  /** Load times of these pages over the link under Firefox's own settings, where there are any. */
  readonly recorded: readonly RecordedLoads[];
  /** Why the newest load that cannot be predicted cannot. */
  readonly because: string | undefined;
}

interface PredictPages {
  readonly over: LinksOfLoads;
  readonly link: FieldLink;
  readonly simulated: SimulatedLink;
  readonly profiles: readonly Profile[];
  readonly predictor: Predictor;
}

/** If a load cannot be predicted, its page has the one before it. */
function predictedPages(loads: readonly MarkedPageLoad[], { over, link, simulated, profiles, predictor }: PredictPages): Pages {
  const seen = new Set<number>();
  const scenarios: PredictedScenario[] = [];
  const pages: InferredPage[] = [];
  const recorded: RecordedLoads[] = [];
  let because: string | undefined;
  let packets = 0;
  for (const load of loads) {
    if (pages.length === PREDICTED_PAGES) break;
    const figures = over.figuresOf(load);
    const { page: key } = figures;
    if (seen.has(key)) continue;
    try {
      const inferred = predictor.pageFromLoad(load);
      packets += packetsOf(inferred.page) * MIN_RUNS * profiles.length;
      if (pages.length > 0 && packets > MAX_PACKETS) break;
      const predictions = predictor.predict({ page: inferred.page, link: simulated, profiles });
      scenarios.push({ page: String(key), link: NOW, predictions });
      pages.push(inferred);
      recorded.push(...recordedTimes(String(key), measuredTimes(figures, { over, link })));
      seen.add(key);
    } catch (error) {
      because ??= whyNotPredicted(error);
    }
  }
  return { scenarios, pages, recorded, because };
}

/** Load times under Firefox's own settings. Others are compared with nothing: their requests per connection may not have been in effect. */
function recordedTimes(page: string, measured: ReadonlyMap<string, Measured>): readonly RecordedLoads[] {
  const own = measured.get(BASELINE_ID);
  if (own === undefined) return [];
  const { loads, medianMs, intervalMs } = own.times;
  return [{ page, link: NOW, profileId: BASELINE_ID, loads, loadTimeMs: medianMs, ...(intervalMs && { intervalMs }) }];
}

/** The one link of all scenarios here. */
const NOW = 'now';

/** Each rule once, in the order of first appearance, with its `requests` added up. */
function mergeInferences(inferred: readonly Inference[]): readonly Inference[] {
  return [...groupBy(inferred, ({ field, rule }) => `${field} ${rule}`).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ ...first, requests: own.reduce((sum, { requests }) => sum + requests, 0) }];
  });
}

/** Each further candidate makes the first part of a trial longer. Chosen, not measured. */
export const MAX_BEST = 3;
/** A smaller predicted gain is none. Less than any trial here can find. */
const ALIKE = 0.01;

/**
 * The profiles with which a trial may begin: at most `MAX_BEST`, the most efficient first, each predicted to be at least 1 % more efficient than
 * the baseline. Of those within 1 % of each other only the cheapest is taken: a trial would need thousands of loads to separate them. Profiles
 * that are only simulated in part are left out.
 */
export function predictedBest(profiles: readonly PredictedProfile[]): readonly PredictedProfile[] {
  const best: PredictedProfile[] = [];
  let left = profiles.filter(({ ratio, coverage }) => coverage.state === 'modelled' && ratio >= 1 + ALIKE);
  while (best.length < MAX_BEST) {
    const choice = cheapestLevel(left, { costOf: predictedCost, gainOf, isLevel });
    if (choice === undefined) break;
    best.push(choice.chosen);
    left = left.filter((each) => !isLevel(each, choice.best));
  }
  return best;
}

const gainOf = ({ ratio }: PredictedProfile): number => ratio;
const isLevel = (each: PredictedProfile, best: PredictedProfile): boolean => each.ratio >= best.ratio / (1 + ALIKE);

/** The simulator as everyday loads use it, passed in so that tests can give known predictions. */
export interface Predictor {
  /** @throws PlumbfoxError `bad-input` when this load cannot be predicted, such as one that came from the cache. */
  readonly pageFromLoad: (load: MarkedPageLoad) => InferredPage;
  /** @throws PlumbfoxError `bad-input` when page or link cannot be used. */
  readonly predict: (options: TypicalOptions) => readonly Prediction[];
  /** The error in the regimes of these predictions, and of their ratios to the baseline's; `undefined`: not measured. */
  readonly errorOf: (predictions: readonly Prediction[], ratio?: RatioAsked) => ModelError | undefined;
}
