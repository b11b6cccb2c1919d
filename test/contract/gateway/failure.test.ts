import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { gatewayWith, noNames, using } from './support/fixture.ts';
import { type RawRequest, response, serveHttp, serveRaw } from './support/servers.ts';
import { basic, type GatewayClient } from './support/through-gateway.ts';

const setting = { connections: 1, depth: 6 };
const texts = async (asked: readonly Promise<{ body: Buffer }>[]) => (await Promise.all(asked)).map((a) => a.body.toString());

describe('an origin that cannot be reached', () => {
  it.each([
    ['http://127.0.0.1:1/', 502, 'http://127.0.0.1:1: it refused the connection.'],
    ['http://no-such-name.invalid/', 502, 'http://no-such-name.invalid: its name could not be resolved'],
  ])('%s', async (url, status, sentence) => {
    const { gateway, client } = await gatewayWith({ connections: 2, depth: 4 }, noNames);
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.ask(url)));
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(answer.body.toString()).toContain(sentence);
    }
    expect(gateway.counters().origins[0]).toMatchObject({ requests: 5, connectionsOpened: 0 });
    expect(gateway.counters().fallbacks).toEqual([]);
  });
});

describe('an origin that fails', () => {
  it('hangs: others are served meanwhile', async () => {
    const hanging = await using(serveRaw(() => {}));
    const fine = await using(serveHttp((q, r) => void r.end(q.url)));
    const { client } = await gatewayWith(setting);
    const abort = new AbortController();
    const waiting = Array.from({ length: 8 }, (_, i) => client.ask(`${hanging.origin}/${i}`, { signal: abort.signal }));
    expect(await texts(Array.from({ length: 20 }, (_, i) => client.ask(`${fine.origin}/${i}`)))).toEqual(
      Array.from({ length: 20 }, (_, i) => `/${i}`),
    );
    abort.abort();
    expect((await Promise.allSettled(waiting)).every((w) => w.status === 'rejected')).toBe(true);
  });

  it.each([
    ['sends garbage', ({ socket }: RawRequest) => void socket.write('garbage\r\n\r\n')],
    ['closes', ({ socket }: RawRequest) => void socket.destroy()],
  ])('%s whenever it is asked: once by the gateway, once unread', async (_what, fail) => {
    let asked = 0;
    const origin = await using(
      serveRaw((request) => {
        asked++;
        fail(request);
      }),
    );
    const { client } = await gatewayWith(setting);
    await expect(client.ask(`${origin.origin}/`)).rejects.toThrow();
    expect(asked).toBe(2);
  });

  it('closes on a POST: never sent twice, the browser decides', async () => {
    const asked: string[] = [];
    const origin = await using(
      serveRaw(({ socket, method }) => {
        asked.push(method);
        socket.destroy();
      }),
    );
    const { client } = await gatewayWith(setting);
    await expect(client.ask(`${origin.origin}/`, { method: 'POST', body: Buffer.from('x') })).rejects.toThrow('socket hang up');
    expect(asked).toEqual(['POST']);
  });
});

