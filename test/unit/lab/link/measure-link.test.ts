/** The rate upward, as a real server counts it on loopback. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureUpload } from '../../../../src/lab/link/measure-link.ts';
import { serveSink } from '../../../../src/lab/origin/embedded-server.ts';

let server: Server;

beforeAll(async () => {
  server = createServer(serveSink).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('the answer arrives, however much is still on its way when it is given', async () => {
  const { port } = server.address() as AddressInfo;
  const measured = await Promise.allSettled(
    Array.from({ length: 8 }, () => measureUpload({ host: '127.0.0.1', port, expectedRttMs: 1, expectedUpKbps: 1000 })),
  );
  expect(measured.map((each) => (each.status === 'fulfilled' ? each.value > 0 : String(each.reason)))).toEqual(measured.map(() => true));
});
