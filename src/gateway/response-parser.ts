/**
 * Reads the responses of one connection as strictly as RFC 9112 writes them. Firefox and servers forgive more, but where two readers may differ
 * over where a response ends, the next one is another's: any doubt is a fault, and Firefox asks the server itself. What has no end of its own is
 * refused too, because nothing can wait behind it.
 */

/** `surplus`: bytes that answer no request. `endless`: only the connection's end would end it. `malformed`: not as strict as wanted. */
export type ResponseFault = 'surplus' | 'endless' | 'malformed';

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  /** Name, value, name, value; each character is a byte. */
  readonly fields: readonly string[];
  /** Bytes of the body; `undefined`: it is chunked. */
  readonly bodyBytes: number | undefined;
}

export interface ResponseReader {
  /** 103 only. */
  onHints(fields: readonly string[]): void;
  onHead(head: ResponseHead): void;
  onBody(piece: Buffer): void;
  /** `trailers`: name, value, name, value. */
  onEnd(trailers: readonly string[]): void;
}

/**
 * A head, or a chunked body's trailers, line ends included: several times what servers allow themselves (nginx 4 to 8 kB, Apache 8 kB a line). With the
 * piece being read (64 kB) and what waits for a slow client it bounds the memory of a connection.
 */
export const MAX_RESPONSE_HEAD_BYTES = 65_536;
/** A chunk's size and its extensions, which nobody uses. */
const MAX_CHUNK_LINE_BYTES = 256;
/** Interim responses before one response; Firefox uses the first. */
const MAX_HINTS = 8;

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const START = 'HTTP/1.1 ';
const FIELD = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+):[\t ]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[\t ]*$/;
/** 32 bits, as Firefox reads it (nsHttpChunkedDecoder). */
const CHUNK_LINE = /^([\dA-Fa-f]{1,8})(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const LENGTH = /^\d{1,15}$/;
/** Types whose responses go on for as long as somebody listens, chunked or not. */
const ENDLESS_TYPE = /^(?:multipart\/x-mixed-replace|text\/event-stream)\b/i;
const LF = 10;

type State = 'status' | 'fields' | 'body' | 'chunk' | 'chunk-body' | 'chunk-end' | 'trailers';

export class ResponseParser {
  readonly #reader: ResponseReader;
  /** Methods of the requests that were sent and are not answered. */
  readonly #asked: string[] = [];
  #state: State = 'status';
  #line = '';
  /** Bytes of the head or the trailers so far. */
  #headBytes = 0;
  #status = 0;
  #reason = '';
  #fields: string[] = [];
  #hints = 0;
  /** Bytes of the body or the chunk still to come. */
  #due = 0;
  #fault: ResponseFault | undefined;
  #stopped = false;

  constructor(reader: ResponseReader) {
    this.#reader = reader;
  }

  /** A request was sent: one more response may come. */
  asked(method: string): void {
    this.#asked.push(method);
  }

  /** Nothing more is read, not even the rest of the piece. */
  stop(): void {
    this.#stopped = true;
  }

  /** @returns what is wrong, after which nothing more may be read. */
  read(piece: Buffer): ResponseFault | undefined {
    for (let at = 0; at < piece.length && !this.#stopped && this.#fault === undefined; ) {
      if (this.#state === 'body' || this.#state === 'chunk-body') at = this.#readBody(piece, at);
      else at = this.#readLine(piece, at);
    }
    return this.#fault;
  }

  #readBody(piece: Buffer, from: number): number {
    const to = Math.min(piece.length, from + this.#due);
    this.#due -= to - from;
    const isLast = this.#due === 0 && this.#state === 'body';
    if (this.#due === 0) this.#state = 'chunk-end';
    this.#reader.onBody(piece.subarray(from, to));
    if (isLast) this.#end([]);
    return to;
  }

  #readLine(piece: Buffer, from: number): number {
    if (this.#asked.length === 0) this.#fault = 'surplus';
    const feed = piece.indexOf(LF, from);
    const to = feed < 0 ? piece.length : feed + 1;
    const isHead = this.#state === 'status' || this.#state === 'fields' || this.#state === 'trailers';
    const room = isHead ? MAX_RESPONSE_HEAD_BYTES - this.#headBytes : MAX_CHUNK_LINE_BYTES - this.#line.length;
    if (to - from > room) this.#fault ??= 'malformed';
    if (this.#fault !== undefined) return to;
    if (isHead) this.#headBytes += to - from;
    this.#line += piece.toString('latin1', from, to);
    // Something else may have no line at all, for which nobody should wait.
    if (this.#state === 'status' && !this.#line.startsWith(START) && !START.startsWith(this.#line)) this.#fault = 'malformed';
    if (feed < 0 || this.#fault !== undefined) return to;
    const line = this.#line;
    this.#line = '';
    if (line.endsWith('\r\n')) this.#take(line.slice(0, -2));
    else this.#fault = 'malformed';
    return to;
  }

  #take(line: string): void {
    switch (this.#state) {
      case 'status':
        this.#takeStatus(line);
        return;
      case 'fields':
      case 'trailers':
        if (line !== '') this.#takeField(line);
        else if (this.#state === 'fields') this.#takeHead();
        else this.#end(this.#fields);
        return;
      case 'chunk':
        this.#takeChunk(line);
        return;
      case 'chunk-end':
        if (line !== '') this.#fault = 'malformed';
        this.#state = 'chunk';
    }
  }

  #takeStatus(line: string): void {
    const [, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
    this.#status = Number(status);
    this.#reason = reason;
    this.#fields = [];
    if (status === undefined || (this.#status < 200 && this.#status !== 103)) this.#fault = 'malformed';
    this.#state = 'fields';
  }

  #takeField(line: string): void {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name === undefined) this.#fault = 'malformed';
    else this.#fields.push(name, value);
  }

  #takeHead(): void {
    this.#headBytes = 0;
    const [status, fields] = [this.#status, this.#fields];
    this.#state = 'status';
    if (status === 103) {
      this.#hints += 1;
      if (this.#hints > MAX_HINTS) this.#fault = 'malformed';
      else this.#reader.onHints(fields);
      return;
    }
    const bodyBytes = bodyBytesOf(this.#asked[0], status, fields);
    if (typeof bodyBytes === 'string') {
      this.#fault = bodyBytes;
      return;
    }
    this.#due = bodyBytes ?? 0;
    if (bodyBytes !== 0) this.#state = bodyBytes === undefined ? 'chunk' : 'body';
    this.#reader.onHead({ status, reason: this.#reason, fields, bodyBytes });
    if (bodyBytes === 0) this.#end([]);
  }

  #takeChunk(line: string): void {
    const size = CHUNK_LINE.exec(line)?.[1];
    if (size === undefined) this.#fault = 'malformed';
    this.#due = Number.parseInt(size ?? '0', 16);
    this.#fields = [];
    this.#state = this.#due === 0 ? 'trailers' : 'chunk-body';
  }

  #end(trailers: readonly string[]): void {
    this.#headBytes = 0;
    this.#hints = 0;
    this.#state = 'status';
    this.#asked.shift();
    if (!this.#stopped) this.#reader.onEnd(trailers);
  }
}

const valuesOf = (fields: readonly string[], name: string): readonly string[] =>
  fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.toLowerCase() === name);

/** How long the body is (RFC 9112, 6.3); `undefined`: chunked. */
function bodyBytesOf(method: string | undefined, status: number, fields: readonly string[]): number | undefined | ResponseFault {
  const codings = valuesOf(fields, 'transfer-encoding');
  const lengths = valuesOf(fields, 'content-length');
  if (codings.length > 0 && (codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked' || lengths.length > 0)) return 'malformed';
  if (lengths.length > 1 || !lengths.every((length) => LENGTH.test(length))) return 'malformed';
  if (method === 'HEAD' || status === 204 || status === 304) return 0;
  // Firefox reads no body of a 205, whatever its length.
  if (status === 205) return 'malformed';
  if (valuesOf(fields, 'content-type').some((type) => ENDLESS_TYPE.test(type))) return 'endless';
  if (codings.length > 0) return undefined;
  return lengths[0] === undefined ? 'endless' : Number(lengths[0]);
}
