/**
 * Counts connections by looking at the packets that come to a link: of every TCP packet the ports and the flags (RFC 9293), of UDP the
 * ports. It knows nothing of what serves, so that servers which count nothing are counted too.
 */
import * as v from 'valibot';
import { count, type Shape } from '../../core/schema.ts';

export const connectionCountSchema = v.object({
  /** TCP connections requested since the reset: first SYNs, and so spare ones that never carried anything. */
  opened: count,
  /** Most TCP connections at once, those open at the reset included. One ends with the first FIN or RST of either side. */
  peak: count,
  /** TCP connections over which the client has sent something since the reset. */
  used: count,
  /** Most of those open at once. */
  peakUsed: count,
  /**
   * Connections that may be a browser's backups of others: requested once a handshake has taken long (`LONG_HANDSHAKE_MS`), at most one for
   * each such handshake. Of those open at the reset, the ones that are used again.
   */
  backups: count,
  /** UDP flows, by the client's port, in which the client has sent something since the reset; QUIC connections, except for their migration. */
  udpFlows: count,
});
export type ConnectionCount = Shape<typeof connectionCountSchema>;

export interface ConnectionCounts {
  /** A packet from the client, when it comes to the link. */
  up(packet: Uint8Array, atMs: number): void;
  /** A packet from a server, and when it leaves the link; `undefined`: it was dropped or lost. */
  down(packet: Uint8Array, leavesMs: number | undefined): void;
  /** Counts by address of the server; those that nothing was asked of are missing. */
  read(): Record<string, ConnectionCount>;
  reset(): void;
}

/** Positions in the IPv4 header (RFC 791), protocol numbers, and TCP's flags. */
const IPV4 = 4;
const PROTOCOL_AT = 9;
const SOURCE_AT = 12;
const DESTINATION_AT = 16;
const TCP = 6;
const UDP = 17;
const FIN = 0x01;
const SYN = 0x02;
const RST = 0x04;
const MIN_TCP_BYTES = 20;

/**
 * Firefox opens a backup beside a handshake that takes 250 ms (`network.http.connection-retry-timeout`). Its clock begins before the SYN comes
 * to the link, on a busy machine some tens of ms before.
 */
const LONG_HANDSHAKE_MS = 200;

interface Connection {
  readonly askedAtMs: number;
  /** When the server's answer to it left the link. */
  answeredMs?: number;
  /** Since the reset. */
  used: boolean;
  /** Another was requested beside its long handshake. */
  hasBackup: boolean;
  readonly isBackup: boolean;
  /** Among `backups` since the reset. */
  isCounted: boolean;
}

interface Server {
  /** Open connections by both ports. */
  readonly open: Map<number, Connection>;
  readonly flows: Set<number>;
  openUsed: number;
  readonly count: { opened: number; peak: number; used: number; peakUsed: number; backups: number };
}

export function connectionCounts(): ConnectionCounts {
  const servers = new Map<number, Server>();
  const serverAt = (address: number): Server => {
    const known = servers.get(address);
    if (known) return known;
    const fresh = {
      open: new Map(),
      flows: new Set<number>(),
      openUsed: 0,
      count: { opened: 0, peak: 0, used: 0, peakUsed: 0, backups: 0 },
    };
    servers.set(address, fresh);
    return fresh;
  };
  return {
    up: (packet, atMs) => {
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
      if ((flags & SYN) !== 0) opens(server, key, atMs);
      if (carries) uses(server, key);
      if ((flags & (FIN | RST)) !== 0) ends(server, key);
    },
    down: (packet, leavesMs) => {
      const ports = portsAt(packet);
      if (ports === undefined || packet[PROTOCOL_AT] !== TCP || (flagsAt(packet, ports) & (SYN | FIN | RST)) === 0) return;
      const server = servers.get(u32(packet, SOURCE_AT));
      if (!server) return;
      // The client's port first, as the client has it.
      const key = ((u16(packet, ports + 2) << 16) | u16(packet, ports)) >>> 0;
      const connection = server.open.get(key);
      if (connection && leavesMs !== undefined) connection.answeredMs ??= leavesMs;
      if ((flagsAt(packet, ports) & (FIN | RST)) !== 0) ends(server, key);
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
        const open = [...server.open.values()];
        for (const connection of open) Object.assign(connection, { used: false, isCounted: false });
        server.flows.clear();
        server.openUsed = 0;
        Object.assign(server.count, { opened: 0, peak: open.length, used: 0, peakUsed: 0, backups: 0 });
      }
    },
  };
}

function opens({ open, count }: Server, key: number, atMs: number): void {
  // A SYN sent again.
  if (open.has(key)) return;
  const slow = [...open.values()].find((connection) => wantsBackup(connection, atMs));
  if (slow) slow.hasBackup = true;
  const connection: Connection = { askedAtMs: atMs, used: false, hasBackup: false, isBackup: slow !== undefined, isCounted: false };
  open.set(key, connection);
  countBackup(count, connection);
  count.opened += 1;
  count.peak = Math.max(count.peak, open.size);
}

/** Also once it is established: the browser may have requested the backup in the moment before. A backup has none of its own. */
const wantsBackup = ({ isBackup, hasBackup, askedAtMs, answeredMs = Number.POSITIVE_INFINITY }: Connection, atMs: number): boolean =>
  !isBackup && !hasBackup && Math.min(atMs, answeredMs) - askedAtMs >= LONG_HANDSHAKE_MS;

function countBackup(count: Server['count'], connection: Connection): void {
  if (!connection.isBackup || connection.isCounted) return;
  connection.isCounted = true;
  count.backups += 1;
}

function uses(server: Server, key: number): void {
  const connection = server.open.get(key);
  if (connection === undefined || connection.used) return;
  connection.used = true;
  countBackup(server.count, connection);
  server.openUsed += 1;
  server.count.used += 1;
  server.count.peakUsed = Math.max(server.count.peakUsed, server.openUsed);
}

function ends(server: Server, key: number): void {
  if (server.open.get(key)?.used) server.openUsed -= 1;
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
  return packet.length >= at + (protocol === TCP ? MIN_TCP_BYTES : 8) ? at : undefined;
}

const flagsAt = (packet: Uint8Array, ports: number): number => packet[ports + 13] ?? 0;
const dataOffsetAt = (packet: Uint8Array, ports: number): number => ((packet[ports + 12] ?? 0) >> 4) * 4;
const u16 = (packet: Uint8Array, at: number): number => ((packet[at] ?? 0) << 8) | (packet[at + 1] ?? 0);
const u32 = (packet: Uint8Array, at: number): number => ((u16(packet, at) << 16) | u16(packet, at + 2)) >>> 0;
const dotted = (address: number): string => [24, 16, 8, 0].map((bits) => (address >>> bits) & 0xff).join('.');
