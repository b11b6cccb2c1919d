/**
 * Leads requests through a gateway while one is on: only those that `GatewayWatcher.routes` chooses.
 *
 * Its listeners are the only ones that are not registered when the event page begins. A gateway lives no longer than this event page, which
 * holds the port of the program that runs it: no request can find a gateway that an earlier page switched on. A `proxy.onRequest` that
 * stays registered would hold up every http request until the page is awake.
 *
 * Measured on Firefox ESR 153: the proxy may refuse or die at any time; a request without a response yet then goes direct at once, and one whose
 * response has begun fails with NS_ERROR_NET_PARTIAL_TRANSFER. With `direct` as fallback a POST whose proxy dies is sent a second time, so POSTs
 * are not led through it. `proxyAuthorizationHeader` is not sent with plain http, so that the secret is requested once in a session
 * (onAuthRequired). Loopback hosts never go through the proxy of an extension.
 */
import * as v from 'valibot';
import type { GatewayRoute } from '../core/profiles/profile.ts';
import { HANDED_BACK, type HandedBack, handedBackSchema } from '../protocol/gateway-sites.ts';
import { browser } from './browser.ts';
import { failureHandler } from './failure-notes.ts';
import { readRunState } from './run-state.ts';

/** A request before it is sent, as `proxy.onRequest` describes it. */
export interface AskedRequest {
  readonly requestId: string;
  /** -1: it belongs to no tab. */
  readonly tabId: number;
  /** The type in webRequest: `main_frame`, `image`, ... */
  readonly type: string;
  readonly method: string;
  readonly url: string;
  /** The initiating document; for a frame's document, the one around it. Absent: the person, or Firefox itself. */
  readonly documentUrl?: string | undefined;
  /** The documents around the initiating frame, nearest first. */
  readonly frameAncestors?: readonly { readonly url: string }[] | undefined;
  readonly incognito?: boolean | undefined;
  readonly cookieStoreId?: string | undefined;
  /** The headers that the page has set; what Firefox adds, such as a remembered password, is not there yet. */
  readonly requestHeaders?: readonly Header[] | undefined;
}

interface Header {
  readonly name: string;
  readonly value?: string;
}

/** The head of a plain-http response, routed or not. */
export interface SeenAnswer {
  readonly requestId: string;
  readonly url: string;
  readonly statusCode: number;
  readonly carrier: 'direct' | 'gateway' | 'other-proxy';
  readonly ip: string | undefined;
  readonly requestHasAuthorization: boolean;
}

interface GatewayWatcher {
  /** Whether it goes through the gateway. */
  routes(request: AskedRequest): boolean;
  /** Firefox sends the request now, for the first time or redirected. */
  sent(requestId: string): void;
  saw(answer: SeenAnswer): void;
  /** The gateway has not carried the request and says why; Firefox sends it again, direct. */
  handedBack(request: { readonly requestId: string; readonly url: string }, why: HandedBack): void;
  /** Called for every http request, routed or not. `failed`: Firefox's reason; absent: it was answered. */
  ended(requestId: string, failed: string | undefined): void;
  /** Another proxy may be in effect from now on. */
  proxyChanged(): void;
  /** A request of any scheme begins that is led to another proxy. */
  otherProxy(request: { readonly requestId: string; readonly url: string }): void;
}

export interface GatewayRouting {
  /** Sends requests direct from now on; those in progress are still reported. */
  stop(): void;
  /** Ends all reports. */
  forget(): void;
}

const PLAIN_HTTP = { urls: ['http://*/*'] };
const ANY_SCHEME = { urls: ['<all_urls>'] };
/** The gateway's user name (HTTP Basic proxy authentication). */
const USER = 'plumbfox';
/** Firefox does not retry a proxy that failed for this long, s: the minimum it accepts. */
const FAILOVER_S = 1;

interface Challenge {
  readonly isProxy: boolean;
  readonly challenger: { readonly host: string; readonly port: number };
}

interface Ended {
  readonly requestId: string;
  readonly error?: string;
}

interface Redirected {
  readonly requestId: string;
  readonly redirectUrl: string;
}

interface Carried {
  readonly requestId: string;
  readonly url: string;
  readonly proxyInfo?: { readonly type: string; readonly host?: string; readonly port?: number } | null;
}

interface Head extends Carried {
  readonly statusCode: number;
  readonly ip?: string | null;
  readonly fromCache?: boolean;
  readonly responseHeaders?: readonly Header[];
}

const headerOf = (headers: readonly Header[] | undefined, name: string): string | undefined =>
  headers?.find((header) => header.name.toLowerCase() === name)?.value;

