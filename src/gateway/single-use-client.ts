import type { Socket } from 'node:net';
import { Client } from 'undici';

/** Never reached: depth is the dispatch policy's business, not undici's. */
const UNDICI_PIPELINING = 65_536;
/** `network.http.keep-alive.timeout`, 115 s (all.js): as long as Firefox would keep it. */
export const IDLE_MS = 115_000;
/** A server's own `Keep-Alive: timeout=` is undercut by this much, so that we close first. */
const IDLE_MARGIN_MS = 500;
/** `network.http.response.timeout`, 300 s (all.js): without a byte for so long, Firefox itself gives up. */
const RESPONSE_TIMEOUT_MS = 300_000;
/** `network.http.max_response_header_size`, 393216 bytes (all.js). */
const MAX_HEAD_BYTES = 393_216;

/**
 * An undici Client on a socket that stands already, and that may not connect again: left to itself it would repeat on a
 * connection of its own making what the first one lost.
 */
export function singleUseClient(origin: string, socket: Socket): Client {
  let offered = false;
  const client = new Client(origin, {
    pipelining: UNDICI_PIPELINING,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
    connect: (_options, callback) => {
      const again = offered;
      offered = true;
      // Not at once: undici does not take an answer from within its own call.
      queueMicrotask(() => {
        if (again || socket.destroyed) callback(new Error('One client, one connection'), null);
        else callback(null, socket);
      });
    },
  });
  client.once('connect', () => joinReasonPhrases(socket));
  return client;
}

/** What of undici's parser is touched. */
interface ResponseParser {
  /** Empty when a response begins. */
  statusText: string;
  onStatus(piece: Buffer): number;
}

/**
 * Where a reason phrase comes in two reads, undici 7.30 keeps its last piece only (`onStatus` in lib/dispatcher/client-h1.js, which llhttp
 * calls for each piece): "d" of "Not Modified". It offers nothing to mend that with; its parser hangs on the socket by a symbol. Another
 * version may have it elsewhere: then all is as undici tells it, and a contract test fails.
 */
function joinReasonPhrases(socket: Socket): void {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  const parser = symbol && (socket as unknown as Record<symbol, ResponseParser | undefined>)[symbol];
  if (typeof parser?.statusText !== 'string') return;
  parser.onStatus = (piece) => {
    // As one byte each, as header fields: what is not ASCII passes as it came.
    parser.statusText += piece.toString('latin1');
    return 0;
  };
}
