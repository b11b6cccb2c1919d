/**
 * Thirty origins at one address and port, told apart by Host: what goes out on the wrong connection arrives at the wrong origin. Answers on a
 * connection come in the order of its requests. It keeps who reached it on which connection, and what it has not answered itself.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { FORMS } from '../../contract/gateway/support/response-forms.ts';
import { bodyOf, movedTo, parsePath, typeOf } from './pages.ts';

/** A request as Firefox made it, by the mark that it carries, and its arrivals. */
export interface Arrivals {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  gateway: number;
  direct: number;
  /** Of the direct ones: those that this server left without an answer, which Firefox by itself may repeat. */
  unanswered: number;
  /** What happened to it here, each with its wall clock. */
  readonly seen: string[];
}

interface Connection {
  readonly nth: number;
  readonly socket: Socket;
  readonly hosts: Set<string>;
  /** Top-level site and container. */
  readonly tops: Set<string>;
  requests: number;
  /** Not answered yet. */
  waiting: number;
  /** Of a `Keep-Alive: max`. */
  left: number | undefined;
  work: Promise<unknown>;
  readonly owed: Set<Arrivals>;
  /** Not yet written whole. */
  readonly open: Set<Arrivals>;
}

interface Asked {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly fields: string;
}

const HINTS = 300;
/** Longer than a gateway lets others wait behind it. */
const ENDLESS_MS = 40_000;

export class WalkOrigins {
  readonly #server: Server;
  readonly #arrivals = new Map<string, Arrivals>();
  readonly #connections: Connection[] = [];
  readonly #gatewayConnections = new Set<Connection>();
  /** Requests that came before another on their connection was answered, and the most that were there at once. */
  pipelined = 0;
  #deepest = 0;
  /** What the surplus origin has sent unasked. */
  surplus = 0;

  constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(host: string): Promise<number> {
    this.#server.listen(0, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    for (const { socket } of this.#connections) socket.destroy();
  }

  /** Requests that came through the gateway. */
  byGateway = 0;

  /** What became here of a request that Firefox had under this id. */
  seenOf({ requestId, method, url }: { readonly requestId: string; readonly method: string; readonly url: string }): readonly string[] {
    const { host, pathname, search } = new URL(url);
    return this.#arrivals.get(`${requestId} ${method} ${host}${pathname}${search}`)?.seen ?? [];
  }

