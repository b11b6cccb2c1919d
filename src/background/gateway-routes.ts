/**
 * Which requests go through the gateway. When in doubt, none: Firefox then does what it does without Plumbfox.
 *
 * The gateway stands between Firefox and a server, so it must not undo what Firefox keeps apart. It gets the requests of a page of a listed site to
 * listed servers of the same site, in the default container: one site, one set of connections. Everything else goes direct.
 */
import type { AskedRequest, SeenAnswer } from '../adapters/gateway-proxy.ts';
import { type AddressSpace, addressSpaceOf, isThisMachine } from '../core/address-space.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import type { DirectReason, FoundSite, HandedBack, ListedSite } from '../protocol/gateway-sites.ts';

interface Look {
  readonly at: number;
  readonly space: AddressSpace;
  readonly address: string;
}

/**
 * How long an observation of a site's route stays valid, ms. Firefox reports a change of its own proxy settings; that another extension or the system
 * has begun to lead requests elsewhere shows only in requests that are not routed, of any scheme. Chosen, not measured.
 */
const LOOK_HOLDS_MS = 10 * 60_000;

/** Request ids remembered as routed or handed back. Far more than are in progress at once, in some 100 kB. */
const MAX_ROUTED = 4_096;

const DEFAULT_CONTAINER = 'firefox-default';
/**
 * Types that cannot be pipelined or sent again. A script's fetch may have a response without an end (server-sent events), behind which others would
 * wait, or forbid redirects, so that it cannot be handed back; media may have no end either.
 */
const NEVER = new Set(['websocket', 'speculative', 'beacon', 'ping', 'csp_report', 'xmlhttprequest', 'media']);

interface RoutesListener {
  /** Called once when a site goes direct from now on. */
  direct(origin: string, why: DirectReason): void;
  /** Called when `found` has changed. */
  found(): void;
}

export class GatewayRoutes {
  readonly #sites = new Map<string, ListedSite>();
  readonly #looks = new Map<string, Look>();
  readonly #routed = new Set<string>();
  readonly #handedBack = new Set<string>();
  /** The newest request seen to go through another proxy. Firefox numbers requests as they begin: one that began before it shows nothing. */
  #lastElsewhere = -1;
  readonly #now: () => number;
  readonly #listener: RoutesListener;

  constructor(now: () => number, listener: RoutesListener) {
    this.#now = now;
    this.#listener = listener;
  }

