/**
 * The person's gateway: the helper runs it, and plain-http requests are led through it while it is on. It is on as long as the connection to the
 * helper is open, which keeps the event page too.
 */
import { failureHandler, failureMessage } from '../adapters/failure-notes.ts';
import { type GatewayRouting, reloadTab, routeThroughGateway } from '../adapters/gateway-proxy.ts';
import { listedSites, listSite, sendDirect, unlistSite } from '../adapters/gateway-sites.ts';
import { type HelperConnection, openHelper } from '../adapters/native-helper.ts';
import { canHaveHelper, hasGatewayPermission, hasHelperPermission, hasOwnProxy } from '../adapters/permissions.ts';
import { PlumbfoxError } from '../core/errors.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import { createMutex } from '../core/mutex.ts';
import type { DirectReason, ListedSite } from '../protocol/gateway-sites.ts';
import type { HelperResult } from '../protocol/helper-messages.ts';
import type { GatewayDoubt, GatewayFacts, HelperProblem } from '../protocol/helper-state.ts';
import type { GatewayHistory } from './gateway-history.ts';
import { GatewayRoutes } from './gateway-routes.ts';
import { GatewayTraffic } from './gateway-traffic.ts';
import type { HelperSession } from './helper-session.ts';
import type { RecordStores } from './record-stores.ts';

interface RunningGateway {
  readonly helper: HelperConnection;
  readonly routing: GatewayRouting;
  readonly traffic: GatewayTraffic;
  profileId: string;
  opened: HelperResult<'gateway-open'>;
  doubt?: GatewayDoubt;
}

/** How long failures are watched after the gateway has ended by itself, ms: longer than Firefox takes to notice. */
const AFTERMATH_MS = 10_000;

/** A surplus response after a response comes within this time, ms. Chosen, not measured. */
const SURPLUS_MS = 500;

interface GatewayDeps {
  readonly stores: Pick<RecordStores, 'inEffectHistory'>;
  readonly gatewayHistory: Pick<GatewayHistory, 'gatewayEnd' | 'gatewayWasOn' | 'noteGatewayOff' | 'noteGatewayOn' | 'noteReloaded'>;
  readonly helperSession: Pick<HelperSession, 'helperRun'>;
}

export type Gateway = ReturnType<typeof createGateway>;

