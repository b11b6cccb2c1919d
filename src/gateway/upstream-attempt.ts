import type { Exchange } from './exchange.ts';
import { type ForwardedResponse, unkept } from './hop-by-hop.ts';
import type { ResponseHead } from './response-parser.ts';

/**
 * Bytes worth reading and discarding to keep a connection that other requests wait on: about the cost of a closed connection, a round trip and a new
 * slow start (initial window of 10 segments, RFC 6928, doubled twice).
 */
export const DISCARD_LIMIT_BYTES = 64 * 1024;

interface AbandonedResponse {
  /** Requests of other, present clients outstanding on the connection. */
  readonly othersOutstanding: number;
  /** Whether its response head has come. */
  readonly begun: boolean;
  /** Body bytes still to come, where the head said so. */
  readonly remainingBytes: number | undefined;
  /** Bytes discarded so far. */
  readonly discardedBytes: number;
}

/**
 * Decides about the connection of a request whose client went away. HTTP/1.1 cannot cancel one response: either the connection is closed, which also
 * discards the other requests in flight, or the response is read and discarded. Closing is safe for the others: while this response is at the head of
 * the connection, none of theirs has begun.
 */
export function whenAbandoned(response: AbandonedResponse): 'close' | 'discard' {
  if (response.othersOutstanding === 0) return 'close';
  if (!response.begun) return 'discard';
  return Math.max(response.remainingBytes ?? 0, response.discardedBytes) > DISCARD_LIMIT_BYTES ? 'close' : 'discard';
}

/**
 * A chunked response of probation is held back until it is complete, or so long or so many bytes of it have come, so that one that ends in a way only
 * Firefox understands can still be handed back. Later ones of the origin are not held. Chosen, not measured.
 */
const HELD = { bytes: 16_384, ms: 500 } as const;

/** One attempt to send an exchange on one upstream connection: relays the response with back-pressure, or discards it. */
export class UpstreamAttempt {
  readonly exchange: Exchange;
  #mode: 'waiting' | 'forward' | 'discard' | 'stop' = 'waiting';
  /** When it was written; `undefined` before. */
  sentAt: number | undefined;
  /** Whether it was sent while another was outstanding. */
  pipelined = false;
  /** Whether it was sent while the origin was on probation. */
  onProbation = false;
  contentLength: number | undefined;
  discardedBytes = 0;
  /** Whether a slow client delays the connection. */
  paused = false;
  /** Sends the head; `undefined` once it is sent. */
  #begin: (() => void) | undefined;
  #held: Buffer[] | undefined;
  #heldBytes = 0;
  #holding: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  /** Whether the head of the final response has come. */
  get headReceived(): boolean {
    return this.#mode !== 'waiting';
  }

  /** The response is not, or no longer, anybody's: it is read and dropped. */
  discard(): void {
    if (this.#mode !== 'stop') this.#mode = 'discard';
    this.#letGo();
  }

  /** The connection is closing: whatever still comes is ignored. */
  detach(): void {
    this.#mode = 'stop';
    this.#letGo();
  }

  /** Passes the response on, once its body shows that it is one. */
  forward({ status, reason, bodyBytes }: ResponseHead, head: ForwardedResponse): void {
    this.#mode = 'forward';
    this.contentLength = bodyBytes;
    // If the server sent an extra response before, this one belongs to another request (RFC 9112, 9.3.2).
    const isInDoubt = this.pipelined || this.onProbation;
    const forwarded = isInDoubt ? { ...head, headers: unkept(status, head.headers) } : head;
    this.#begin = () => this.exchange.begin(status, reason, forwarded);
    // A chunk may still show that it is none; so many bytes may not.
    if (bodyBytes !== undefined) this.#beginNow();
    else if (this.onProbation) this.#hold();
  }

  #hold(): void {
    this.#held = [];
    this.#holding = setTimeout(() => this.#release(() => {}), HELD.ms);
  }

  /** @returns whether more may come; else `resume` is called when the client has caught up. */
  data(piece: Buffer, resume: () => void): boolean {
    if (this.#mode === 'discard') this.discardedBytes += piece.length;
    if (this.#mode !== 'forward') return true;
    this.#held?.push(piece);
    this.#heldBytes += piece.length;
    if (this.#held === undefined) return this.#write(piece, resume);
    return this.#heldBytes < HELD.bytes || this.#release(resume);
  }

  end(trailers: readonly string[]): void {
    if (this.#mode !== 'forward') return;
    this.#release(() => {});
    this.#beginNow();
    this.exchange.end(trailers);
  }

  #write(piece: Buffer, resume: () => void): boolean {
    this.#beginNow();
    return this.exchange.write(piece, resume);
  }

  #release(resume: () => void): boolean {
    const held = this.#held;
    this.#letGo();
    return held === undefined || held.length === 0 || this.#write(Buffer.concat(held), resume);
  }

  #letGo(): void {
    clearTimeout(this.#holding);
    this.#held = undefined;
  }

  #beginNow(): void {
    const begin = this.#begin;
    this.#begin = undefined;
    begin?.();
  }
}
