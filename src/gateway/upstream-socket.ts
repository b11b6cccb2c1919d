import { connect, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { Client } from 'undici';
import { SHIPPED } from '../core/profiles/shipped.ts';
import type { Endpoint } from './request-target.ts';

/** `network.http.connection-timeout`, 90 s (all.js): a lost SYN on a bad link is repeated after 1, 3, 7, 15 and 31 s. */
const CONNECT_TIMEOUT_MS = 90_000;
/**
 * With several addresses Node gives each but the last this long; its default of 250 ms is less than one round trip of a satellite link. 3 s leaves
 * room for a lost SYN and its repetition (RFC 6298: first timeout 1 s).
 */
const ADDRESS_ATTEMPT_MS = 3000;
/** The read-ahead that undici itself gives its sockets. */
const READ_AHEAD_BYTES = 64 * 1024;
/** TCP keep-alive detects a peer that is gone; this is undici's own initial delay. */
const KEEP_ALIVE_DELAY_MS = 60_000;

/** The version is the characters 5 to 7 of `HTTP/1.0`. */
const VERSION_START = 5;
const VERSION_END = 8;

interface UpstreamSocketOptions {
  readonly lookup: LookupFunction;
  /** Whether our side stays writable after the peer's end (tunnels). */
  readonly allowHalfOpen: boolean;
  /** Default 90 s. */
  readonly timeoutMs?: number | undefined;
}

/** Opens a TCP connection, which fails with ETIMEDOUT after CONNECT_TIMEOUT_MS. */
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
 * Calls back once with the HTTP version of the first response on the socket (`1.0`, `1.1`), before it is read; empty when it is no HTTP. undici
 * does not expose it. Only the first response is inspected: a server does not change its version within a connection.
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

interface StallWatchOptions {
  readonly stallMs: number;
  /** Whether a slow client, not the origin, delays the connection. */
  readonly isPaused: () => boolean;
  readonly onStall: () => void;
}

/**
 * `network.http.pipelining.read-timeout`, 30 s, of Firefox up to 53: without a byte for so long, pipelined requests are restarted without pipelining.
 * It detects servers that drop all but the first of a batch.
 */
export const PIPELINE_STALL_MS = 30_000;

/** Detects that nothing has come from a socket for `stallMs` while it is watched, with one timer, not one per chunk. */
export class StallWatch {
  readonly #socket: Socket;
  readonly #options: StallWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #bytesReadBefore = 0;

  constructor(socket: Socket, options: StallWatchOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** Call at every head and every end of a response: restarts the watch, or ends it. */
  watch(watching: boolean): void {
    this.#bytesReadBefore = this.#socket.bytesRead;
    if (!watching) this.stop();
    else if (this.#timer === undefined) this.#timer = setTimeout(() => this.#check(), this.#options.stallMs);
    else this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const progressed = this.#socket.bytesRead !== this.#bytesReadBefore;
    if (!progressed && !this.#options.isPaused()) this.#options.onStall();
    else this.watch(true);
  }
}

/** Never reached: depth is the dispatch policy's business, not undici's. */
const UNDICI_PIPELINING = 65_536;
/** Firefox would keep a connection as long. */
export const IDLE_MS = SHIPPED.keepAliveMs;
/** We close this long before a server's own `Keep-Alive: timeout=`. */
const IDLE_MARGIN_MS = 500;
/** Firefox itself gives up after so long without a byte (`network.http.response.timeout`, 300 s, all.js). */
const RESPONSE_TIMEOUT_MS = 300_000;
/** `network.http.max_response_header_size`, 393216 bytes (all.js). */
const MAX_HEAD_BYTES = 393_216;

/**
 * An undici Client on an established socket that may not connect again: otherwise it would repeat lost requests on its own connection.
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
      // Deferred, because undici does not accept an answer within its own call.
      queueMicrotask(() => {
        if (again || socket.destroyed) callback(new Error('One client, one connection'), null);
        else callback(null, socket);
      });
    },
  });
  client.once('connect', () => joinReasonPhrases(socket));
  return client;
}

/** The members of undici's parser that are used here. */
interface ResponseParser {
  /** Empty when a response begins. */
  statusText: string;
  onStatus(piece: Buffer): number;
}

/**
 * If a reason phrase comes in two reads, undici 7.30 keeps only its last piece (`onStatus` in lib/dispatcher/client-h1.js, which llhttp calls for
 * each piece): "d" of "Not Modified". It offers no way to correct that, but its parser is on the socket under a symbol. Another version may have it
 * elsewhere: the phrase is undici's then, and a contract test fails.
 */
function joinReasonPhrases(socket: Socket): void {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  const parser: ResponseParser | undefined = symbol && Reflect.get(socket, symbol);
  if (typeof parser?.statusText !== 'string') return;
  parser.onStatus = (piece) => {
    // latin1 keeps every byte, as for header fields: what is not ASCII passes unchanged.
    parser.statusText += piece.toString('latin1');
    return 0;
  };
}
