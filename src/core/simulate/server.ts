/** The servers' part: HTTP/1.1 answers in the order of the requests, HTTP/2 and HTTP/3 as frames of streams. */
import type { Connection } from './connection.ts';
import { LEVELS, type PageColumns } from './page-columns.ts';
import { HTTP3_STREAM_WINDOW } from './simulated-profile.ts';

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

/** SETTINGS_MAX_FRAME_SIZE unless a server raises it (RFC 9113, section 6.5.2). */
const FRAME_BYTES = 16_384;

interface Stream {
  readonly request: number;
  unsent: number;
  credit: number;
}

/**
 * Which stream of an HTTP/2 or HTTP/3 connection the server sends from: the most urgent level first, the streams of a level by turns, a frame
 * each, within what the browser's window allows.
 */
class StreamScheduler {
  readonly #page: PageColumns;
  readonly #window: number;
  readonly #levels: Stream[][] = Array.from({ length: LEVELS }, () => []);
  /** Whose credit is used up. */
  readonly #blocked = new Map<number, Stream>();
  /** Bytes of the frame that `next` chose. */
  taken = 0;

  constructor(page: PageColumns, window: number) {
    this.#page = page;
    this.#window = window;
  }

  /** The response is ready. */
  add(request: number): void {
    this.#queue({ request, unsent: this.#page.sizes[request] as number, credit: this.#window });
  }

  /** The browser allows this many more bytes. */
  allow(request: number, bytes: number): void {
    const blocked = this.#blocked.get(request);
    const stream = blocked ?? this.#levels.flat().find((each) => each.request === request);
    if (stream === undefined) return;
    stream.credit += bytes;
    if (blocked === undefined) return;
    this.#blocked.delete(request);
    this.#queue(blocked);
  }

  /** @returns the request whose bytes go next, `taken` of them, at most `most`; -1: there is nothing to send. */
  next(most: number): number {
    for (const level of this.#levels) {
      const stream = level.shift();
      if (stream === undefined) continue;
      this.taken = Math.min(most, stream.unsent, stream.credit);
      stream.unsent -= this.taken;
      stream.credit -= this.taken;
      if (stream.unsent > 0) {
        if (stream.credit > 0) level.push(stream);
        else this.#blocked.set(stream.request, stream);
      }
      return stream.request;
    }
    return -1;
  }

  #queue(stream: Stream): void {
    (this.#levels[this.#page.levels[stream.request] as number] as Stream[]).push(stream);
  }
}
