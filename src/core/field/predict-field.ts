/** What every profile would make of the pages that a person has loaded of late, over the network of now. A prediction, never a measurement. */
import type { PredictedChange } from '../answer/answer.ts';
import { PlumbfoxError } from '../errors.ts';
import type { Inference, InferredPage } from '../graph/inference.ts';
import { groupBy } from '../group-by.ts';
import type { ModelError, RatioAsked } from '../predict/model-error.ts';
import { MIN_RUNS, packetsOf, type TypicalOptions } from '../predict/predict.ts';
import { type PredictedProfile, type PredictedScenario, predictedCost, predictedProfiles } from '../predict/predicted-profiles.ts';
import { type ProfileReach, profileReach, recommendPrediction } from '../predict/recommend-prediction.ts';
import { compareWithRecord, deviatesFromRecord, type RecordComparison, type RecordedLoads } from '../predict/recorded-loads.ts';
import { HTTP2_CONCURRENT, PACING_ENABLED, PER_SERVER } from '../profiles/catalogue.ts';
import { cheapestLevel } from '../profiles/compare-cost.ts';
import { BASELINE_ID } from '../profiles/presets.ts';
import type { Profile } from '../profiles/profile.ts';
import type { SimulatedLink } from '../simulate/link.ts';
import type { Prediction } from '../simulate/prediction.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { asLink, type FieldLink, type GivenLinkName, type LinksOfLoads, linksOfLoads } from './field-links.ts';
import type { LoadSummary } from './load-summary.ts';
import { type Measured, measuredTimes } from './recorded-loads.ts';

/** Pages that are predicted, the newest: as many as a person opens in an hour or two, and some seconds' work at most. Our own choice. */
export const PREDICTED_PAGES = 20;

/**
 * Packets that are simulated for all pages together; the newest page is predicted whatever it takes. Twenty pages of 2.5 MB under ten profiles are 6.7
 * million, and took 4.8 s of processor time; twenty of 10 MB would take 17 s, of 50 MB 70 s. Our own choice.
 */
const MAX_PACKETS = 10_000_000;

export interface PredictFieldInput {
  /** The newest, in any order. */
  readonly loads: readonly MarkedPageLoad[];
  /** Of all stored loads. */
  readonly figures: readonly LoadSummary[];
  readonly names: readonly GivenLinkName[];
  /** The baseline among them. */
  readonly profiles: readonly Profile[];
  readonly predictor: Predictor;
}

export type FieldPrediction =
  | { readonly state: 'no-loads' }
  /** The newest load's network cannot be told yet. */
  | { readonly state: 'link-not-known' }
  /** It can, but no load over it has shown a rate. */
  | { readonly state: 'rate-not-known'; readonly link: FieldLink }
  /** No load over this network can be predicted. */
  | { readonly state: 'nothing-to-predict'; readonly link: FieldLink; readonly because: string | undefined }
  | ({ readonly state: 'predicted' } & PredictedField);

export interface PredictedField {
  readonly link: FieldLink;
  /** Different pages, each by its newest load over this network that can be predicted. */
  readonly pages: number;
  /** By load time, the baseline among them; geometric means over the pages. */
  readonly profiles: readonly PredictedProfile[];
  /** With which a trial may begin; empty: none is predicted to gain anything. */
  readonly best: readonly PredictedProfile[];
  /** The one to try by the rule of predictions; absent: the baseline stays. */
  readonly recommended: { readonly profile: Profile; readonly change: PredictedChange } | undefined;
  /** The highest upper bound of all modelled settings that need no gateway, a share: no more is to be gained. `undefined`: nobody knows. */
  readonly atMost: number | undefined;
  /** The simulation beside the loads of the same pages. Pages of which the two part count for nothing else here, as long as others are left. */
  readonly beside: readonly RecordComparison[];
  /** Which requests of the pages the profiles can reach at all. */
  readonly reach: ProfileReach;
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
  // What it would say is the answer's to say.
  const { profileId, state } = recommendPrediction({
    profiles: rows,
    baseline: BASELINE_ID,
    reach,
    beside,
    measure: () => '',
  });
  const toTry = rows.find(({ profile }) => profile.id === profileId && profileId !== BASELINE_ID);
  return {
    state: 'predicted',
    link,
    pages: scenarios.length,
    profiles: rows,
    best: predictedBest(rows),
    recommended: toTry && withBand(toTry),
    atMost: state === 'parts-from-record' ? undefined : highest([...rows, ...farRows]),
    beside,
    reach,
    inferred: [...mergeInferences(pages.flatMap(({ inferred }) => inferred)), LINK_RULE],
    error,
  };
}

