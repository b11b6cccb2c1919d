/** What tcptrace 6.6.7 says of a capture (`tcptrace -l -r -n`), and our analysis put in its terms. */
import type { CaptureAnalysis, ConnectionAnalysis } from '../../src/lab/capture/capture-analysis.ts';

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
      figures: Object.fromEntries(NAMES.map((name) => [name, figureOf(block, name)])) as TracedConnection['figures'],
    }));
}

function figureOf(block: string, name: Name): readonly [number, number] {
  const [one, other] = bothSides(block, name);
  if (!name.startsWith('rexmt data')) return [one, other];
  const [oneAgain, otherAgain] = openingsSentAgain(block);
  return [one - oneAgain, other - otherAgain];
}

/** A SYN or FIN sent again: tcptrace counts it among the data sent again, as one packet of one byte. `SYN/FIN pkts sent:  3/0  SYN/FIN pkts sent:  2/1`. */
function openingsSentAgain(block: string): readonly [number, number] {
  const [, ...sent] = /SYN\/FIN pkts sent:\s+(\d+)\/(\d+)\s+SYN\/FIN pkts sent:\s+(\d+)\/(\d+)/.exec(block) ?? [];
  const [oneSyn, oneFin, otherSyn, otherFin] = sent.map((count) => Math.max(0, Number(count) - 1));
  return [(oneSyn ?? 0) + (oneFin ?? 0), (otherSyn ?? 0) + (otherFin ?? 0)];
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
