/** What tcpdump says of its packets while it runs (asked with SIGUSR1) and as its last words. */

export interface TcpdumpCounts {
  /** Read, and handed on to be written. */
  readonly packets: number;
  /** Taken by the kernel for tcpdump, read or not; on loopback twice each. */
  readonly takenPackets: number;
  /** Thrown away by the kernel because tcpdump's buffer was full. */
  readonly droppedPackets: number;
}

/** Its last words are three lines, what it answers to the signal is one: `tcpdump: 98 packets captured, 196 packets received by filter, ...`. */
export const COUNT_LINES = 3;

const COUNTS = /(\d+) packets? captured, (\d+) packets? received by filter, (\d+) packets? dropped by kernel/;

/** @param said lines put together with a comma. @returns `undefined` when it says no counts. */
export function countsOf(said: string): TcpdumpCounts | undefined {
  const [, packets, takenPackets, droppedPackets] = COUNTS.exec(said)?.map(Number) ?? [];
  if (packets === undefined || takenPackets === undefined || droppedPackets === undefined) return undefined;
  return { packets, takenPackets, droppedPackets };
}

/**
 * Packets that lie in the kernel's buffer. On loopback the kernel hands each packet over as sent and as received, and libpcap leaves the first
 * (linux_check_direction in pcap-linux.c): 98 captured of 196 there.
 */
export function unreadOf({ packets, takenPackets, droppedPackets }: TcpdumpCounts, device: string): number {
  const copies = device === 'lo' ? 2 : 1;
  return Math.max(0, Math.ceil(takenPackets / copies) - packets - droppedPackets);
}
