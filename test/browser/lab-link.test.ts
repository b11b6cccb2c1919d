/** The emulated link against plain TCP from outside the lab's code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePrograms } from '../../src/lab/environment/ensure-programs.ts';
import { roundTripAnswer } from '../../src/lab/lane/lane-answers.ts';
import { type EmulatedLink, emulatedLink, SERVER_ADDRESSES } from '../../src/lab/link/emulated-link.ts';
import { parseLink } from '../../src/lab/link/links.ts';
import { type NamespaceProcess, namespaceProcess } from '../../src/lab/link/namespace-process.ts';

const PLAIN_TCP = fileURLToPath(new URL('../support/plain-tcp.mjs', import.meta.url));
const HOST = SERVER_ADDRESSES[0];
const PORT = '7000';

describe('an emulated link, measured by plain TCP', () => {
  let server: NamespaceProcess;
  let client: NamespaceProcess;
  let link: EmulatedLink;
  let sender: ChildProcess;
  beforeAll(async () => {
    const prefix = (await ensurePrograms({ emulator: true, install: false, onInstall: () => {} })).prefix ?? [];
    server = await namespaceProcess('origin-process', { prefix });
    client = await namespaceProcess('lane-worker', { prefix });
    link = await emulatedLink({ prefix, client, server });
    await server.call('listen', { hosts: [HOST], port: 80 });
    await link.calibrate(() => client.ask('measure-rtt', { host: HOST, port: 80 }, { answer: roundTripAnswer }));
    const command = [...prefix, 'nsenter', '--target', String(server.pid), '--net', process.execPath, PLAIN_TCP, 'serve', HOST, PORT];
    sender = spawn(command[0] as string, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
    if (sender.stdout) await once(sender.stdout, 'data');
  });
  afterAll(async () => {
    sender?.kill('SIGKILL');
    await link?.close();
    await client?.stop();
    await server?.stop();
  });

  const fromClient = async (...args: string[]) => Number(await client.run([process.execPath, PLAIN_TCP, ...args]));

  it.each([{ rttMs: 50 }, { rttMs: 150 }, { rttMs: 300 }, { rttMs: 600 }])(
    'has an RTT within 3 percent of $rttMs ms',
    async ({ rttMs }) => {
      await link.setLink(parseLink(`rtt=${rttMs},down=2000,up=384`));
      const measured = await fromClient('rtt', HOST, '80');
      expect(Math.abs(measured - rttMs) / rttMs).toBeLessThanOrEqual(0.03);
    },
  );

  it.each([
    { down: 400, rtt: 50 },
    { down: 2000, rtt: 50 },
    { down: 10_000, rtt: 50 },
    { down: 2000, rtt: 300 },
  ])('has a rate within 3 percent of $down kbit/s at RTT $rtt ms', async ({ down, rtt }) => {
    // Deep enough that slow start meets no loss: what is measured is the rate, not Reno's recovery.
    await link.setLink(parseLink(`rtt=${rtt},down=${down},up=1000,queue=100000`));
    const measured = await fromClient('rate', HOST, PORT, String(500 + 5 * rtt), '3000');
    await link.flush();
    expect(Math.abs(measured - down) / down).toBeLessThanOrEqual(0.03);
  });
});
