/** The head of an HTTP/1.1 message as it stands in a stream (RFC 9112). */
import type { StreamBytes } from './stream-bytes.ts';

export interface HttpHead {
  /** Without its line end. */
  readonly startLine: string;
  /** Position behind the empty line; absent: the end of the head was not kept. */
  readonly end?: number;
  /** Of the body, bytes. */
  readonly contentLength?: number;
  readonly chunked: boolean;
}

/** Longer heads are given up; servers refuse them too (Apache httpd and nginx at 8 kB a line, Node at 16 kB in all). */
const MOST_HEAD_BYTES = 65_536;
/** Most heads end within it. */
const FIRST_LOOK_BYTES = 2048;

/** `undefined`: not even the first line was kept whole. */
export function httpHead(stream: StreamBytes, at: number): HttpHead | undefined {
  let text = stream.text(at, FIRST_LOOK_BYTES);
  let end = text.indexOf('\r\n\r\n');
  if (end === -1 && text.length === FIRST_LOOK_BYTES) {
    text = stream.text(at, MOST_HEAD_BYTES);
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

/** Position behind the last chunk and the trailers; `undefined`: a part of what says so was not kept. */
export function chunkedEnd(stream: StreamBytes, bodyAt: number): number | undefined {
  let at = bodyAt;
  for (;;) {
    const line = /^([0-9a-f]{1,8})[^\r\n]*\r\n/i.exec(stream.text(at, MOST_CHUNK_LINE_BYTES));
    if (!line) return undefined;
    const bytes = Number.parseInt(line[1] ?? '', 16);
    at += line[0].length;
    if (bytes === 0) return trailersEnd(stream, at);
    at += bytes + 2;
  }
}

/** Size and extensions of a chunk; ours and Node's have none. */
const MOST_CHUNK_LINE_BYTES = 256;

function trailersEnd(stream: StreamBytes, at: number): number | undefined {
  const text = stream.text(at, FIRST_LOOK_BYTES);
  if (text.startsWith('\r\n')) return at + 2;
  const end = text.indexOf('\r\n\r\n');
  return end === -1 ? undefined : at + end + 4;
}
