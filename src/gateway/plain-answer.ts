import type { ServerResponse } from 'node:http';

/** A short answer of the gateway's own. Does nothing when the client is gone or has been given a response already. */
export function plainAnswer(response: ServerResponse, status: number, sentence: string, headers: Record<string, string> = {}): void {
  if (response.destroyed || response.headersSent) return;
  const body = `Plumbfox gateway: ${sentence}.\n`;
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
