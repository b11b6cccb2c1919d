/**
 * A server that counts: plain HTTP/1.1, or HTTP/1.1 and HTTP/2 over TLS. It notes every connection with what its first bytes offered, every
 * request in the order of arrival, and every HTTP/2 frame that Firefox sent.
 */
import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2, type Http2ServerRequest, type Http2ServerResponse, type Settings } from 'node:http2';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTls, type TLSSocket } from 'node:tls';
import { type Activity, activity } from './activity.ts';
import { type ClientHello, clientHelloIn } from './client-hello.ts';
import { type Frame, teeFrames } from './http2-frames.ts';

export interface SeenConnection {
  readonly number: number;
  readonly clientPort: number;
  /** The address of this machine that it came to. */
  readonly serverAddress: string;
  /** Absent without TLS, and until it has come whole. */
  hello?: ClientHello;
  /** Whether the TLS session of an earlier connection was resumed. */
  resumed?: boolean;
  alpn?: string;
  open: boolean;
  readonly frames: Frame[];
}

export interface SeenRequest {
  readonly path: string;
  readonly method: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly connection: SeenConnection;
  readonly atMs: number;
  /** Bytes of the request's body so far. */
  bodyBytes: number;
}

export interface Reply {
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answered when the server's `release` is called. */
  readonly hold?: boolean;
  /** Link headers of a 103 that goes out at once. */
  readonly earlyHints?: readonly string[];
  /** The request gets no answer by this server: the function writes what it likes. */
  readonly write?: (response: ServerResponse | Http2ServerResponse) => void;
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

interface CountingOptions {
  readonly host?: string;
  readonly port?: number;
  /** Absent: plain HTTP/1.1. */
  readonly certificate?: Certificate;
  /** With a certificate; HTTP/2 and HTTP/1.1 unless given. */
  readonly alpn?: readonly string[];
  readonly settings?: Settings;
  /** With a certificate: a ClientHello is never answered. */
  readonly mute?: boolean;
  readonly respond: (request: SeenRequest) => Reply;
}

export interface CountingServer extends Pick<Activity, 'quiet' | 'until'> {
  readonly port: number;
  readonly connections: readonly SeenConnection[];
  /** Without favicons, which Firefox asks for when it likes. */
  readonly requests: readonly SeenRequest[];
  peakRequests(): number;
  peakConnections(): number;
  /** Answers what is held, and holds nothing from now on. */
  release(): void;
  close(): Promise<void>;
}

type AnyRequest = IncomingMessage | Http2ServerRequest;
type AnyResponse = ServerResponse | Http2ServerResponse;

export async function countingServer(options: CountingOptions): Promise<CountingServer> {
  const noted = activity();
  const log = serverLog(noted);
  let held: (() => void)[] | undefined = [];
  const handle = (request: AnyRequest, response: AnyResponse, connection: SeenConnection) => {
    const path = request.url ?? '/';
    if (path === '/favicon.ico') {
      response.writeHead(404).end();
      return;
    }
    const seen = log.request(request, path, connection);
    request.on('data', (chunk: Buffer) => {
      seen.bodyBytes += chunk.length;
      noted.note();
    });
    request.on('error', () => {});
    response.on('error', () => {});
    response.once('close', () => log.answered());
    const reply = options.respond(seen);
    if (reply.earlyHints) response.writeEarlyHints({ link: [...reply.earlyHints] });
    const send = () => answer(reply, response);
    if (reply.hold && held) held.push(send);
    // An answer before its end would end an upload.
    else if (seen.method === 'POST') request.once('end', send);
    else send();
  };
  const { tcp, sockets } = listeners(options, log, handle);
  tcp.listen(options.port ?? 0, options.host ?? '127.0.0.1', 1024);
  await once(tcp, 'listening');
  return {
    ...noted,
    port: (tcp.address() as AddressInfo).port,
    connections: log.connections,
    requests: log.requests,
    peakRequests: () => log.peak.requests,
    peakConnections: () => log.peak.connections,
    release: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const send of waiting) send();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}

function answer(reply: Reply, response: AnyResponse): void {
  if (reply.write) {
    reply.write(response);
    return;
  }
  const body = reply.body ?? '';
  const headers = { 'content-type': reply.type ?? 'text/html', 'cache-control': 'no-store', 'content-length': Buffer.byteLength(body) };
  // Both have the same two methods; their overloads differ.
  (response as ServerResponse).writeHead(reply.status ?? 200, { ...headers, ...reply.headers });
  (response as ServerResponse).end(body);
}

interface ServerLog {
  readonly connections: SeenConnection[];
  readonly requests: SeenRequest[];
  readonly peak: { requests: number; connections: number };
  connection(socket: Socket): SeenConnection;
  request(request: AnyRequest, path: string, connection: SeenConnection): SeenRequest;
  answered(): void;
  changed(): void;
}

function serverLog(noted: Activity): ServerLog {
  const connections: SeenConnection[] = [];
  const requests: SeenRequest[] = [];
  const peak = { requests: 0, connections: 0 };
  let outstanding = 0;
  return {
    connections,
    requests,
    peak,
    changed: () => noted.note(),
    connection: (socket) => {
      const seen: SeenConnection = {
        number: connections.length,
        clientPort: socket.remotePort ?? 0,
        serverAddress: socket.localAddress ?? '',
        open: true,
        frames: [],
      };
      connections.push(seen);
      peak.connections = Math.max(peak.connections, connections.filter(({ open }) => open).length);
      socket.once('close', () => {
        seen.open = false;
        noted.note();
      });
      noted.note();
      return seen;
    },
    request: ({ headers, method }, path, connection) => {
      const host = String(headers[':authority'] ?? headers.host ?? '');
      const seen: SeenRequest = { path, method: method ?? '', host, headers, connection, atMs: performance.now(), bodyBytes: 0 };
      requests.push(seen);
      outstanding += 1;
      peak.requests = Math.max(peak.requests, outstanding);
      noted.note();
      return seen;
    },
    answered: () => {
      outstanding -= 1;
      noted.note();
    },
  };
}

type Handle = (request: AnyRequest, response: AnyResponse, connection: SeenConnection) => void;

/** One TCP port; what a connection turns out to speak is handed on to a server of Node's own, which does not listen itself. */
function listeners(options: CountingOptions, log: ServerLog, handle: Handle) {
  const sockets = new Set<Socket>();
  const byPort = new Map<number, SeenConnection>();
  const tls = options.certificate && tlsServer(options, log, { byPort, handle });
  const tcp = createTcp((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const connection = log.connection(socket);
    if (!tls) {
      serveHttp1(socket, connection, handle);
      return;
    }
    byPort.set(connection.clientPort, connection);
    clientHelloIn(socket, (hello) => {
      connection.hello = hello;
      log.changed();
      // Read on: the end of a connection that nobody reads from goes unnoticed.
      if (options.mute) socket.resume();
      else tls.emit('connection', socket);
    });
  });
  return { tcp, sockets };
}

function serveHttp1(socket: Duplex, connection: SeenConnection, handle: Handle): void {
  // 0: never closed from this side, and no Keep-Alive field that Firefox would obey.
  createHttp({ noDelay: true, keepAliveTimeout: 0 }, (request, response) => handle(request, response, connection)).emit(
    'connection',
    socket,
  );
}

interface TlsDeps {
  readonly byPort: ReadonlyMap<number, SeenConnection>;
  readonly handle: Handle;
}

function tlsServer(
  { certificate, alpn = ['h2', 'http/1.1'], settings = {} }: CountingOptions,
  log: ServerLog,
  { byPort, handle }: TlsDeps,
) {
  const tls = createTls({ ...certificate, ALPNProtocols: [...alpn], minVersion: 'TLSv1.3' });
  tls.on('tlsClientError', () => {});
  tls.on('secureConnection', (socket: TLSSocket) => {
    const connection = byPort.get(socket.remotePort ?? 0);
    if (!connection) return;
    connection.alpn = socket.alpnProtocol || 'none';
    connection.resumed = socket.isSessionReused();
    socket.on('error', () => {});
    log.changed();
    if (socket.alpnProtocol !== 'h2') {
      serveHttp1(socket, connection, handle);
      return;
    }
    const stream = teeFrames(socket, (frame) => {
      connection.frames.push(frame);
      log.changed();
    });
    const http2 = createHttp2({ settings }, (request, response) => handle(request, response, connection));
    http2.on('session', (session) => session.on('error', () => {}));
    http2.on('sessionError', () => {});
    http2.emit('connection', stream);
  });
  return tls;
}
