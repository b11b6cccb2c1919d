/**
 * Counts connections by looking at the packets that come to a link: of every TCP packet the ports and the flags (RFC 9293), of UDP the
 * ports. It knows nothing of what serves, so that servers which count nothing are counted too.
 */

export interface ConnectionCount {
  /** TCP connections asked for since the reset: first SYNs, and so spare ones that never carried anything. */
  opened: number;
  /** Most TCP connections at once, those open at the reset included. One ends with the first FIN or RST of either side. */
  peak: number;
  /** TCP connections over which the client has sent something since the reset. */
  used: number;
  /** Most of those open at once. */
  peakUsed: number;
  /** UDP flows, by the client's port, in which the client has sent something since the reset; QUIC connections, but for their migration. */
  udpFlows: number;
}

export interface ConnectionCounts {
  /** A packet from the client. */
  up(packet: Uint8Array): void;
  /** A packet from a server. */
  down(packet: Uint8Array): void;
  /** By address of the server; those that nothing was asked of are missing. */
  read(): Record<string, ConnectionCount>;
  reset(): void;
}

/** Of the IPv4 header (RFC 791), and of TCP's. */
const IPV4 = 4;
const PROTOCOL_AT = 9;
const SOURCE_AT = 12;
const DESTINATION_AT = 16;
const TCP = 6;
const UDP = 17;
const FIN = 0x01;
const SYN = 0x02;
const RST = 0x04;
const LEAST_TCP_BYTES = 20;

interface Server {
  /** Open connections by both ports, and whether each has been used since the reset. */
  readonly open: Map<number, boolean>;
  readonly flows: Set<number>;
  openUsed: number;
  readonly count: { opened: number; peak: number; used: number; peakUsed: number };
}

export function connectionCounts(): ConnectionCounts {
  const servers = new Map<number, Server>();
  const serverAt = (address: number): Server => {
    const known = servers.get(address);
    if (known) return known;
    const fresh = { open: new Map(), flows: new Set<number>(), openUsed: 0, count: { opened: 0, peak: 0, used: 0, peakUsed: 0 } };
    servers.set(address, fresh);
    return fresh;
  };
  return {
    up: (packet) => {
      const ports = portsAt(packet);
      if (ports === undefined) return;
      const key = u32(packet, ports);
      if (packet[PROTOCOL_AT] === UDP) {
        serverAt(u32(packet, DESTINATION_AT)).flows.add(key);
        return;
      }
      const flags = flagsAt(packet, ports);
      const carries = u16(packet, 2) > ports + dataOffsetAt(packet, ports);
      if (!carries && (flags & (SYN | FIN | RST)) === 0) return;
      const server = serverAt(u32(packet, DESTINATION_AT));
      if ((flags & SYN) !== 0) opens(server, key);
      if (carries) uses(server, key);
      if ((flags & (FIN | RST)) !== 0) ends(server, key);
    },
    down: (packet) => {
      const ports = portsAt(packet);
      if (ports === undefined || packet[PROTOCOL_AT] !== TCP || (flagsAt(packet, ports) & (FIN | RST)) === 0) return;
      const server = servers.get(u32(packet, SOURCE_AT));
      // The client's port first, as the client has it.
      if (server) ends(server, ((u16(packet, ports + 2) << 16) | u16(packet, ports)) >>> 0);
    },
    read: () =>
      Object.fromEntries(
        [...servers]
          .filter(([, { count, flows }]) => count.peak > 0 || flows.size > 0)
          .map(([address, { count, flows }]) => [dotted(address), { ...count, udpFlows: flows.size }]),
      ),
    reset: () => {
      for (const [address, server] of servers) {
        if (server.open.size === 0) servers.delete(address);
        for (const key of server.open.keys()) server.open.set(key, false);
        server.flows.clear();
        server.openUsed = 0;
        Object.assign(server.count, { opened: 0, peak: server.open.size, used: 0, peakUsed: 0 });
      }
    },
  };
}

function opens({ open, count }: Server, key: number): void {
  // A SYN sent again.
  if (open.has(key)) return;
  open.set(key, false);
  count.opened += 1;
  count.peak = Math.max(count.peak, open.size);
}

function uses(server: Server, key: number): void {
  if (server.open.get(key) !== false) return;
  server.open.set(key, true);
  server.openUsed += 1;
  server.count.used += 1;
  server.count.peakUsed = Math.max(server.count.peakUsed, server.openUsed);
}

function ends(server: Server, key: number): void {
  if (server.open.get(key)) server.openUsed -= 1;
  server.open.delete(key);
}

/** Where the ports of a whole TCP or UDP packet over IPv4 are. */
function portsAt(packet: Uint8Array): number | undefined {
  const [first = 0] = packet;
  const protocol = packet[PROTOCOL_AT];
  if (first >> 4 !== IPV4 || (protocol !== TCP && protocol !== UDP)) return undefined;
  // All but "don't fragment": a fragment has no ports of its own.
  if ((u16(packet, 6) & 0x3fff) !== 0) return undefined;
  const at = (first & 0x0f) * 4;
  return packet.length >= at + (protocol === TCP ? LEAST_TCP_BYTES : 8) ? at : undefined;
}

const flagsAt = (packet: Uint8Array, ports: number): number => packet[ports + 13] ?? 0;
const dataOffsetAt = (packet: Uint8Array, ports: number): number => ((packet[ports + 12] ?? 0) >> 4) * 4;
const u16 = (packet: Uint8Array, at: number): number => ((packet[at] ?? 0) << 8) | (packet[at + 1] ?? 0);
const u32 = (packet: Uint8Array, at: number): number => ((u16(packet, at) << 16) | u16(packet, at + 2)) >>> 0;
const dotted = (address: number): string => [24, 16, 8, 0].map((bits) => (address >>> bits) & 0xff).join('.');