  /** The addresses at which Firefox has found the sites that may be carried. */
  get found(): readonly FoundSite[] {
    return [...this.#looks].map(([origin, { address }]) => ({ origin, address }));
  }

  /** The listed sites as they are now, `other-proxy` included. */
  get sites(): readonly ListedSite[] {
    return [...this.#sites.values()];
  }

  /** Takes the sites that the person has listed. */
  list(sites: readonly ListedSite[]): void {
    const gone = [...this.#looks.keys()].filter((origin) => !sites.some((site) => site.origin === origin));
    for (const origin of gone) this.#looks.delete(origin);
    this.#sites.clear();
    for (const site of sites) this.#sites.set(site.origin, site);
    if (gone.length > 0) this.#listener.found();
  }

  /** The proxy may have changed: each site is observed again before any of its requests is routed. */
  forgetLooks(): void {
    this.#looks.clear();
  }

  /** Whether the request goes through the gateway. */
  routes(request: AskedRequest): boolean {
    // A redirect or a repetition comes under the same id.
    this.#routed.delete(request.requestId);
    if (this.#handedBack.has(request.requestId) || !this.#fits(request)) return false;
    remember(this.#routed, request.requestId);
    return true;
  }

  /** Learns from a response, routed or not. */
  onAnswer({ requestId, url, statusCode, carrier, ip, requestHasAuthorization }: SeenAnswer): void {
    if (carrier === 'other-proxy') {
      this.sawOtherProxy({ requestId, url });
      return;
    }
    const site = this.#sites.get(URL.parse(url)?.origin ?? '');
    if (site === undefined) return;
    if (statusCode === 401 || requestHasAuthorization) this.#directUnless(site, 'authentication');
    else if (carrier === 'direct' && Number(requestId) > this.#lastElsewhere) this.#look(site, ip);
  }

  /** Learns the same from the recorded events of every request, also while the gateway is off. */
  onRequest({ phase, requestId, url, proxied, address, status, fromCache }: RawRequestEvent): void {
    if (fromCache === true) return;
    const carrier = proxied !== true ? 'direct' : this.#routed.has(requestId) ? 'gateway' : 'other-proxy';
    if (carrier === 'other-proxy') this.sawOtherProxy({ requestId, url });
    else if (phase === 'completed' && status !== undefined && url.startsWith('http:'))
      this.onAnswer({ requestId, url, statusCode: status, carrier, ip: address, requestHasAuthorization: false });
  }

  /** The gateway did not carry the request, or could not be sure of the response. */
  handedBack({ requestId, url }: { readonly requestId: string; readonly url: string }, why: HandedBack): void {
    remember(this.#handedBack, requestId);
    if (why === 'again') return;
    const site = this.#sites.get(URL.parse(url)?.origin ?? '');
    if (site !== undefined) this.#directUnless(site, why);
  }

  /** The site has sent more responses than requests. */
  misbehaved(origin: string): void {
    const site = this.#sites.get(origin);
    if (site !== undefined) this.#directUnless(site, 'misbehaved');
  }

  /** One request of any scheme through another proxy puts all observations in doubt. */
  sawOtherProxy({ requestId, url }: { readonly requestId: string; readonly url: string }): void {
    this.forgetLooks();
    this.#lastElsewhere = Math.max(this.#lastElsewhere, Number(requestId));
    const site = this.#sites.get(URL.parse(url)?.origin ?? '');
    if (site !== undefined) this.#directUnless(site, 'other-proxy');
  }

  #look({ origin, direct }: ListedSite, ip: string | undefined): void {
    const address = ip?.replace(/^\[|\]$/g, '');
    const space = address === undefined ? undefined : addressSpaceOf(address);
    if (address === undefined || space === undefined || (direct !== undefined && direct !== 'other-proxy')) return;
    if (space === 'loopback' || space === 'link-local') {
      this.#direct(origin, 'this-machine');
      return;
    }
    this.#sites.set(origin, { origin });
    const before = this.#looks.get(origin)?.address;
    this.#looks.set(origin, { at: this.#now(), space, address });
    if (before !== address) this.#listener.found();
  }

  /** A permanent reason is not replaced. */
  #directUnless({ origin, direct }: ListedSite, why: DirectReason): void {
    if (direct === undefined || (direct === 'other-proxy' && why !== 'other-proxy')) this.#direct(origin, why);
  }

  #direct(origin: string, why: DirectReason): void {
    this.#sites.set(origin, { origin, direct: why });
    if (this.#looks.delete(origin)) this.#listener.found();
    this.#listener.direct(origin, why);
  }

  #fits({ tabId, type, method, url, documentUrl, frameAncestors = [], incognito, cookieStoreId, requestHeaders }: AskedRequest): boolean {
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (tabId < 0 || NEVER.has(type) || incognito === true) return false;
    if (requestHeaders?.some(({ name }) => name.toLowerCase() === 'authorization')) return false;
    if (cookieStoreId !== undefined && cookieStoreId !== DEFAULT_CONTAINER) return false;
    const target = URL.parse(url);
    if (target?.protocol !== 'http:' || target.username !== '' || isThisMachine(target.hostname)) return false;
    const look = this.#lookAt(target.origin);
    if (look === undefined) return false;
    if (type === 'main_frame') return true;
    if (documentUrl === undefined) return false;
    return [documentUrl, ...frameAncestors.map((ancestor) => ancestor.url)].every((asking) => this.#isBeside(asking, target, look));
  }

  /** `undefined`: the site is not listed, goes direct, or was not observed lately. */
  #lookAt(origin: string): Look | undefined {
    const site = this.#sites.get(origin);
    const look = this.#looks.get(origin);
    return site !== undefined && site.direct === undefined && look !== undefined && this.#now() - look.at < LOOK_HOLDS_MS
      ? look
      : undefined;
  }

  /** Whether a page is listed, of the same site and in the same address space. Without a public suffix list: the same host, or one below the other. */
  #isBeside(asking: string, target: URL, { space }: Look): boolean {
    const page = URL.parse(asking);
    if (page === null || this.#lookAt(page.origin)?.space !== space) return false;
    const [one, other] = [page.hostname, target.hostname];
    return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
  }
}

/** Requests are not forgotten when they end, because the order of the listeners for that is not defined. */
function remember(requests: Set<string>, requestId: string): void {
  requests.add(requestId);
  if (requests.size > MAX_ROUTED) for (const oldest of [...requests].slice(0, MAX_ROUTED / 2)) requests.delete(oldest);
}
