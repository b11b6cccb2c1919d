import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gatewayWith, using } from './support/fixture.ts';
import { response, serveHttp, serveRaw } from './support/servers.ts';
import { type Answer, basic } from './support/through-gateway.ts';

const allBytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256));

const pages: Record<string, RequestListener> = {
  '/length': (_q, r) => r.writeHead(200, { 'Content-Length': allBytes.length, 'content-TYPE': 'image/png' }).end(allBytes),
  '/chunked': (_q, r) => {
    r.writeHead(200);
    for (let i = 0; i < 70_000; i += 7_000) r.write(allBytes.subarray(i, i + 7_000));
    r.end();
  },
  '/gzip': (_q, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(allBytes)),
  '/cookies': (_q, r) =>
    r.writeHead(200, 'Fine by me', ['Set-Cookie', 'a=1', 'X-Between', '\u00e9\u00ff', 'Set-Cookie', 'b=2', 'ETag', '"x"']).end(),
  '/204': (_q, r) => r.writeHead(204, { 'x-a': 'b' }).end(),
  '/304': (_q, r) => r.writeHead(304, { etag: '"y"' }).end(),
  '/404': (_q, r) => r.writeHead(404).end('no'),
  '/empty': (_q, r) => r.writeHead(200, { 'content-length': 0 }).end(),
  '/close': (_q, r) => r.writeHead(200, { connection: 'close' }).end(allBytes),
  '/hints': (_q, r) => {
    r.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
    r.end('after hints');
  },
  '/trailers': (_q, r) => {
    r.writeHead(200, { trailer: 'X-Sum' });
    r.write('body');
    r.addTrailers({ 'X-Sum': '42' });
    r.end();
  },
};

/** What the framing, hop-by-hop fields and caches do not tell: nothing pipelined is kept. */
function endToEnd(answer: Answer) {
  const pairs: [string, string][] = [];
  for (let i = 0; i < answer.rawHeaders.length; i += 2) {
    const name = answer.rawHeaders[i] ?? '';
    if (!['connection', 'keep-alive', 'transfer-encoding', 'date', 'cache-control', 'etag'].includes(name.toLowerCase()))
      pairs.push([name, answer.rawHeaders[i + 1] ?? '']);
  }
  // A digest, because comparing long buffers member by member takes seconds.
  const body = createHash('sha256').update(answer.body).digest('hex');
  return { ...answer, headers: undefined, rawHeaders: pairs, body, length: answer.body.length };
}

