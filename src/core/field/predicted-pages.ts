/** The pages that a person has loaded of late over one link, each as it was found, with what is predicted for it under every profile. */
import { PlumbfoxError } from '../errors.ts';
import type { Inference, InferredPage } from '../graph/inference.ts';
import type { ModelError, RatioAsked } from '../predict/model-error.ts';
import { packetsOf, type TypicalOptions } from '../predict/predict.ts';
import type { PredictedScenario } from '../predict/predicted-profiles.ts';
import type { RecordedLoads } from '../predict/recorded-loads.ts';
import { MIN_RUNS } from '../predict/run-band.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import type { SimulatedLink } from '../simulate/link.ts';
import type { Prediction } from '../simulate/prediction.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { asLink, type FieldLink, type LinksOfLoads } from './field-links.ts';
import { type Measured, measuredTimes } from './recorded-loads.ts';

/** The newest pages are predicted: as many as a person opens in an hour or two, and some seconds' work at most. */
export const PREDICTED_PAGES = 20;

/**
 * Packets that are simulated for all pages together; the newest page is predicted whatever it takes. Twenty pages of 2.5 MB under ten profiles are
 * 6.7 million, and took 4.8 s of processor time; twenty of 10 MB would take 17 s, of 50 MB 70 s.
 */
const MAX_PACKETS = 10_000_000;

/** The simulator as everyday loads use it, passed in so that tests can give known predictions. */
export interface Predictor {
  /** @throws PlumbfoxError `bad-input` when this load cannot be predicted, such as one that came from the cache. */
  readonly pageFromLoad: (load: MarkedPageLoad) => InferredPage;
  /** @throws PlumbfoxError `bad-input` when page or link cannot be used. */
  readonly predict: (options: TypicalOptions) => readonly Prediction[];
  /** The error in the regimes of these predictions, and of their ratios to the baseline's; `undefined`: not measured. */
  readonly errorOf: (predictions: readonly Prediction[], ratio?: RatioAsked) => ModelError | undefined;
}

/** A page by its newest load that can be predicted. */
export interface PredictedPage extends InferredPage {
  readonly load: MarkedPageLoad;
  /** Same origin, same number. */
  readonly site: number;
  readonly scenario: PredictedScenario;
}

export interface PredictedPages {
  readonly pages: readonly PredictedPage[];
  /** Pages that were looked at, of whose loads none can be predicted. */
  readonly unpredictable: number;
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

/** The newest pages over the link. If a load cannot be predicted, its page has the one before it. */
export function predictedPages(
  loads: readonly MarkedPageLoad[],
  { over, link, simulated, profiles, predictor }: PredictPages,
): PredictedPages {
  const pages = new Map<number, PredictedPage>();
  const refused = new Set<number>();
  const recorded: RecordedLoads[] = [];
  let because: string | undefined;
  let packets = 0;
  for (const load of newestFirst(loads, { over, link })) {
    if (pages.size === PREDICTED_PAGES) break;
    const figures = over.figuresOf(load);
    const { page: key } = figures;
    if (pages.has(key)) continue;
    try {
      const inferred = predictor.pageFromLoad(load);
      packets += packetsOf(inferred.page) * MIN_RUNS * profiles.length;
      if (pages.size > 0 && packets > MAX_PACKETS) break;
      const predictions = predictor.predict({ page: inferred.page, link: simulated, profiles });
      pages.set(key, { ...inferred, load, site: figures.site, scenario: { page: String(key), link: NOW, predictions } });
      recorded.push(...recordedTimes(String(key), measuredTimes(figures, { over, link })));
    } catch (error) {
      because ??= whyNotPredicted(error);
      refused.add(key);
    }
  }
  return { pages: [...pages.values()], unpredictable: [...refused].filter((key) => !pages.has(key)).length, recorded, because };
}

/** Loads over this link that were seen to their end. */
function newestFirst(loads: readonly MarkedPageLoad[], { over, link }: Pick<PredictPages, 'over' | 'link'>) {
  return loads
    .filter((load) => over.linkOf(load) === link && over.figuresOf(load).standing === 'whole')
    .toSorted((a, b) => b.startedAt - a.startedAt);
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
