import { afterEach, expect, it } from 'vitest';
import { PROBATION } from '../../../src/core/gateway-policy.ts';
import { openGateway } from '../../../src/helper/host/gateway-service.ts';
import { serveHolding } from '../gateway/support/servers.ts';
import { GatewayClient } from '../gateway/support/through-gateway.ts';

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

it('counts on over its own summing up, takes another setting while it runs, and keeps its secret', async () => {
  const service = await openGateway({ connections: 2, depth: 3, sites: 'any' });
  toClose.push(() => service.close());
  const client = new GatewayClient({ host: '127.0.0.1', port: service.port, secret: service.secret });
  toClose.push(() => client.close());
  /** All `count` are under way at once: the server answers nobody before. */
  const ask = async (count: number) => {
    const origin = await serveHolding(count, PROBATION.answers);
    toClose.push(() => origin.close());
    for (let nth = 0; nth < PROBATION.answers; nth++) await client.ask(`${origin.origin}/probation`);
    await Promise.all(Array.from({ length: count }, (_, at) => client.ask(`${origin.origin}/${at}`)));
    return origin.seen;
  };
  expect(await ask(6)).toEqual({ connections: 2, peakDepth: 3, peakOutstanding: 6 });
  expect(service.counters()).toEqual({ requests: 14, mostConnections: 2, mostDepth: 3, failures: 0 });
  const { port, secret } = service;
  await service.configure({ connections: 4, depth: 2 });
  expect([service.port, service.secret]).toEqual([port, secret]);
  expect(await ask(8)).toEqual({ connections: 4, peakDepth: 2, peakOutstanding: 8 });
  expect(service.counters()).toEqual({ requests: 30, mostConnections: 4, mostDepth: 3, failures: 0 });
  // A closed port: nobody is there.
  await service.configure({ connections: 1, depth: 1 });
  const gone = await serveHolding(1);
  await gone.close();
  expect((await client.ask(`${gone.origin}/`)).status).toBe(502);
  expect(service.counters()).toMatchObject({ requests: 31, failures: 1 });
  await expect(service.configure({ connections: 0, depth: 1 })).rejects.toMatchObject({ kind: 'bad-input' });
});
