/** What the gateway of Plumbfox's extension does not carry beyond doubt: it is handed back, and Firefox asks for it direct. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { gatewayWith, using } from './support/fixture.ts';
import { FORMS } from './support/response-forms.ts';
import { type RawRequest, response, serveHttp, serveRaw } from './support/servers.ts';
import { type Answer, basic, GatewayClient } from './support/through-gateway.ts';

const SECRET = 'sixteen-or-more_characters';
/** Its servers stand for others' machines. */
const ELSEWHERE = { isNear: (address: string) => address !== '127.0.0.1', probation: 0 };

async function extensionGateway(origins: readonly string[], { seams = {}, depth = 6 }: { seams?: object; depth?: number } = {}) {
  const { gateway, client } = await gatewayWith({ connections: 1, depth, secret: SECRET, sites: 'found' }, { ...ELSEWHERE, ...seams });
  gateway.carry(origins.map((origin) => ({ origin, address: '127.0.0.1' })));
  return { gateway, client };
}

/** Nobody is waited for that long: each answer is there at once. A busy machine may take its time. */
const HANGS_MS = 60_000;

const why = ({ status, headers }: Answer) => (status === 502 ? headers['plumbfox-gateway'] : undefined);
const OK = (body: string) => response(body);

describe('is never carried', () => {
  it.each([
    ['with a password', { headers: { authorization: 'Basic eA==' } }, 'authentication'],
    ['a POST', { method: 'POST', body: Buffer.from('x') }, 'again'],
    ['a DELETE', { method: 'DELETE' }, 'again'],
    ['a GET with a body', { body: Buffer.from('x'), headers: { 'content-length': '1' } }, 'again'],
    ['an upgrade', { headers: { connection: 'upgrade', upgrade: 'h2c' } }, 'again'],
  ] as const)('what is asked %s', async (_what, ask, reason) => {
    let asked = 0;
    const origin = await using(serveHttp((_q, r) => void r.end(String(++asked))));
    const { client } = await extensionGateway([origin.origin]);
    expect(why(await client.ask(`${origin.origin}/`, ask))).toBe(reason);
    expect(asked).toBe(0);
    expect((await client.ask(`${origin.origin}/`)).body.toString()).toBe('1');
  });

  it('what the extension has not found, and what is on this machine', async () => {
    const origin = await using(serveHttp((_q, r) => void r.end('here')));
    const { gateway, client } = await extensionGateway([]);
    expect(why(await client.ask(`${origin.origin}/`))).toBe('again');
    gateway.carry([{ origin: origin.origin, address: '127.0.0.2' }]);
    expect(why(await client.ask(`${origin.origin}/`))).toBe('this-machine');
  });

  it('a tunnel', async () => {
    const { gateway } = await extensionGateway(['http://127.0.0.1:1']);
    const socket = connect(gateway.route.port, '127.0.0.1');
    socket.write(`CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: 127.0.0.1\r\nproxy-authorization: ${basic(SECRET)}\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
  });
});

it('a challenge is left to Firefox, and the site with it', async () => {
  const asked: string[] = [];
  const origin = await using(
    serveHttp((q, r) => {
      asked.push(q.url ?? '');
      r.writeHead(401, { 'www-authenticate': 'NTLM' }).end('no');
    }),
  );
  const { client } = await extensionGateway([origin.origin]);
  expect(why(await client.ask(`${origin.origin}/a`))).toBe('authentication');
  expect(why(await client.ask(`${origin.origin}/b`))).toBe('authentication');
  expect(asked).toEqual(['/a']);
});

it('a server’s own word of that kind does not pass', async () => {
  const origin = await using(serveHttp((_q, r) => void r.writeHead(502, { 'plumbfox-gateway': 'misbehaved' }).end('its own')));
  const { client } = await extensionGateway([origin.origin]);
  const answer = await client.ask(`${origin.origin}/`);
  expect([answer.status, answer.body.toString(), answer.headers['plumbfox-gateway']]).toEqual([502, 'its own', undefined]);
});

it('nobody there is for Firefox to find out', async () => {
  const origin = await using(serveHttp((_q, r) => void r.end()));
  await origin.close();
  const { client } = await extensionGateway([origin.origin]);
  expect(why(await client.ask(`${origin.origin}/`))).toBe('again');
});

describe('a server that cannot be relied on', () => {
  const PATHS = [0, 1, 2, 3, 4, 5].map((at) => `/${at}`);

  /** Six at once on one connection; `handle` sees those on the first connection when all are there. */
  async function sixThrough(handle: (request: RawRequest) => void) {
    const first: RawRequest[] = [];
    const arrived: string[] = [];
    const origin = await using(
      serveRaw((request) => {
        arrived.push(request.path);
        if (request.connection > 1 || request.nth > PATHS.length) return handle(request);
        first.push(request);
        if (first.length === PATHS.length) for (const each of first) handle(each);
      }),
    );
    const { gateway, client } = await extensionGateway([origin.origin]);
    const answers = await Promise.allSettled(PATHS.map((path) => client.ask(`${origin.origin}${path}`)));
    const got = answers.map((each) => (each.status === 'rejected' ? 'cut' : (why(each.value) ?? each.value.body.toString())));
    return { got, arrived, gateway, next: async () => client.ask(`${origin.origin}/next`), origin: origin.origin };
  }

  it('closes in the middle: what was lost reaches it no second time through the gateway, and the next goes direct', async () => {
    const { got, arrived, next } = await sixThrough(({ socket, path, nth }) => {
      if (nth === 1) socket.end(OK(path));
    });
    expect(got).toEqual(['/0', ...Array.from({ length: 5 }, () => 'misbehaved')]);
    expect(arrived).toEqual(PATHS);
    expect(why(await next())).toBe('misbehaved');
    expect(arrived).toEqual(PATHS);
  });

  it('cuts an answer short: it is not made whole from another', async () => {
    const { got, arrived } = await sixThrough(({ socket, path, nth }) => {
      if (nth === 1) socket.end(`HTTP/1.1 200 OK\r\nETag: "x"\r\nContent-Length: 100\r\n\r\n${path}`);
    });
    expect(got).toEqual(['cut', ...Array.from({ length: 5 }, () => 'misbehaved')]);
    expect(arrived).toEqual(PATHS);
  });

  it('answers more than it was asked: once that shows, nothing of it is carried', async () => {
    const { got, next } = await sixThrough(({ socket, path, nth }) => {
      socket.write(OK(path));
      if (nth === 1) socket.write(OK('EVIL'));
    });
    // Which answer was the surplus one cannot be told: they carry no name (RFC 9112, 9.3.2). What shows is that there is one too many.
    expect(got).toEqual(['/0', 'EVIL', '/1', '/2', '/3', '/4']);
    expect(why(await next())).toBe('misbehaved');
  });

  it('sends garbage in the place of an answer', async () => {
    const { got, arrived } = await sixThrough(({ socket, path, nth }) => {
      socket.write(nth === 3 ? '\0\0 this is no HTTP \r\n\r\n' : OK(path));
    });
    expect(got).toEqual(['/0', '/1', ...Array.from({ length: 4 }, () => 'misbehaved')]);
    expect(arrived).toEqual(PATHS);
  });

  it('begins anew when the person lists it again', async () => {
    const { next, gateway, origin } = await sixThrough(({ socket, path, nth, connection }) => {
      if (connection > 1) socket.write(OK(path));
      else if (nth === 1) socket.end(OK(path));
    });
    expect(why(await next())).toBe('misbehaved');
    gateway.carry([]);
    gateway.carry([{ origin, address: '127.0.0.1' }]);
    expect((await next()).body.toString()).toBe('/next');
  });

  it('that says the end beforehand may have left one out', async () => {
    const { got, arrived, next } = await sixThrough(({ socket, path, nth, connection }) => {
      if (connection > 1 || nth < 3) socket.write(OK(path));
      else if (nth === 3) socket.end(response(path, 'Connection: close\r\n'));
    });
    expect(got).toEqual(['/0', '/1', '/2', 'misbehaved', 'misbehaved', 'misbehaved']);
    expect(arrived).toEqual(PATHS);
    expect(why(await next())).toBe('misbehaved');
  });
});

describe('an answer of a form that not everyone takes', () => {
  it.each(Object.entries(FORMS))('%s: passes or is handed back; it never hangs', async (_form, bytes) => {
    let arrived = 0;
    const origin = await using(
      serveRaw(({ socket }) => {
        arrived += 1;
        socket.end(Buffer.from(bytes, 'latin1'));
      }),
    );
    const { client } = await extensionGateway([origin.origin]);
    const got = await client.ask(`${origin.origin}/`, { signal: AbortSignal.timeout(HANGS_MS) }).then(
      (answer) => why(answer) ?? `${answer.status} ${answer.body}`,
      (error: NodeJS.ErrnoException) => (error.name === 'AbortError' || error.name === 'TimeoutError' ? 'hangs' : 'cut'),
    );
    expect(got).toMatch(/^(?:200 body|204 |misbehaved|again)$/);
    expect(arrived).toBe(1);
  });
});

describe('before the secret', () => {
  const open = (port: number) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    return socket;
  };

  it('no head is longer than 16 kB, and none is answered', async () => {
    const { gateway } = await extensionGateway([]);
    const socket = open(gateway.route.port);
    let answered = 0;
    socket.on('data', (chunk) => {
      answered += chunk.length;
    });
    socket.write(`GET http://a.example/ HTTP/1.1\r\nX: ${'x'.repeat(17_000)}`);
    await once(socket, 'close');
    expect(answered).toBe(0);
  });

  it('no head takes longer than it may', async () => {
    const { gateway } = await extensionGateway([], { seams: { headMs: 300 } });
    const socket = open(gateway.route.port);
    socket.write('GET http://a.example/ HTTP/1.1\r\nX: ');
    await once(socket, 'close');
  });

  it('there are 64 connections at most: the oldest goes, one that has shown it stays', async () => {
    const origin = await using(serveHttp((_q, r) => void r.end('here')));
    const { gateway, client } = await extensionGateway([origin.origin]);
    await client.ask(`${origin.origin}/`);
    const strangers = [];
    let closed = 0;
    for (let nth = 0; nth < 600; nth += 1) {
      const socket = open(gateway.route.port);
      socket.once('close', () => closed++);
      await once(socket, 'connect');
      socket.write('GET http://a.example/ HTTP/1.1\r\nX: ');
      strangers.push(socket);
    }
    await expect.poll(() => closed).toBe(600 - 64);
    expect(client.openSockets).toBe(1);
    expect((await client.ask(`${origin.origin}/`)).body.toString()).toBe('here');
    for (const socket of strangers) socket.destroy();
  });
});

it('what waits behind a chunked answer without an end is handed back, and its site is remembered', async () => {
  let begun = () => {};
  const begins = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const origin = await using(
    serveRaw(({ socket, path }) => {
      // What comes after it on its connection has its turn never.
      if (path !== '/camera') return;
      begun();
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
      const beat = setInterval(() => socket.write('1\r\nx\r\n'), 20);
      socket.once('close', () => clearInterval(beat));
    }),
  );
  const { client } = await extensionGateway([origin.origin], { seams: { stallMs: 300 } });
  client.ask(`${origin.origin}/camera`).catch(() => undefined);
  await begins;
  expect(why(await client.ask(`${origin.origin}/behind`))).toBe('misbehaved');
  expect(why(await client.ask(`${origin.origin}/later`))).toBe('misbehaved');
});

it.each([
  ['without a length', 'Content-Type: image/jpeg\r\n'],
  ['of a type that has no end', 'Content-Type: multipart/x-mixed-replace;boundary=b\r\nContent-Length: 900000\r\n'],
  ['of events', 'Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n'],
])('nobody waits behind an answer %s: it is handed back with all behind it, at once, and its site is remembered', async (_what, fields) => {
  const waiting: RawRequest[] = [];
  const origin = await using(
    serveRaw((request) => {
      if (waiting.push(request) === 3) request.socket.write(`HTTP/1.1 200 OK\r\n${fields}\r\n--b`);
    }),
  );
  const { client } = await extensionGateway([origin.origin]);
  const got = await Promise.all(['/camera', '/1', '/2'].map((path) => client.ask(origin.origin + path)));
  expect(got.map(why)).toEqual(Array(3).fill('misbehaved'));
  expect(why(await client.ask(`${origin.origin}/later`))).toBe('misbehaved');
  expect(waiting).toHaveLength(3);
});

/** Four connections to a server that never ends what begins like this, until each is closed. */
it.each([
  ['reason', 'HTTP/1.1 200 '],
  ['field', 'HTTP/1.1 200 OK\r\nX-A: '],
  ['chunk extension', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;'],
  ['trailer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: '],
])('a %s without an end is read as far as a head may be long, and no further', async (_what, begin) => {
  const written: number[] = [];
  const origin = await using(
    serveRaw(({ socket }) => {
      const filler = 'x'.repeat(16_384);
      const nth = written.push(0) - 1;
      const more = () => {
        while (socket.writable && socket.write(filler)) written[nth] = socket.bytesWritten;
        written[nth] = socket.bytesWritten;
        socket.once('drain', more);
      };
      socket.write(begin);
      more();
    }),
  );
  const { gateway } = await gatewayWith({ connections: 4, depth: 1, secret: SECRET, sites: 'found' }, ELSEWHERE);
  const { client } = { client: new GatewayClient(gateway.route) };
  gateway.carry([{ origin: origin.origin, address: '127.0.0.1' }]);
  const before = process.memoryUsage().rss;
  const got = await Promise.all([1, 2, 3, 4].map((at) => client.ask(`${origin.origin}/${at}`)));
  client.close();
  expect(got.map(why)).toEqual(Array(4).fill('misbehaved'));
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
});

it('hints without an end are not kept for a client that reads nothing', async () => {
  const HINTS = 20_000;
  const hint = `HTTP/1.1 103 Early Hints\r\nLink: </${'x'.repeat(500)}>; rel=preload\r\n\r\n`;
  const origin = await using(serveRaw(({ socket, path }) => void socket.write(hint.repeat(HINTS) + OK(path))));
  const { client } = await extensionGateway([origin.origin]);
  const before = process.memoryUsage().rss;
  expect(why(await client.ask(`${origin.origin}/after`))).toBe('misbehaved');
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});
