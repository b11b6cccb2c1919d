/** What the command's gateway does not carry: it passes each client to the server on a connection of its own, and reads nothing. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { gatewayWith, using } from './support/fixture.ts';
import { type RawRequest, response, serveRaw } from './support/servers.ts';
import { basic } from './support/through-gateway.ts';

const setting = { connections: 1, depth: 6 };

/** One connection of a client, on which it sends one request after another and reads what comes. */
async function clientOf(port: number, secret: string, origin: string) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
  });
  const send = (method: string, path: string, fields = '', body = '') =>
    socket.write(`${method} ${origin}${path} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(secret)}\r\n${fields}\r\n${body}`);
  return { socket, send, has: (part: string) => expect.poll(() => text).toContain(part), text: () => text };
}

describe('a handshake that belongs to a connection', () => {
  it('has one from its client to the server, which nobody else uses', async () => {
    const seen: [string, number][] = [];
    const origin = await using(
      serveRaw(({ socket, path, connection, head }) => {
        seen.push([`${path} ${/^authorization: (.*)$/im.exec(head)?.[1] ?? 'nobody'}`, connection]);
        socket.write(
          head.includes('uthorization: NTLM') ? response(path) : `HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n`,
        );
      }),
    );
    const { gateway } = await gatewayWith(setting);
    const { port, secret } = gateway.route;
    const one = await clientOf(port, secret, origin.origin);
    one.send('GET', '/a');
    await one.has('401 No');
    one.send('GET', '/b', 'Authorization: NTLM 1\r\n');
    await one.has('/b');
    one.send('GET', '/c', 'Authorization: NTLM 3\r\n');
    await one.has('/c');
    const other = await clientOf(port, secret, origin.origin);
    other.send('GET', '/d');
    await other.has('401 No');
    const connectionOf = (asked: string) => seen.find(([what]) => what === asked)?.[1];
    // The challenge came on a pipeline's connection; what follows it has its own.
    expect(connectionOf('/b NTLM 1')).toBe(connectionOf('/c NTLM 3'));
    expect(new Set([connectionOf('/b NTLM 1'), connectionOf('/d nobody'), connectionOf('/a nobody')]).size).toBe(3);
    one.socket.destroy();
    other.socket.destroy();
  });
});

describe('a body', () => {
  const held = () => {
    const far: Socket[] = [];
    const texts: string[] = [];
    const server = createServer((socket) => {
      const nth = far.push(socket.on('error', () => {})) - 1;
      texts[nth] = '';
      socket.on('data', (piece) => {
        texts[nth] = `${texts[nth]}${piece}`;
      });
    });
    return { server, far, texts };
  };

  it('that is cut short swallows nobody’s request: its connection ends with it', async () => {
    const { server, far, texts } = held();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const { gateway, client } = await gatewayWith(setting);
    const { port, secret } = gateway.route;
    const short = await clientOf(port, secret, origin);
    short.send('POST', '/', 'Content-Length: 1000\r\n', 'a part');
    await expect.poll(() => texts[0]).toMatch(/^POST \/ [\s\S]*a part$/);
    const ended = once(far[0] as Socket, 'close');
    short.socket.destroy();
    await ended;
    client.ask(`${origin}/next`).catch(() => undefined);
    await expect.poll(() => texts[1]).toMatch(/^GET \/next /);
    expect(texts[0]).not.toContain('/next');
    for (const socket of far) socket.destroy();
    server.close();
  });

  it('of chunks arrives as chunks, whole', async () => {
    const heads: string[] = [];
    const origin = await using(
      serveRaw(({ socket, head, path }) => {
        heads.push(head);
        if (path === '/') socket.write(response('taken'));
      }),
    );
    const { gateway } = await gatewayWith(setting);
    const { port, secret } = gateway.route;
    const one = await clientOf(port, secret, origin.origin);
    one.send('POST', '/', 'Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n');
    await one.has('taken');
    expect(heads[0]).toMatch(/^POST \/ HTTP\/1\.1\r\n[\s\S]*Transfer-Encoding: chunked/);
    one.socket.destroy();
  });
});

it.each([
  ['at once', 'HTTP/1.1 407 Mine\r\nContent-Length: 0\r\n\r\n'],
  ['behind an interim response', 'HTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 407 Mine\r\nContent-Length: 0\r\n\r\n'],
  ['behind what is no response', 'junkHTTP/1.1 407 Mine\r\nContent-Length: 0\r\n\r\n'],
])('an origin that asks for the secret, %s, does not reach Firefox', async (_when, bytes) => {
  const origin = await using(
    serveRaw(({ socket }: RawRequest) => {
      // A byte at a time, so that no piece shows it whole.
      const pieces = bytes.match(/[\s\S]{1,3}/g) ?? [];
      const next = () => {
        const piece = pieces.shift();
        if (piece !== undefined && socket.writable) socket.write(piece, () => setImmediate(next));
      };
      next();
    }),
  );
  const { gateway } = await gatewayWith(setting);
  const { port, secret } = gateway.route;
  const one = await clientOf(port, secret, origin.origin);
  one.send('POST', '/', 'Content-Length: 0\r\n');
  await once(one.socket, 'close');
  expect(one.text()).toMatch(/502 [\s\S]*it asked for proxy authentication/);
  expect(one.text()).not.toContain('407');
});

it('goes on for another server on the same connection of its client, and ends with it', async () => {
  const [one, two] = await Promise.all(
    [1, 2].map((nth) => using(serveRaw(({ socket, path }) => void socket.write(response(`${nth}${path}`))))),
  );
  const { gateway } = await gatewayWith(setting);
  const { port, secret } = gateway.route;
  const client = await clientOf(port, secret, '');
  client.send('DELETE', `${one?.origin}/a`);
  await client.has('1/a');
  client.send('DELETE', `${two?.origin}/b`);
  await client.has('2/b');
  client.send('GET', `${two?.origin}/c`);
  await client.has('2/c');
  expect(client.socket.destroyed).toBe(false);
  const ended = once(client.socket, 'close');
  await gateway.dropConnections();
  await ended;
});

it('a site that was not given is refused', async () => {
  const origin = await using(serveRaw(({ socket }) => void socket.write(response('reached'))));
  const { client } = await gatewayWith({ ...setting, sites: ['http://given.example'] });
  expect((await client.ask(`${origin.origin}/`)).status).toBe(403);
});

it('a name that leads to this machine is not followed, by GET or POST', async () => {
  let reached = 0;
  const origin = await using(serveRaw(() => reached++));
  const site = `http://given.example:${origin.port}`;
  const lookup = (_host: string, _options: object, callback: (error: null, found: { address: string; family: number }[]) => void) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  const { client } = await gatewayWith({ ...setting, sites: [site] }, { lookup });
  const got = await Promise.all(['GET', 'POST'].map((method) => client.ask(`${site}/`, { method })));
  expect(got.map(({ status, body }) => [status, body.toString()])).toEqual(
    Array(2).fill([403, `Plumbfox gateway: ${site}: its name leads to this machine or a private network.\n`]),
  );
  expect(reached).toBe(0);
});
