/** The carrier of a profile's depth, and the preferences that this takes: the profile's own, and the route to a gateway. */
import { assertNever } from '../errors.ts';
import { findKnob, HTTP2_CONCURRENT, PACING_ENABLED, PER_PROXY } from './catalogue.ts';
import { MAX_CONNECTIONS } from './check-profile.ts';
import type { PreferenceValue } from './knob.ts';
import { CONTROL_ID } from './presets.ts';
import type { Carrier, GatewayRoute, Profile } from './profile.ts';

type Preferences = Readonly<Record<string, PreferenceValue>>;

/**
 * The preferences a profile sets under a carrier.
 *
 * `gateway`: the leg from Firefox to the gateway is unlimited and unpaced, so that only the gateway decides how many connections of what
 * depth a server sees; the per-server number stays set for https, which the gateway does not carry.
 * `http2`: depth is the number of streams a new session opens with. `legacy`: the pipelining of Gecko up to 53.
 */
export function preferencesFor(profile: Profile, carrier: Carrier): Preferences {
  const { preferences, depth } = profile;
  switch (carrier) {
    case 'none':
      return preferences;
    case 'gateway':
      return { ...preferences, [PER_PROXY]: MAX_CONNECTIONS, [PACING_ENABLED]: false };
    case 'http2':
      return depth > 1 ? { ...preferences, [HTTP2_CONCURRENT]: depth } : preferences;
    case 'legacy':
      return depth > 1 ? { ...preferences, ...legacyPipelining(depth) } : preferences;
    default:
      return assertNever(carrier);
  }
}

/** Whether a Firefox that runs this extension heeds the preference at all (legacy pipelining is not heeded since 54). */
export const isHeeded = (preference: string): boolean => findKnob(preference)?.takesEffect !== 'never';

/**
 * The carrier of a profile in a Firefox that has no pipelining of its own. Depth 1 needs nothing and goes direct, except for the
 * control, which is there to go through the gateway. A depth above 1 goes through the gateway where there is one; otherwise nothing
 * carries it and it has no effect.
 */
export function carrierFor(profile: Pick<Profile, 'id' | 'depth'>, { gateway }: { readonly gateway: boolean }): Carrier {
  return gateway && (profile.depth > 1 || profile.id === CONTROL_ID) ? 'gateway' : 'none';
}

/**
 * The carrier of a profile that is applied while Firefox runs: the gateway it is led through, or HTTP/2 where the profile itself sets its streams.
 */
export function liveCarrier({ depth, preferences }: Profile, route: GatewayRoute | undefined): Carrier {
  if (route) return 'gateway';
  return depth > 1 && preferences[HTTP2_CONCURRENT] === depth ? 'http2' : 'none';
}

/**
 * HTTP/1.1 pipelining of `depth` as Gecko up to 53 and its forks set it (Gecko 52 all.js; Fennec's mobile.js set the same first four).
 * `max-optimistic-requests` follows the depth, or Gecko would open connections before it fills a pipeline.
 */
export const legacyPipelining = (depth: number): Readonly<Record<string, PreferenceValue>> => ({
  'network.http.pipelining': true,
  'network.http.pipelining.ssl': true,
  'network.http.proxy.pipelining': true,
  'network.http.pipelining.maxrequests': depth,
  'network.http.pipelining.max-optimistic-requests': depth,
});

/** Notes on a profile's depth for whoever reads an exported file, in whole sentences; empty: there is nothing to carry. */
export function depthNotes(profile: Pick<Profile, 'connections' | 'depth'>, carrier: Carrier): readonly string[] {
  const { depth, connections } = profile;
  if (depth === 1) {
    return carrier === 'gateway'
      ? ['This profile was measured through the Plumbfox gateway; without the gateway Firefox connects by itself.']
      : [];
  }
  switch (carrier) {
    case 'gateway':
      return [
        `Depth ${depth} was provided by the Plumbfox gateway. Without the gateway depth has no effect:`,
        `Firefox then sends one request at a time on each of at most ${connections ?? 'its'} connections per server, which is not what was measured.`,
      ];
    case 'none':
      return [
        `Depth ${depth} has no effect here: Firefox dropped HTTP/1.1 pipelining in version 54 (bug 1340655). Only the gateway provides it.`,
      ];
    case 'http2':
      return [
        `Depth ${depth} is the number of streams a new HTTP/2 connection begins with; it has no effect once the server sends`,
        'SETTINGS_MAX_CONCURRENT_STREAMS, and none on HTTP/1.1 or HTTP/3.',
      ];
    case 'legacy':
      return [`Depth ${depth} is HTTP/1.1 pipelining, which Gecko up to 53 and its forks have; Firefox 54 and later ignore it.`];
    default:
      return assertNever(carrier);
  }
}

/**
 * The preferences that route plain-http requests through a gateway, in the order in which they are to be set: the route itself last. They are
 * part of an applied profile's `intended` values, besides those of `preferencesFor`.
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
    // Without this, Firefox goes direct when the proxy fails, without notice (Firefox 153 all.js, `network.proxy.failover_direct`).
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
