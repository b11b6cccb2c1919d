/** A lane at work: one Firefox with the extension, one gateway, and loads one after another, each on a clean connection pool. */
import type { Page } from 'puppeteer-core';
import type { Applier } from '../../core/profiles/applier.ts';
import { PER_SERVER } from '../../core/profiles/catalogue.ts';
import type { AppliedProfile } from '../../core/profiles/profile.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { activePolicy } from '../firefox/active-policy.ts';
import { driverApplier } from '../firefox/applier-driver.ts';
import { extensionApplier } from '../firefox/applier-extension.ts';
import { type ExtensionSession, extensionAddress, openExtension } from '../firefox/extension-session.ts';
import { HTTP3_PREFERENCES, type Http3Mapping, http3Mapping } from '../firefox/http3-mapping.ts';
import { launchFirefox, type RunningFirefox } from '../firefox/launch-firefox.ts';
import { trustAuthority } from '../firefox/trust-authority.ts';
import { SHIPPED_PER_SERVER } from '../run/judge-load.ts';
import { whileRunning } from '../while-running.ts';
import type { LaneFacts, LoadOrder, LoadOutcome, SecureServers, StartLane } from './lane-protocol.ts';

/** What every load of a lane is asked with. */
export interface LaneSession {
  readonly facts: LaneFacts;
  load(order: LoadOrder): Promise<LoadOutcome>;
  close(): Promise<void>;
}

interface Parts {
  readonly firefox: RunningFirefox;
  readonly extension: ExtensionSession;
  readonly gateway: Gateway;
  readonly applier: Applier;
  readonly tab: Page;
}

/** What the load before left. */
interface Before {
  readonly load?: string;
  readonly applied?: AppliedProfile;
  readonly quietMs: number;
}

export async function startLaneSession(options: StartLane): Promise<LaneSession> {
  const { uuid, preferences } = extensionAddress();
  const gateway = await startGateway({ connections: 6, depth: 1 });
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
    const parts: Parts = { firefox, extension, gateway, applier, tab };
    let before: Before = { quietMs: options.quietMs };
    return {
      facts: { browser, applier: applier.kind, untouched },
      load: async (order) => {
        const { quietMs = options.quietMs } = order;
        if (quietMs !== before.quietMs) await alive(extension.request({ kind: 'set-quiet', quietMs }));
        await http3?.prepare(order.url);
        const outcome = await alive(loadOnce(parts, order, before));
        before = { load: outcome.load.id, applied: outcome.applied, quietMs };
        return outcome;
      },
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

async function loadOnce(parts: Parts, order: LoadOrder, before: Before): Promise<LoadOutcome> {
  const { applier, extension, gateway, tab } = parts;
  const carried = order.carrier === 'gateway';
  const applied = order.keepConnections && before.applied ? before.applied : await putInEffect(parts, order);
  if (carried) gateway.resetCounters();
  const limit = await applier.readBack();
  const stored = extension.nextLoad({ after: before.load, timeoutMs: order.timeoutMs });
  // Never waits for the page: the recorder says when it is over, and a hanging page must not hang the lane.
  const navigation = tab.goto(order.url, { waitUntil: 'domcontentloaded', timeout: order.timeoutMs }).catch((error: unknown) => error);
  const load = await stored;
  await navigation;
  return {
    applied,
    readBack: [
      ...applied.readBack,
      ...limit.filter(({ preference }) => preference === PER_SERVER && !Object.hasOwn(applied.intended, PER_SERVER)),
    ],
    load,
    gateway: carried ? gateway.counters() : undefined,
  };
}

/** From here on no connection is open. */
async function putInEffect({ applier, gateway }: Parts, { profile, carrier }: LoadOrder): Promise<AppliedProfile> {
  if (carrier !== 'gateway') return applier.apply(profile, {});
  const { connections = SHIPPED_PER_SERVER, depth, dispatch = 'appended' } = profile;
  await gateway.configure({ connections, depth, dispatch, connect: 'ahead' });
  return applier.apply(profile, { route: gateway.route });
}