  get arrivals(): readonly Arrivals[] {
    return [...this.#arrivals.values()];
  }

  /** How many brought something, and how many of them something of two origins, or for two sites or containers. */
  get connections() {
    const used = this.#connections.filter(({ requests }) => requests > 0);
    return {
      used: used.length,
      gateway: this.#gatewayConnections.size,
      /** Top-level sites, each container's for itself. */
      sites: new Set(used.flatMap(({ tops }) => [...tops])).size,
      pipelinedRequests: this.pipelined,
      deepest: this.#deepest,
      twoOrigins: used.filter(({ hosts }) => hosts.size > 1).length,
      twoSites: used.filter(({ tops }) => tops.size > 1).length,
    };
  }

  #serve(socket: Socket): void {
    const connection: Connection = {
      nth: this.#connections.length,
      socket,
      hosts: new Set(),
      tops: new Set(),
      requests: 0,
      waiting: 0,
      left: undefined,
      work: Promise.resolve(),
      owed: new Set(),
      open: new Set(),
    };
    this.#connections.push(connection);
    let pending = '';
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      for (const arrivals of connection.owed) arrivals.unanswered += 1;
      connection.owed.clear();
      for (const arrivals of connection.open) note(arrivals, 'its connection closed', connection);
    });
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
        const fields = pending.slice(0, end);
        const length = Number(/^content-length: (\d+)/im.exec(fields)?.[1] ?? 0);
        if (pending.length < end + 4 + length) return;
        pending = pending.slice(end + 4 + length);
        this.#arrived(connection, fields);
      }
    });
  }

  #arrived(connection: Connection, fields: string): void {
    const [method = '', path = ''] = fields.split(' ', 2);
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(fields)?.[1]?.trim() ?? '';
    const host = field('host');
    // The gateway writes it behind the host; Firefox last, or behind what it accepts.
    const isGateway = /^\S+ \S+ HTTP\/1\.1\r\nHost: \S+\r\nConnection: /.test(fields);
    connection.requests += 1;
    connection.waiting += 1;
    this.#deepest = Math.max(this.#deepest, connection.waiting);
    if (connection.waiting > 1) this.pipelined += 1;
    connection.hosts.add(host);
    connection.tops.add(field('x-walk-top'));
    if (isGateway) {
      this.byGateway += 1;
      this.#gatewayConnections.add(connection);
    }
    const key = `${field('x-walk')} ${method} ${host}${path}`;
    const arrivals = this.#arrivals.get(key) ?? { method, host, path, gateway: 0, direct: 0, unanswered: 0, seen: [] };
    this.#arrivals.set(key, arrivals);
    arrivals[isGateway ? 'gateway' : 'direct'] += 1;
    if (!isGateway) connection.owed.add(arrivals);
    connection.open.add(arrivals);
    note(arrivals, `came ${isGateway ? 'by the gateway' : 'direct'}, ${connection.waiting} waiting`, connection);
    connection.work = connection.work.then(async () => {
      if (connection.socket.destroyed || connection.socket.writableEnded) return;
      if (await this.#answer(connection, { method, host, path, fields })) connection.owed.delete(arrivals);
      connection.waiting -= 1;
      connection.open.delete(arrivals);
      note(arrivals, 'written', connection);
    });
  }

  /** Whether it was answered so that nobody need ask again. */
  async #answer(connection: Connection, asked: Asked): Promise<boolean> {
    const { socket } = connection;
    const { host, path } = asked;
    const { way } = parsePath(path);
    const to = movedTo(host, path);
    const body = bodyOf(host, path);
    const fresh = 'Cache-Control: no-store\r\n';
    const type = `Content-Type: ${typeOf(path)}\r\nAccess-Control-Allow-Origin: *\r\n`;
    const sized = (status = '200 OK', more = fresh, length = body.length) =>
      `HTTP/1.1 ${status}\r\n${type}${more}Content-Length: ${length}\r\n\r\n`;
    const say = (head: string, content: Buffer = body) => write(socket, Buffer.concat([Buffer.from(head, 'latin1'), content]));
    if (to !== undefined)
      return say(
        `HTTP/1.1 302 Found\r\nLocation: ${to}\r\nAccess-Control-Allow-Origin: *\r\n${fresh}Content-Length: 0\r\n\r\n`,
        Buffer.alloc(0),
      );
    const chunked = `HTTP/1.1 200 OK\r\n${type}${fresh}Transfer-Encoding: chunked\r\n\r\n`;
    const form = /^form-(\d+)$/.exec(way)?.[1];
    if (form !== undefined) {
      const bytes = Object.values(FORMS)[Number(form)] ?? '';
      socket.end(Buffer.from(bytes.replaceAll('body', body.toString()), 'latin1'));
      return false;
    }
    switch (way) {
      case 'chunked':
        return say(chunked, chunks(body));
      case 'gzip': {
        const packed = gzipSync(body);
        return say(sized('200 OK', `${fresh}Content-Encoding: gzip\r\n`, packed.length), packed);
      }
      case 'kept':
        return say(sized('200 OK', 'Cache-Control: max-age=60\r\n'));
      case 'checked': {
        const tag = `"${body.length}"`;
        const checked = `Cache-Control: no-cache\r\nETag: ${tag}\r\n`;
        if (asked.fields.includes(`If-None-Match: ${tag}`)) return say(`HTTP/1.1 304 Not Modified\r\n${checked}\r\n`, Buffer.alloc(0));
        return say(sized('200 OK', checked));
      }
      case 'late':
        await sleep(50 + (body.length % 200));
        return say(sized());
      case 'close':
        await say(sized('200 OK', `${fresh}Connection: close\r\n`));
        socket.end();
        return true;
      case 'old':
        await say(`HTTP/1.0 200 OK\r\n${type}${fresh}\r\n`);
        socket.end();
        return true;
      case 'unsized':
        await say(`HTTP/1.1 200 OK\r\n${type}${fresh}\r\n`);
        socket.end();
        return true;
      case 'idle':
        setTimeout(() => socket.end(), 300);
        return say(sized());
      case 'max':
        connection.left ??= 3;
        connection.left -= 1;
        await say(sized('200 OK', `${fresh}${connection.left > 0 ? `Keep-Alive: max=${connection.left}\r\n` : 'Connection: close\r\n'}`));
        if (connection.left === 0) socket.end();
        return true;
      case 'error':
        await say(sized('500 Broken', `${fresh}Connection: close\r\n`));
        socket.end();
        return true;
      case 'odd-type':
        return say(sized().replace(/Content-Type: .*/, 'Content-Type: application/x-odd'));
      case 'dawdle':
        await sleep(1_500);
        return say(sized());
      case 'dribble':
        await write(socket, sized());
        for (let at = 0; at < 5; at += 1) {
          await sleep(40);
          await write(socket, body.subarray(Math.floor((body.length * at) / 5), Math.floor((body.length * (at + 1)) / 5)));
        }
        return true;
      case 'empty':
        return say(`HTTP/1.1 204 No Content\r\n${fresh}\r\n`);
      case 'no-answer':
        socket.end();
        return false;
      case 'surplus':
        this.surplus += 1;
        return say(sized(), Buffer.concat([body, Buffer.from(`HTTP/1.1 200 OK\r\n${type}Content-Length: 4\r\n\r\nEVIL`)]));
      case 'cut':
        await say(sized(), body.subarray(0, body.length >> 1));
        socket.end();
        return false;
      case 'cut-head':
        await write(socket, sized().slice(0, 20));
        socket.end();
        return false;
      case 'challenge':
        return say(sized('401 Unauthorized', `${fresh}WWW-Authenticate: Negotiate\r\n`));
      case 'endless':
        await write(socket, chunked);
        for (const until = Date.now() + ENDLESS_MS; Date.now() < until && !socket.destroyed; await sleep(100))
          await write(socket, '1\r\nx\r\n');
        socket.end();
        return true;
      case 'longer':
        return say(sized(), Buffer.concat([body, Buffer.from('and more than was said')]));
      case 'shorter':
        await say(sized('200 OK', fresh, body.length + 100));
        socket.end();
        return false;
      case 'chunk-extension':
        return say(chunked, chunks(body, ';name="a;b"'));
      case 'chunk-trailer':
        return say(chunked, chunks(body, '', 'X-After: this\r\n'));
      case 'chunk-zeros':
        return say(chunked, Buffer.from(chunks(body).toString('latin1').replace(/^/, '0000'), 'latin1'));
      case 'chunk-garbage':
        await say(chunked, Buffer.from('zz\r\nno chunk\r\n'));
        socket.end();
        return true;
      case 'chunk-huge':
        await say(chunked, Buffer.concat([Buffer.from('ffffffffffff\r\n'), body]));
        socket.end();
        return true;
      case 'chunk-unended':
        await say(chunked, chunks(body).subarray(0, -5));
        socket.end();
        return true;
      case 'hints':
        return say('HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n'.repeat(HINTS) + sized());
      case 'slow-head':
        for (const character of sized()) {
          await write(socket, character);
          await sleep(15);
        }
        return write(socket, body);
      case 'stuck-head':
        await write(socket, 'HTTP/1.1 200 OK\r\nX-Stuck: ');
        await sleep(8_000);
        socket.end();
        return false;
      default:
        return say(sized());
    }
  }
}

function note(arrivals: Arrivals, what: string, { nth }: Connection): void {
  arrivals.seen.push(`${Date.now()} ${what} (connection ${nth})`);
}

/** Waits for a slow reader. */
async function write(socket: Socket, bytes: Buffer | string): Promise<true> {
  if (!socket.destroyed && !socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
  return true;
}

/** Of unequal sizes. */
function chunks(body: Buffer, extension = '', trailers = ''): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0, size = 100; at < body.length; at += size, size *= 3) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailers}\r\n`)]);
}
