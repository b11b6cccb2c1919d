/** Endless transfers for measuring a link's rates: a response that ends when the client has seen enough, and a request that is counted. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { rateMeter } from '../link/measure-link.ts';

/** Larger than any first window that is asked for by name: each piece may end in a segment that is not full. */
const CHUNK = Buffer.alloc(65_536);

/** Ends when the client goes away; never before. */
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

/**
 * Takes a request without end, `/sink?warm-up=MS`, and answers with the rate at which its body arrived: `{"kbps": 384.2}`. What comes
 * within `warm-up` is left out.
 */
export function serveSink(request: IncomingMessage, response: ServerResponse): void {
  const asked = new URL(request.url ?? '/', 'http://sink').searchParams;
  const meter = rateMeter({ startMs: performance.now(), warmUpMs: Number(asked.get('warm-up')) });
  request.on('data', (chunk: Buffer) => {
    const kbps = response.writableEnded ? undefined : meter.add(chunk.length, performance.now());
    if (kbps === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kbps }));
  });
  // The client goes as soon as it has the answer. Closed from this end while more comes in, the answer itself could be lost by the reset.
  request.on('error', () => {});
}
