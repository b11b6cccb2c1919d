/** Predicts how a page loads over a link under each profile: one load, or the typical one of several. */
import { PlumbfoxError } from '../errors.ts';
import { checkPage, type PageGraph } from '../graph/page-graph.ts';
import { seededRandom } from '../random.ts';
import { type BrowserModel, checkedModel } from '../simulate/browser-model.ts';
import { completeLink, type SimulatedLink } from '../simulate/link.ts';
import { pageColumns } from '../simulate/page-columns.ts';
import type { Prediction } from '../simulate/prediction.ts';
import { simulateLoad } from '../simulate/simulate-load.ts';
import { type PredictableProfile, type SimulatedProfile, simulatedProfiles } from '../simulate/simulated-profile.ts';
import { Workspace } from '../simulate/workspace.ts';
import { SEGMENT_BYTES } from '../tcp-constants.ts';
import { MIN_RUNS } from './run-band.ts';

/** The input of a prediction: a page over a link under some profiles, by a model of the browser. */
export interface PredictOptions {
  readonly page: PageGraph;
  readonly link: SimulatedLink;
  /** Ids of presets and sets (`c4-d6`, `fennec-18`), or profiles. */
  readonly profiles: readonly (string | PredictableProfile)[];
  /** Seed of random loss and jitter; without them it changes nothing. 0 unless given. */
  readonly seed?: number;
  /** Requests named in a response start up to this much later, evenly drawn by the seed for each, ms. 0 unless given. */
  readonly phaseMs?: number;
  /** What differs from `FIREFOX_TODAY`. */
  readonly model?: Partial<BrowserModel>;
}

/** Longer ones are mistakes in the unit. */
const MAX_PHASE_MS = 1000;

/**
 * One prediction per profile, in their order; the same input gives the same output, always.
 * @throws PlumbfoxError `bad-input`, one line, when page, link, profile, seed or model cannot be used.
 */
export function predict({ page, link, profiles, seed, phaseMs, model }: PredictOptions): readonly Prediction[] {
  const load = loaderOf(page, model);
  return simulatedProfiles(profiles).map((profile) => load(profile, { link, seed, phaseMs }));
}

interface Draw {
  readonly link: SimulatedLink;
  readonly seed?: number | undefined;
  readonly phaseMs?: number | undefined;
}
/** Loads the prepared page once: a profile over one draw of the link, its seed and its phase. */
type Loader = (profile: SimulatedProfile, draw: Draw) => Prediction;

/** Checks and prepares the page once, for as many loads of it as are wanted. @throws PlumbfoxError `bad-input`, as each load does. */
function loaderOf(page: PageGraph, model: Partial<BrowserModel> = {}): Loader {
  checkPage(page);
  const columns = pageColumns(page);
  const browser = checkedModel(model);
  const workspace = new Workspace();
  return (profile, { link, seed = 0, phaseMs = 0 }) => {
    const checked = completeLink(link);
    checkDraw(seed, phaseMs);
    return simulateLoad({ page: columns, link: checked, profile, model: browser, seed, phaseMs, workspace });
  };
}

function checkDraw(seed: number, phaseMs: number): void {
  if (!(phaseMs >= 0 && phaseMs <= MAX_PHASE_MS))
    throw new PlumbfoxError('bad-input', `A phase is a number from 0 to ${MAX_PHASE_MS} ms, not ${String(phaseMs)}`);
  if (!Number.isInteger(seed)) throw new PlumbfoxError('bad-input', `A seed is a whole number, not ${String(seed)}`);
}

interface TypicalPredictions {
  /** Loads simulated of each profile. */
  readonly runs: number;
  /** The load of each profile whose load time is the median, in the order of the profiles. */
  readonly predictions: readonly Prediction[];
}

export interface TypicalOptions extends PredictOptions {
  readonly profiles: readonly PredictableProfile[];
  /** Packets that may be simulated, within the bounds of the number of runs. A million, which take a second or two, unless given. */
  readonly maxPackets?: number;
}

