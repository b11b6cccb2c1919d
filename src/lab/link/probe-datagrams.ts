/** Sends datagrams through a link at an even pace, so that the relay has packets to count. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface FloodOrder {
  readonly address: string;
  readonly packets: number;
  /** IP bytes of each, its headers included; at least 28. */
  readonly packetBytes: number;
  /** How long all of them take together. */
  readonly durationMs: number;
}

/** The discard port (RFC 863): nothing listens, nothing needs to. */
const DISCARD_PORT = 9;
const HEADER_BYTES = 28;
/** Packets of one turn leave together: timers are no finer. */
const TURN_MS = 5;
/** How far ahead of their pace packets are sent, so that a timer that is late leaves no gap. */
const AHEAD_MS = 50;

/** Settles when all are sent. */
export async function floodLink({ address, packets, packetBytes, durationMs }: FloodOrder): Promise<void> {
  const socket = createSocket({ type: 'udp4', sendBufferSize: 4 << 20 });
  // The other end may answer that nothing listens.
  socket.on('error', () => {});
  const payload = Buffer.alloc(Math.max(0, packetBytes - HEADER_BYTES));
  const startMs = performance.now();
  let sent = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(packets, Math.ceil((packets * (performance.now() - startMs + AHEAD_MS)) / durationMs));
      for (; sent < due; sent++) socket.send(payload, DISCARD_PORT, address);
      if (sent < packets) return;
      clearInterval(timer);
      resolve();
    }, TURN_MS);
  });
  await new Promise<void>((resolve) => socket.close(resolve));
}

/** Sends one datagram through the link, so that the relay learns where this end's packets come from. */
export async function wakeLink(address: string): Promise<void> {
  const socket = createSocket('udp4');
  // The other end may answer that nothing listens.
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.send('wake', DISCARD_PORT, address, () => resolve()));
  socket.close();
  await once(socket, 'close');
}
