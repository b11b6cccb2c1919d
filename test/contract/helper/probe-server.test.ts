import { Agent, get, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openProbe, type Probe, type ProbeOptions, piecesFor } from '../../../src/helper/probe/server.ts';

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

/** Held for as long as a test on a busy machine needs, and no longer. */
const QUICK = { idleMs: 60, maxMs: 2_000 };

async function probeFor(options: Partial<ProbeOptions> = {}): Promise<Probe> {
  const probe = await openProbe({ connections: 4, depth: 1, hold: QUICK, ...options });
  toClose.push(() => probe.close());
  return probe;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function ask(probe: Probe, path: string, options: { method?: string; host?: string; agent?: Agent } = {}): Promise<Reply> {
  const { method = 'GET', host = `${probe.host}:${probe.port}`, agent } = options;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: probe.host, port: probe.port, path, method, headers: { host }, agent: agent ?? false }, (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }));
    });
    sent.on('error', reject).end();
  });
}

const fetchAll = (probe: Probe, agent: Agent): Promise<readonly Reply[]> =>
  Promise.all(Array.from({ length: probe.pieces }, (_, piece) => ask(probe, `/${probe.token}/${piece}`, { agent })));

describe('what the probe counts', () => {
  it.each([1, 2, 6, 16])('of a client with %i connections, exactly those', async (connections) => {
    // Sixteen have three waves, of which one must come together, however busy the machine is.
    const probe = await probeFor({ connections, ...(connections === 16 && { hold: { idleMs: 500, maxMs: 5_000 } }) });
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    toClose.push(() => agent.destroy());
    const replies = await fetchAll(probe, agent);
    expect(replies.every(({ status, body }) => status === 200 && body.subarray(0, 6).toString() === 'GIF89a')).toBe(true);
    expect(probe.result()).toEqual({ arrived: probe.pieces, connections, depth: 1 });
  });

  it('of a client that pipelines, how deep', async () => {
    const probe = await probeFor({ connections: 2, depth: 3 });
    const clients = await Promise.all([3, 2].map((depth) => pipelining(probe, depth)));
    // 3 + 2 are in hand at once, on two connections; each answer lets the next one go.
    await Promise.all(clients.map((client) => client.answered(10)));
    expect(probe.result()).toEqual({ arrived: 20, connections: 2, depth: 3 });
  });

  it('nothing of connections that were only opened, of other paths, or of a name that is not its own', async () => {
    const probe = await probeFor();
    const idle = connect(probe.port, probe.host);
    toClose.push(() => idle.destroy());
    const port = probe.port;
    expect((await ask(probe, '/')).status).toBe(403);
    expect((await ask(probe, '/0')).status).toBe(403);
    expect((await ask(probe, `/${probe.token}`)).status).toBe(403);
    expect((await ask(probe, `/${probe.token.slice(0, -1)}x/0`)).status).toBe(403);
    for (const name of [`${probe.pieces}`, '-1', '01', '1.0', 'x', '0/'])
      expect((await ask(probe, `/${probe.token}/${name}`)).status).toBe(404);
    for (const host of [`evil.example:${port}`, `localhost:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`])
      expect((await ask(probe, `/${probe.token}/0`, { host })).status).toBe(403);
    expect((await ask(probe, `/${probe.token}/0`, { method: 'POST' })).status).toBe(405);
    expect(probe.result()).toEqual({ arrived: 0, connections: 0, depth: 0 });
  });

  it('nothing of connections that were closed before', async () => {
    const probe = await probeFor({ hold: { idleMs: 60_000, maxMs: 60_000 } });
    for (let at = 0; at < 3; at++) {
      const sent = get({ host: probe.host, port: probe.port, path: `/${probe.token}/${at}`, agent: false });
      sent.on('error', () => {});
      await expect.poll(() => probe.result().arrived).toBe(at + 1);
      sent.destroy();
      // The next connection is accepted after the end of this one has been read: one event loop reads both.
      await new Promise((resolve) => sent.once('close', resolve));
      await expect.poll(async () => (await ask(probe, '/')).status).toBe(403);
    }
    expect(probe.result()).toEqual({ arrived: 3, connections: 1, depth: 1 });
  });
});