function direct(url: string, method: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { method, agent: false }, (r) => {
      const chunks: Buffer[] = [];
      r.on('data', (c: Buffer) => chunks.push(c)).on('end', () =>
        resolve({
          status: r.statusCode ?? 0,
          message: r.statusMessage ?? '',
          headers: r.headers,
          rawHeaders: r.rawHeaders,
          rawTrailers: r.rawTrailers,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('what crosses the gateway', () => {
  it.each(
    Object.keys(pages)
      .flatMap((path) => ['GET', 'HEAD'].map((method) => ({ method, path })))
      .filter((c) => c.method === 'GET' || c.path !== '/trailers'),
  )('$method $path is what it is without a gateway, byte for byte', async ({ method, path }) => {
    const origin = await using(serveHttp((q, r) => pages[q.url ?? '']?.(q, r)));
    const { client } = await gatewayWith({ connections: 2, depth: 4 });
    const expected = endToEnd(await direct(origin.origin + path, method));
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.ask(origin.origin + path, { method })));
    for (const answer of answers) expect(endToEnd(answer)).toEqual(expected);
  });

  it('sends the request line and end-to-end fields as they were, and no hop-by-hop field', async () => {
    const heads: string[] = [];
    const origin = await using(
      serveRaw(({ socket, head }) => {
        heads.push(head);
        socket.write(response('ok'));
      }),
    );
    const { client } = await gatewayWith({ connections: 1, depth: 4 });
    await client.ask(`${origin.origin}/a%2Fb?x=%C3%A9&y=[1]`, {
      headers: {
        'X-Custom': 'kept',
        Cookie: 'a=1; b=2',
        Connection: 'keep-alive, X-Named',
        'X-Named': 'dropped',
        'Proxy-Connection': 'keep-alive',
        'Keep-Alive': 'timeout=5',
        TE: 'trailers',
        Upgrade: 'h2c',
        'Accept-Encoding': 'gzip, br',
      },
    });
    expect(heads[0]?.split('\r\n')).toEqual([
      'GET /a%2Fb?x=%C3%A9&y=[1] HTTP/1.1',
      `Host: 127.0.0.1:${origin.port}`,
      'Connection: keep-alive',
      'X-Custom: kept',
      'Cookie: a=1; b=2',
      'Accept-Encoding: gzip, br',
    ]);
  });

  it('takes the host from the target, whatever the Host field says', async () => {
    const hosts: (string | undefined)[] = [];
    const origin = await using(
      serveHttp((q, r) => {
        hosts.push(q.headers.host);
        r.end();
      }),
    );
    const { client } = await gatewayWith({ connections: 1, depth: 4 });
    await client.ask(`${origin.origin}/`, { headers: { host: 'elsewhere.example' } });
    expect(hosts).toEqual([`127.0.0.1:${origin.port}`]);
  });

  it.each(['length', 'chunked'])('streams an upload (%s) and returns it', async (framing) => {
    const origin = await using(serveHttp((q, r) => void q.pipe(r.writeHead(200, q.headers))));
    const { client } = await gatewayWith({ connections: 2, depth: 4 });
    const body = Buffer.concat(Array.from({ length: 40 }, () => allBytes));
    const headers: Record<string, string> =
      framing === 'length' ? { 'content-length': String(body.length) } : { 'transfer-encoding': 'chunked' };
    const answer = await client.ask(`${origin.origin}/echo`, { method: 'POST', body, headers: { ...headers, 'x-a': 'b' } });
    expect(answer.body.equals(body)).toBe(true);
    expect(answer.headers['x-a']).toBe('b');
  });

  it('passes an answer on that comes before the upload is complete', async () => {
    const origin = await using(serveHttp((_q, r) => void r.writeHead(413).end('too large')));
    const { client } = await gatewayWith({ connections: 2, depth: 4 });
    const answer = await client.ask(`${origin.origin}/`, { method: 'POST', body: Buffer.alloc(3_000_000) });
    expect([answer.status, answer.body.toString()]).toEqual([413, 'too large']);
    expect((await client.ask(`${origin.origin}/`)).status).toBe(413);
  });

  it('keeps an empty POST empty', async () => {
    const seen: unknown[] = [];
    const origin = await using(
      serveHttp((q, r) => {
        seen.push([q.method, q.headers['content-length'], q.headers['transfer-encoding']]);
        r.end();
      }),
    );
    const { client } = await gatewayWith({ connections: 1, depth: 4 });
    await client.ask(`${origin.origin}/`, { method: 'POST', headers: { 'content-length': '0' } });
    await client.ask(`${origin.origin}/`, { method: 'GET', headers: { 'content-length': '0' } });
    expect(seen).toEqual([
      ['POST', '0', undefined],
      ['GET', undefined, undefined],
    ]);
  });

  it('gives the head of a slow response at once, not with its body', async () => {
    let release = () => {};
    const origin = await using(
      serveHttp((_q, r) => {
        r.writeHead(200, { 'content-length': 4 }).flushHeaders();
        release = () => r.end('late');
      }),
    );
    const { gateway } = await gatewayWith({ connections: 1, depth: 4 });
    const { host, port, secret } = gateway.route;
    const request = httpRequest({ host, port, path: `${origin.origin}/`, headers: { 'proxy-authorization': basic(secret) } }).end();
    const [head] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    release();
    const [chunk] = (await once(head, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('late');
    request.destroy();
  });

  // Firefox tells the type of a picture from the first piece of its body and refuses it when that is too small.
  it.each([
    { type: 'image/png', first: 1445 },
    { type: 'text/event-stream', first: 6 },
  ])('gives the first $first bytes of $type together, however small the pieces that come', async ({ type, first }) => {
    const body = allBytes.subarray(0, 2000);
    let release = () => {};
    const origin = await using(
      serveRaw(({ socket }) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 2000\r\n\r\n`);
        socket.write(body.subarray(0, 6));
        release = () => socket.write(body.subarray(6));
      }),
    );
    const { gateway } = await gatewayWith({ connections: 1, depth: 4 });
    const { host, port, secret } = gateway.route;
    const request = httpRequest({ host, port, path: `${origin.origin}/`, headers: { 'proxy-authorization': basic(secret) } }).end();
    const [answer] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    if (first > 6) release();
    const pieces: Buffer[] = [];
    answer.on('data', (piece: Buffer) => {
      pieces.push(piece);
      if (pieces.length === 1 && first === 6) release();
    });
    await once(answer, 'end');
    expect(pieces[0]?.length).toBeGreaterThanOrEqual(first);
    expect(Buffer.concat(pieces).equals(body)).toBe(true);
  });

  it('gives a picture that is smaller whole', async () => {
    const origin = await using(serveHttp((_q, r) => void r.writeHead(200, { 'content-type': 'image/gif' }).end('GIF89a')));
    const { client } = await gatewayWith({ connections: 1, depth: 4 });
    expect((await client.ask(`${origin.origin}/`)).body.toString()).toBe('GIF89a');
  });

  it('does not let an origin ask for the secret with a 407', async () => {
    const origin = await using(serveHttp((_q, r) => void r.writeHead(407, { 'proxy-authenticate': 'Basic realm="plumbfox"' }).end()));
    const { client } = await gatewayWith({ connections: 1, depth: 4 });
    const answer = await client.ask(`${origin.origin}/`);
    expect(answer.status).toBe(502);
    expect(answer.headers['proxy-authenticate']).toBeUndefined();
  });
});

it('a reason phrase that comes in two pieces is whole', async () => {
  const origin = await using(
    serveRaw(({ socket }) => {
      socket.write('HTTP/1.1 304 Not Modifie');
      // Long enough to be read by itself.
      setTimeout(() => socket.write('d\r\nETag: "x"\r\n\r\n'), 50);
    }),
  );
  const { client } = await gatewayWith({ connections: 1, depth: 1 });
  expect(await client.ask(origin.origin)).toMatchObject({ status: 304, message: 'Not Modified' });
});
