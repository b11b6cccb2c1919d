/**
 * Which stream of an HTTP/2 or HTTP/3 connection the server sends from: the most urgent level first, the streams of a level by turns, a frame
 * each, within what the browser's window allows.
 */
import { LEVELS, type PageColumns } from './page-columns.ts';

/** SETTINGS_MAX_FRAME_SIZE unless a server raises it (RFC 9113, section 6.5.2). */
export const FRAME_BYTES = 16_384;

interface Stream {
  readonly request: number;
  unsent: number;
  credit: number;
}

export class StreamScheduler {
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

  /** The browser allows so many more bytes. */
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