export function createGateway({
  stores: { inEffectHistory },
  gatewayHistory: { gatewayEnd, gatewayWasOn, noteGatewayOff, noteGatewayOn, noteReloaded },
  helperSession: { helperRun },
}: GatewayDeps) {
  let running: RunningGateway | undefined;

  /** The profile of the gateway that is on; `undefined`: it is off. */
  const gatewayProfile = (): string | undefined => running?.profileId;

  let hasEnded = false;

  /** Whether it was on in this event page and has ended by itself, known before that could be written. */
  const gatewayHasEnded = (): boolean => hasEnded;

  let onEnded: () => Promise<unknown> = async () => undefined;

  /** Calls back when the gateway has ended by itself. Call at the top level. */
  function watchGatewayEnd(onGone: () => Promise<unknown>): void {
    onEnded = onGone;
  }

  const runExclusive = createMutex();

  /** Nothing awaits the requests in progress or reloads of pages: the popup reports their failures. */
  const keepFailure = failureHandler('gatewayNoteFailure');

  /** One for this event page: what was observed while the gateway was off stays known. */
  const routes = new GatewayRoutes(Date.now, {
    direct: (origin, why) => {
      keepDirect(origin, why).catch(keepFailure);
    },
    // Until it knows the sites, the gateway hands back every request.
    found: () => {
      if (running) carry(running.helper).catch(keepFailure);
    },
  });

  /** Receives every request, as the recorder does. */
  function noteCarrier(event: RawRequestEvent): void {
    routes.onRequest(event);
  }

  async function keepDirect(origin: string, why: DirectReason): Promise<void> {
    // Another proxy may be gone tomorrow: it is not stored.
    if (why !== 'other-proxy') await runExclusive(() => sendDirect(origin, why));
  }

  /** The person adds a site to the list or removes one. Requests in progress are not affected. */
  function changeSites(change: { readonly add: string } | { readonly remove: string }): Promise<GatewayFacts> {
    return runExclusive(async () => {
      routes.list('add' in change ? await listSite(change.add) : await unlistSite(change.remove));
      return gatewayFacts();
    });
  }

  /** The stored sites, with what is known now of other proxies. */
  async function sitesNow(): Promise<readonly ListedSite[]> {
    const known = new Map(routes.sites.map((site) => [site.origin, site]));
    return (await listedSites()).map((site) => (site.direct === undefined ? (known.get(site.origin) ?? site) : site));
  }

  /** @throws PlumbfoxError `environment`, such as HelperFailure. The gateway is as it was then, or off if the change could not be noted. */
  function switchGatewayOn(profileId: string): Promise<GatewayFacts> {
    return runExclusive(async () => {
      if (running) await changeProfile(running, profileId);
      else watchOver(await start(profileId));
      hasEnded = false;
      try {
        await noteGatewayOn(profileId);
      } catch (error) {
        await endRunning();
        const why = `It cannot be saved that it is on (${failureMessage(error)}): check that the disk is not full`;
        throw new PlumbfoxError('environment', why, { cause: error });
      }
      return gatewayFacts();
    });
  }

  /** Requests in progress are finished. */
  function switchGatewayOff(): Promise<GatewayFacts> {
    return runExclusive(async () => {
      hasEnded = false;
      await endRunning();
      return gatewayFacts();
    });
  }

  async function endRunning(): Promise<void> {
    if (!running) return;
    const ending = running;
    running = undefined;
    ending.routing.stop();
    finish(ending).catch(keepFailure);
    await noteGatewayOff();
  }

  const carry = (helper: HelperConnection) => helper.ask({ op: 'gateway-carry', sites: [...routes.found] });

  /** Makes this gateway the running one. Its helper may have ended already. */
  function watchOver(gateway: RunningGateway): void {
    running = gateway;
    // Sites may have been found while it was started.
    carry(gateway.helper).catch(keepFailure);
    gateway.helper.ended.then((problem) => onEnd(gateway, problem)).catch(keepFailure);
  }

  /** While the gateway is on, asks the helper for its counters; without an answer they are absent. */
  async function gatewayFacts(): Promise<GatewayFacts> {
    if (!(await canHaveHelper())) return { state: 'unsupported' };
    const sites = await sitesNow();
    if (running) {
      const { helper, profileId, opened, doubt } = running;
      const counters = await helper.ask({ op: 'gateway-counters' }).catch(() => undefined);
      return {
        state: 'on',
        sites,
        profileId,
        connections: opened.connections,
        depth: opened.depth,
        ...(counters && { counters }),
        ...(doubt && { doubt }),
      };
    }
    const ended = await gatewayEnd();
    if (!(await isHelperThere())) return { state: 'unsupported' };
    return { state: 'off', sites, ...(ended && { ended }) };
  }

  /** Without a helper no gateway is shown; the helper's own facts say what can be done about that. */
  async function isHelperThere(): Promise<boolean> {
    if (!(await hasHelperPermission())) return false;
    if (gatewayWasOn()) return true;
    const { problem } = await helperRun();
    return problem === undefined || problem.why === 'refused';
  }

  /** Call when the event page begins: a gateway that an earlier one had switched on ended with it. */
  async function settleGateway(): Promise<void> {
    routes.list(await listedSites());
    if (running || (await inEffectHistory()).at(-1)?.applied?.applier !== 'gateway') return;
    await noteGatewayOff({ why: { why: 'stopped' }, reloaded: 0 });
  }

  async function start(profileId: string): Promise<RunningGateway> {
    if (!(await hasGatewayPermission())) throw new PlumbfoxError('environment', 'Plumbfox may not use a proxy: allow it under "More"');
    if (await hasOwnProxy()) {
      throw new PlumbfoxError(
        'environment',
        'Firefox is set to use a proxy, which the gateway would bypass: see Settings, Network Settings',
      );
    }
    const helper = await openHelper();
    try {
      const opened = await helper.ask({ op: 'gateway-open', profileId });
      const traffic = new GatewayTraffic();
      const lookForDoubts = atMostEvery(SURPLUS_MS, () => {
        if (running?.helper === helper) settleDoubts(running).catch(keepFailure);
      });
      routes.list(await listedSites());
      await carry(helper);
      const routing = routeThroughGateway(
        { host: '127.0.0.1', port: opened.port, secret: opened.secret },
        {
          routes: (request) => {
            const isRouted = routes.routes(request);
            if (isRouted) traffic.began(request);
            else traffic.wentDirect(request);
            return isRouted;
          },
          sent: (requestId) => traffic.sent(requestId),
          saw: (answer) => routes.onAnswer(answer),
          handedBack: (request, why) => {
            routes.handedBack(request, why);
            if (why === 'misbehaved') lookForDoubts();
          },
          proxyChanged: () => routes.forgetLooks(),
          otherProxy: (request) => routes.sawOtherProxy(request),
          ended: (requestId, failed) => {
            if (traffic.isUnderWay(requestId)) lookForDoubts();
            const tabId = traffic.ended(requestId, failed, Date.now());
            if (tabId !== undefined) mend([tabId]).catch(keepFailure);
          },
        },
      );
      return { helper, routing, traffic, profileId, opened };
    } catch (error) {
      helper.close();
      throw error;
    }
  }

  /** The helper was killed or crashed: everything goes direct at once, and pages that have lost something are loaded again. */
  async function onEnd(gateway: RunningGateway, why: HelperProblem): Promise<void> {
    if (running !== gateway) return;
    const { routing, traffic } = gateway;
    running = undefined;
    hasEnded = true;
    routing.stop();
    setTimeout(() => routing.forget(), AFTERMATH_MS);
    const lost = traffic.gatewayEnded(Date.now());
    // Noted after other changes in progress, and before pages are loaded again.
    await runExclusive(() => noteGatewayOff({ why, reloaded: 0 }));
    await Promise.all([onEnded(), mend(lost)]);
  }

  /** After a site has sent too many responses, pages that may show wrong ones are fetched again, direct, and Firefox's cache is replaced. */
  async function settleDoubts(gateway: RunningGateway): Promise<void> {
    // A helper that does not answer is ending, which is reported elsewhere.
    const { sites } = await gateway.helper.ask({ op: 'gateway-doubts' }).catch(() => ({ sites: [] }));
    if (sites.length === 0) return;
    const { again, others } = gateway.traffic.showing(sites.map(({ origin }) => origin));
    for (const { origin } of sites) routes.misbehaved(origin);
    const loaded = (await Promise.all(again.map((tabId) => reloadTab(tabId, { bypassCache: true })))).filter(Boolean).length;
    const { answers = 0, reloaded = 0, left = 0 } = gateway.doubt ?? {};
    const more = sites.reduce((sum, site) => sum + site.answers, 0);
    gateway.doubt = { answers: answers + more, reloaded: reloaded + loaded, left: left + others };
  }

  async function mend(tabs: readonly number[]): Promise<void> {
    const loaded = (await Promise.all(tabs.map((tabId) => reloadTab(tabId)))).filter(Boolean).length;
    if (loaded > 0) await runExclusive(() => noteReloaded(loaded));
  }

  return {
    gatewayProfile,
    gatewayHasEnded,
    watchGatewayEnd,
    noteCarrier,
    changeSites,
    switchGatewayOn,
    switchGatewayOff,
    gatewayFacts,
    settleGateway,
  };
}

async function changeProfile(gateway: RunningGateway, profileId: string): Promise<void> {
  gateway.opened = await gateway.helper.ask({ op: 'gateway-open', profileId });
  gateway.profileId = profileId;
}

/** Calls once, `ms` after the first of several calls. */
function atMostEvery(ms: number, work: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      work();
    }, ms);
  };
}

/** A request is sent within milliseconds of being routed, or never, ms. Chosen, not measured. */
const UNSENT_MS = 5_000;

/** Waits until the requests in progress have ended, however long that takes. */
async function finish({ helper, routing, traffic }: RunningGateway): Promise<void> {
  const dropping = setTimeout(() => traffic.dropUnsent(), UNSENT_MS);
  await Promise.race([traffic.finished(), helper.ended]);
  clearTimeout(dropping);
  try {
    routing.forget();
  } finally {
    helper.close();
  }
}
