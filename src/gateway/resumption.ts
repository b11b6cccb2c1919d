/**
 * Whether a response that was cut short in the middle may be completed from another one to the same request. Pure.
 *
 * A server that closes a connection with pipelined requests unread resets it, and what it had sent before may be lost on the way (RFC 9112,
 * 9.6): without pipelining that response would have arrived. Asked again, it may be another one; only a validator says that it is not.
 */

export interface BegunResponse {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
}

/** RFC 9110, 8.8.2.2: `Last-Modified` is as good as a strong validator when it is at least this much older than the response, ms. */
const SETTLED_MS = 60_000;

/** What tells a representation from every other of its resource; `undefined`: nothing does. */
export function strongValidator({ status, headers }: BegunResponse): string | undefined {
  if (status !== 200 && status !== 206) return undefined;
  const etag = fieldOf(headers, 'etag');
  if (etag?.startsWith('"')) return etag;
  const [modified, date] = [fieldOf(headers, 'last-modified'), fieldOf(headers, 'date')];
  if (modified === undefined || date === undefined || fieldOf(headers, 'content-length') === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= SETTLED_MS ? modified : undefined;
}

/** Whether the bytes of `again` are those of `before`, so that the first of them may be left out. */
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