describe('a client that goes away', () => {
  /** Six outstanding on one connection; number `gone` is aborted; then the origin answers. */
  async function abortOneOfSix(gone: number, bodyOf: (path: string) => string) {
    const batch: RawRequest[] = [];
    let allThere = () => {};
    const all = new Promise<void>((resolve) => {
      allThere = resolve;
    });
    const origin = await using(
      serveRaw((request) => {
        if (request.connection > 1) return void request.socket.write(response(bodyOf(request.path)));
        if (batch.push(request) === 6) allThere();
      }),
    );
    const { gateway, client } = await gatewayWith(setting);
    const abort = new AbortController();
    const asked = [0, 1, 2, 3, 4, 5].map((i) => client.ask(`${origin.origin}/${i}`, i === gone ? { signal: abort.signal } : {}));
    const aborted = expect(asked[gone]).rejects.toThrow();
    await all;
    abort.abort();
    await aborted;
    for (const { socket, path } of batch) socket.write(response(bodyOf(path)));
    const rest = asked.filter((_, i) => i !== gone);
    return { bodies: await texts(rest), counters: gateway.counters() };
  }

  it.each([0, 3, 5])('costs the others nothing when its response is small (request %i)', async (gone) => {
    const { bodies, counters } = await abortOneOfSix(gone, (path) => path);
    expect(bodies).toEqual([0, 1, 2, 3, 4, 5].filter((i) => i !== gone).map((i) => `/${i}`));
    expect(counters.origins[0]).toMatchObject({ connectionsOpened: 1, handedBackRequests: 0 });
    expect(counters.fallbacks).toEqual([]);
  });

  it.each([0, 3])('costs those behind it the pipeline when its response is large (request %i)', async (gone) => {
    const { bodies, counters } = await abortOneOfSix(gone, (path) => (path === `/${gone}` ? 'x'.repeat(1_000_000) : path));
    expect(bodies).toEqual([0, 1, 2, 3, 4, 5].filter((i) => i !== gone).map((i) => `/${i}`));
    expect(counters.origins[0]).toMatchObject({ connectionsOpened: 1, handedBackRequests: 5 - gone });
    expect(counters.fallbacks).toEqual([]);
  });

  it('closes the connection when nobody else waits on it', async () => {
    const sockets: Socket[] = [];
    let arrived = () => {};
    const there = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const origin = await using(
      serveRaw(({ socket }) => {
        sockets.push(socket);
        arrived();
      }),
    );
    const { client } = await gatewayWith(setting);
    const abort = new AbortController();
    const asked = expect(client.ask(`${origin.origin}/`, { signal: abort.signal })).rejects.toThrow();
    await there;
    const closed = once(sockets[0] as Socket, 'close');
    abort.abort();
    await Promise.all([asked, closed]);
  });

  it('is not waited for by a connection on which nobody else is left', async () => {
    const first: RawRequest[] = [];
    let bothThere = () => {};
    const both = new Promise<void>((resolve) => {
      bothThere = resolve;
    });
    const origin = await using(
      serveRaw((request) => {
        if (first.push(request) === 2) bothThere();
      }),
    );
    const { client } = await gatewayWith(setting);
    const abort = new AbortController();
    const answered = client.ask(`${origin.origin}/0`);
    const aborted = expect(client.ask(`${origin.origin}/1`, { signal: abort.signal })).rejects.toThrow();
    await both;
    abort.abort();
    await aborted;
    // The gateway has seen the abort when it has served what was asked for after it.
    const other = await using(serveHttp((_q, r) => void r.end()));
    for (let i = 0; i < 3; i++) await client.ask(`${other.origin}/${i}`);
    const socket = first[0]?.socket;
    const closed = new Promise((resolve) => socket?.once('close', resolve));
    socket?.write(response('/0'));
    expect(await texts([answered])).toEqual(['/0']);
    await closed;
  });

  it('may go in the middle of an upload', async () => {
    const origin = await using(serveHttp((q, r) => void (q.method === 'POST' ? q.resume() : r.end('fine'))));
    const { gateway, client } = await gatewayWith(setting);
    const { port, host, secret } = gateway.route;
    const upload = httpRequest({
      host,
      port,
      path: `${origin.origin}/`,
      method: 'POST',
      headers: { 'content-length': 1_000_000, 'proxy-authorization': basic(secret) },
    });
    upload.on('error', () => {}).write('a part');
    await once(upload, 'socket');
    upload.destroy();
    expect(await texts([client.ask(`${origin.origin}/`)])).toEqual(['fine']);
  });
});

