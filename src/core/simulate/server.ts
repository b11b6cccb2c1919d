/** The servers' part: HTTP/1.1 answers in the order of the requests, HTTP/2 and HTTP/3 as frames of streams. */
import type { Connection } from './connection.ts';
import type { PageColumns } from './page-columns.ts';
import { HTTP3_STREAM_WINDOW } from './simulated-profile.ts';
import { FRAME_BYTES, StreamScheduler } from './stream-scheduler.ts';

const NOT_SENT = 0;
const ARRIVED = 1;
const READY = 2;

export class Server {
  readonly #page: PageColumns;
  readonly #streamWindow: number;
  readonly #segmentBytes: number;
  readonly #states: Uint8Array;
  readonly #streams: StreamScheduler[] = [];

  constructor(page: PageColumns, { streamWindow, segmentBytes }: { streamWindow: number; segmentBytes: number }) {
    this.#page = page;
    this.#segmentBytes = segmentBytes;
    this.#streamWindow = streamWindow;
    this.#states = new Uint8Array(page.count).fill(NOT_SENT);
  }

  /** A request is there. @returns the requests that the server can take up now: TCP hands over none before those sent earlier. */
  arrived(connection: Connection, request: number, multiplexed: boolean): readonly number[] {
    this.#states[request] = ARRIVED;
    // QUIC and HTTP/2 on a loss-free uplink come in order anyhow.
    if (multiplexed) return [request];
    const taken: number[] = [];
    for (
      let next = connection.sent[connection.taken];
      next !== undefined && this.#states[next] === ARRIVED;
      next = connection.sent[connection.taken]
    ) {
      taken.push(next);
      connection.taken += 1;
    }
    return taken;
  }

  /** The answer to a request is there, and is sent as soon as it is its turn. */
  ready(connection: Connection, request: number, multiplexed: boolean): void {
    if (multiplexed) {
      this.#streamsOf(connection).add(request);
      return;
    }
    this.#states[request] = READY;
    for (
      let next = connection.sent[connection.answered];
      next !== undefined && this.#states[next] === READY;
      next = connection.sent[connection.answered]
    ) {
      connection.answered += 1;
      const size = this.#page.sizes[next] as number;
      connection.append(next, size);
      connection.sender?.write(size);
    }
  }

  /** Gives a sender that has `unsent` bytes left enough for a full segment, if it can. A QUIC packet is of one stream only. */
  fill(connection: Connection, unsent: number, quic: boolean): void {
    const streams = this.#streamsOf(connection);
    if (quic && unsent > 0) return;
    for (let left = unsent; left < this.#segmentBytes; left += streams.taken) {
      const request = streams.next(quic ? this.#segmentBytes : FRAME_BYTES);
      if (request < 0) return;
      connection.append(request, streams.taken);
      connection.sender?.write(streams.taken);
      if (quic) return;
    }
  }

  allow(connection: Connection, request: number): void {
    this.#streamsOf(connection).allow(request, this.#windowOf(connection) >> 1);
  }

  #streamsOf(connection: Connection): StreamScheduler {
    this.#streams[connection.id] ??= new StreamScheduler(this.#page, this.#windowOf(connection));
    return this.#streams[connection.id] as StreamScheduler;
  }

  #windowOf({ origin }: Connection): number {
    return this.#page.origins[origin]?.protocol === 'http/3' ? HTTP3_STREAM_WINDOW : this.#streamWindow;
  }
}
