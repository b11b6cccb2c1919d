import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/gateway/exchange.ts';
import { OriginPool } from '../../../src/gateway/origin-pool.ts';
import { gatewayWith, using } from './support/fixture.ts';
import { serveHolding, serveHttp } from './support/servers.ts';

const many = (count: number, each: (index: number) => Promise<unknown>) => Promise.all(Array.from({ length: count }, (_, i) => each(i)));

describe('connections and depth, as the origin counts them', () => {
  // The origin answers only when connections x depth requests are there, so a smaller peak would never end the test.
  it.each([
    { connections: 1, depth: 2 },
    { connections: 4, depth: 6 },
    { connections: 6, depth: 1 },
    { connections: 5, depth: 3 },
  ])('reaches and never exceeds $connections x $depth', async ({ connections, depth }) => {
    const full = connections * depth;
    const origin = await using(serveHolding(full));
    const { gateway, client } = await gatewayWith({ connections, depth });
    const answers = await many(3 * full, (i) => client.ask(`${origin.origin}/${i}`).then((a) => a.body.toString()));
    expect(answers).toEqual(Array.from({ length: 3 * full }, (_, i) => `/${i}`));
    expect(origin.seen).toEqual({ connections, peakDepth: depth, peakOutstanding: full });
    const [counters] = gateway.counters().origins;
    expect(counters).toMatchObject({
      connectionsOpened: connections,
      peakConnections: connections,
      peakDepth: depth,
      peakOutstanding: full,
      requests: 3 * full,
      handedBackRequests: 0,
    });
    expect(gateway.counters().fallbacks).toEqual([]);
  });

  it('spreads over connections before it pipelines', async () => {
    const origin = await using(serveHolding(4));
    const { client } = await gatewayWith({ connections: 4, depth: 6 });
    await many(4, (i) => client.ask(`${origin.origin}/${i}`));
    expect(origin.seen).toMatchObject({ connections: 4, peakDepth: 1 });
    // Warm: the same four again, still one each.
    await many(4, (i) => client.ask(`${origin.origin}/${i}`));
    expect(origin.seen).toMatchObject({ connections: 4, peakDepth: 1 });
  });

  it('pipelines HEAD along with GET and keeps the connection', async () => {
    const origin = await using(serveHolding(4));
    const { gateway, client } = await gatewayWith({ connections: 1, depth: 4 });
    for (let round = 0; round < 2; round++) {
      const answers = await many(4, (i) =>
        client.ask(`${origin.origin}/${i}`, { method: i % 2 === 0 ? 'HEAD' : 'GET' }).then((a) => a.body.toString()),
      );
      expect(answers).toEqual(['', '/1', '', '/3']);
    }
    expect(origin.seen).toEqual({ connections: 1, peakDepth: 4, peakOutstanding: 4 });
    expect(gateway.counters().fallbacks).toEqual([]);
  });

  it('serves 255 clients at once', async () => {
    const origin = await using(serveHolding(24));
    const { gateway, client } = await gatewayWith({ connections: 4, depth: 6 });
    // 255 = 10 x 24 + 15: the last 15 would wait for ever, so 9 more make the eleventh round full.
    const answers = await many(264, (i) => client.ask(`${origin.origin}/${i}`).then((a) => a.status));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(origin.seen).toMatchObject({ connections: 4, peakDepth: 6 });
    expect(client.openSockets).toBe(255);
    expect(gateway.counters().origins[0]?.queueWait.count).toBe(264);
  });

  it('names the wait behind earlier responses', async () => {
    let [beganAt, heldMs] = [0, 0];
    const held: (() => void)[] = [];
    const origin = await using(
      serveHttp((_q, reply) => {
        held.push(() => reply.end());
        if (held.length < 3) return;
        // Three times as long as all that came before, the handshake among it: that is taken off what is named.
        heldMs = 200 + 3 * (performance.now() - beganAt);
        setTimeout(() => {
          for (const answer of held) answer();
        }, heldMs);
      }),
    );
    const { gateway, client } = await gatewayWith({ connections: 1, depth: 3 });
    beganAt = performance.now();
    await many(3, (i) => client.ask(`${origin.origin}/${i}`));
    const elapsed = performance.now() - beganAt;
    const wait = gateway.counters().origins[0]?.headOfLineWait;
    // Two responses stood behind another that took heldMs, less the handshake's time.
    expect(wait).toMatchObject({ count: 2 });
    for (const value of wait?.values ?? []) {
      expect(value).toBeGreaterThan(heldMs / 2);
      expect(value).toBeLessThan(elapsed);
    }
    expect(wait?.total).toBeCloseTo((wait?.values[0] ?? 0) + (wait?.values[1] ?? 0), 9);
  });

  it('does not leave a request waiting for a connection that takes long, while another is idle', async () => {
    const origin = await using(serveHttp((q, r) => void r.end(q.url)));
    let lookups = 0;
    const pool = new OriginPool({
      origin: 'http://slow.example',
      endpoint: { host: 'slow.example', port: origin.port },
      // The first connection is established at once, the second never.
      lookup: (_host, _options, callback) => {
        if (++lookups === 1) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      },
      stallMs: 30_000,
      probation: 0,
      setting: { connections: 2, depth: 6, dispatch: 'appended', connect: 'on-demand' },
    });
    const front = await using(
      serveHttp((q, r) =>
        pool.submit(new Exchange(q, r, { target: { origin: 'http://slow.example', path: q.url ?? '/' }, notCarried: () => {} })),
      ),
    );
    const answers = await many(2, (i) => fetch(`${front.origin}/${i}`).then((a) => a.text()));
    expect([answers, lookups]).toEqual([['/0', '/1'], 2]);
    expect(pool.counters()).toMatchObject({ connectionsOpened: 1, peakDepth: 1 });
    await pool.drop();
  });

  it('bundles onto a freed connection when asked to, and appends nothing', async () => {
    const held: (() => void)[] = [];
    let holding = true;
    const origin = await using(
      serveHttp((q, reply) => {
        if (holding) held.push(() => reply.end(q.url));
        else reply.end(q.url);
      }),
    );
    const { gateway, client } = await gatewayWith({ connections: 2, depth: 4, dispatch: 'bundled' });
    const answers = many(40, (i) => client.ask(`${origin.origin}/${i}`).then((a) => a.body.toString()));
    while (gateway.counters().origins[0]?.requests !== 40 || held.length < 2) await new Promise(setImmediate);
    // 38 wait although each connection has room for 3 more.
    expect(gateway.counters().origins[0]).toMatchObject({ peakDepth: 1, peakOutstanding: 2 });
    holding = false;
    for (const answer of held) answer();
    expect(await answers).toEqual(Array.from({ length: 40 }, (_, i) => `/${i}`));
    expect(gateway.counters().origins[0]).toMatchObject({ connectionsOpened: 2, peakDepth: 4, peakConnections: 2 });
  });

  it('opens the connections of a page ahead when asked to, and closes them with the rest', async () => {
    const origin = await using(serveHttp((q, r) => void r.end(q.url)));
    const { gateway, client } = await gatewayWith({ connections: 4, depth: 6, connect: 'ahead' });
    await client.ask(`${origin.origin}/page`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(gateway.counters().origins[0]).toMatchObject({ connectionsOpened: 1 });
    await client.ask(`${origin.origin}/style.css`, { headers: { accept: 'text/css,*/*;q=0.1' } });
    while (gateway.counters().origins[0]?.connectionsOpened !== 4) await new Promise(setImmediate);
    await gateway.dropConnections();
    gateway.resetCounters();
    expect(gateway.counters().origins).toEqual([]);
  });
});
