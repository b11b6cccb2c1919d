/** The head of what the lab's servers answer with, and its exact size. */
import type { Content } from './page-content.ts';

/** Longer than any load: a server that closes idle connections would add connections that the profile did not ask for. */
export const KEEP_ALIVE_MS = 120_000;

/** The same from every server of the lab, but for what HTTP versions and programs add of their own. */
export function responseHeaders({ contentType, body }: Content): Readonly<Record<string, string | number>> {
  return {
    'content-type': contentType,
    'content-length': body.length,
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    // Without it a page's own timing says of other servers' answers only when they were there.
    'timing-allow-origin': '*',
  };
}

/** What Node adds by itself; a date is always as long as this one (RFC 9110, IMF-fixdate). */
const ADDED_BY_NODE = {
  Date: 'Thu, 01 Jan 1970 00:00:00 GMT',
  Connection: 'keep-alive',
  'Keep-Alive': `timeout=${KEEP_ALIVE_MS / 1000}`,
} as const;

/** Bytes from the status line to the empty line. A test holds them against a real answer. */
export function responseHeadBytes(content: Content): number {
  const fields = Object.entries({ ...responseHeaders(content), ...ADDED_BY_NODE });
  const lines = ['HTTP/1.1 200 OK', ...fields.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.byteLength(lines.join('\r\n'));
}
