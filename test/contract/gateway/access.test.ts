import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../../../src/gateway/gateway.ts';
import { gatewayWith, using } from './support/fixture.ts';
import { serveHttp } from './support/servers.ts';
import { basic } from './support/through-gateway.ts';

const setting = { connections: 2, depth: 4 };
const SECRET = 'sixteen-or-more_characters';

/** What comes back for the bytes sent, until the gateway closes the connection. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (c) => chunks.push(c)).on('error', () => socket.destroy());
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('who may use the gateway', () => {
  it.each([
    ['nothing', null],
    ['another secret', basic('x'.repeat(SECRET.length))],
    ['a secret of another length', basic('x')],
    ['another user', basic(SECRET, 'someone')],
    ['another scheme', `Bearer ${SECRET}`],
    ['no base64', 'Basic \u00e9\u00e9'],
    ['an empty value', 'Basic'],
  ])('refuses %s with 407 and a challenge, and asks the origin nothing', async (_what, authorization) => {
    let asked = 0;
    const origin = await using(serveHttp((_q, r) => void r.end(String(++asked))));
    const { gateway, client } = await gatewayWith({ ...setting, secret: SECRET });
    const answer = await client.ask(`${origin.origin}/`, { authorization });
    expect(answer.status).toBe(407);
    expect(answer.headers['proxy-authenticate']).toBe('Basic realm="plumbfox"');
    expect(asked).toBe(0);
    expect(gateway.counters()).toMatchObject({ unauthorised: 1, origins: [] });
    expect((await client.ask(`${origin.origin}/`)).body.toString()).toBe('1');
  });

  it('listens on loopback only', async () => {
    const { gateway } = await gatewayWith(setting);
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((a) => a !== undefined && !a.internal && a.family === 'IPv4');
    if (outside === undefined) return;
    const socket = connect(gateway.route.port, outside.address);
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it.each(['/', '/index.html', '*'])('has no pages of its own (%s)', async (target) => {
    const { client } = await gatewayWith(setting);
    expect((await client.ask(target)).status).toBe(400);
  });

  it.each([
    'https://example.org/',
    'ftp://example.org/',
    'http://',
    'http:///x',
    'http://user:pw@127.0.0.1/',
    'http://[::1/',
    'http://a b/',
    'nonsense',
  ])('refuses the target %s', async (target) => {
    const { gateway } = await gatewayWith({ ...setting });
    const { port, secret } = gateway.route;
    const answer = await raw(
      port,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(secret)}\r\nConnection: close\r\n\r\n`,
    );
    // What Node's parser refuses is closed: its own answer would be taken for the site's.
    expect(answer).toMatch(/^(?:HTTP\/1\.1 400 |$)/);
  });

  // A message of two lengths would be one request to the gateway and two to the server behind it (RFC 9112, 11.2).
  it.each([
    ['Content-Length and Transfer-Encoding', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!'],
    ['a length in two ways', 'Content-Length: 5, 6\r\n', 'hello!'],
    ['a negative length', 'Content-Length: -1\r\n', ''],
    ['chunked that is not last', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n', '0\r\n\r\n'],
    ['a field folded over two lines', 'X: a\r\n b\r\nTransfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'],
    ['a bare line feed in a field', 'X: a\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ])('gives no request of %s to anybody, nor what follows it', async (_what, framing, body) => {
    const paths: string[] = [];
    const origin = await using(
      serveHttp((q, r) => {
        paths.push(q.url ?? '');
        q.resume().on('end', () => r.end());
      }),
    );
    const { gateway } = await gatewayWith(setting);
    const { port, secret } = gateway.route;
    const head = (path: string) => `${origin.origin}${path} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(secret)}\r\n`;
    const smuggled = `GET ${head('/smuggled')}Connection: close\r\n\r\n`;
    expect(await raw(port, `POST ${head('/')}${framing}\r\n${body}${smuggled}`)).toBe('');
    expect(paths).toEqual([]);
  });

  it.each(['127.0.0.1', 'localhost', '127.1', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0', '127.0.0.2'])(
    'does not connect to itself (%s)',
    async (host) => {
      const { gateway, client } = await gatewayWith(setting);
      const { port, secret } = gateway.route;
      expect((await client.ask(`http://${host}:${port}/`)).status).toBe(403);
      expect(await raw(port, `CONNECT ${host}:${port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(secret)}\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 403 /,
      );
    },
  );
});

describe('CONNECT', () => {
  const tunnel = async (route: { port: number; secret: string }, target: string, authorization = basic(route.secret)) => {
    const request = httpRequest({
      port: route.port,
      host: '127.0.0.1',
      method: 'CONNECT',
      path: target,
      headers: { 'proxy-authorization': authorization },
    }).end();
    const [response, socket] = (await once(request, 'connect')) as [{ statusCode: number; headers: Record<string, string> }, Socket];
    return { status: response.statusCode, headers: response.headers, socket };
  };

  it('is refused without the secret, with a challenge', async () => {
    const { gateway } = await gatewayWith(setting);
    const { status, headers } = await tunnel(gateway.route, '127.0.0.1:9', 'Basic wrong');
    expect([status, headers['proxy-authenticate']]).toEqual([407, 'Basic realm="plumbfox"']);
    expect(gateway.counters()).toMatchObject({ unauthorised: 1 });
  });

  it('has no tunnel with it either: https goes past the gateway', async () => {
    const { gateway } = await gatewayWith(setting);
    expect((await tunnel(gateway.route, 'nobody:443')).status).toBe(403);
  });

  it('survives a client that goes away while it is refused', async () => {
    const { gateway, client } = await gatewayWith(setting);
    const socket = connect(gateway.route.port, '127.0.0.1');
    socket.write(`CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(gateway.route.secret)}\r\n\r\n`);
    await once(socket, 'connect');
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect((await client.ask('/')).status).toBe(400);
  });
});

describe('starting', () => {
  it('refuses options out of range, naming them and never the secret', async () => {
    await expect(startGateway({ sites: 'any', connections: 0, depth: 1 })).rejects.toMatchObject({
      kind: 'bad-input',
      message: expect.stringContaining('connections'),
    });
    await expect(startGateway({ sites: 'any', connections: 1, depth: 65 })).rejects.toMatchObject({
      kind: 'bad-input',
      message: expect.stringContaining('depth'),
    });
    await expect(startGateway({ sites: 'any', connections: 1, depth: 1.5 })).rejects.toMatchObject({ kind: 'bad-input' });
    await expect(startGateway({ sites: 'any', connections: 1, depth: 1, port: 70_000 })).rejects.toMatchObject({ kind: 'bad-input' });
    const error = await startGateway({ sites: 'any', connections: 1, depth: 1, secret: 'short secret' }).catch((e: Error) => e);
    expect(error).toMatchObject({ kind: 'bad-input', message: expect.not.stringContaining('short secret') });
  });

  it('says that a port is in use', async () => {
    const { gateway } = await gatewayWith(setting);
    const { port } = gateway.route;
    await expect(startGateway({ ...setting, sites: 'any', port })).rejects.toMatchObject({
      kind: 'environment',
      message: `The gateway cannot listen on 127.0.0.1:${port}: it is in use`,
    });
  });

  it('has a new secret each time', async () => {
    const one = await gatewayWith(setting);
    const two = await gatewayWith(setting);
    expect(one.gateway.route.secret).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(one.gateway.route.secret).not.toBe(two.gateway.route.secret);
  });
});
