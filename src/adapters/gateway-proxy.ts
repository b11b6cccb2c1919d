/**
 * Leads plain-http requests through a gateway while one is on.
 *
 * Its listeners are the only ones that are not registered when the event page begins. A gateway lives no longer than this event page, which
 * holds the port of the programme that runs it: no request can find a gateway that an earlier page switched on. A `proxy.onRequest` that
 * stays registered would hold up every http request until the page is awake.
 *
 * Measured on Firefox ESR 153: the proxy may be refused or die at any time, what has not begun to answer then goes direct at once, and what
 * has begun fails with NS_ERROR_NET_PARTIAL_TRANSFER; `proxyAuthorizationHeader` is not sent with plain http, so that the secret is asked for
 * once in a session (onAuthRequired); loopback hosts never go through the proxy of an extension.
 */
import type { GatewayRoute } from '../core/profiles/profile.ts';
import { browser } from './browser.ts';

/** One request that was led through the gateway. */
export interface RoutedRequest {
  readonly requestId: string;
  /** -1: it belongs to no tab. */
  readonly tabId: number;
  /** As webRequest names it: `main_frame`, `image`, ... */
  readonly type: string;
  readonly method: string;
}

export interface RoutedRequestWatcher {
  began(request: RoutedRequest): void;
  /** `failed`: the reason Firefox gives; absent: it was answered. Told of every http request; those that were not routed are not known. */
  ended(requestId: string, failed: string | undefined): void;
}

export interface GatewayRouting {
  /** From now on requests go direct; those under way are still told of. */
  stop(): void;
  /** Nothing is told any more. */
  forget(): void;
}

const PLAIN_HTTP = { urls: ['http://*/*'] };
/** User name of the proxy authentication. */
const USER = 'plumbfox';
/** For so long Firefox does not try a proxy again that failed, s: the least it takes. */
const FAILOVER_S = 1;

interface Challenge {
  readonly isProxy: boolean;
  readonly challenger: { readonly host: string; readonly port: number };
}

interface Ended {
  readonly requestId: string;
  readonly error?: string;
}

/** The permissions of gateway-permission.ts must have been given. */
export function routeThroughGateway(route: GatewayRoute, watcher: RoutedRequestWatcher): GatewayRouting {
  const viaGateway = [{ type: 'http', host: route.host, port: route.port, failoverTimeout: FAILOVER_S }, { type: 'direct' }];
  const onRequest = ({ requestId, tabId, type, method, url }: RoutedRequest & { readonly url: string }) => {
    if (!isForGateway(url)) return undefined;
    watcher.began({ requestId, tabId, type, method });
    return viaGateway;
  };
  const onChallenge = ({ isProxy, challenger }: Challenge) =>
    isProxy && challenger.host === route.host && challenger.port === route.port
      ? { authCredentials: { username: USER, password: route.secret } }
      : {};
  const onCompleted = ({ requestId }: Ended) => watcher.ended(requestId, undefined);
  const onFailed = ({ requestId, error }: Ended) => watcher.ended(requestId, error ?? '');

  // Before the first request meets it: unanswered, Firefox would ask the person.
  browser.webRequest.onAuthRequired.addListener(onChallenge, PLAIN_HTTP, ['blocking']);
  browser.webRequest.onCompleted.addListener(onCompleted, PLAIN_HTTP);
  browser.webRequest.onErrorOccurred.addListener(onFailed, PLAIN_HTTP);
  browser.proxy.onRequest.addListener(onRequest, PLAIN_HTTP);
  return {
    // Without the permission the interface is gone, and the listener with it.
    stop: () => browser.proxy?.onRequest.removeListener(onRequest),
    forget: () => {
      browser.webRequest.onAuthRequired.removeListener(onChallenge);
      browser.webRequest.onCompleted.removeListener(onCompleted);
      browser.webRequest.onErrorOccurred.removeListener(onFailed);
    },
  };
}

/** Firefox itself leaves loopback out, by name and by address; what it leaves out is not counted as under way either. */
export function isForGateway(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:') return false;
  return hostname !== 'localhost' && !hostname.endsWith('.localhost') && !/^127(?:\.\d+){3}$/.test(hostname) && hostname !== '[::1]';
}
