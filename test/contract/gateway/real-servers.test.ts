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
const CONNECTIONS = 4;

test(`${REQUESTS} requests arrive byte for byte as they do directly, pipelined where the server keeps its connections`, async () => {
  const { gateway } = await gatewayWith({ connections: CONNECTIONS, depth: 6 });
  const identity = await compareThroughGateway(servers, gateway.route, { count: REQUESTS, seed: 1 });
  // A server that closes while a request is on its way resets the connection, and the rest of its last response is lost: on each connection once,
  // before it is left alone. The extension loads such a page again.
  const cut = identity.differences.filter((difference) => /^\d+ nginx-short .*gateway "aborted"$/s.test(difference));
  expect(identity.differences).toEqual(cut);
  expect(identity.differed).toBeLessThanOrEqual(CONNECTIONS);
  // Each kind is there; a corpus of errors would say little.
  expect(Object.keys(identity.statuses)).toEqual(expect.arrayContaining(['2xx', '3xx', '4xx', '5xx']));
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
