import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HandedBack } from '../protocol/gateway-sites.ts';
import { type ForwardedResponse, requestHead } from './hop-by-hop.ts';
import { isSniffed, SniffedStart } from './sniffed-start.ts';

interface ExchangeTarget {
  /** `http://host[:port]`. */
  readonly origin: string;
  readonly path: string;
}

/** How a request that the gateway does not carry reaches its server all the same, unless a part of the response was sent. */
export type NotCarried = (request: IncomingMessage, response: ServerResponse, why: HandedBack) => void;

/** Whether a message has a body (RFC 9112, 6). */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** One GET or HEAD of a client, without a body, and its response. */
export class Exchange {
  readonly method: string;
  readonly target: ExchangeTarget;
  /** What is sent upstream; each character is a byte. */
  readonly head: string;
  readonly accept: string | undefined;
  readonly arrivedAt = performance.now();
  /** Whether the client went away, or has been handed its request back. */
  abandoned = false;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #notCarried: NotCarried;
  #bodyBegun = false;
  #hinted = false;
  #isHandedBack = false;
  #onHandedBack: ((why: HandedBack) => void) | undefined;
  /** Buffers the start of a body from which the browser detects the type. */
  #start: SniffedStart | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { target, notCarried }: { target: ExchangeTarget; notCarried: NotCarried },
  ) {
    this.#request = request;
    this.#response = response;
    this.#notCarried = notCarried;
    this.method = request.method ?? 'GET';
    this.target = target;
    this.head = requestHead(request, target);
    this.accept = request.headers.accept;
  }

  /** Whether a part of the response was sent to the client, or it was handed back. */
  get begun(): boolean {
    return this.#response.headersSent || this.#isHandedBack;
  }

  /** Whether the whole response was sent to the client, or it was handed back. */
  get answered(): boolean {
    return this.#response.writableEnded || this.#isHandedBack;
  }

  /** Calls back when the client goes away before it has its response. */
  whenAbandoned(callback: () => void): void {
    this.#response.once('close', () => {
      if (this.#response.writableFinished || this.#isHandedBack) return;
      this.abandoned = true;
      callback();
    });
  }

  /** Passes the first 103 on, which is the one that Firefox uses. */
  inform(fields: readonly string[]): void {
    const link = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.toLowerCase() === 'link');
    if (link.length === 0 || this.#hinted || this.begun || this.abandoned) return;
    this.#hinted = true;
    try {
      this.#response.writeEarlyHints({ link });
    } catch {
      // Node takes only Link values of one shape. A hint may always be left out (RFC 8297, 2).
    }
  }

  begin(status: number, reason: string, { headers, contentType }: Pick<ForwardedResponse, 'headers' | 'contentType'>): void {
    const response = this.#response;
    response.sendDate = false;
    response.writeHead(status, reason, headers);
    if (isSniffed({ contentType, accept: this.accept })) this.#start = new SniffedStart();
    // The head is sent in one packet with the start of the body if that is already here, otherwise alone.
    queueMicrotask(() => {
      if (!this.#bodyBegun && !response.writableEnded && !response.destroyed) response.flushHeaders();
    });
  }

  /** Returns false if the client is slow; `resume` is called when it has caught up. */
  write(chunk: Buffer, resume: () => void): boolean {
    const ready = this.#start ? this.#start.add(chunk) : chunk;
    if (!ready) return true;
    this.#start = undefined;
    this.#bodyBegun = true;
    if (this.#response.write(ready)) return true;
    this.#response.once('drain', resume);
    return false;
  }

  /** `trailers`: name, value, name, value. */
  end(trailers: readonly string[]): void {
    const pairs: [string, string][] = [];
    for (let i = 0; i + 1 < trailers.length; i += 2) pairs.push([trailers[i] ?? '', trailers[i + 1] ?? '']);
    if (pairs.length > 0) this.#response.addTrailers(pairs);
    this.#response.end(this.#start?.take());
  }

  /** Calls back when the request is handed back. */
  whenHandedBack(callback: (why: HandedBack) => void): void {
    this.#onHandedBack = callback;
  }

  /** Hands the request back to the client, unless a part of the response was sent. */
  handBack(why: HandedBack): void {
    if (this.begun) return;
    this.#isHandedBack = true;
    if (!this.#response.destroyed) this.#notCarried(this.#request, this.#response, why);
    this.#onHandedBack?.(why);
  }

  /** Closes the client's connection: its response is incomplete, or nobody is there to answer. */
  cut(): void {
    this.#response.destroy();
  }
}