describe('rounds', () => {
  it('begin anew with the page, which names every piece; the last answer of each is told', async () => {
    const rounds: unknown[] = [];
    // A busy machine may read the requests of one wave apart, and 48 connections have no other.
    const probe = await probeFor({ hold: { idleMs: 500, maxMs: 5_000 }, onRound: (result) => rounds.push(result) });
    for (const connections of [5, 48, 2]) {
      const page = await ask(probe, `/${probe.token}/`);
      const pictures = [...page.body.toString().matchAll(/<img src="(\d+)\?(\d+)"/g)];
      expect(pictures.map(([, piece]) => Number(piece))).toEqual(Array.from({ length: probe.pieces }, (_, at) => at));
      expect(probe.result().arrived).toBe(0);
      const agent = new Agent({ keepAlive: true, maxSockets: connections });
      await fetchAll(probe, agent);
      agent.destroy();
      const told = { arrived: probe.pieces, connections, depth: 1 };
      expect(JSON.parse((await ask(probe, `/${probe.token}/result`)).body.toString())).toEqual(told);
      expect(rounds.at(-1)).toEqual(told);
    }
    expect(rounds).toHaveLength(3);
  });
});

describe('the probe', () => {
  it('has more pieces than the profile can have under way, within what the extension takes', () => {
    expect(piecesFor({ connections: 1, depth: 1 })).toBe(48);
    expect(piecesFor({ connections: 6, depth: 8 })).toBe(96);
    expect(piecesFor({ connections: 255, depth: 64 })).toBe(1024);
  });

  it('answers a page of the network that asks before it fetches', async () => {
    const probe = await probeFor();
    const answer = await ask(probe, `/${probe.token}/0`, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({ 'access-control-allow-private-network': 'true', 'access-control-allow-origin': '*' });
  });

  it('closes at once, whoever waits', async () => {
    const probe = await openProbe({ connections: 1, depth: 1, hold: { idleMs: 60_000, maxMs: 60_000 } });
    const waiting = ask(probe, `/${probe.token}/0`).catch((error: NodeJS.ErrnoException) => error.code);
    await expect.poll(() => probe.result().arrived).toBe(1);
    await probe.close();
    // It may still have been answered: closing lets everybody go.
    expect([200, 'ECONNRESET']).toContain(((reply) => (typeof reply === 'object' ? reply.status : reply))(await waiting));
    await expect(ask(probe, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('says what is wrong with options, and where it cannot listen', async () => {
    await expect(openProbe({ connections: 0, depth: 1 })).rejects.toMatchObject({ kind: 'bad-input' });
    await expect(openProbe({ connections: 1, depth: 65 })).rejects.toMatchObject({ kind: 'bad-input' });
    await expect(openProbe({ connections: 1, depth: 1, host: 'example.org' })).rejects.toMatchObject({ kind: 'bad-input' });
    // RFC 5737, documentation only.
    await expect(openProbe({ connections: 1, depth: 1, host: '192.0.2.1' })).rejects.toMatchObject({ kind: 'environment' });
    const { port } = await probeFor();
    await expect(openProbe({ connections: 1, depth: 1, port })).rejects.toThrow(/port is in use/);
  });
});

/** A client that has `depth` requests under way on one connection, always. */
async function pipelining(probe: Probe, depth: number): Promise<{ answered(count: number): Promise<void> }> {
  const socket: Socket = connect(probe.port, probe.host);
  toClose.push(() => socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  let sent = 0;
  const send = () => socket.write(`GET /${probe.token}/${sent++} HTTP/1.1\r\nHost: ${probe.host}:${probe.port}\r\n\r\n`);
  let seen = 0;
  return {
    answered: (count) =>
      new Promise((resolve) => {
        socket.on('data', (chunk: Buffer) => {
          // Heads are ASCII and bodies have no such text.
          for (const _ of chunk.toString('latin1').matchAll(/HTTP\/1\.1 200/g)) {
            seen++;
            if (sent < count) send();
          }
          if (seen === count) resolve();
        });
        for (let at = 0; at < depth; at++) send();
      }),
  };
}
