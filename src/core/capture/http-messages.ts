/**
 * Requests and responses in the two streams of a plain HTTP/1.1 connection, pipelined or not. Where bytes were not kept, the next
 * message is looked for at the beginning of a segment, which finds most of them: see `docs/captures.md`.
 */
import { chunkedEnd, type HttpHead, httpHead } from './http-head.ts';
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
const beginsRequest = (text: string): boolean => /^(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH) [/*h]/.test(text);
const beginsResponse = (text: string): boolean => /^HTTP\/1\.[01] \d{3}/.test(text);

/** Empty for a stream that is no plain HTTP/1.1, such as TLS. */
export function requestMessages(stream: StreamBytes): readonly RequestMessage[] {
  const found: RequestMessage[] = [];
  let at = stream.start;
  while (at !== undefined && at < stream.end) {
    const head = httpHead(stream, at);
    const [, method, target] = REQUEST_LINE.exec(head?.startLine ?? '') ?? [];
    if (head === undefined || method === undefined || target === undefined) {
      // A connection that was recorded from its beginning and does not begin so is no HTTP/1.1.
      at = stream.nextSegmentBeginning(at + 1, beginsRequest);
      continue;
    }
    const end = endOf(stream, head, { withoutBody: head.contentLength === undefined && !head.chunked });
    found.push({ method, target, start: at, ...(end !== undefined && { end }) });
    at = end ?? stream.nextSegmentBeginning(at + 1, beginsRequest);
  }
  return found;
}

/** @param requests those that are answered, in order: a response to HEAD has no body. */
export function responseMessages(stream: StreamBytes, requests: readonly RequestMessage[]): readonly ResponseMessage[] {
  const found: ResponseMessage[] = [];
  let at = stream.start;
  while (at !== undefined && at < stream.end && found.length < requests.length) {
    const head = httpHead(stream, at);
    const status = Number(STATUS_LINE.exec(head?.startLine ?? '')?.[1]);
    if (head === undefined || Number.isNaN(status)) {
      const next = stream.nextSegmentBeginning(at + 1, beginsResponse);
      // It does begin here, right behind the one before; only its head was not kept.
      if (found.length > 0 && stream.byte(at) === undefined) found.push({ start: at, ...(next !== undefined && { end: next }) });
      at = next;
      continue;
    }
    const interim = status >= 100 && status < 200;
    const withoutBody = interim || status === 204 || status === 304 || requests[found.length]?.method === 'HEAD';
    const known = endOf(stream, head, { withoutBody });
    const next: number | undefined = known ?? stream.nextSegmentBeginning(at + 1, beginsResponse);
    if (!interim) found.push({ status, start: at, ...(next !== undefined && { end: next }) });
    at = next;
  }
  return found;
}

function endOf(stream: StreamBytes, head: HttpHead, { withoutBody }: { readonly withoutBody: boolean }): number | undefined {
  if (head.end === undefined) return undefined;
  if (withoutBody) return head.end;
  // A transfer coding overrides a length (RFC 9112, section 6.3).
  if (head.chunked) return chunkedEnd(stream, head.end);
  return head.contentLength === undefined ? undefined : head.end + head.contentLength;
}
