import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { failureOf } from './failure.ts';
import type { Endpoint } from './request-target.ts';
import { openUpstreamSocket } from './upstream-socket.ts';

interface TunnelOptions {
  readonly endpoint: Endpoint;
  readonly lookup: LookupFunction;
  /** Bytes that the client sent with CONNECT. */
  readonly head: Buffer;
  readonly onOpen: () => void;
}

export interface Tunnel {
  /** Settles when both ends are closed. */
  close(): Promise<void>;
}

/** Joins a CONNECT client to its endpoint, byte for byte, each direction ending by itself. */
export function openTunnel(client: Duplex, options: TunnelOptions): Tunnel {
  const { endpoint, lookup, head } = options;
  const upstream = openUpstreamSocket(endpoint, { lookup, allowHalfOpen: true });
  let joined = false;
  upstream.once('connect', () => {
    joined = true;
    options.onOpen();
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  upstream.on('error', (error) => {
    if (joined) client.destroy();
    else refuseTunnel(client, failureOf(error), `${endpoint.host}:${endpoint.port}: `);
  });
  client.on('error', () => upstream.destroy());
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => {
    // After an orderly end the client may still be taking the last bytes; `pipe` ends it.
    if (joined && upstream.errored !== null) client.destroy();
  });
  const closed = Promise.all([client, upstream].map((end) => new Promise<void>((resolve) => end.once('close', resolve))));
  return {
    close: async () => {
      client.destroy();
      upstream.destroy();
      await closed;
    },
  };
}

/** Answers a CONNECT that gets no tunnel, and ends the connection. */
export function refuseTunnel(
  client: Duplex,
  answer: { readonly status: number; readonly sentence: string },
  prefix = '',
  header = '',
): void {
  const body = `Plumbfox gateway: ${prefix}${answer.sentence}.\n`;
  client.end(
    `HTTP/1.1 ${answer.status} \r\n${header}Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
