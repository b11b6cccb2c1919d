/** A plain HTTP/1.1 server on loopback that serves a page with resources and logs every request and every byte it wrote. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

export interface Served {
  readonly path: string;
  /** Wall clock at which the request's head had come and at which the response was handed to the socket, ms since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Bytes of the response with its head, as written to the connection. */
  readonly bytes: number;
  readonly status: number;
  readonly proxyAuthorization: string | undefined;
}

export interface Resource {
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
  readonly delayMs?: number;
  /** Answered when this is settled. */
  readonly until?: Promise<void>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is cut instead of an answer. */
  readonly cut?: boolean;
}

export interface TestServer {
  readonly origin: string;
  readonly port: number;
  readonly log: Served[];
  /** The log without favicons, which Firefox asks for when it likes. */
  readonly paths: () => readonly string[];
  readonly close: () => Promise<void>;
}

const written = (socket: Socket) => socket.bytesWritten;

/** `resourceFor`: by path with query; `undefined` is answered 404. */
export async function startTestServer(resourceFor: (path: string) => Resource | undefined): Promise<TestServer> {
  const log: Served[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const startedAt = Date.now();
    const path = request.url ?? '';
    const resource = resourceFor(path) ?? { path, type: 'text/plain', body: 'not found', status: 404 };
    const before = written(request.socket);
    if (resource.delayMs) await new Promise((done) => setTimeout(done, resource.delayMs));
    await resource.until;
    if (resource.cut) {
      log.push({ path, startedAt, endedAt: Date.now(), bytes: 0, status: 0, proxyAuthorization: undefined });
      request.socket.destroy();
      return;
    }
    const status = resource.status ?? 200;
    response.writeHead(status, { 'content-type': resource.type, 'cache-control': 'no-store', ...resource.headers });
    response.end(resource.body, () => {
      const proxyAuthorization = request.headers['proxy-authorization'];
      log.push({ path, startedAt, endedAt: Date.now(), bytes: written(request.socket) - before, status, proxyAuthorization });
    });
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    log,
    paths: () => log.map((served) => served.path).filter((path) => !path.startsWith('/favicon')),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A page of `count` images at /page..., each of another size. */
export function imagePage(count: number): (path: string) => Resource | undefined {
  return (path) => {
    const [name = '', query = ''] = path.split('?');
    if (name === '/page') {
      const images = Array.from({ length: count }, (_, at) => `<img src="/image-${at}?${query}" alt="">`).join('');
      return { path, type: 'text/html', body: `<!doctype html><meta charset="utf-8"><title>${query}</title><p>page</p>${images}` };
    }
    const at = /^\/image-(\d+)$/.exec(name)?.[1];
    if (at === undefined) return undefined;
    return { path, type: 'image/png', body: pngOf(1_000 + 37 * Number(at)) };
  };
}

/**
 * A valid PNG of 1 x 1 with a comment of `size` bytes: Firefox aborts an image that it cannot decode, and asks for it again.
 * Layout: https://www.w3.org/TR/png-3/ (signature, then chunks of length, type, data, CRC over type and data).
 */
export function pngOf(size: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  // 1 x 1, 8 bits, grey; one row: filter byte and one pixel.
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const comment = Buffer.concat([Buffer.from('Comment\0', 'latin1'), Buffer.alloc(size, 0x78)]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('tEXt', comment),
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
