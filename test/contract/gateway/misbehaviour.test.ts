import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { FallbackReason } from '../../../src/gateway/origin-health.ts';
import { gatewayWith, using } from './support/fixture.ts';
import { type RawRequest, response, serveRaw } from './support/servers.ts';

const SIX = [0, 1, 2, 3, 4, 5];

/**
 * Six GETs at once over one connection of depth 6. The origin handles what comes on its first connection when all six are
 * there, so that all of them are outstanding when it misbehaves; what comes later it handles at once.
 */
async function sixThrough(
  handle: (request: RawRequest, batch: readonly RawRequest[]) => void,
  options: { readonly accept?: (i: number) => string; readonly method?: (i: number) => string; readonly stallMs?: number } = {},
) {
  const first: RawRequest[] = [];
  const origin = await using(
    serveRaw((request) => {
      if (request.connection > 1 || request.nth > SIX.length) return handle(request, [request]);
      first.push(request);
      if (first.length === SIX.length) for (const each of first) handle(each, first);
    }),
  );
  const { gateway, client } = await gatewayWith(
    { connections: 1, depth: 6 },
    options.stallMs === undefined ? {} : { stallMs: options.stallMs },
  );
  const ask = (i: number) =>
    client.ask(`${origin.origin}/${i}`, {
      method: options.method?.(i) ?? 'GET',
      ...(options.accept === undefined ? {} : { headers: { accept: options.accept(i) } }),
    });
  const settled = await Promise.allSettled(SIX.map((i) => ask(i)));
  const bodies = settled.map((s) => (s.status === 'fulfilled' ? s.value.body.toString() : 'cut'));
  return { gateway, ask, bodies, reasons: () => gateway.counters().fallbacks.map((f) => f.reason) };
}

const expected = SIX.map((i) => `/${i}`);
/** The request whose response is sent instead, when several came at once: 0 with 1, 2 with 3, 4 with 5. */
const swapped = (request: RawRequest, batch: readonly RawRequest[]) => batch[batch.indexOf(request) ^ 1] ?? request;
const fellBackTo = (reason: FallbackReason) => [reason];

