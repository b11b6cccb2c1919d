/** Everything that nginx and Apache send is, through the gateway, what it is without one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareThroughGateway } from './support/byte-identity.ts';
import { gatewayWith } from './support/fixture.ts';
import { type RealServers, startRealServers } from './support/real-servers.ts';

let servers: RealServers;
beforeAll(async () => {
  servers = await startRealServers();
});
afterAll(() => servers?.close());

/** `npm run bench:gateway` compares ten times as many, with another seed each time. */
const REQUESTS = 10_000;

test(`${REQUESTS} requests arrive byte for byte as they do directly, pipelined where the server keeps its connections`, async () => {
  const { gateway } = await gatewayWith({ connections: 4, depth: 6 });
  const identity = await compareThroughGateway(servers, gateway.route, { count: REQUESTS, seed: 1 });
  expect(identity).toMatchObject({ differences: [], differed: 0 });
  // Each kind is there; a corpus of errors would say little.
  expect(Object.keys(identity.statuses).toSorted()).toEqual(['2xx', '3xx', '4xx', '5xx']);
  const { origins, fallbacks } = gateway.counters();
  const by = (name: keyof RealServers['origins']) => origins.find(({ origin }) => origin === servers.origins[name]);
  for (const name of ['nginx', 'apache'] as const) {
    expect(by(name)?.peakDepth).toBe(6);
    expect(by(name)?.pipelinedRequests).toBeGreaterThan(REQUESTS / 20);
  }
  // What counts its requests down is given no more; what closes in the middle of pipelines without that is left alone.
  expect(by('apache-short')?.pipelinedRequests).toBeGreaterThan(REQUESTS / 20);
  // 350 connections, each of which would lose up to 5 if it were not found out; errors and `100 Continue` end some earlier.
  expect(by('apache-short')?.handedBackRequests).toBeLessThan(REQUESTS / 40);
  expect(fallbacks).toEqual([{ origin: servers.origins['nginx-short'], reason: 'closed-early' }]);
});
