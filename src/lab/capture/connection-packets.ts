/** Divides a capture into its connections. */
import { FlowBuilder, type PacketFlow } from './packet-flow.ts';
import { TCP_FLAGS, type TcpSegment } from './tcp-segment.ts';

export interface Endpoint {
  /** Dotted. */
  readonly address: string;
  readonly port: number;
}

/** Times of the three packets of the handshake at the capture point, ms; absent: not seen. */
export interface Handshake {
  /** The first, where it was repeated. */
  readonly synMs?: number;
  readonly synAckMs?: number;
  /** What completes it: the client's first packet after the server's answer. */
  readonly completeMs?: number;
}

export interface ConnectionPackets {
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly handshake: Handshake;
  readonly closedBy: 'fin' | 'reset' | undefined;
  readonly up: PacketFlow;
  readonly down: PacketFlow;
}

/** Connections by their first packet. A new SYN after a FIN or RST, or with another sequence number, is a new connection. */
export function connectionPackets(segments: readonly TcpSegment[]): readonly ConnectionPackets[] {
  const all: Builder[] = [];
  const current = new Map<string, Builder>();
  for (const segment of segments) {
    const key = keyOf(segment);
    let connection = current.get(key);
    if (!connection?.takes(segment)) {
      connection = new Builder(segment);
      current.set(key, connection);
      all.push(connection);
    }
    connection.add(segment);
  }
  return all;
}

/** The same for both directions. */
function keyOf({ source, sourcePort, destination, destinationPort }: TcpSegment): string {
  const one = source * 65_536 + sourcePort;
  const other = destination * 65_536 + destinationPort;
  return one < other ? `${one}-${other}` : `${other}-${one}`;
}

const has = ({ flags }: TcpSegment, flag: keyof typeof TCP_FLAGS): boolean => (flags & TCP_FLAGS[flag]) !== 0;
const opens = (segment: TcpSegment): boolean => has(segment, 'syn') && !has(segment, 'acknowledgement');

class Builder implements ConnectionPackets {
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly firstMs: number;
  lastMs: number;
  handshake: Handshake = {};
  closedBy: 'fin' | 'reset' | undefined;
  readonly up = new FlowBuilder();
  readonly down = new FlowBuilder();
  readonly #clientKey: number;
  #openedWith: number | undefined;
  #packets = 0;
  #scaled = true;

  constructor(first: TcpSegment) {
    const source = { address: dotted(first.source), port: first.sourcePort };
    const destination = { address: dotted(first.destination), port: first.destinationPort };
    const fromClient = opens(first) || (!has(first, 'syn') && servesLess(source.port, destination.port));
    [this.client, this.server] = fromClient ? [source, destination] : [destination, source];
    this.#clientKey = fromClient ? sideOf(first.source, first.sourcePort) : sideOf(first.destination, first.destinationPort);
    this.firstMs = first.atMs;
    this.lastMs = first.atMs;
  }

  /** Whether the segment is one of this connection's, and not the first of the next between the same ports. */
  takes(segment: TcpSegment): boolean {
    if (!opens(segment)) return true;
    return this.closedBy === undefined && segment.sequence === this.#openedWith;
  }

  add(segment: TcpSegment): void {
    const fromClient = sideOf(segment.source, segment.sourcePort) === this.#clientKey;
    const [own, other] = fromClient ? [this.up, this.down] : [this.down, this.up];
    const packet = this.#packets++;
    this.lastMs = segment.atMs;
    this.#shake(segment, fromClient);
    if (has(segment, 'syn')) own.windowScale = segment.windowScale ?? 0;
    own.send(segment, packet);
    if (has(segment, 'acknowledgement')) other.acknowledge(segment, { packet, windowBytes: this.#window(segment, own) });
    if (has(segment, 'reset')) this.closedBy = 'reset';
    else if (has(segment, 'fin')) this.closedBy ??= 'fin';
  }

  #shake(segment: TcpSegment, fromClient: boolean): void {
    const { synMs, synAckMs, completeMs } = this.handshake;
    if (opens(segment)) {
      this.#openedWith ??= segment.sequence;
      if (synMs === undefined) this.handshake = { ...this.handshake, synMs: segment.atMs };
    } else if (has(segment, 'syn')) {
      // Both sides scale, or neither does (RFC 7323, section 2.2).
      if (segment.windowScale === undefined) this.#scaled = false;
      if (synAckMs === undefined) this.handshake = { ...this.handshake, synAckMs: segment.atMs };
    } else if (fromClient && synAckMs !== undefined && completeMs === undefined) {
      this.handshake = { ...this.handshake, completeMs: segment.atMs };
    }
  }

  /** The window in a SYN itself is never scaled. */
  #window(segment: TcpSegment, own: FlowBuilder): number | undefined {
    if (has(segment, 'syn')) return segment.window;
    if (own.windowScale === undefined) return undefined;
    return this.#scaled ? segment.window * 2 ** own.windowScale : segment.window;
  }
}

/** Without a handshake: servers listen on the lower port. */
const servesLess = (port: number, other: number): boolean => port >= other;
const sideOf = (address: number, port: number): number => address * 65_536 + port;
const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