describe('an origin that cannot be pipelined to', () => {
  it('closes after each response', async () => {
    const { bodies, reasons, gateway } = await sixThrough(({ socket, path, nth }) => {
      if (nth === 1) socket.end(response(path, 'Connection: close\r\n'));
    });
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('closed-early'));
    // Six sent, one answered; five again, past the pipelines.
    expect(gateway.counters().origins[0]).toMatchObject({
      requests: 6,
      pipelinedRequests: 5,
      handedBackRequests: 5,
      connectionsOpened: 1,
      peakConnections: 1,
    });
  });

  it('announces the end with others outstanding: one that it left out looks the same', async () => {
    const { bodies, reasons } = await sixThrough(({ socket, path, nth }) => {
      if (nth < 4) socket.write(response(path));
      else if (nth === 4) socket.end(response(path, 'Connection: close\r\n'));
    });
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('closed-early'));
  });

  it('closes without notice after its first response', async () => {
    const { bodies, reasons } = await sixThrough(({ socket, path, nth }) => {
      if (nth === 1) socket.end(response(path));
    });
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('closed-early'));
  });

  it('closes without a response when it is sent several', async () => {
    const { bodies, reasons } = await sixThrough(({ socket, path }, batch) => {
      if (batch.length > 1) socket.destroy();
      else socket.write(response(path));
    });
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('closed-early'));
  });

  it('answers with HTTP/1.0 and closes', async () => {
    const { bodies, reasons } = await sixThrough(({ socket, path, nth }) => {
      if (nth === 1) socket.end(`HTTP/1.0 200 OK\r\n\r\n${path}`);
    });
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('malformed-response'));
  });

  it('answers with HTTP/1.0 and keep-alive', async () => {
    const { bodies, reasons } = await sixThrough(
      ({ socket, path }) => void socket.write(response(path, 'Connection: keep-alive\r\n', '1.0')),
    );
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('malformed-response'));
  });

  it('sends garbage in place of the third response', async () => {
    const { bodies, reasons } = await sixThrough(({ socket, path, nth, connection }) => {
      socket.write(connection === 1 && nth === 3 ? '\0\0 this is no HTTP \r\n\r\n' : response(path));
    });
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('malformed-response'));
  });

  it.each([2, 5])('answers a HEAD with a body (request %i of 0 to 5)', async (head) => {
    const { bodies, reasons } = await sixThrough(({ socket, path }) => void socket.write(response(path)), {
      method: (i) => (i === head ? 'HEAD' : 'GET'),
    });
    expect(bodies).toEqual(expected.map((body, i) => (i === head ? '' : body)));
    // The sixth is answered before its body turns out to be one: the connection goes, nothing is lost.
    expect(reasons()).toEqual(fellBackTo('malformed-response'));
  });

  it('answers only the first of what it is sent at once', async () => {
    const { bodies, reasons } = await sixThrough(
      ({ socket, path, nth, connection }) => {
        if (connection > 1 || nth === 1) socket.write(response(path));
      },
      { stallMs: 50 },
    );
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('no-answer'));
  });

  it('names the wrong requests in Assoc-Req', async () => {
    const { bodies, reasons } = await sixThrough((request, batch) => {
      const { path, method } = swapped(request, batch);
      request.socket.write(response(path, `Assoc-Req: ${method} http://127.0.0.1:${request.socket.localPort}${path}\r\n`));
    });
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('wrong-order'));
  });

  const IMAGE = { accept: 'image/avif,image/webp,*/*;q=0.8', type: 'Content-Type: image/png\r\n' };
  const STYLE = { accept: 'text/css,*/*;q=0.1', type: 'Content-Type: text/css; charset=utf-8\r\n' };
  const kindOf = (i: number) => (i % 2 === 0 ? IMAGE : STYLE);

  it('swaps images and stylesheets', async () => {
    const { bodies, reasons } = await sixThrough(
      (request, batch) => {
        const { path } = swapped(request, batch);
        request.socket.write(response(path, kindOf(Number(path.slice(1))).type));
      },
      { accept: (i) => kindOf(i).accept },
    );
    expect(bodies).toEqual(expected);
    expect(reasons()).toEqual(fellBackTo('wrong-order'));
  });
});

describe('an origin that does nothing wrong', () => {
  it('is given no more requests than it says it takes on one connection', async () => {
    const says = (nth: number) => `Keep-Alive: timeout=5, max=${4 - nth}\r\n`;
    let lost = 0;
    const early: RawRequest[] = [];
    const answer = ({ socket, path, nth }: RawRequest) => {
      if (nth > 4) lost++;
      else if (nth === 4) socket.end(response(path, 'Connection: close\r\n'));
      else socket.write(response(path, says(nth)));
    };
    const origin = await using(
      serveRaw((request) => {
        // Six are under way before anything is known.
        if (early.push(request) === SIX.length) for (const one of early) answer(one);
        else if (early.length > SIX.length) answer(request);
      }),
    );
    const { gateway, client } = await gatewayWith({ connections: 1, depth: 6 });
    await Promise.all(SIX.map((i) => client.ask(`${origin.origin}/${i}`)));
    expect(lost).toBe(2);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => client.ask(`${origin.origin}/${i}`)));
    expect(answers.map((a) => a.body.toString())).toEqual(Array.from({ length: 40 }, (_, i) => `/${i}`));
    expect(lost).toBe(2);
    expect(gateway.counters().fallbacks).toEqual([]);
    expect(gateway.counters().origins[0]?.pipelinedRequests).toBeGreaterThan(20);
  });

  it('may close an idle connection at the moment it is used', async () => {
    const origin = await using(
      serveRaw(({ socket, path, nth, connection }) => {
        if (connection === 1 && nth > 1) socket.destroy();
        else socket.write(response(path));
      }),
    );
    const { gateway, client } = await gatewayWith({ connections: 1, depth: 6 });
    await client.ask(`${origin.origin}/first`);
    const answers = await Promise.all(SIX.map((i) => client.ask(`${origin.origin}/${i}`)));
    expect(answers.map((a) => a.body.toString())).toEqual(expected);
    expect(gateway.counters().fallbacks).toEqual([]);
  });
});

