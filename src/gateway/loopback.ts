/**
 * Which addresses are this very machine. A browser asks before a page of elsewhere may reach them (Local Network Access,
 * https://wicg.github.io/local-network-access/), by the address that it connects to itself: behind a gateway it sees none, and a name
 * that leads here would pass.
 */
import { BlockList, isIP } from 'node:net';

/** Whether this machine may be reached through the gateway. */
export type LoopbackRule = 'reached' | 'refused';

const LOOPBACK = new BlockList();
/** RFC 6890: 127.0.0.0/8 is loopback; systems take 0.0.0.0/8 and :: for it when they connect. Rules of IPv4 hold for ::ffff:127.0.0.1 too. */
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addSubnet('0.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addAddress('::', 'ipv6');

/** `address`: IPv4 or IPv6 without brackets; a name is none. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
