import type { Socket } from 'node:net';

export interface StallWatchOptions {
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
