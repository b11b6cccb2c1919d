import type { PreferenceValue } from './knob.ts';
import type { GatewayRoute } from './profile.ts';

/**
 * The preferences that route plain-http requests through a gateway, in the order in which they are to be set: the route itself last. They are
 * part of an applied profile's `intended` values, beside those of `preferencesFor`.
 */
export function routePreferences(route: Pick<GatewayRoute, 'host' | 'port'>): Readonly<Record<string, PreferenceValue>> {
  return {
    'network.proxy.http': route.host,
    'network.proxy.http_port': route.port,
    // https goes direct: depth is carried for plain http only.
    'network.proxy.ssl': '',
    'network.proxy.ssl_port': 0,
    'network.proxy.socks': '',
    'network.proxy.no_proxies_on': '',
    // Firefox sends loopback hosts direct by default (nsProtocolProxyService::CanUseProxy); a lab's origins may be there.
    'network.proxy.allow_hijacking_localhost': true,
    // Without this, Firefox goes direct when the proxy fails, and nobody notices (Firefox 153 all.js, `network.proxy.failover_direct`).
    'network.proxy.failover_direct': false,
    // 1: manual configuration (nsIProtocolProxyService::PROXYCONFIG_MANUAL).
    'network.proxy.type': 1,
  };
}

type RouteBounds =
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'string'; readonly oneOf: readonly string[] };

/** The only values these preferences may be given: a route leads to loopback or nowhere. */
export const ROUTE_BOUNDS: Readonly<Record<string, RouteBounds>> = {
  'network.proxy.http': { type: 'string', oneOf: ['127.0.0.1'] },
  'network.proxy.http_port': { type: 'integer', min: 1, max: 65_535 },
  'network.proxy.ssl': { type: 'string', oneOf: [''] },
  'network.proxy.ssl_port': { type: 'integer', min: 0, max: 0 },
  'network.proxy.socks': { type: 'string', oneOf: [''] },
  'network.proxy.no_proxies_on': { type: 'string', oneOf: [''] },
  'network.proxy.allow_hijacking_localhost': { type: 'boolean' },
  'network.proxy.failover_direct': { type: 'boolean' },
  'network.proxy.type': { type: 'integer', min: 1, max: 1 },
};
