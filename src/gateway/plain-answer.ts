import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HANDED_BACK, type HandedBack } from '../protocol/gateway-sites.ts';

/** Sends a short response of the gateway's own, unless the client is gone or has a response already. */
export function plainAnswer(response: ServerResponse, status: number, sentence: string, headers: Record<string, string> = {}): void {
  if (response.destroyed || response.headersSent) return;
  const body = `Plumbfox gateway: ${sentence}.\n`;
  response.writeHead(status, STATUS_CODES[status] ?? '', {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Sends one on a connection that Node's own responses have left, and ends it. `header`: one more line. */
export function endWithAnswer(
  client: Duplex,
  { status, sentence }: { readonly status: number; readonly sentence: string },
  { prefix = '', header = '' } = {},
): void {
  const body = `Plumbfox gateway: ${prefix}${sentence}.\n`;
  client.end(
    `HTTP/1.1 ${status} \r\n${header}Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Hands a request back to Plumbfox's extension, which has Firefox send it directly. */
export function handBack(response: ServerResponse, why: HandedBack): void {
  plainAnswer(response, 502, 'left to Firefox', { [HANDED_BACK]: why });
}
