/** A site that the gateway meets for the first time: over real sockets its requests go in the order in which the simulator sends them. */
import { expect, it } from 'vitest';
import { PROBATION } from '../../src/core/gateway-policy.ts';
import { predict } from '../../src/core/predict/predict.ts';
import { gatewayWith, using } from './gateway/support/fixture.ts';
import { type RawRequest, response, serveRaw } from './gateway/support/servers.ts';

const SETTING = { connections: 4, depth: 6 } as const;
const REQUESTS = 24;
/** What is left after probation: three connections full, or nearly. */
const AFTER = REQUESTS - PROBATION.answers;

/** Requests of each connection, in the order in which they were sent; connections in the order of their first request. */
type Order = readonly (readonly number[])[];

const inOrder = (connections: Iterable<readonly number[]>): Order => [...connections].sort(([a = 0], [b = 0]) => a - b);

/** Nothing is answered before what may be sent at once has been sent: a response takes longer than connections that have rested are apart. */
function bySimulation(): Order {
  const [load] = predict({
    page: {
      requests: Array.from({ length: REQUESTS }, (_, at) => ({ id: String(at), bytes: 100, class: 'image' as const, serverMs: 50 })),
    },
    link: { rttMs: 1, downKbps: 100_000, upKbps: 100_000 },
    profiles: [{ id: 'c4-d6', ...SETTING }],
  });
  const connections = new Map<number, number[]>();
  for (const { id, connection } of (load?.requests ?? []).toSorted((a, b) => a.startMs - b.startMs || Number(a.id) - Number(b.id))) {
    connections.set(connection, [...(connections.get(connection) ?? []), Number(id)]);
  }
  return inOrder(connections.values());
}

/** On probation the server answers one request after another; then none before all are there. */
async function byGateway(): Promise<{ readonly order: Order; readonly deepestOnProbation: number }> {
  const connections = new Map<number, number[]>();
  const waiting: RawRequest[] = [];
  let deepestOnProbation = 0;
  let answered = 0;
  let arrived = () => {};
  const server = await using(
    serveRaw((request) => {
      const own = connections.get(request.connection) ?? [];
      connections.set(request.connection, [...own, Number(request.path.slice(1))]);
      waiting.push(request);
      if (answered < PROBATION.answers) {
        const depth = waiting.filter(({ connection }) => connection === request.connection).length;
        deepestOnProbation = Math.max(deepestOnProbation, depth);
      }
      arrived();
    }),
  );
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      arrived = () => {
        if (waiting.length >= count) resolve();
      };
      arrived();
    });
  const { gateway, client } = await gatewayWith(
    { ...SETTING, connect: 'ahead', sites: 'found' },
    { isNear: (address) => address !== '127.0.0.1' },
  );
  gateway.carry([{ origin: server.origin, address: '127.0.0.1' }]);
  const answers = Array.from({ length: REQUESTS }, (_, at) => client.ask(`${server.origin}/${at}`, { headers: { accept: 'image/*' } }));
  const answer = ({ socket, path }: RawRequest) => socket.write(response(path));
  for (; answered < PROBATION.answers; answered += 1) {
    // Each connection has one: their order decides which has rested first.
    if (answered % SETTING.connections === 0) await until(SETTING.connections);
    waiting.sort((a, b) => Number(a.path.slice(1)) - Number(b.path.slice(1)));
    const next = waiting.shift() as RawRequest;
    answer(next);
    await answers[Number(next.path.slice(1))];
  }
  await until(AFTER);
  for (const each of waiting.splice(0)) answer(each);
  await Promise.all(answers);
  return { order: inOrder(connections.values()), deepestOnProbation };
}

it('goes one request at a time on each connection until 8 are answered, then to the depth, as simulated', async () => {
  const { order, deepestOnProbation } = await byGateway();
  expect(deepestOnProbation).toBe(1);
  // The first connection to have rested takes six, then the next; the last has its share before it is asked again.
  const from = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);
  expect(order).toEqual([
    [0, 4, ...from(8, 6)],
    [1, 5, ...from(14, 6)],
    [2, 6, ...from(20, 4)],
    [3, 7],
  ]);
  expect(bySimulation()).toEqual(order);
});