describe('back-pressure', () => {
  it('stops reading from the origin while the client does not read, and loses nothing', async () => {
    const size = 64 * 1024 * 1024;
    const chunk = Buffer.alloc(64 * 1024, 7);
    let written = 0;
    const origin = await using(
      serveHttp((_q, r) => {
        r.writeHead(200, { 'content-length': size });
        const go = () => {
          while (written < size) {
            written += chunk.length;
            if (!r.write(chunk)) return void r.once('drain', go);
          }
          r.end();
        };
        go();
      }),
    );
    const { gateway } = await gatewayWith(setting);
    const { host, port, secret } = gateway.route;
    const request = httpRequest({ host, port, path: `${origin.origin}/`, headers: { 'proxy-authorization': basic(secret) } }).end();
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    // No event tells that nothing happens: it has stopped when nothing was written for half a second.
    for (let before = -1; before !== written; ) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    // Kernel buffers of three sockets (tcp_wmem, tcp_rmem maxima: 4 + 6 MiB per hop) hold what is under way; the gateway
    // adds 0.2 MiB. Without back-pressure all 64 MiB are taken.
    expect(written).toBeLessThan(24 * 1024 * 1024);
    let read = 0;
    message.on('data', (c: Buffer) => {
      read += c.length;
    });
    await once(message, 'end');
    expect(read).toBe(size);
  });

  it('stops reading from the client while the origin does not read', async () => {
    const held: Socket[] = [];
    const server = createServer((socket) => void held.push(socket.on('error', () => {}).pause())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { gateway } = await gatewayWith(setting);
    const { host, port, secret } = gateway.route;
    const path = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const upload = httpRequest({
      host,
      port,
      path,
      method: 'PUT',
      headers: { 'proxy-authorization': basic(secret), 'content-length': 2 ** 30 },
    });
    upload.on('error', () => {});
    let taken = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const go = () => {
      while (taken < 2 ** 30) {
        taken += chunk.length;
        if (!upload.write(chunk)) return void upload.once('drain', go);
      }
    };
    go();
    for (let before = -1; before !== taken; ) {
      before = taken;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(taken).toBeLessThan(24 * 1024 * 1024);
    upload.destroy();
    for (const socket of held) socket.destroy();
    server.close();
  });
});

describe('configure', () => {
  const ask = (client: GatewayClient, origin: string, count: number) =>
    texts(Array.from({ length: count }, (_, i) => client.ask(`${origin}/${i}`)));

  it('given softly, ends nothing: the next requests have it, over new connections', async () => {
    let held: (() => void)[] = [];
    const connections = new Set<unknown>();
    const origin = await using(
      serveHttp((q, r) => {
        connections.add(q.socket);
        if (q.url?.startsWith('/held')) held.push(() => r.end(q.url));
        else r.end(q.url);
      }),
    );
    const { gateway, client } = await gatewayWith({ connections: 2, depth: 2 });
    const before = ['/held/0', '/held/1', '/held/2', '/held/3'];
    const asked = before.map((path) => client.ask(origin.origin + path));
    await expect.poll(() => held.length).toBe(4);
    gateway.reconfigure({ connections: 1, depth: 6 });
    const after = Promise.all(Array.from({ length: 6 }, (_, i) => client.ask(`${origin.origin}/held/after${i}`)));
    for (const answer of held) answer();
    held = [];
    expect((await Promise.all(asked)).map(({ body }) => body.toString())).toEqual(before);
    await expect.poll(() => held.length).toBe(6);
    for (const answer of held) answer();
    expect((await after).map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(connections.size).toBe(3);
    expect(gateway.counters().origins[0]).toMatchObject({ connectionsOpened: 3, peakDepth: 6, handedBackRequests: 0 });
    expect(() => gateway.reconfigure({ connections: 0, depth: 1 })).toThrow(/connections/);
  });

  it('closes every connection before it settles, and the next load begins cold', async () => {
    const open = new Set<Socket>();
    const origin = await using(
      serveHttp((q, r) => {
        if (!open.has(q.socket)) q.socket.once('close', () => open.delete(q.socket));
        open.add(q.socket);
        r.end(q.url);
      }),
    );
    const { gateway, client } = await gatewayWith({ connections: 3, depth: 2 });
    await ask(client, origin.origin, 12);
    expect(gateway.counters().origins[0]?.connectionsOpened).toBe(3);
    await gateway.configure({ connections: 1, depth: 4 });
    gateway.resetCounters();
    expect(gateway.counters().origins).toEqual([]);
    await ask(client, origin.origin, 12);
    expect(gateway.counters().origins[0]).toMatchObject({ connectionsOpened: 1, peakConnections: 1 });
    expect(open.size).toBe(1);
  });

  it('ends what is under way', async () => {
    const origin = await using(
      serveRaw(({ socket, nth }) => void (nth === 1 && socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'))),
    );
    const { gateway, client } = await gatewayWith({ connections: 1, depth: 2 });
    const { host, port, secret } = gateway.route;
    const begun = httpRequest({ host, port, path: `${origin.origin}/`, headers: { 'proxy-authorization': basic(secret) } }).end();
    const [message] = (await once(begun, 'response')) as [IncomingMessage];
    const cut = expect(once(message.resume(), 'end')).rejects.toThrow('aborted');
    const waiting = [1, 2, 3].map((i) => client.ask(`${origin.origin}/${i}`));
    // The origin counts nothing here; an answered request of another origin shows that the three have arrived.
    const other = await using(serveHttp((_q, r) => void r.end()));
    await client.ask(`${other.origin}/`);
    await gateway.configure({ connections: 2, depth: 1 });
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await cut;
  });

  it('refuses a bad setting and keeps the old', async () => {
    const { gateway } = await gatewayWith(setting);
    await expect(gateway.configure({ connections: 256, depth: 1 })).rejects.toMatchObject({ kind: 'bad-input' });
  });
});
