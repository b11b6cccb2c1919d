/** What the relay itself loses: real datagrams through a real relay process, without namespaces. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { relayCommand } from '../../src/lab/link/emulated-link.ts';
import { parseLink } from '../../src/lab/link/parse-link.ts';
import { weatherSeed } from '../../src/lab/link/weather.ts';
import { type RpcClient, rpcClient } from '../../src/lab/process/rpc.ts';
import { buildOnce } from '../support/build-once.ts';

let child: ChildProcess;
let relay: RpcClient;
let client: Socket;
let server: Socket;

async function endAt(port: number): Promise<Socket> {
  const end = createSocket('udp4');
  end.connect(port, '127.0.0.1');
  await once(end, 'connect');
  return end;
}

beforeAll(async () => {
  await buildOnce();
  const [program, ...rest] = relayCommand();
  child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  relay = rpcClient(child, 'relay');
  const ports = await relay.ask('ports', {}, { answer: v.object({ client: v.number(), server: v.number() }) });
  client = await endAt(ports.client);
  server = await endAt(ports.server);
  const joined = relay.call('joined');
  client.send('first');
  server.send('first');
  await joined;
  await relay.call('set-link', { link: parseLink('rtt=1,down=50000,up=50000,queue=10000,loss=0.25'), overheadMs: 0 });
});
afterAll(async () => {
  client?.close();
  server?.close();
  await relay?.stop();
});

/** Few enough for the socket of a test to hold all of them. */
const PACKETS = 120;

/** Indices of the packets lost on one way, during a load of a page over a link in a block. */
async function lostIn(
  load: { readonly seed: number; readonly page: string; readonly block: number },
  way: 'down' | 'up',
): Promise<readonly number[]> {
  await relay.call('weather', weatherSeed(load.seed, { ...load, link: 'lossy' }));
  const [from, to] = way === 'up' ? [client, server] : [server, client];
  const arrived = new Set<number>();
  to.on('message', (packet) => arrived.add(packet.readUInt32BE(20)));
  const settled = async () => {
    const { admitted, lost } = (await relay.ask('counters', {}, { answer: counts }))[way];
    return { sent: admitted, arrived: admitted - lost };
  };
  await relay.call('counters-reset');
  for (let index = 0; index < PACKETS; index++) {
    const packet = Buffer.alloc(60);
    packet[0] = 0x45;
    packet.writeUInt32BE(index, 20);
    from.send(packet);
  }
  await expect.poll(settled).toMatchObject({ sent: PACKETS });
  await expect.poll(async () => arrived.size).toBe((await settled()).arrived);
  to.removeAllListeners('message');
  return Array.from({ length: PACKETS }, (_, index) => index).filter((index) => !arrived.has(index));
}

const direction = v.object({ admitted: v.number(), lost: v.number() });
const counts = v.object({ down: direction, up: direction });

test('two loads of one block lose the same packets, and loads of other blocks, pages and seeds others', async () => {
  const load = { seed: 11, page: 'news', block: 0 };
  const first = await lostIn(load, 'up');
  // 120 packets at 0.25 each: 30 with a standard deviation of 4.7.
  expect(first.length).toBeGreaterThan(5);
  expect(await lostIn(load, 'up')).toEqual(first);
  for (const other of [
    { ...load, block: 1 },
    { ...load, block: 2 },
    { ...load, page: 'shop' },
    { ...load, seed: 12 },
  ])
    expect(await lostIn(other, 'up')).not.toEqual(first);
  expect(await lostIn(load, 'up')).toEqual(first);
  // The other way has its own.
  const down = await lostIn(load, 'down');
  expect(down).not.toEqual(first);
  expect(await lostIn(load, 'down')).toEqual(down);
});
