/** How fast every profile would load a person's recent pages over the current network. A prediction, never a measurement. */
import type { PredictedChange, PredictedFaster } from '../answer/answer.ts';
import type { Inference } from '../graph/inference.ts';
import { groupBy } from '../group-by.ts';
import type { ModelError } from '../predict/model-error.ts';
import { type PredictedProfile, predictedCost, predictedProfiles } from '../predict/predicted-profiles.ts';
import { fasterThanRecommended, type ProfileReach, profileReach, recommendPrediction } from '../predict/recommend-prediction.ts';
import { compareWithRecord, deviatesFromRecord, type RecordComparison } from '../predict/recorded-loads.ts';
import { HTTP2_CONCURRENT, PACING_ENABLED, PER_SERVER } from '../profiles/catalogue.ts';
import { cheapestLevel } from '../profiles/compare-cost.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import { type TriedPreferences, triedPreferences } from '../simulate/simulated-profile.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { type FieldLink, type GivenLinkName, type LinksOfLoads, linksOfLoads } from './field-links.ts';
import type { LoadSummary } from './load-summary.ts';
import { LINK_RULE, type PredictedPage, type Predictor, predictedPages, simulatedLink } from './predicted-pages.ts';

export interface PredictFieldInput {
  /** The newest loads, in any order. */
  readonly loads: readonly MarkedPageLoad[];
  /** Figures of all stored loads. */
  readonly figures: readonly LoadSummary[];
  readonly names: readonly GivenLinkName[];
  /** The baseline among them. */
  readonly profiles: readonly Profile[];
  readonly predictor: Predictor;
  /** The profile that the prediction before this one named: it stays until another is 3 % better. */
  readonly named?: string | undefined;
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
  /** It is of the network before: too little is known yet of the newest load's. */
  readonly isFormer: boolean;
  /** The pages that every figure here rests on, each predicted by its newest load over this network that allows it. */
  readonly pages: number;
  /** Recent pages besides, which no figure rests on: the simulation does not match their loads, or none of these can be predicted. */
  readonly outside: number;
  /** Profiles ordered by load time, the baseline among them; geometric means over the pages. */
  readonly profiles: readonly PredictedProfile[];
  /** The profiles with which a trial may begin; empty: none is predicted to gain anything. */
  readonly best: readonly PredictedProfile[];
  /** The one to try by the rule of predictions; absent: the baseline stays. */
  readonly recommended: RecommendedField | undefined;
  /** The highest upper bound of all modelled settings that need no gateway, a share: no more is to be gained. `undefined`: unknown. */
  readonly atMost: number | undefined;
  /** The simulation beside the loads of the same pages. Where the two disagree, a page counts for nothing else, as long as others are left. */
  readonly beside: readonly RecordComparison[];
  /** Which requests of the pages the profiles can reach at all. */
  readonly reach: ProfileReach;
  /** What `atMost` rests on. */
  readonly tried: TriedPreferences;
  /** Sites with requests that the number of connections reaches: those that would gain most, then those with most such requests. */
  readonly sites: readonly SiteOutlook[];
  readonly inferred: readonly Inference[];
  readonly error: ModelError | undefined;
}

interface RecommendedField {
  readonly profile: Profile;
  readonly change: PredictedChange;
  readonly faster: PredictedFaster | undefined;
}

/** What settings would do for one site that still uses HTTP/1.1, by that of its recent pages that would gain most. */
export interface SiteOutlook {
  /** The id of the load that the page was predicted by. */
  readonly load: string;
  /** Its requests over HTTP/1.1. */
  readonly requests: number;
  /** What it would gain by itself; absent: no gain is sure. */
  readonly gains?: { readonly id: string; readonly change: PredictedChange };
  /** False: the simulation does not match its loads, so that nothing can be said of it. */
  readonly isSimulated: boolean;
}

/** Where too little is known of the newest load's network, the prediction is of the network before. */
export function predictField(input: PredictFieldInput): FieldPrediction {
  const { loads, figures, names } = input;
  const over = linksOfLoads(loads, { figures, names });
  const newest = over.figures.findLastIndex(({ standing }) => standing !== 'unmeasurable');
  if (newest === -1) return { state: 'no-loads' };
  const here = predictOver(over.linkAt(newest), { ...input, over });
  if (here.state !== 'link-not-known' && here.state !== 'rate-not-known') return here;
  const byTime = loads.toSorted((a, b) => b.startedAt - a.startedAt);
  for (const link of new Set(byTime.map(over.linkOf))) {
    const former = link && predictOver(link, { ...input, over });
    if (former?.state === 'predicted') return { ...former, isFormer: true };
  }
  return here;
}

interface Over extends PredictFieldInput {
  readonly over: LinksOfLoads;
}