const MAX_PACKETS = 1_000_000;
const MAX_RUNS_WITH_LOSS = 51;
const SEEDS = 2 ** 32;
/** A share. The lab holds its links to 1 %, and people's are known less well. Chosen, not measured. */
export const SHAKEN_BY = 0.02;
/** Requests are sent by up to the time of a packet on the line later, and no more than this, ms. */
const MAX_SHAKEN_PHASE_MS = 5;

/**
 * The load in the middle of several, and how far they spread. A single one says little: with loss and jitter by chance, and without them
 * because drop-tail queues are chaotic. A link that is 2 % faster may drop another packet, and a load take twice as long. So every run shakes
 * the link and the moments at which requests are sent by as much as they are uncertain, the same for all profiles of a run.
 * @throws PlumbfoxError `bad-input` as `predict` does.
 */
export function predictTypical(options: TypicalOptions): TypicalPredictions {
  const { page, link, model, seed = 0 } = options;
  const runs = runsFor(options);
  const load = loaderOf(page, model);
  const draws = Array.from({ length: runs }, (_, run) => {
    const shaken = (seed + run) % SEEDS;
    return { ...shakenLink(link, shaken), seed: shaken };
  });
  // One profile after the other: the timelines of all loads at once would be many.
  return {
    runs,
    predictions: simulatedProfiles(options.profiles).map((profile) =>
      middleOf(
        draws.map((draw) => load(profile, draw)),
        link,
      ),
    ),
  };
}

function middleOf(loads: readonly Prediction[], { rttMs }: Pick<SimulatedLink, 'rttMs'>): Prediction {
  const middle = loads.toSorted((a, b) => a.loadTimeMs - b.loadTimeMs)[(loads.length - 1) / 2];
  if (middle === undefined) throw new RangeError('A prediction is missing');
  return { ...middle, ...(middle.gateway && { gateway: { ...middle.gateway, rttMs } }), runsMs: loads.map(({ loadTimeMs }) => loadTimeMs) };
}

/** Any number: keeps the draws of the link apart from those of what is lost by chance. */
const SHAKES = 0x11f7;

/** The link as this draw has it: round trip and rates off by up to `SHAKEN_BY` either way, evenly, each by itself; and the phase of requests. */
export function shakenLink(link: SimulatedLink, seed: number): { readonly link: SimulatedLink; readonly phaseMs: number } {
  const random = seededRandom(seed ^ SHAKES);
  const by = () => 1 + SHAKEN_BY * (2 * random.next() - 1);
  // A queue that is not given depends on the rates, and would be another one for each draw.
  const { rttMs, downKbps, upKbps, queuePackets } = completeLink(link);
  return {
    link: { ...link, queuePackets, rttMs: rttMs * by(), downKbps: downKbps * by(), upKbps: upKbps * by() },
    phaseMs: Math.min(MAX_SHAKEN_PHASE_MS, (8 * SEGMENT_BYTES) / downKbps),
  };
}

/** Depends only on page, link and number of profiles. */
export function runsFor({ page, link, profiles, maxPackets = MAX_PACKETS }: Omit<TypicalOptions, 'model' | 'seed'>): number {
  const { lossDown = 0, lossUp = 0, jitterMs = 0 } = link;
  const most = lossDown === 0 && lossUp === 0 && jitterMs === 0 ? MIN_RUNS : MAX_RUNS_WITH_LOSS;
  const affordable = Math.floor(maxPackets / Math.max(1, packetsOf(page) * profiles.length));
  const runs = Math.min(most, Math.max(MIN_RUNS, affordable));
  return runs % 2 === 1 ? runs : runs - 1;
}

/** Packets of one load of the page. */
export const packetsOf = ({ requests }: PageGraph): number =>
  requests.reduce((sum, { bytes }) => sum + 1 + Math.ceil(bytes / SEGMENT_BYTES), 0);
