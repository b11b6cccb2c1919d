import { connect, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { Endpoint } from './request-target.ts';

/** `network.http.connection-timeout`, 90 s (all.js): a lost SYN on a bad link is repeated after 1, 3, 7, 15 and 31 s. */
const CONNECT_TIMEOUT_MS = 90_000;
/**
 * With several addresses Node gives each but the last this long; its default of 250 ms is less than one round trip of a satellite link. 3 s leaves
 * room for a lost SYN and its repetition (RFC 6298: first timeout 1 s).
 */
const ADDRESS_ATTEMPT_MS = 3000;
/** Bytes read at once. */
const READ_AHEAD_BYTES = 64 * 1024;
/** TCP keep-alive detects a peer that is gone. */
const KEEP_ALIVE_DELAY_MS = 60_000;

interface UpstreamSocketOptions {
  readonly lookup: LookupFunction;
  /** Default 90 s. */
  readonly timeoutMs?: number | undefined;
}

/** Opens a TCP connection, which fails with ETIMEDOUT after CONNECT_TIMEOUT_MS. */
export function openUpstreamSocket(endpoint: Endpoint, options: UpstreamSocketOptions): Socket {
  const settings: TcpNetConnectOpts & { highWaterMark: number } = {
    host: endpoint.host,
    port: endpoint.port,
    lookup: options.lookup,
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
