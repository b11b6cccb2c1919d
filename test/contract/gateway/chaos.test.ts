import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startGateway } from '../../../src/gateway/gateway.ts';
import { type RawRequest, response, serveRaw } from './support/servers.ts';
import { GatewayClient } from './support/through-gateway.ts';

/** What the origin does with a request; nothing here mixes responses up, which HTTP/1.1 could not always show. */
const ACTS = {
  answer: ({ socket, path }) => void socket.write(response(path)),
  chunked: ({ socket, path }) => {
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${path.length.toString(16)}\r\n${path}\r\n`);
    setImmediate(() => socket.writable && socket.write('0\r\n\r\n'));
  },
  late: ({ socket, path }) => void setTimeout(() => socket.writable && socket.write(response(path)), 3),
  announceAndClose: ({ socket, path }) => void socket.end(response(path, 'Connection: close\r\n')),
  close: ({ socket, path }) => void socket.end(response(path)),
  destroy: ({ socket }) => void socket.destroy(),
  reset: ({ socket }) => void socket.resetAndDestroy(),
  garbage: ({ socket }) => void socket.write('SSH-2.0-nonsense\r\n'),
  half: ({ socket, path }) => void socket.end(response(`${path} and more`).slice(0, -4)),
  old: ({ socket, path }) => void socket.end(`HTTP/1.0 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`),
  twice: ({ socket, path }) => void socket.write(response(path) + response('/nobody-asked')),
} satisfies Record<string, (request: RawRequest) => void>;
type Act = keyof typeof ACTS;
const isAct = (name: string): name is Act => name in ACTS;

// Late answers on a connection would come in the wrong order if others on it were answered at once, so an origin is either
// prompt or late; `twice` puts every later response one off and is in neither.
const prompt = fc.constantFrom<Act>(
  'answer',
  'answer',
  'answer',
  'chunked',
  'announceAndClose',
  'close',
  'destroy',
  'reset',
  'garbage',
  'half',
  'old',
);
const origin = fc.oneof(fc.array(prompt, { minLength: 1, maxLength: 12 }), fc.constant<Act[]>(['late']));
const client = fc.array(
  fc.record({ method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'), abort: fc.constantFrom(false, false, false, true) }),
  {
    minLength: 1,
    maxLength: 16,
  },
);
const setting = fc.record({
  connections: fc.integer({ min: 1, max: 4 }),
  depth: fc.integer({ min: 1, max: 6 }),
  dispatch: fc.constantFrom('appended', 'bundled'),
  connect: fc.constantFrom('on-demand', 'ahead'),
});

it('whatever an origin and its clients do, every request ends, no answer is another request\u2019s, and no POST is sent twice', async () => {
  await fc.assert(
    fc.asyncProperty(setting, origin, client, async (limits, acts, asks) => {
      const posts = new Map<string, number>();
      let count = 0;
      const server = await serveRaw((request) => {
        if (request.method === 'POST') posts.set(request.path, (posts.get(request.path) ?? 0) + 1);
        if (request.socket.writable) ACTS[acts[count++ % acts.length] ?? 'answer'](request);
      });
      const gateway = await startGateway({ ...limits, sites: 'any' }, { probation: 0 });
      const through = new GatewayClient(gateway.route);
      try {
        const settled = await Promise.all(
          asks.map(async ({ method, abort }, i) => {
            const controller = new AbortController();
            const asked = through.ask(`${server.origin}/${i}`, { method, signal: controller.signal }).catch(() => undefined);
            if (abort) setImmediate(() => setImmediate(() => controller.abort()));
            return { i, method, answer: await asked };
          }),
        );
        for (const { i, method, answer } of settled) {
          if (answer === undefined || answer.status === 502) continue;
          expect([answer.status, answer.body.toString()]).toEqual([200, method === 'HEAD' ? '' : `/${i}`]);
        }
        expect(Math.max(0, ...posts.values())).toBeLessThanOrEqual(1);
        const [counters] = gateway.counters().origins;
        expect(counters?.peakConnections ?? 0).toBeLessThanOrEqual(limits.connections);
        expect(counters?.peakDepth ?? 0).toBeLessThanOrEqual(limits.depth);
        await gateway.dropConnections();
        gateway.resetCounters();
        // Nothing is left outstanding in the books.
        for (const o of gateway.counters().origins) expect(o).toMatchObject({ peakConnections: 0, peakDepth: 0, peakOutstanding: 0 });
      } finally {
        through.close();
        await gateway.close();
        await server.close();
      }
    }),
    { numRuns: 150, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  );
});

it.each(Object.keys(ACTS).filter(isAct))('an origin that always does this: %s', async (act) => {
  const server = await serveRaw((request) => ACTS[act](request));
  const gateway = await startGateway({ connections: 2, depth: 4, sites: 'any' }, { probation: 0 });
  const through = new GatewayClient(gateway.route);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => through.ask(`${server.origin}/${i}`).catch(() => undefined)));
  const good = answers.filter((a) => a?.status === 200).length;
  const always: Record<Act, number | undefined> = {
    answer: 20,
    chunked: undefined,
    late: 20,
    announceAndClose: 20,
    close: 20,
    destroy: 0,
    reset: 0,
    garbage: 0,
    half: 0,
    old: 20,
    twice: undefined,
  };
  if (always[act] !== undefined) expect(good).toBe(always[act]);
  through.close();
  await gateway.close();
  await server.close();
});
