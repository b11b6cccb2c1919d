/** A lane at work: one Firefox with the extension, one gateway, and loads one after another, each on a clean connection pool. */
import { SHIPPED } from '../../core/profiles/shipped.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { activePolicy } from '../firefox/active-policy.ts';
import { extensionApplier } from '../firefox/applier-extension.ts';
import { driverApplier } from '../firefox/appliers.ts';
import { connectionCloser } from '../firefox/closed-connections.ts';
import { extensionAddress, openExtension } from '../firefox/extension-session.ts';
import { launchFirefox, type RunningFirefox } from '../firefox/launch-firefox.ts';
import { HTTP3_PREFERENCES, type Http3Mapping, http3Mapping } from '../firefox/secure-servers.ts';
import { trustAuthority } from '../firefox/trust-authority.ts';
import { whileRunning } from '../process-lifetimes.ts';
import { laneLoads } from './lane-loads.ts';
import type { LaneFacts, LoadOrder, LoadOutcome, SecureServers, StartLane } from './lane-protocol.ts';

/** What every load of a lane is asked with. */
export interface LaneSession {
  readonly facts: LaneFacts;
  load(order: LoadOrder): Promise<LoadOutcome>;
  /** Lets go of what the load before has left open, where that takes a while: before anything is counted for the next. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export async function startLaneSession(options: StartLane): Promise<LaneSession> {
  const { uuid, preferences } = extensionAddress();
  const gateway = await startGateway({ connections: SHIPPED.perServer, depth: 1 });
  let firefox: RunningFirefox | undefined;
  const close = async () => {
    await firefox?.close();
    await gateway.close();
  };
  try {
    firefox = await launchFirefox({
      program: options.program,
      preferences: { ...(options.secure && HTTP3_PREFERENCES), ...options.preferences, ...preferences },
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
    const closeConnections = http3 && (await connectionCloser(firefox.browser));
    const loadInTab = laneLoads({ extension, gateway, applier, tab }, { quietMs: options.quietMs });
    return {
      facts: { browser, applier: applier.kind, untouched },
      load: async (order) => {
        await http3?.prepare(order.url);
        return alive(loadInTab(order));
      },
      settle: async () => alive(closeConnections?.() ?? Promise.resolve()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @returns what must be prepared before every load, where a server has HTTP/3. */
async function trustServers(firefox: RunningFirefox, { authority, http3 }: SecureServers): Promise<Http3Mapping | undefined> {
  await trustAuthority(firefox, authority);
  return http3.length > 0 ? http3Mapping(firefox, http3) : undefined;
}
