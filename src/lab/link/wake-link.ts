/** Sends one datagram through the link, so that the relay learns where this end's packets come from. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The discard port (RFC 863): nothing listens, nothing needs to. */
const DISCARD_PORT = 9;

export async function wakeLink(address: string): Promise<void> {
  const socket = createSocket('udp4');
  // The other end may answer that nothing listens.
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.send('wake', DISCARD_PORT, address, () => resolve()));
  socket.close();
  await once(socket, 'close');
}
