/** A UDP socket that takes the first packets of QUIC connections and answers none of them. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Activity, activity } from './activity.ts';
import type { ClientHello } from './client-hello.ts';
import { helloOf, type InitialPacket, initialPackets } from './quic-initial.ts';

export interface SeenQuic {
  readonly connection: string;
  readonly clientPort: number;
  /** Bytes of the first datagram. */
  readonly firstBytes: number;
  readonly pieces: InitialPacket['pieces'][number][];
  hello?: ClientHello;
}

export interface QuicServer extends Pick<Activity, 'until' | 'quiet'> {
  readonly connections: readonly SeenQuic[];
  close(): Promise<void>;
}

/** @param port - That of the server over TCP beside it. */
export async function silentQuicServer(port: number): Promise<QuicServer> {
  const noted = activity();
  const connections: SeenQuic[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (datagram, { port: clientPort }) => {
    for (const { connection, pieces } of initialPackets(datagram)) {
      let seen = connections.find((each) => each.connection === connection);
      if (!seen) {
        seen = { connection, clientPort, firstBytes: datagram.length, pieces: [] };
        connections.push(seen);
      }
      if (seen.hello) continue;
      seen.pieces.push(...pieces);
      const hello = helloOf(seen.pieces);
      if (hello) seen.hello = hello;
    }
    noted.note();
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return {
    connections,
    until: noted.until,
    quiet: noted.quiet,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
