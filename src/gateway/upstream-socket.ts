import { connect, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { Client } from 'undici';
import { SHIPPED } from '../core/profiles/shipped.ts';
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

/** `HTTP/1.0`: the version is the characters 5 to 7. */
const VERSION_START = 5;
const VERSION_END = 8;

interface UpstreamSocketOptions {
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
 * undici does not expose it. Only the first response is looked at: a server does not change its version in mid-connection.
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
  /** A slow client, not the origin, holds the connection up. */
  readonly isPaused: () => boolean;
  readonly onStall: () => void;
}

/**
 * `network.http.pipelining.read-timeout`, 30 s, of Firefox up to 53: without a byte for so long, what was pipelined is
 * restarted without pipelining. Catches servers that drop all but the first of a batch.
 */
export const PIPELINE_STALL_MS = 30_000;

/** Notices that nothing has come from a socket for `stallMs` while it is being watched. One timer, not one per chunk. */
export class StallWatch {
  readonly #socket: Socket;
  readonly #options: StallWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #bytesReadBefore = 0;

  constructor(socket: Socket, options: StallWatchOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** Begins anew, or ends, with every head and every end of a response. */
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
/** As long as Firefox would keep it. */
export const IDLE_MS = SHIPPED.keepAliveMs;
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

/** The members of undici's parser that are used here. */
interface ResponseParser {
  /** Empty when a response begins. */
  statusText: string;
  onStatus(piece: Buffer): number;
}

/**
 * Where a reason phrase comes in two reads, undici 7.30 keeps its last piece only (`onStatus` in lib/dispatcher/client-h1.js, which llhttp
 * calls for each piece): "d" of "Not Modified". It offers nothing to mend that with; its parser hangs on the socket by a symbol. Another
 * version may have it elsewhere: then the phrase is as undici has it, and a contract test fails.
 */
function joinReasonPhrases(socket: Socket): void {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  const parser: ResponseParser | undefined = symbol && Reflect.get(socket, symbol);
  if (typeof parser?.statusText !== 'string') return;
  parser.onStatus = (piece) => {
    // As one byte each, as header fields: what is not ASCII passes as it came.
    parser.statusText += piece.toString('latin1');
    return 0;
  };
}
