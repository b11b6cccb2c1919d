/**
 * Which header fields pass the gateway. Pure. The order, case and repetition of fields are kept.
 *
 * `Via` is not added although RFC 9110 (7.6.3) requires it of proxies: the gateway stands in for a part of the browser on the same machine, and a
 * `Via` changes what is measured (nginx, by default, sends no gzip to a request that has one: `gzip_proxied off`). Loops, the other use of `Via`,
 * cannot form: a gateway answers no origin-form request.
 */
import type { IncomingMessage } from 'node:http';
import { HANDED_BACK } from '../protocol/gateway-sites.ts';

/** RFC 9110, 7.6.1 and 11.7; Proxy-Connection is an old invention of browsers. Host and Expect are regenerated (see below). */
const NEVER_FORWARDED = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-authentication-info',
  // The gateway's own field means nothing from a server.
  HANDED_BACK,
]);
/** These are regenerated from the request target (RFC 9112, 3.2.2), or handled by the gateway itself (Expect: 100-continue). */
const REQUEST_ONLY = new Set(['host', 'expect', 'trailer']);
/** Fields that frame or route a message stay even if Connection names them: dropping them would break the framing. */
const NEVER_NAMED = new Set(['keep-alive', 'content-length', 'host']);

/** Request fields: name, value, name, value. `Content-Length` is kept only with a body. */
export function forwardedRequestHeaders(raw: readonly string[], options: { readonly hasBody: boolean }): string[] {
  const named = namedByConnection(raw);
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const lower = name.toLowerCase();
    if (NEVER_FORWARDED.has(lower) || REQUEST_ONLY.has(lower) || named?.has(lower)) continue;
    if (lower === 'content-length' && !options.hasBody) continue;
    kept.push(name, raw[i + 1] ?? '');
  }
  return kept;
}

/** A request's head as it is sent upstream; each character is a byte, as in what Node gives. */
export function requestHead(
  { method = 'GET', rawHeaders }: Pick<IncomingMessage, 'method' | 'rawHeaders'>,
  { origin, path }: { readonly origin: string; readonly path: string },
  { hasBody = false, isChunked = false } = {},
): string {
  const fields = forwardedRequestHeaders(rawHeaders, { hasBody });
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${origin.slice('http://'.length)}\r\nConnection: keep-alive\r\n`;
  for (let i = 0; i + 1 < fields.length; i += 2) head += `${fields[i]}: ${fields[i + 1]}\r\n`;
  return `${head}${isChunked ? 'Transfer-Encoding: chunked\r\n' : ''}\r\n`;
}

export interface ForwardedResponse {
  /** Name, value, name, value. */
  readonly headers: string[];
  readonly contentType: string | undefined;
  readonly assocReq: string | undefined;
  /** Whether the origin sent `Connection: close`. */
  readonly closes: boolean;
  /** How many more requests the origin accepts on the connection (`Keep-Alive: max`, as Apache sends it). */
  readonly requestsLeft: number | undefined;
  /** How long the origin keeps the connection without a request (`Keep-Alive: timeout`). */
  readonly idleSeconds: number | undefined;
}

/** Response fields, each character a byte, and the values that the gateway needs. `isChunked`: trailers may follow. */
export function forwardedResponseHeaders(raw: readonly string[], options: { readonly isChunked: boolean }): ForwardedResponse {
  const named = namedByConnection(raw);
  const headers: string[] = [];
  let contentType: string | undefined;
  let assocReq: string | undefined;
  let requestsLeft: number | undefined;
  let idleSeconds: number | undefined;
  let trailer: readonly [string, string] | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const value = raw[i + 1] ?? '';
    const lower = name.toLowerCase();
    if (lower === 'keep-alive') {
      requestsLeft = parameterOf(value, 'max');
      idleSeconds = parameterOf(value, 'timeout');
    }
    if (NEVER_FORWARDED.has(lower) || named?.has(lower)) continue;
    if (lower === 'content-type') contentType ??= value;
    else if (lower === 'assoc-req') assocReq ??= value;
    else if (lower === 'trailer') {
      trailer = [name, value];
      continue;
    }
    headers.push(name, value);
  }
  // Trailers need chunked framing; Node refuses the announcement without it.
  if (trailer !== undefined && options.isChunked) headers.push(...trailer);
  return { headers, contentType, assocReq, closes: named?.has('close') ?? false, requestsLeft, idleSeconds };
}

/** Fields that let a cache keep or revalidate a response (RFC 9111, 5; RFC 9110, 8.8). */
const CACHED_BY = new Set(['cache-control', 'expires', 'pragma', 'age', 'etag', 'last-modified']);

/**
 * Fields (name, value, name, value) of a response that might belong to another request: Firefox shows it and does not cache it. A 304 leaves the
 * cached response unchanged.
 */
export function unkept(status: number, headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!CACHED_BY.has(headers[i]?.toLowerCase() ?? '')) kept.push(headers[i] ?? '', headers[i + 1] ?? '');
  return status === 304 ? kept : [...kept, 'Cache-Control', 'no-store'];
}

/** A parameter of Keep-Alive (RFC 2068, 19.7.1.1); anything else in it is ignored. */
function parameterOf(keepAlive: string, name: 'max' | 'timeout'): number | undefined {
  const found = new RegExp(`(?:^|[\\s,;])${name}\\s*=\\s*(\\d{1,9})`, 'i').exec(keepAlive)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Options listed in Connection, lower case; `undefined` for the usual single `keep-alive` and for none. */
function namedByConnection(raw: readonly string[]): Set<string> | undefined {
  let named: Set<string> | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    for (const part of (raw[i + 1] ?? '').split(',')) {
      const option = part.trim().toLowerCase();
      if (!NEVER_NAMED.has(option)) named = (named ?? new Set()).add(option);
    }
  }
  return named;
}
