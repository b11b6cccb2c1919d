/** One load of a page over a link under a profile: runs the events to the end, and reports the result. */
import { PlumbfoxError } from '../errors.ts';
import { idealTime } from '../measure/efficiency.ts';
import { seededRandom } from '../random.ts';
import { bytes, kilobitsPerSecond, milliseconds } from '../units.ts';
import { Browser } from './browser.ts';
import type { BrowserModel } from './browser-model.ts';
import type { CompleteLink } from './link.ts';
import { boundOfLoad, LoadRecord } from './load-record.ts';
import type { OriginColumns, PageColumns } from './page-columns.ts';
import { CARRIAGES, type Carriage, type PredictedRequest, type Prediction } from './prediction.ts';
import type { SimulatedProfile } from './simulated-profile.ts';
import { Transport } from './transport.ts';
import type { Workspace } from './workspace.ts';

/** The same options give the same load. `workspace` is cleared, and must not be shared with a load in progress. */
interface SimulateOptions {
  readonly page: PageColumns;
  readonly link: CompleteLink;
  readonly profile: SimulatedProfile;
  readonly model: BrowserModel;
  readonly seed: number;
  /** See `PredictOptions`. */
  readonly phaseMs: number;
  readonly workspace: Workspace;
}

/** Events for each packet and request, far above what any load was seen to need: a fault of ours must not hang a browser. */
const MAX_EVENTS_EACH = 1000;

/** Any number: keeps two streams of draws by one seed apart. */
const PHASES = 0x5eed;

export function simulateLoad({ page, link, profile, model, seed, phaseMs, workspace }: SimulateOptions): Prediction {
  workspace.clear();
  const record = new LoadRecord(page);
  const browser = new Browser({ page, profile, model, record, phases: phasesOf(page, { seed, phaseMs }) });
  const transport = new Transport({ page, link, streamWindow: profile.streamWindow, random: seededRandom(seed), workspace }, browser);
  browser.start(transport);
  const most = MAX_EVENTS_EACH * (page.count + page.totalBytes / 1000 + 100);
  for (let events = 0; !browser.done; events++) {
    if (transport.step() === undefined || events > most) {
      throw new PlumbfoxError('internal', `The simulated load of ${profile.id} did not finish`);
    }
  }
  return predictionOf({ page, link, profile, model, record, transport });
}

/** Drawn from their own generator, so that what is lost by chance is the same with and without them. `undefined`: none. */
function phasesOf({ count }: PageColumns, { seed, phaseMs }: Pick<SimulateOptions, 'seed' | 'phaseMs'>): Float64Array | undefined {
  if (phaseMs === 0) return undefined;
  const random = seededRandom(seed ^ PHASES);
  return Float64Array.from({ length: count }, () => phaseMs * random.next());
}

interface Outcome {
  readonly page: PageColumns;
  readonly link: CompleteLink;
  readonly profile: SimulatedProfile;
  readonly model: BrowserModel;
  readonly record: LoadRecord;
  readonly transport: Transport;
}

function predictionOf({ page, link, profile, model, record, transport }: Outcome): Prediction {
  let last = 0;
  for (let at = 1; at < page.count; at++) if ((record.ended[at] as number) > (record.ended[last] as number)) last = at;
  const loadTimeMs = record.ended[last] as number;
  const retransmissions = transport.connections.reduce((sum, { sender }) => sum + (sender?.retransmissions ?? 0), 0);
  const carriages = CARRIAGES.filter((carriage) => page.origins.some((origin) => carriageOf(origin, { profile, model }) === carriage));
  const { bound, shares } = boundOfLoad({ page, record, rttMs: link.rttMs }, last);
  return {
    profileId: profile.id,
    loadTimeMs,
    efficiency: idealMs(page, link) / loadTimeMs,
    bytes: page.totalBytes,
    connections: transport.connections.length,
    bound,
    boundShares: shares,
    retransmissions,
    carriages,
    ...(carriages.includes('gateway') && { gateway: { visit: model.gatewayVisit, rttMs: link.rttMs } }),
    ...(model.paces && profile.pacing && { pacing: profile.pacing }),
    loss: link.lossDown > 0 || link.lossUp > 0 ? 'chance' : retransmissions > 0 ? 'queue' : 'none',
    requests: page.ids.map((id, at) => requestOf(id, at, record)),
  };
}

/** The gateway carries plain http, and nothing else. */
function carriageOf({ protocol, secure }: OriginColumns, { profile, model }: Pick<Outcome, 'profile' | 'model'>): Carriage {
  return protocol === 'http/1.1' && !secure && profile.gateway && model.carrier === 'gateway' ? 'gateway' : protocol;
}

/** One request answered by nothing still takes its round trip. */
const MIN_BYTES = 1;

/** The ideal time, by the same rule as that of recorded loads. */
function idealMs({ totalBytes }: PageColumns, { rttMs, downKbps }: CompleteLink): number {
  const link = { rttMs: milliseconds(rttMs), downKbps: kilobitsPerSecond(downKbps) };
  return idealTime({ bytes: bytes(Math.max(MIN_BYTES, totalBytes)), link }) ?? 0;
}

function requestOf(id: string, at: number, record: LoadRecord): PredictedRequest {
  return {
    id,
    discoveredMs: record.discovered[at] as number,
    startMs: record.started[at] as number,
    firstByteMs: record.firstByte[at] as number,
    endMs: record.ended[at] as number,
    connection: record.connection[at] as number,
  };
}
