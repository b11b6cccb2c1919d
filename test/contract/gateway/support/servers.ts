import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface Running {
  readonly port: number;
  readonly origin: string;
  close(): Promise<void>;
}

async function run(server: Server | HttpServer, host = '127.0.0.1'): Promise<Running> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export function serveHttp(listener: RequestListener, host?: string): Promise<Running> {
  return run(createHttpServer({ keepAlive: true }, listener), host);
}

export interface RawRequest {
  readonly socket: Socket;
  /** Since the server began, 1 for the first. */
  readonly connection: number;
  /** On its connection, 1 for the first. */
  readonly nth: number;
  readonly method: string;
  readonly path: string;
  /** Whole head, for what matters in a test. */
  readonly head: string;
}

/** A server that is given each request head (no bodies) and may answer as wrongly as it likes. */
export function serveRaw(onRequest: (request: RawRequest) => void, onConnection: (socket: Socket) => void = () => {}): Promise<Running> {
  let connections = 0;
  return run(
    createServer((socket) => {
      const connection = ++connections;
      let nth = 0;
      let pending = '';
      onConnection(socket);
      socket.on('data', (chunk) => {
        pending += chunk.toString('latin1');
        for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
          const head = pending.slice(0, end);
          pending = pending.slice(end + 4);
          const [method = '', path = ''] = head.split(' ', 2);
          onRequest({ socket, connection, nth: ++nth, method, path, head });
        }
      });
    }),
  );
}

/** An HTTP/1.1 response as text. */
export const response = (body: string, headers = 'Content-Type: text/plain\r\n', version = '1.1') =>
  `HTTP/${version} 200 OK\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

export interface Holding extends Running {
  /** Connections that brought a request, and the most that were unanswered on one. */
  readonly seen: { connections: number; peakDepth: number; peakOutstanding: number };
}

/**
 * Answers nobody until `count` requests are there, then all: what is outstanding at that moment is what the setting allows. The `first` ones are
 * answered at once, and not counted.
 */
export async function serveHolding(count: number, first = 0, host?: string): Promise<Holding> {
  const unanswered = new Map<Socket, number>();
  const seen = { connections: 0, peakDepth: 0, peakOutstanding: 0 };
  const held: (() => void)[] = [];
  let answered = 0;
  const running = await serveHttp((request: IncomingMessage, reply) => {
    const { socket } = request;
    if (answered++ < first) {
      reply.end();
      return;
    }
    if (!unanswered.has(socket)) seen.connections++;
    const depth = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, depth);
    seen.peakDepth = Math.max(seen.peakDepth, depth);
    held.push(() => {
      unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1);
      reply.end(request.url);
    });
    seen.peakOutstanding = Math.max(seen.peakOutstanding, held.length);
    if (held.length >= count) for (const answer of held.splice(0)) answer();
  }, host);
  return { ...running, seen };
}