/**
 * The far ends of what the simulator models of Firefox's settings, beside the profiles on offer: requests are not paced, with the shipped and
 * with many connections, and HTTP/2 has as many streams as it takes. They say how much there is to be gained, and are never recommended.
 */
const FAR_ENDS: readonly Profile[] = [6, 16].map((connections) => ({
  id: `far-end-${connections}`,
  title: `${connections} connections per server, nothing paced`,
  connections,
  depth: 1,
  preferences: { [PER_SERVER]: connections, [PACING_ENABLED]: false, [HTTP2_CONCURRENT]: 1000 },
}));

/** `undefined`: how far such predictions are off was never measured, so that there is no band. */
function withBand(row: PredictedProfile): PredictedField['recommended'] {
  const { profile, ratio, ratioBand } = row;
  return ratioBand && { profile, change: { gain: ratio - 1, low: ratioBand.low - 1, high: ratioBand.high - 1 } };
}

/**
 * Of the simulated loads alone: widened by what such predictions are off by, every page would be one with something to gain. Where this is below 3 %,
 * the best measured gain was below 4 % (docs/accuracy.md). `undefined`: of one of the settings it was never measured how far predictions are off.
 */
function highest(rows: readonly PredictedProfile[]): number | undefined {
  const bySettings = rows.filter(({ carrier, coverage }) => carrier === 'none' && coverage.state === 'modelled');
  const gains = bySettings.flatMap(({ ratioBand, simulatedRatioBand }) =>
    ratioBand === undefined ? [] : (simulatedRatioBand ?? ratioBand).high - 1,
  );
  return gains.length < bySettings.length ? undefined : Math.max(0, ...gains);
}

/** Why nothing can be predicted of a load. An odd record, which no unit can hold, is as good as none (as in `figures-store.ts`). @throws any other error. */
export function whyNotPredicted(error: unknown): string {
  if (error instanceof PlumbfoxError && error.kind === 'bad-input') return error.message;
  if (error instanceof RangeError) return `its record is inconsistent: ${error.message}`;
  throw error;
}

/** What is not known of an estimated link; see `fieldLinks` and `SimulatedLink`. */
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
  /** How long these pages took over the link under Firefox's own settings, where they were loaded so. */
  readonly recorded: readonly RecordedLoads[];
  /** Why the newest of those that cannot be predicted cannot. */
  readonly because: string | undefined;
}

interface PredictPages {
  readonly over: LinksOfLoads;
  readonly link: FieldLink;
  readonly simulated: SimulatedLink;
  readonly profiles: readonly Profile[];
  readonly predictor: Predictor;
}

/** A load that cannot be predicted leaves its page to the one before it. */
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

/** Those under Firefox's own settings. What was loaded under others only is held against nothing: their requests per connection may not have been in effect. */
function recordedTimes(page: string, measured: ReadonlyMap<string, Measured>): readonly RecordedLoads[] {
  const own = measured.get(BASELINE_ID);
  return own === undefined ? [] : [{ page, link: NOW, profileId: BASELINE_ID, loads: own.times.loads, loadTimeMs: own.times.medianMs }];
}

/** The one link of all scenarios here. */
const NOW = 'now';

/** What was assumed of several pages, each rule once, in the order in which the rules were first met; `requests` added up. */
function mergeInferences(inferred: readonly Inference[]): readonly Inference[] {
  return [...groupBy(inferred, ({ field, rule }) => `${field} ${rule}`).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ ...first, requests: own.reduce((sum, { requests }) => sum + requests, 0) }];
  });
}

/** Each candidate more makes the first part of a trial longer. Our own choice. */
export const MAX_BEST = 3;
/** What is predicted to gain less is as good as what it is compared with. Our own choice: less than any trial here can find. */
const ALIKE = 0.01;

/**
 * The profiles with which a trial may begin: at most `MAX_BEST`, the most efficient first, each predicted to be at least 1 % more efficient than the baseline. Of those that
 * are predicted alike, within 1 % of each other, only the cheapest is taken: a trial would need thousands of loads to tell them apart. What is
 * simulated in part only is none of them.
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

/** The simulator as everyday loads use it; handed in, so that what is made of its answers can be checked against answers that are known. */
export interface Predictor {
  /** @throws PlumbfoxError `bad-input` when nothing can be predicted of this load, such as of one that came from the cache. */
  readonly pageFromLoad: (load: MarkedPageLoad) => InferredPage;
  /** @throws PlumbfoxError `bad-input` when page or link cannot be used. */
  readonly predict: (options: TypicalOptions) => readonly Prediction[];
  /** Of the regimes of these predictions, and of their ratios to those of the baseline; `undefined`: not measured. */
  readonly errorOf: (predictions: readonly Prediction[], ratio?: RatioAsked) => ModelError | undefined;
}
