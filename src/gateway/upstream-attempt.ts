import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.ts';
import { type ForwardedResponse, forwardedResponseHeaders, unkept } from './hop-by-hop.ts';

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

/** The connection of a attempt. */
export interface UpstreamAttemptHost {
  sent(attempt: UpstreamAttempt): void;
  /** `stop`: the connection is closing and nothing of this response may be used. */
  headArrived(attempt: UpstreamAttempt, status: number, head: ForwardedResponse): 'forward' | 'discard' | 'stop';
  discarded(attempt: UpstreamAttempt): void;
  finished(attempt: UpstreamAttempt): void;
  failed(attempt: UpstreamAttempt, error: unknown): void;
}

type Headers = Record<string, string | string[] | undefined>;

/** One attempt to send an exchange on one upstream connection: relays the response with back-pressure, or discards it. */
export class UpstreamAttempt implements Dispatcher.DispatchHandler {
  readonly exchange: Exchange;
  readonly #host: UpstreamAttemptHost;
  #controller: Dispatcher.DispatchController | undefined;
  #mode: 'waiting' | 'forward' | 'discard' | 'stop' = 'waiting';
  /** When it was written; `undefined` before. */
  sentAt: number | undefined;
  /** Whether it was sent while another was outstanding. */
  pipelined = false;
  /** Whether it was sent while the origin was on probation. */
  onProbation = false;
  contentLength: number | undefined;
  discardedBytes = 0;
  /** Bytes of a continued response that were sent to the client before. */
  #alreadyForwarded = 0;
  /** Sends the head; `undefined` once it is sent. */
  #begin: (() => void) | undefined;

  constructor(exchange: Exchange, host: UpstreamAttemptHost) {
    this.exchange = exchange;
    this.#host = host;
  }

  /** Whether the head of the final response has come. */
  get headReceived(): boolean {
    return this.#mode !== 'waiting';
  }

  /** Whether a slow client delays the connection. */
  get paused(): boolean {
    return this.#controller?.paused ?? false;
  }

  /** The client went away in the middle of its response: the rest is read and discarded. */
  discard(): void {
    if (this.#mode !== 'forward') return;
    this.#mode = 'discard';
    this.#controller?.resume();
  }

  /** The connection is closing: whatever still comes is ignored. */
  detach(): void {
    this.#mode = 'stop';
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#host.sent(this);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers, message = ''): void {
    if (this.#mode === 'stop') return;
    if (status < 200) {
      this.exchange.inform(status, headers);
      return;
    }
    const hasBody = this.exchange.method !== 'HEAD' && status !== 204 && status !== 304;
    const head = forwardedResponseHeaders(controller.rawHeaders as Buffer[], { hasBody });
    this.contentLength = hasBody ? head.contentLength : 0;
    this.#mode = this.#host.headArrived(this, status, head);
    if (this.#mode !== 'forward') return;
    // A handshake may follow that belongs to the connection, which must be between Firefox and the server.
    if (status === 401 && this.exchange.canHandBack && !this.exchange.begun) {
      this.#mode = 'discard';
      this.exchange.handBack('authentication');
      return;
    }
    // Only a proxy may ask for proxy authentication, and the only proxy here is this one (RFC 9110, 15.5.8).
    if (status === 407) {
      this.#refuseHead('it asked for proxy authentication');
      return;
    }
    if (this.exchange.begun) {
      this.#continueAt(status, head);
      return;
    }
    // If the server sent an extra response before, this one belongs to another request (RFC 9112, 9.3.2).
    const isInDoubt = this.exchange.canHandBack && (this.pipelined || this.onProbation);
    const forwardedHead = isInDoubt ? { ...head, headers: unkept(status, head.headers) } : head;
    this.#begin = () => this.exchange.begin(status, message, forwardedHead);
    // A response that can still be handed back waits for the start of its body, which may be malformed too.
    if (!this.exchange.canHandBack || !hasBody) this.#beginNow();
  }

  #beginNow(): void {
    const begin = this.#begin;
    this.#begin = undefined;
    try {
      begin?.();
    } catch {
      this.#refuseHead('its response head has characters that HTTP does not allow');
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#mode === 'forward') this.#beginNow();
    if (this.#mode === 'forward') {
      const due = chunk.subarray(this.#alreadyForwarded);
      this.#alreadyForwarded -= chunk.length - due.length;
      if (due.length > 0 && !this.exchange.write(due, () => controller.resume())) controller.pause();
    } else if (this.#mode === 'discard') {
      this.discardedBytes += chunk.length;
      this.#host.discarded(this);
    }
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#mode === 'stop') return;
    if (this.#mode === 'forward') this.#beginNow();
    if (this.#mode === 'forward') this.exchange.end((controller.rawTrailers ?? []) as Buffer[]);
    this.#host.finished(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#mode !== 'stop') this.#host.failed(this, error);
  }

  #continueAt(status: number, head: ForwardedResponse): void {
    const given = this.exchange.resumesAt(status, head);
    if (given !== undefined) {
      this.#alreadyForwarded = given;
      return;
    }
    this.#mode = 'discard';
    this.exchange.cut();
  }

  #refuseHead(sentence: string): void {
    this.#mode = 'discard';
    if (this.exchange.canHandBack) this.exchange.handBack('misbehaved');
    else this.exchange.fail({ status: 502, sentence });
  }
}
