/** Requests in progress through the gateway, and pages that have lost something when it ended. Pure except for its state. */
import type { AskedRequest } from '../adapters/gateway-proxy.ts';

type RoutedRequest = Pick<AskedRequest, 'requestId' | 'tabId' | 'type' | 'method' | 'url'>;

/** Failures that the page, the person or another extension intended: https://searchfox.org/mozilla-central/source/xpcom/base/ErrorList.py */
const INTENDED = new Set(['NS_BINDING_ABORTED', 'NS_ERROR_ABORT', 'NS_BINDING_REDIRECTED', 'NS_BINDING_RETARGETED']);
/** A page's scripts make these requests and handle their failures. */
const SCRIPTED = new Set(['xmlhttprequest', 'beacon', 'ping', 'csp_report', 'websocket', 'speculative', 'other']);
/** A program's end and the failures it causes are reported within milliseconds of each other, in either order. Chosen, not measured. */
const RECENT_MS = 2_000;

/** Fewer requests than this are between the choice of a proxy and their sending. The bound limits what cancelled ones leave behind. */
const MAX_UNSENT = 1_000;

export class GatewayTraffic {
  readonly #underWay = new Map<string, RoutedRequest>();
  /** Requests in progress that Firefox has sent. It reports no end of one that is cancelled before that (measured on ESR 153). */
  readonly #sent = new Set<string>();
  /** Method of the newest document, by tab. */
  readonly #documents = new Map<number, string>();
  /** Sites from which the newest page has received something through the gateway, by tab. */
  readonly #carried = new Map<number, Set<string>>();
  #broken: { readonly tabId: number; readonly at: number }[] = [];
  #endedAt: number | undefined;
  readonly #mended = new Set<number>();
  readonly #idle: (() => void)[] = [];

  /** Settles when nothing is in progress. */
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

  /** Forgets requests that were never sent: their end is not reported. */
  dropUnsent(): void {
    for (const requestId of this.#underWay.keys()) if (!this.#sent.has(requestId)) this.#underWay.delete(requestId);
    this.#notifyIfIdle();
  }

  #forget(requestId: string): void {
    this.#underWay.delete(requestId);
    this.#sent.delete(requestId);
  }

  /** The request goes direct, perhaps after it went through the gateway before. */
  wentDirect(request: RoutedRequest): void {
    this.#forget(request.requestId);
    this.#noteDocument(request);
    this.#notifyIfIdle();
  }

  #noteDocument({ tabId, type, method }: RoutedRequest): void {
    if (type !== 'main_frame') return;
    this.#documents.set(tabId, method);
    this.#carried.delete(tabId);
  }

  /** Tabs that show something of these sites received through the gateway: which may be loaded again, and how many may not. */
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
    if (request === undefined || failed === undefined || INTENDED.has(failed) || !this.#isMendable(request)) return undefined;
    if (this.#endedAt === undefined) {
      this.#broken = [...this.#broken.filter((found) => found.at > at - RECENT_MS), { tabId: request.tabId, at }];
      return undefined;
    }
    return this.#once(request.tabId);
  }

  /** The gateway has ended by itself. @returns the tabs that have lost something already; `ended` returns those still to come. */
  gatewayEnded(at: number): readonly number[] {
    this.#endedAt = at;
    return this.#broken.filter((found) => found.at > at - RECENT_MS).flatMap(({ tabId }) => this.#once(tabId) ?? []);
  }

  /** Only GET requests of documents that were fetched with GET are repeated: nothing with side effects is sent twice. */
  #isMendable({ tabId, type, method }: RoutedRequest): boolean {
    return tabId >= 0 && method === 'GET' && this.#documents.get(tabId) === 'GET' && !SCRIPTED.has(type);
  }

  #once(tabId: number): number | undefined {
    if (this.#mended.has(tabId)) return undefined;
    this.#mended.add(tabId);
    return tabId;
  }
}