function predictOver(link: FieldLink | undefined, { loads, over, profiles, predictor, named }: Over): FieldPrediction {
  if (link === undefined) return { state: 'link-not-known' };
  const simulated = simulatedLink(link);
  if (simulated === undefined) return { state: 'rate-not-known', link };
  const asked = { over, link, simulated, profiles: [...profiles, ...FAR_ENDS], predictor };
  const { pages: all, unpredictable, recorded, because } = predictedPages(loads, asked);
  if (all.length === 0) return { state: 'nothing-to-predict', link, because };
  const beside = compareWithRecord(
    recorded,
    all.map(({ scenario }) => scenario),
    predictor.errorOf,
  );
  const sound = all.filter(({ scenario }) => !deviatesFromRecord(scenario, beside));
  const pages = sound.length > 0 ? sound : all;
  const predictions = pages.flatMap(({ scenario }) => scenario.predictions);
  return {
    state: 'predicted',
    link,
    isFormer: false,
    pages: pages.length,
    outside: all.length - pages.length + unpredictable,
    ...outlookOf(pages, { profiles, predictor, beside, named }),
    beside,
    sites: sitesOf(all, { profiles, predictor, beside, named: undefined }),
    inferred: [...mergeInferences(pages.flatMap(({ inferred }) => inferred)), LINK_RULE],
    error: predictor.errorOf(predictions),
  };
}

interface Asked extends Pick<PredictFieldInput, 'profiles' | 'predictor' | 'named'> {
  readonly beside: readonly RecordComparison[];
}

/** What every profile would do for these pages together, and which one to try. */
function outlookOf(pages: readonly PredictedPage[], { profiles, predictor, beside, named }: Asked) {
  const graphs = pages.map(({ page }) => page);
  const scenarios = pages.map(({ scenario }) => scenario);
  const judged = { baseline: BASELINE_ID, pages: graphs, errorOf: predictor.errorOf };
  const rows = predictedProfiles(scenarios, { profiles, ...judged });
  const farRows = predictedProfiles(scenarios, { profiles: FAR_ENDS, ...judged });
  const reach = profileReach(graphs);
  // The sentence is the answer's to make.
  const { profileId, state } = recommendPrediction({
    ...{ profiles: rows, baseline: BASELINE_ID, reach, beside, named },
    measure: () => '',
  });
  const toTry = rows.find(({ profile }) => profile.id === profileId && profileId !== BASELINE_ID);
  const best = predictedBest(rows);
  return {
    profiles: rows,
    best,
    recommended: toTry && withBand(toTry, best),
    atMost: state === 'parts-from-record' ? undefined : highest([...rows, ...farRows]),
    reach,
    tried: triedPreferences(graphs, [...profiles, ...FAR_ENDS]),
  };
}

function sitesOf(pages: readonly PredictedPage[], asked: Asked): readonly SiteOutlook[] {
  const reached = pages.flatMap((page): readonly (SiteOutlook & { readonly site: number })[] => {
    const { load, scenario, site } = page;
    const requests = profileReach([page.page]).byConnections;
    if (requests === 0) return [];
    const beside = asked.beside.filter((each) => each.page === scenario.page);
    const { recommended } = outlookOf([page], { ...asked, beside });
    return [
      {
        site,
        load: load.id,
        requests,
        isSimulated: !deviatesFromRecord(scenario, beside),
        ...(recommended && { gains: { id: recommended.profile.id, change: recommended.change } }),
      },
    ];
  });
  const gainOfSite = ({ gains }: SiteOutlook) => gains?.change.gain ?? 0;
  const ordered = reached.toSorted((a, b) => gainOfSite(b) - gainOfSite(a) || b.requests - a.requests);
  return [...groupBy(ordered, ({ site }) => site).values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const { site: _, ...outlook } = first;
    return [outlook];
  });
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

/** `undefined`: bands of such predictions are not known to hold, so there is none. */
function withBand(row: PredictedProfile, best: readonly PredictedProfile[]): RecommendedField | undefined {
  const { profile, ratio, ratioBand } = row;
  if (ratioBand === undefined) return undefined;
  const change = { gain: ratio - 1, low: ratioBand.low - 1, high: ratioBand.high - 1 };
  return { profile, change, faster: fasterThanRecommended(row, best) };
}

/**
 * Judged by the simulated loads only: widened by the error of such predictions, every page would have something to gain. Where this is below 3 %, the
 * best measured gain was below 4 % in 17 of 19 published scenarios, 14 and 17 % on one page near the server (docs/accuracy.md). `undefined`: bands of one
 * of the settings are not known to hold.
 */
function highest(rows: readonly PredictedProfile[]): number | undefined {
  const bySettings = rows.filter(({ carrier, coverage }) => carrier === 'none' && coverage.state === 'modelled');
  const gains = bySettings.flatMap(({ ratioBand, simulatedRatioBand }) =>
    ratioBand === undefined ? [] : (simulatedRatioBand ?? ratioBand).high - 1,
  );
  return gains.length < bySettings.length ? undefined : Math.max(0, ...gains);
}

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
 * that are only simulated in part, or whose change is withheld, are left out.
 */
export function predictedBest(profiles: readonly PredictedProfile[]): readonly PredictedProfile[] {
  const best: PredictedProfile[] = [];
  let left = profiles.filter(
    ({ ratio, coverage, withheld }) => coverage.state === 'modelled' && withheld === undefined && ratio >= 1 + ALIKE,
  );
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
