/** An endless response for measuring a link's rate; it ends when the client has seen enough. */
import type { ServerResponse } from 'node:http';

const CHUNK = Buffer.alloc(16_384);

export function serveBulk(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const write = () => {
    while (!response.destroyed && response.write(CHUNK)) {
      // Until the kernel's buffer is full; `drain` goes on.
    }
  };
  response.on('drain', write);
  write();
}
