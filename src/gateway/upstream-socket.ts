import { connect, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { Endpoint } from './request-target.ts';

/** `network.http.connection-timeout`, 90 s (all.js): a lost SYN on a bad link is repeated after 1, 3, 7, 15 and 31 s. */
const CONNECT_TIMEOUT_MS = 90_000;
/**
 * With several addresses Node gives each but the last only this long and 250 ms by default, less than one round trip of a
 * satellite link. 3 s leaves room for a lost SYN and its repetition (RFC 6298: first timeout 1 s).
 */
const ADDRESS_ATTEMPT_MS = 3000;
/** Two upstream reads of 64 KiB each: what undici itself asks of its sockets. */
const READ_AHEAD_BYTES = 64 * 1024;
/** TCP keep-alive, for a peer that is gone: undici's own initial delay. */
const KEEP_ALIVE_DELAY_MS = 60_000;

export interface UpstreamSocketOptions {
  readonly lookup: LookupFunction;
  /** Whether our side stays writable after the peer's end (tunnels). */
  readonly allowHalfOpen: boolean;
  /** Default 90 s. */
  readonly timeoutMs?: number | undefined;
}

/** A TCP connection being established; it fails with ETIMEDOUT after CONNECT_TIMEOUT_MS. */
export function openUpstreamSocket(endpoint: Endpoint, options: UpstreamSocketOptions): Socket {
  const settings: TcpNetConnectOpts & { highWaterMark: number } = {
    host: endpoint.host,
    port: endpoint.port,
    lookup: options.lookup,
    allowHalfOpen: options.allowHalfOpen,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_DELAY_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    highWaterMark: READ_AHEAD_BYTES,
  };
  const socket = connect(settings);
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' }));
  }, options.timeoutMs ?? CONNECT_TIMEOUT_MS);
  const stop = () => clearTimeout(timer);
  return socket.once('connect', stop).once('close', stop);
}

/**
 * Calls back once with the HTTP version of the first response on the socket (`1.0`, `1.1`), before anyone reads of it; empty when it is no HTTP.
 * undici does not tell it. Only the first response is looked at: a server does not change its version in mid-connection.
 */
export function watchFirstVersion(socket: Socket, callback: (version: string) => void): void {
  const read = socket.read.bind(socket);
  let seen = '';
  socket.read = (size?: number): unknown => {
    const chunk: Buffer | null = read(size);
    if (chunk !== null) {
      seen += chunk.toString('latin1', 0, VERSION_END - seen.length);
      if (seen.length >= VERSION_END) {
        Reflect.deleteProperty(socket, 'read');
        callback(seen.startsWith('HTTP/') ? seen.slice(VERSION_START) : '');
      }
    }
    return chunk;
  };
}

/** `HTTP/1.0`: the version is the characters 5 to 7. */
const VERSION_START = 5;
const VERSION_END = 8;
