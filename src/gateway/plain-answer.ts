import { type ServerResponse, STATUS_CODES } from 'node:http';
import { HANDED_BACK, type HandedBack } from '../protocol/gateway-sites.ts';

/** Sends a short response of the gateway's own, unless the client is gone or has a response already. */
export function plainAnswer(response: ServerResponse, status: number, sentence: string, headers: Record<string, string> = {}): void {
  if (response.destroyed || response.headersSent) return;
  const body = `Plumbfox gateway: ${sentence}.\n`;
  // The reason is named, because Node would take that of a head which it has just refused.
  response.writeHead(status, STATUS_CODES[status] ?? '', {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Hands a request back to Plumbfox's extension, which has Firefox send it directly. */
export function handBack(response: ServerResponse, why: HandedBack): void {
  plainAnswer(response, 502, 'left to Firefox', { [HANDED_BACK]: why });
}
