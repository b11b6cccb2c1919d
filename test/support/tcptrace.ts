/** What tcptrace 6.6.7 says of a capture (`tcptrace -l -r -n`), and our analysis put in its terms. */
import type { CaptureAnalysis, ConnectionAnalysis } from '../../src/core/capture/index.ts';

/** By tcptrace's own names; both directions, the one of its `host a` first. */
export const COMPARED = {
  'total packets': (flow: ConnectionAnalysis['up']) => flow.packets,
  'actual data pkts': (flow: ConnectionAnalysis['up']) => flow.dataPackets,
  'actual data bytes': (flow: ConnectionAnalysis['up']) => flow.dataBytes,
  'rexmt data pkts': (flow: ConnectionAnalysis['up']) => flow.retransmittedPackets,
  'rexmt data bytes': (flow: ConnectionAnalysis['up']) => flow.retransmittedBytes,
  'RTT samples': (flow: ConnectionAnalysis['up']) => flow.roundTrips.samples,
  /** It prints 0.0 where it has no sample. */
  'RTT min': (flow: ConnectionAnalysis['up']) => flow.roundTrips.minMs ?? 0,
  'RTT avg': (flow: ConnectionAnalysis['up']) => flow.roundTrips.meanMs ?? 0,
  'RTT max': (flow: ConnectionAnalysis['up']) => flow.roundTrips.maxMs ?? 0,
} as const;

type Name = keyof typeof COMPARED;
const NAMES = Object.keys(COMPARED) as readonly Name[];

export interface TracedConnection {
  /** `address:port` of its `host a`. */
  readonly hostA: string;
  readonly figures: Readonly<Record<Name, readonly [number, number]>>;
}

export function tracedConnections(report: string): readonly TracedConnection[] {
  return report
    .split(/^TCP connection \d+:$/m)
    .slice(1)
    .map((block) => ({
      hostA: /host [a-z]+:\s+(\S+)/.exec(block)?.[1] ?? 'none',
      figures: Object.fromEntries(NAMES.map((name) => [name, bothSides(block, name)])) as TracedConnection['figures'],
    }));
}

/** A line has both directions: `RTT min:  79.3 ms  RTT min:  0.1 ms`. */
function bothSides(block: string, name: Name): readonly [number, number] {
  const [, one, other] = new RegExp(`^\\s+${name}:\\s+([\\d.]+)[^:]*\\s${name}:\\s+([\\d.]+)`, 'm').exec(block) ?? [];
  return [Number(one), Number(other)];
}

/** Ours as tcptrace orders them: its first host is the one that sent the first packet. */
export function ownConnections({ connections }: CaptureAnalysis, traced: readonly TracedConnection[]): readonly TracedConnection[] {
  return connections.map((connection, at) => {
    const client = `${connection.client.address}:${connection.client.port}`;
    const server = `${connection.server.address}:${connection.server.port}`;
    const clientFirst = traced[at]?.hostA === client;
    const [one, other] = clientFirst ? [connection.up, connection.down] : [connection.down, connection.up];
    const figures = Object.fromEntries(NAMES.map((name) => [name, [COMPARED[name](one), COMPARED[name](other)]]));
    return { hostA: clientFirst ? client : server, figures: figures as unknown as TracedConnection['figures'] };
  });
}