describe('an origin whose connections are opened ahead', () => {
  it('may close those that nobody uses', async () => {
    const unused = new Set<Socket>();
    const origin = await using(
      serveRaw(
        ({ socket, path }) => {
          unused.delete(socket);
          socket.write(response(path));
        },
        (socket) => unused.add(socket),
      ),
    );
    const { gateway, client } = await gatewayWith({ connections: 4, depth: 6, connect: 'ahead' });
    await client.ask(`${origin.origin}/style`);
    while (unused.size < 3) await new Promise(setImmediate);
    const closed = [...unused].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of unused) socket.end();
    await Promise.all(closed);
    const answers = await Promise.all(SIX.map((i) => client.ask(`${origin.origin}/${i}`)));
    expect(answers.map((a) => a.body.toString())).toEqual(expected);
    expect(gateway.counters().fallbacks).toEqual([]);
    expect(gateway.counters().origins[0]).toMatchObject({ handedBackRequests: 0, peakConnections: 4 });
  });
});

describe('an origin that closes an unused connection at the moment it is used', () => {
  it('keeps its depth the first time', async () => {
    let connections = 0;
    let used: Socket | undefined;
    let closed = false;
    const held: (() => void)[] = [];
    const origin = await using(
      serveRaw(
        ({ socket, path, connection, nth }) => {
          used ??= socket;
          const answer = () => socket.write(response(path));
          if (connection > 2 || closed || path === '/style') answer();
          // Held until the other has two, or it would never get a second.
          else if (socket === used) held.push(answer);
          else if (nth === 2) {
            closed = true;
            socket.destroy();
            for (const each of held) each();
          }
        },
        () => connections++,
      ),
    );
    const { gateway, client } = await gatewayWith({ connections: 2, depth: 6, connect: 'ahead' });
    await client.ask(`${origin.origin}/style`);
    while (connections < 2 || gateway.counters().origins[0]?.connectionsOpened !== 2) await new Promise(setImmediate);
    const twelve = Array.from({ length: 12 }, (_, i) => `/${i}`);
    const answers = await Promise.all(twelve.map((path) => client.ask(origin.origin + path)));
    expect(answers.map((a) => a.body.toString())).toEqual(twelve);
    expect(gateway.counters().origins[0]?.handedBackRequests).toBeGreaterThanOrEqual(2);
    expect(gateway.counters().fallbacks).toEqual([]);
  });
});

describe('a fallback', () => {
  const closesAfterOne = ({ socket, path, nth }: RawRequest) => {
    if (nth === 1) socket.end(response(path, 'Connection: close\r\n'));
  };

  it('holds for its origin only, outlives dropped connections and a reset, and ends with the setting', async () => {
    const { gateway, ask, reasons } = await sixThrough(closesAfterOne);
    await gateway.dropConnections();
    gateway.resetCounters();
    expect(reasons()).toEqual(fellBackTo('closed-early'));
    await Promise.all(SIX.map(ask));
    expect(gateway.counters().origins[0]).toMatchObject({ peakDepth: 0, handedBackRequests: 6 });
    await gateway.configure({ connections: 1, depth: 6 });
    expect(reasons()).toEqual([]);
  });
});

describe('a response that breaks off', () => {
  it('breaks off at the client too, and the others are fetched past the pipelines', async () => {
    const { bodies, reasons } = await sixThrough(({ socket, path, connection, nth }) => {
      if (connection > 1) socket.write(response(path));
      else if (nth === 1) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this');
    });
    expect(bodies).toEqual(['cut', ...expected.slice(1)]);
    expect(reasons()).toEqual(fellBackTo('closed-early'));
  });
});