/** Registers the listeners. The permissions of the gateway (`permissions.ts`) must have been given. */
export function routeThroughGateway(route: GatewayRoute, watcher: GatewayWatcher): GatewayRouting {
  const viaGateway = [{ type: 'http', host: route.host, port: route.port, failoverTimeout: FAILOVER_S }, { type: 'direct' }];
  const authorised = new Set<string>();
  let isStopped = false;
  const onRequest = (request: AskedRequest) => (watcher.routes(request) ? viaGateway : undefined);
  const onChallenge = ({ isProxy, challenger }: Challenge) =>
    isProxy && challenger.host === route.host && challenger.port === route.port
      ? { authCredentials: { username: USER, password: route.secret } }
      : {};
  const onSend = ({ requestId, requestHeaders }: { readonly requestId: string; readonly requestHeaders?: readonly Header[] }) => {
    // The last hop of a redirect counts: a password is not sent on to another site.
    if (headerOf(requestHeaders, 'authorization') !== undefined) authorised.add(requestId);
    else authorised.delete(requestId);
    watcher.sent(requestId);
  };
  const carrierOf = ({ proxyInfo }: Carried): SeenAnswer['carrier'] => {
    if (proxyInfo === undefined || proxyInfo === null || proxyInfo.type === 'direct') return 'direct';
    return proxyInfo.host === route.host && proxyInfo.port === route.port ? 'gateway' : 'other-proxy';
  };
  /** Firefox has chosen the proxy by then: an https request shows another one before its CONNECT is answered. */
  const onBegin = (request: Carried) => {
    if (!isStopped && carrierOf(request) === 'other-proxy') watcher.otherProxy(request);
    return undefined;
  };
  const onHead = (head: Head) => {
    const { requestId, url, statusCode, ip, fromCache, responseHeaders } = head;
    if (fromCache === true) return {};
    const carrier = carrierOf(head);
    const handedBack = carrier === 'gateway' ? headerOf(responseHeaders, HANDED_BACK) : undefined;
    if (handedBack !== undefined) {
      const why = v.safeParse(handedBackSchema, handedBack);
      watcher.handedBack({ requestId, url }, why.success ? why.output : 'again');
      return { redirectUrl: url };
    }
    // Another gateway may carry it by now.
    if (!isStopped)
      watcher.saw({ requestId, url, statusCode, carrier, ip: ip ?? undefined, requestHasAuthorization: authorised.has(requestId) });
    return {};
  };
  const onCompleted = ({ requestId }: Ended) => {
    authorised.delete(requestId);
    watcher.ended(requestId, undefined);
  };
  /** A redirect away from plain http ends the reports. */
  const onRedirect = ({ requestId, redirectUrl }: Redirected) => {
    if (URL.parse(redirectUrl)?.protocol !== 'http:') onCompleted({ requestId });
  };
  const onFailed = ({ requestId, error }: Ended) => {
    authorised.delete(requestId);
    watcher.ended(requestId, error ?? '');
  };
  const onProxyChange = () => watcher.proxyChanged();

  // Registered before the first request can be challenged: Firefox would ask the person otherwise.
  browser.webRequest.onAuthRequired.addListener(onChallenge, PLAIN_HTTP, ['blocking']);
  browser.webRequest.onBeforeRequest.addListener(onBegin, ANY_SCHEME);
  browser.webRequest.onSendHeaders.addListener(onSend, PLAIN_HTTP, ['requestHeaders']);
  browser.webRequest.onHeadersReceived.addListener(onHead, PLAIN_HTTP, ['blocking', 'responseHeaders']);
  browser.webRequest.onBeforeRedirect.addListener(onRedirect, PLAIN_HTTP);
  browser.webRequest.onCompleted.addListener(onCompleted, PLAIN_HTTP);
  browser.webRequest.onErrorOccurred.addListener(onFailed, PLAIN_HTTP);
  browser.proxy.settings.onChange.addListener(onProxyChange);
  browser.proxy.onRequest.addListener(onRequest as never, PLAIN_HTTP, ['requestHeaders']);
  return {
    // Without the permission `browser.proxy` is gone, and the listener with it.
    stop: () => {
      isStopped = true;
      browser.proxy?.onRequest.removeListener(onRequest as never);
    },
    forget: () => {
      browser.proxy?.settings.onChange.removeListener(onProxyChange);
      browser.webRequest.onAuthRequired.removeListener(onChallenge);
      browser.webRequest.onBeforeRequest.removeListener(onBegin);
      browser.webRequest.onSendHeaders.removeListener(onSend);
      browser.webRequest.onHeadersReceived.removeListener(onHead);
      browser.webRequest.onBeforeRedirect.removeListener(onRedirect);
      browser.webRequest.onCompleted.removeListener(onCompleted);
      browser.webRequest.onErrorOccurred.removeListener(onFailed);
    },
  };
}

/** Answers the challenges of the lab's gateway, in the build whose manifest permits it. Call at the top level. */
export function answerProxyChallenges(): void {
  if (!browser.runtime.getManifest().permissions?.includes('webRequestAuthProvider')) return;
  const listener = async ({ isProxy, challenger }: Challenge) => {
    if (!isProxy) return {};
    const { route } = await readRunState().catch(async (error: unknown) => {
      // Firefox then asks the person for the password; the popup says why.
      await failureHandler('routeFailure')(error);
      return { route: undefined };
    });
    if (route === undefined || challenger.host !== route.host || challenger.port !== route.port) return {};
    return { authCredentials: { username: USER, password: route.secret } };
  };
  browser.webRequest.onAuthRequired.addListener(listener, { urls: ['<all_urls>'] }, ['blocking']);
}

/** Shows on the toolbar button whether the gateway is on, and says it in words for screen readers. Three characters fit. */
export async function showGatewaySign(on: boolean): Promise<void> {
  await browser.action.setBadgeText({ text: on ? 'GW' : '' });
  await browser.action.setTitle({ title: on ? 'Plumbfox: plain-http sites go through the gateway' : 'Plumbfox' });
}

/**
 * Reloads a page that has lost something to the gateway, as `GatewayTraffic` says. A tab that was closed before is no failure.
 * @param options - `bypassCache`: takes nothing from Firefox's cache, and replaces what is there.
 */
export async function reloadTab(tabId: number, options = { bypassCache: false }): Promise<boolean> {
  return browser.tabs.reload(tabId, options).then(
    () => true,
    () => false,
  );
}
