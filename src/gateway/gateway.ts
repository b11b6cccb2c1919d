/**
 * A forward proxy on loopback that gives plain-http requests of one Firefox a real pipeline depth (RFC 9112, 9.3.2), which Firefox itself has not
 * had since version 54. GET and HEAD without a body are pipelined; everything else has a connection to itself while it lasts; CONNECT is a raw
 * tunnel.
 *
 * Limits, all inherent in HTTP/1.1 pipelining or in the parser: a client that reads one response slowly delays those behind it on the same
 * connection; order can only be doubted (see response-order.ts); an origin that sends an unrequested `100 Continue` gets its response refused
 * (undici treats it as an error); Upgrade is not passed on (Firefox opens WebSockets through CONNECT). With the extension as its client, affected
 * requests are handed back to be sent directly.
 */
import { PROBATION } from '../core/gateway-policy.ts';
import type { GatewayRoute } from '../core/profiles/profile.ts';
import type { FoundSite } from '../protocol/gateway-sites.ts';
import type { GatewayCounters } from './gateway-counters.ts';
import { type GatewayOptions, type GatewaySetting, parseGatewayOptions, parseGatewaySetting } from './gateway-options.ts';
import { createNameCache, FoundSites, type SystemLookup } from './name-lookup.ts';
import type { Doubt } from './origin-pool.ts';
import { OriginPools } from './origin-pools.ts';
import { ProxyServer } from './proxy-server.ts';
import { PIPELINE_STALL_MS } from './upstream-socket.ts';

export type { GatewayCounters } from './gateway-counters.ts';
export type { GatewayOptions, GatewaySetting } from './gateway-options.ts';

export interface Gateway {
  /** Address for Firefox, and the secret it has to show. */
  readonly route: GatewayRoute;
  /**
   * Takes a new setting, forgets fallbacks, and closes every upstream connection and tunnel, so that the next load begins cold. Requests in progress
   * are ended (503, or cut short). Settles when all are closed.
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

/** Replacements for tests. */
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
  const { port, secret, client, ...setting } = parseGatewayOptions(options);
  const found = client === 'extension' ? new FoundSites(seams.isNear) : undefined;
  const lookup = found?.lookup ?? createNameCache({ lookup: seams.lookup });
  const { stallMs = PIPELINE_STALL_MS, probation = PROBATION.answers } = seams;
  const pools = new OriginPools({ lookup, stallMs, probation, canHandBack: found !== undefined, setting });
  const server = new ProxyServer({ port, secret, pools, lookup, found, headMs: seams.headMs });
  const route: GatewayRoute = { host: '127.0.0.1', port: await server.listen(), secret };
  const dropConnections = async () => {
    await Promise.all([pools.drop(), server.closeTunnels()]);
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
