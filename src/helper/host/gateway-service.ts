/** The gateway in the native messaging host: started once, reconfigured for other profiles, counted in a few figures. */
import { type GatewayCounters, type GatewayOptions, type GatewaySetting, startGateway } from '../../gateway/gateway.ts';
import type { Doubt } from '../../gateway/origin-pool.ts';
import type { FoundSite } from '../../protocol/gateway-sites.ts';

/** The totals sent to the extension (`gateway-counters` of helper-messages.ts), since the gateway was opened. */
export interface GatewayTotals {
  /** Requests of Firefox, without repetitions. */
  readonly requests: number;
  /** The largest number of connections to one server at once. */
  readonly mostConnections: number;
  /** The largest number of requests outstanding on one connection. */
  readonly mostDepth: number;
  /** Connections that could not be established. */
  readonly failures: number;
}

export interface GatewayService {
  readonly port: number;
  readonly secret: string;
  /** Applies to new requests; those in progress are finished. @throws PlumbfoxError `bad-input`. */
  configure(setting: Pick<GatewaySetting, 'connections' | 'depth'>): Promise<void>;
  /** Replaces the sites that it may carry, with their addresses. */
  carry(sites: readonly FoundSite[]): void;
  /** Sites that have sent more responses than requests since the last call. */
  takeDoubts(): readonly Doubt[];
  counters(): GatewayTotals;
  close(): Promise<void>;
}

interface GatewayServiceOptions {
  readonly connections: number;
  readonly depth: number;
  readonly port?: number;
  readonly secret?: string;
  /** Default `found`: the extension's. */
  readonly sites?: GatewayOptions['sites'];
  readonly reachesPrivate?: boolean;
}

/** How often the gateway's counters, which keep a list for each server, are summed up and reset, ms. */
const SUM_UP_EVERY_MS = 60_000;

/** @throws PlumbfoxError `bad-input` for options out of range, `environment` when the port cannot be had. */
export async function openGateway({ connections, depth, ...listening }: GatewayServiceOptions): Promise<GatewayService> {
  // `ahead`: as Firefox itself opens connections for what it still holds back.
  const gateway = await startGateway({ connections, depth, connect: 'ahead', sites: 'found', ...listening });
  let figures: GatewayTotals = { requests: 0, mostConnections: 0, mostDepth: 0, failures: 0 };
  const sumUp = () => {
    figures = added(figures, gateway.counters());
    gateway.resetCounters();
    return figures;
  };
  const timer = setInterval(sumUp, SUM_UP_EVERY_MS).unref();
  return {
    port: gateway.route.port,
    secret: gateway.route.secret,
    configure: async (setting) => gateway.reconfigure({ ...setting, connect: 'ahead' }),
    carry: (sites) => gateway.carry(sites),
    takeDoubts: () => gateway.takeDoubts(),
    counters: sumUp,
    close: () => {
      clearInterval(timer);
      return gateway.close();
    },
  };
}

function added(before: GatewayTotals, { origins }: GatewayCounters): GatewayTotals {
  return origins.reduce<GatewayTotals>(
    (sum, origin) => ({
      requests: sum.requests + origin.requests,
      mostConnections: Math.max(sum.mostConnections, origin.peakConnections),
      mostDepth: Math.max(sum.mostDepth, origin.peakDepth),
      failures: sum.failures + origin.connectionsFailed,
    }),
    before,
  );
}
