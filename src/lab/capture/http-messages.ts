/** Requests and responses in the two streams of a plain HTTP/1.1 connection, pipelined or not. */
import type { StreamBytes } from './stream-bytes.ts';

export interface RequestMessage {
  readonly method: string;
  readonly target: string;
  readonly start: number;
  /** Absent: where it ends was not kept. */
  readonly end?: number;
}

export interface ResponseMessage {
  /** Absent: its head was not kept, only that it begins here. */
  readonly status?: number;
  readonly start: number;
  /** Absent: where it ends was not kept, or it lasts as long as the connection. */
  readonly end?: number;
}

const REQUEST_LINE = /^([A-Z]{3,16}) (\S+) HTTP\/1\.[01]$/;
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: |$)/;
/** Whether a segment's text begins a request. */
export const beginsRequest = (text: string): boolean => /^(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH) [/*h]/.test(text);
export const beginsResponse = (text: string): boolean => /^HTTP\/1\.[01] \d{3}/.test(text);

export interface Messages<Message> {
  readonly messages: readonly Message[];
  /** Something followed that could not be parsed, because bytes were not kept. */
  readonly cutOff: boolean;
}

/** @param from where a message begins. Nothing, and nothing cut off, for what is no plain HTTP/1.1, such as TLS. */
export function requestMessages(stream: StreamBytes, from: number): Messages<RequestMessage> {
  const messages: RequestMessage[] = [];
  let at: number | undefined = from;
  while (at !== undefined && at < stream.end) {
    const head = httpHead(stream, at);
    const [, method, target] = REQUEST_LINE.exec(head?.startLine ?? '') ?? [];
    if (head === undefined || method === undefined || target === undefined) break;
    const end = endOf(stream, head, { withoutBody: head.contentLength === undefined && !head.chunked });
    messages.push({ method, target, start: at, ...(end !== undefined && { end }) });
    at = end;
  }
  return { messages, cutOff: messages.length > 0 && (at === undefined || at < stream.end) };
}

/**
 * In the order of the requests that they answer; a response to HEAD has no body. Where the head of one was not kept, or does not say where it
 * ends, those after it are left out: where one ends and the next begins is not certain.
 */
export function responseMessages(stream: StreamBytes, requests: readonly RequestMessage[], from: number): Messages<ResponseMessage> {
  const messages: ResponseMessage[] = [];
  let at: number | undefined = from;
  while (at !== undefined && at < stream.end && messages.length < requests.length) {
    const head = httpHead(stream, at);
    const status = Number(STATUS_LINE.exec(head?.startLine ?? '')?.[1]);
    if (head === undefined || Number.isNaN(status)) {
      // It does begin here, right after the one before; only its head was not kept.
      if (messages.length > 0 && stream.byte(at) === undefined) messages.push({ start: at });
      break;
    }
    const interim = status >= 100 && status < 200;
    const withoutBody = interim || status === 204 || status === 304 || requests[messages.length]?.method === 'HEAD';
    const end = endOf(stream, head, { withoutBody });
    if (!interim) messages.push({ status, start: at, ...(end !== undefined && { end }) });
    at = end;
  }
  return { messages, cutOff: at === undefined || at < stream.end };
}

function endOf(stream: StreamBytes, head: HttpHead, { withoutBody }: { readonly withoutBody: boolean }): number | undefined {
  if (head.end === undefined) return undefined;
  if (withoutBody) return head.end;
  // A transfer coding overrides a length (RFC 9112, section 6.3).
  if (head.chunked) return chunkedEnd(stream, head.end);
  return head.contentLength === undefined ? undefined : head.end + head.contentLength;
}

/** The head of an HTTP/1.1 message as it is in a stream (RFC 9112). */
interface HttpHead {
  /** Without its line end. */
  readonly startLine: string;
  /** Position after the empty line; absent: the end of the head was not kept. */
  readonly end?: number;
  /** Bytes of the body. */
  readonly contentLength?: number;
  readonly chunked: boolean;
}

/** Longer heads are given up; servers refuse them too (Apache httpd and nginx at 8 kB a line, Node at 16 kB in total). */
const MAX_HEAD_BYTES = 65_536;
/** Most heads end within it. */
const FIRST_LOOK_BYTES = 2048;

/** `undefined`: not even the first line was kept whole. */
function httpHead(stream: StreamBytes, at: number): HttpHead | undefined {
  let text = stream.text(at, FIRST_LOOK_BYTES);
  let end = text.indexOf('\r\n\r\n');
  if (end === -1 && text.length === FIRST_LOOK_BYTES) {
    text = stream.text(at, MAX_HEAD_BYTES);
    end = text.indexOf('\r\n\r\n');
  }
  const lines = (end === -1 ? text : text.slice(0, end + 2)).split('\r\n');
  // What follows the last line end is cut off, or empty.
  lines.pop();
  const [startLine, ...fields] = lines;
  if (startLine === undefined) return undefined;
  const contentLength = fieldValue(fields, 'content-length');
  return {
    startLine,
    ...(end !== -1 && { end: at + end + 4 }),
    ...(contentLength !== undefined && /^\d{1,15}$/.test(contentLength) && { contentLength: Number(contentLength) }),
    chunked: /(^|,)\s*chunked$/i.test(fieldValue(fields, 'transfer-encoding') ?? ''),
  };
}

function fieldValue(fields: readonly string[], name: string): string | undefined {
  const field = fields.find((each) => each.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return field?.slice(name.length + 1).trim();
}

/** Position after the last chunk and the trailers; `undefined`: a part of what says so was not kept. */
function chunkedEnd(stream: StreamBytes, bodyAt: number): number | undefined {
  let at = bodyAt;
  for (;;) {
    const line = /^([0-9a-f]{1,8})[^\r\n]*\r\n/i.exec(stream.text(at, MAX_CHUNK_LINE_BYTES));
    if (!line) return undefined;
    const bytes = Number.parseInt(line[1] ?? '', 16);
    at += line[0].length;
    if (bytes === 0) return trailersEnd(stream, at);
    at += bytes + 2;
  }
}

/** Size and extensions of a chunk; ours and Node's have none. */
const MAX_CHUNK_LINE_BYTES = 256;

function trailersEnd(stream: StreamBytes, at: number): number | undefined {
  const text = stream.text(at, FIRST_LOOK_BYTES);
  if (text.startsWith('\r\n')) return at + 2;
  const end = text.indexOf('\r\n\r\n');
  return end === -1 ? undefined : at + end + 4;
}
