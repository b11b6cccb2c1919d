/** What is under way through the gateway, and which pages have lost something when it ended. Knows neither the browser nor time. */
import type { AskedRequest } from '../adapters/gateway-proxy.ts';

type RoutedRequest = Pick<AskedRequest, 'requestId' | 'tabId' | 'type' | 'method' | 'url'>;

/** Failures that the page, the person or another extension wanted: https://searchfox.org/mozilla-central/source/xpcom/base/ErrorList.py */
const WANTED = new Set(['NS_BINDING_ABORTED', 'NS_ERROR_ABORT', 'NS_BINDING_REDIRECTED', 'NS_BINDING_RETARGETED']);
/** A page asks for these by itself when it has been loaded, and knows how they fail. */
const OWN_AFFAIR = new Set(['xmlhttprequest', 'beacon', 'ping', 'csp_report', 'websocket', 'speculative', 'other']);
/** A program's end and the failures that come of it are reported within milliseconds of each other, in either order. Our own choice. */
const RECENT_MS = 2_000;

/** More requests than this are never between their proxy and their sending at once. Our own choice: it bounds what cancelled ones leave behind. */
const MAX_UNSENT = 1_000;

export class GatewayTraffic {
  readonly #underWay = new Map<string, RoutedRequest>();
  /** Those under way that Firefox has sent. Of one that is cancelled while its proxy is asked it reports no end (measured on ESR 153). */
  readonly #sent = new Set<string>();
  /** Method of the newest document, by tab. */
  readonly #documents = new Map<number, string>();
  /** Sites of which the newest page has had something through the gateway, by tab. */
  readonly #carried = new Map<number, Set<string>>();
  #broken: { readonly tabId: number; readonly at: number }[] = [];
  #endedAt: number | undefined;
  readonly #mended = new Set<number>();
  readonly #idle: (() => void)[] = [];

  /** Settles when nothing is under way. */
  async finished(): Promise<void> {
    if (this.#underWay.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  began(request: RoutedRequest): void {
    const { requestId, tabId, url } = request;
    if (this.#underWay.size - this.#sent.size >= MAX_UNSENT) this.dropUnsent();
    this.#underWay.set(requestId, request);
    this.#noteDocument(request);
    const carried = this.#carried.get(tabId) ?? new Set();
    this.#carried.set(tabId, carried.add(URL.parse(url)?.origin ?? ''));
  }

  sent(requestId: string): void {
    if (this.#underWay.has(requestId)) this.#sent.add(requestId);
  }

  /** Forgets the requests that were never sent: nothing is reported of them any more. */
  dropUnsent(): void {
    for (const requestId of this.#underWay.keys()) if (!this.#sent.has(requestId)) this.#underWay.delete(requestId);
    this.#notifyIfIdle();
  }

  #forget(requestId: string): void {
    this.#underWay.delete(requestId);
    this.#sent.delete(requestId);
  }

  /** Asked for again, it goes past the gateway now. */
  went(request: RoutedRequest): void {
    this.#forget(request.requestId);
    this.#noteDocument(request);
    this.#notifyIfIdle();
  }

  #noteDocument({ tabId, type, method }: RoutedRequest): void {
    if (type !== 'main_frame') return;
    this.#documents.set(tabId, method);
    this.#carried.delete(tabId);
  }

  /** Tabs that show something of these sites that came through the gateway: which may be loaded again, and how many may not. */
  showing(origins: readonly string[]): { readonly again: readonly number[]; readonly others: number } {
    const tabs = [...this.#carried].filter(([, carried]) => origins.some((origin) => carried.has(origin))).map(([tabId]) => tabId);
    const again = tabs.filter((tabId) => this.#documents.get(tabId) === 'GET');
    return { again, others: tabs.length - again.length };
  }

  #notifyIfIdle(): void {
    if (this.#underWay.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Whether it was routed, and has not ended. */
  isUnderWay(requestId: string): boolean {
    return this.#underWay.has(requestId);
  }

  /** @param at - Wall clock, ms. @returns the tab to be loaded again, once the gateway has ended; `undefined`: none for this. */
  ended(requestId: string, failed: string | undefined, at: number): number | undefined {
    const request = this.#underWay.get(requestId);
    this.#forget(requestId);
    this.#notifyIfIdle();
    if (request === undefined || failed === undefined || WANTED.has(failed) || !this.#isMendable(request)) return undefined;
    if (this.#endedAt === undefined) {
      this.#broken = [...this.#broken.filter((found) => found.at > at - RECENT_MS), { tabId: request.tabId, at }];
      return undefined;
    }
    return this.#once(request.tabId);
  }

  /** The gateway has ended by itself. @returns the tabs that have lost something to it already; `ended` returns those that are still to come. */
  gatewayEnded(at: number): readonly number[] {
    this.#endedAt = at;
    return this.#broken.filter((found) => found.at > at - RECENT_MS).flatMap(({ tabId }) => this.#once(tabId) ?? []);
  }

  /** Only what is asked for by GET in a document that was: nothing is sent twice that might do something. */
  #isMendable({ tabId, type, method }: RoutedRequest): boolean {
    return tabId >= 0 && method === 'GET' && this.#documents.get(tabId) === 'GET' && !OWN_AFFAIR.has(type);
  }

  #once(tabId: number): number | undefined {
    if (this.#mended.has(tabId)) return undefined;
    this.#mended.add(tabId);
    return tabId;
  }
}
