/**
 * A forward proxy on loopback that gives plain-http requests of one Firefox a real pipeline depth (RFC 9112, 9.3.2), which Firefox itself has not
 * had since version 54. GET and HEAD without a body are pipelined, as long as nothing is doubtful about their responses. Everything else is handed
 * back: Plumbfox's extension has Firefox send it directly; for other clients the gateway relays it unread (relay.ts).
 *
 * Limits, all inherent in HTTP/1.1 pipelining: a client that reads one response slowly delays those behind it on the same connection; order can only be
 * doubted (see response-order.ts).
 */
import { PROBATION } from '../core/gateway-policy.ts';
import type { GatewayRoute } from '../core/profiles/profile.ts';
import type { FoundSite } from '../protocol/gateway-sites.ts';
import type { GatewayCounters } from './gateway-counters.ts';
import { type GatewayOptions, type GatewaySetting, parseGatewayOptions, parseGatewaySetting } from './gateway-options.ts';
import { anySite, FoundSites, givenSites, type SystemLookup } from './name-lookup.ts';
import type { Doubt } from './origin-pool.ts';
import { OriginPools } from './origin-pools.ts';
import { ProxyServer } from './proxy-server.ts';
import { Relays } from './relay.ts';
import { PIPELINE_STALL_MS } from './upstream-socket.ts';

export type { GatewayCounters } from './gateway-counters.ts';
export type { GatewayOptions, GatewaySetting } from './gateway-options.ts';

export interface Gateway {
  /** Address for Firefox, and the secret it has to show. */
  readonly route: GatewayRoute;
  /**
   * Takes a new setting, forgets fallbacks, and closes every upstream connection, so that the next load begins cold. The client's connections of
   * requests in progress are closed. Settles when all are closed.
   * @throws PlumbfoxError `bad-input`.
   */
  configure(setting: GatewaySetting): Promise<void>;
  /**
   * Takes a new setting without ending anything: requests in progress finish on their connections, which are then replaced.
   * @throws PlumbfoxError `bad-input`.
   */
  reconfigure(setting: GatewaySetting): void;
  /** Closes as `configure` does, without a new setting; fallbacks stay. */
  dropConnections(): Promise<void>;
  /** Replaces the sites that it may carry for the extension. */
  carry(sites: readonly FoundSite[]): void;
  /** Sites that have sent more responses than requests since the last call, and how many responses may belong to other requests. */
  takeDoubts(): readonly Doubt[];
  counters(): GatewayCounters;
  resetCounters(): void;
  /** Stops listening and closes everything. */
  close(): Promise<void>;
}

/** Replacements for tests, and for the lab. */
export interface GatewaySeams {
  /** See PIPELINE_STALL_MS. */
  readonly stallMs?: number;
  /** Instead of the system's name resolution. */
  readonly lookup?: SystemLookup;
  /** Instead of the addresses of this machine and its link. */
  readonly isNear?: (address: string) => boolean;
  /** See PROBATION.answers. */
  readonly probation?: number;
  /** Instead of 30 s for a request's head. */
  readonly headMs?: number;
}

/**
 * Starts a gateway on 127.0.0.1.
 * @throws PlumbfoxError `bad-input` for options out of range, `environment` when the port cannot be had.
 */
export async function startGateway(options: GatewayOptions, seams: GatewaySeams = {}): Promise<Gateway> {
  const { port, secret, sites: served, reachesPrivate, ...setting } = parseGatewayOptions(options);
  const { stallMs = PIPELINE_STALL_MS, probation = PROBATION.answers, lookup, isNear } = seams;
  const found = served === 'found' ? new FoundSites(isNear) : undefined;
  const sites = found ?? (served === 'any' ? anySite(lookup) : givenSites(new Set(served), { reachesPrivate, lookup, isNear }));
  const pools = new OriginPools({ lookup: sites.lookup, stallMs, probation, setting });
  const relays = found === undefined ? new Relays(sites.lookup) : undefined;
  const server = new ProxyServer({ port, secret, pools, sites, relays, headMs: seams.headMs });
  const route: GatewayRoute = { host: '127.0.0.1', port: await server.listen(), secret };
  const dropConnections = async () => {
    relays?.close();
    await pools.drop();
  };
  return {
    route,
    dropConnections,
    carry: (sites) => {
      found?.know(sites);
      pools.keep(new Set(sites.map(({ origin }) => origin)));
    },
    configure: async (next) => {
      pools.configure(parseGatewaySetting(next));
      await dropConnections();
    },
    reconfigure: (next) => {
      pools.configure(parseGatewaySetting(next));
      pools.retire();
    },
    takeDoubts: () => pools.takeDoubts(),
    counters: () => ({ ...pools.counters(), ...server.counters }),
    resetCounters: () => {
      pools.resetCounters();
      server.resetCounters();
    },
    close: async () => {
      await dropConnections();
      await server.close();
    },
  };
}
