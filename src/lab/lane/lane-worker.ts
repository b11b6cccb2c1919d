/** A lane's worker: the process inside the client's namespace that holds Firefox and the gateway. */

import { PlumbfoxError } from '../../core/errors.ts';
import { PROBATION } from '../../core/gateway-policy.ts';
import { SHIPPED } from '../../core/profiles/shipped.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { activePolicy, driverApplier, extensionApplier } from '../firefox/appliers.ts';
import { extensionAddress, openExtension } from '../firefox/extension-session.ts';
import { SECURE_SERVER_PREFERENCES, valuesOf } from '../firefox/lab-preferences.ts';
import { launchFirefox, type RunningFirefox } from '../firefox/launch-firefox.ts';
import { connectionCloser, type Http3Mapping, http3Mapping, trustAuthority } from '../firefox/secure-servers.ts';
import { type LinkTarget, measureLink, measureRtt, measureUpload, type UploadTarget } from '../link/measure-link.ts';
import { type FloodOrder, floodLink, wakeLink } from '../link/probe-datagrams.ts';
import { whileRunning } from '../process/process-lifetimes.ts';
import { serveRpc } from '../process/rpc.ts';
import { laneLoads } from './lane-loads.ts';
import { type LaneNames, laneNames } from './lane-names.ts';
import type { LaneFacts, LoadOrder, LoadOutcome, SecureServers, StartLane } from './lane-protocol.ts';
import { type OverheadOrder, overheadPairs } from './overhead-pairs.ts';

/** Whether the next load meets servers that the load before has met. */
type Servers = 'fresh' | 'known';

/** A lane at work: one Firefox with the extension, one gateway, and loads one after another, each on a clean connection pool. */
interface LaneSession {
  readonly facts: LaneFacts;
  load(order: LoadOrder): Promise<LoadOutcome>;
  /** Lets go of what the load before has left open, where that takes a while: before anything is counted for the next. */
  settle(servers: Servers): Promise<void>;
  close(): Promise<void>;
}

async function startLaneSession(options: StartLane): Promise<LaneSession> {
  const { uuid, preferences } = extensionAddress();
  const probation = options.gatewayVisit === 'known-site' ? 0 : PROBATION.answers;
  const gateway = await startGateway({ connections: SHIPPED.perServer, depth: 1, sites: 'any' }, { probation });
  let firefox: RunningFirefox | undefined;
  let names: LaneNames | undefined;
  const close = async () => {
    await firefox?.close();
    await names?.close();
    await gateway.close();
  };
  try {
    names = options.secure?.nameServer && (await laneNames(options.secure.nameServer, { delayMs: () => nameDelayMs }));
    firefox = await launchFirefox({
      program: options.program,
      preferences: { ...secureServerPreferences(options.secure), ...names?.preferences, ...options.preferences, ...preferences },
      ...(options.startTimeoutMs === undefined ? {} : { startTimeoutMs: options.startTimeoutMs }),
    });
    const alive = whileRunning([{ name: 'Firefox', ended: firefox.ended }]);
    const http3 = options.secure && (await trustServers(firefox, options.secure));
    const extension = await openExtension(firefox, { uuid, variants: options.variant === 'lab' ? ['lab', 'release'] : ['release'] });
    const browser = await extension.request({ kind: 'browser-facts' });
    if (browser.policies === 'active') throw activePolicy();
    const applier = browser.experimentApi ? extensionApplier(extension) : await driverApplier(firefox, extension);
    await extension.request({ kind: 'set-quiet', quietMs: options.quietMs });
    const untouched = await applier.readBack();
    const tab = await firefox.browser.newPage();
    await tab.bringToFront();
    const closeConnections = (http3 || names) && (await connectionCloser(firefox.browser));
    const loadInTab = laneLoads({ extension, gateway, applier, tab }, { quietMs: options.quietMs });
    return {
      facts: { browser, applier: applier.kind, untouched },
      load: async (order) => {
        await http3?.prepare(order.url);
        return alive(loadInTab(order));
      },
      settle: async (servers) => alive(closeConnections?.({ mayStay: http3 === undefined && servers === 'fresh' }) ?? Promise.resolve()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where all servers have names, Firefox waits for HTTP/3 as it ships. */
const secureServerPreferences = (secure: SecureServers | undefined) =>
  secure && (secure.nameServer === undefined || secure.http3.length > 0) ? valuesOf(SECURE_SERVER_PREFERENCES) : {};

/** @returns what must be prepared before every load, where a server has HTTP/3. */
async function trustServers(firefox: RunningFirefox, { authority, http3 }: SecureServers): Promise<Http3Mapping | undefined> {
  await trustAuthority(firefox, authority);
  return http3.length > 0 ? http3Mapping(firefox, http3) : undefined;
}

/** What the lane's name server lets pass before it answers, ms. */
let nameDelayMs = 0;

let starting: Promise<LaneSession> | undefined;

async function session(): Promise<LaneSession> {
  if (!starting) throw new PlumbfoxError('internal', 'The lane has not been started');
  return starting;
}

serveRpc(
  {
    overhead: (order: OverheadOrder) => overheadPairs(order),
    pid: () => process.pid,
    wake: (address: string) => wakeLink(address),
    'measure-link': (target: LinkTarget) => measureLink(target),
    'measure-upload': (target: UploadTarget) => measureUpload(target),
    flood: (order: FloodOrder) => floodLink(order),
    'measure-rtt': (target: { host: string; port: number }) => measureRtt(target),
    start: async (options: StartLane) => {
      starting = startLaneSession(options);
      return (await starting).facts;
    },
    load: async (order: LoadOrder) => (await session()).load(order),
    settle: async (servers: Servers) => (await session()).settle(servers),
    'name-delay': (ms: number) => {
      nameDelayMs = ms;
    },
  },
  async () => {
    // A start that failed has cleaned up after itself and was answered with its error.
    const running = await starting?.catch(() => undefined);
    await running?.close();
  },
);
