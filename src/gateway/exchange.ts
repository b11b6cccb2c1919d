import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { HandedBack } from '../protocol/gateway-sites.ts';
import type { DispatchKind } from './dispatch-policy.ts';
import type { Failure } from './failure.ts';
import { type ForwardedResponse, forwardedRequestHeaders } from './hop-by-hop.ts';
import { handBack, plainAnswer } from './plain-answer.ts';
import { isSniffed, SniffedStart } from './sniffed-start.ts';

/**
 * A response that was cut short may be completed from another response to the same request. A server that closes a connection with unread pipelined
 * requests resets it, and what it had sent before may be lost on the way (RFC 9112, 9.6): without pipelining that response would have arrived. A
 * second response may differ; only a validator shows that it does not.
 */
interface BegunResponse {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
}

/** RFC 9110, 8.8.2.2: `Last-Modified` is a strong validator when it is at least this much older than the response, ms. */
const SETTLED_MS = 60_000;

/** The validator that distinguishes this representation from every other of its resource, if it has one. */
export function strongValidator({ status, headers }: BegunResponse): string | undefined {
  if (status !== 200 && status !== 206) return undefined;
  const etag = fieldOf(headers, 'etag');
  if (etag?.startsWith('"')) return etag;
  const [modified, date] = [fieldOf(headers, 'last-modified'), fieldOf(headers, 'date')];
  if (modified === undefined || date === undefined || fieldOf(headers, 'content-length') === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= SETTLED_MS ? modified : undefined;
}

/** Whether `again` has the bytes of `before`, so that those already sent may be skipped. */
export function continues(before: BegunResponse, again: BegunResponse): boolean {
  const validator = strongValidator(before);
  if (validator === undefined || validator !== strongValidator(again) || before.status !== again.status) return false;
  return ['content-length', 'content-range', 'content-encoding', 'content-type'].every(
    (name) => fieldOf(before.headers, name) === fieldOf(again.headers, name),
  );
}

function fieldOf(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return headers[at + 1];
  return undefined;
}

interface ExchangeTarget {
  /** `http://host[:port]`. */
  readonly origin: string;
  readonly path: string;
}

/**
 * Interim responses that are passed on for one request: Firefox uses only the first 103, and a client that reads nothing must not fill the memory.
 */
const MAX_EARLY_HINTS = 8;

/** Whether a message has a body (RFC 9112, 6). */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** One request of a client and its response, however often it has to be sent upstream. */
export class Exchange {
  readonly method: string;
  readonly target: ExchangeTarget;
  /** The headers in undici's form. */
  readonly headers: string[];
  readonly accept: string | undefined;
  /** GET or HEAD without a body: may be pipelined, and sent again. */
  readonly repeatable: boolean;
  /**
   * Whether a request that the gateway would otherwise answer itself, or send again, may be handed back to the client, which then sends it directly.
   */
  readonly canHandBack: boolean;
  readonly arrivedAt = performance.now();
  /** `alone` unless repeatable, and once it has to be repeated. */
  kind: DispatchKind;
  sendings = 0;
  /** Whether the client went away. */
  abandoned = false;
  /** Content type of a response that was taken for another request's. */
  doubtedType: string | undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #hasBody: boolean;
  #bodyBegun = false;
  #hints = 0;
  #onHandedBack: ((why: HandedBack) => void) | undefined;
  /** The part of the response that was sent to the client. */
  #given: { readonly head: BegunResponse; bytes: number } | undefined;
  /** Buffers the start of a body from which the browser detects the type. */
  #start: SniffedStart | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, target: ExchangeTarget, options = { canHandBack: false }) {
    const { headers } = request;
    this.#request = request;
    this.#response = response;
    this.method = request.method ?? 'GET';
    this.target = target;
    this.canHandBack = options.canHandBack;
    this.#hasBody = hasBody(headers);
    // `Content-Length: 0` is kept where its absence would mean something else, as with POST.
    const bodiless = this.method === 'GET' || this.method === 'HEAD';
    this.headers = forwardedRequestHeaders(request.rawHeaders, { hasBody: this.#hasBody || !bodiless });
    this.accept = headers.accept;
    this.repeatable = bodiless && !this.#hasBody;
    this.kind = this.repeatable ? 'pipelinable' : 'alone';
  }

  /** Whether a part of the response was sent to the client. */
  get begun(): boolean {
    return this.#response.headersSent;
  }

  /** Whether the response, cut short now, could be completed from another one to the same request. */
  get resumable(): boolean {
    return this.repeatable && this.#given !== undefined && !this.answered && strongValidator(this.#given.head) !== undefined;
  }

  /** The bytes of a repeated request's response that were already sent to the client; `undefined` if it is another response. */
  resumesAt(status: number, { headers }: Pick<ForwardedResponse, 'headers'>): number | undefined {
    return this.#given && continues(this.#given.head, { status, headers }) ? this.#given.bytes : undefined;
  }

  /** Whether the whole response was sent to the client. */
  get answered(): boolean {
    return this.#response.writableEnded;
  }

  /** Calls back when the client goes away before it has its response. */
  whenAbandoned(callback: () => void): void {
    this.#response.once('close', () => {
      if (this.#response.writableFinished) return;
      this.abandoned = true;
      callback();
    });
  }

  /**
   * The request's body, to be read once: bodies are streamed and such requests are never repeated. It is not the message itself, because undici
   * destroys a body that it no longer needs, which would close the client's connection before an early response (413).
   */
  takeBody(): PassThrough | null {
    if (!this.#hasBody) return null;
    const body = new PassThrough();
    this.#request.pipe(body);
    // After an early response the rest of the request is read and dropped, or the client's connection would stall.
    body.once('close', () => this.#request.resume());
    this.#request.once('close', () => {
      if (!this.#request.complete) body.destroy(new Error('The client stopped in the middle of its request'));
    });
    return body;
  }

  /** Passes on 103 only: the gateway never requests other interim responses for the client. */
  inform(status: number, headers: Record<string, string | string[] | undefined>): void {
    const link = headers.link;
    if (status !== 103 || link === undefined || this.begun || this.abandoned || ++this.#hints > MAX_EARLY_HINTS) return;
    try {
      this.#response.writeEarlyHints({ link });
    } catch {
      // Node takes only Link values of one shape. A hint may always be left out (RFC 8297, 2).
    }
  }

  /** Sends the head. @throws when it has a byte that Node refuses to send; nothing is sent then. */
  begin(status: number, message: string, { headers, contentType }: Pick<ForwardedResponse, 'headers' | 'contentType'>): void {
    const response = this.#response;
    response.sendDate = false;
    response.writeHead(status, message, headers);
    this.#given = { head: { status, headers }, bytes: 0 };
    if (isSniffed({ contentType, accept: this.accept })) this.#start = new SniffedStart();
    // The head is sent in one packet with the start of the body if that is already here, otherwise alone.
    queueMicrotask(() => {
      if (!this.#bodyBegun && !response.writableEnded && !response.destroyed) response.flushHeaders();
    });
  }

  /** Returns false if the client is slow; `resume` is called when it has caught up. */
  write(chunk: Buffer, resume: () => void): boolean {
    if (this.#given) this.#given.bytes += chunk.length;
    const ready = this.#start ? this.#start.add(chunk) : chunk;
    if (!ready) return true;
    this.#start = undefined;
    this.#bodyBegun = true;
    if (this.#response.write(ready)) return true;
    this.#response.once('drain', resume);
    return false;
  }

  /** `trailers`: name, value, name, value. */
  end(trailers: readonly Buffer[]): void {
    const pairs: [string, string][] = [];
    for (let i = 0; i + 1 < trailers.length; i += 2)
      pairs.push([`${trailers[i]?.toString('latin1')}`, `${trailers[i + 1]?.toString('latin1')}`]);
    if (pairs.length > 0) this.#response.addTrailers(pairs);
    this.#response.end(this.#start?.take());
  }

  /** Calls back when the request is handed back. */
  whenHandedBack(callback: (why: HandedBack) => void): void {
    this.#onHandedBack = callback;
  }

  /** Hands the request back to the client, unless a part of the response was sent. */
  handBack(why: HandedBack): void {
    handBack(this.#response, why);
    this.#onHandedBack?.(why);
  }

  fail(failure: Failure | { readonly status: number; readonly sentence: string }): void {
    if (this.canHandBack) this.handBack('again');
    else plainAnswer(this.#response, failure.status, `${this.target.origin}: ${failure.sentence}`);
  }

  /** Closes the client's connection: its response is incomplete, or it has to decide what to do. */
  cut(): void {
    this.#response.destroy();
  }
}
