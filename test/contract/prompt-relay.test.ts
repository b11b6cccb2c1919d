/** The relay before everything else that wants a processor, with no other processor to be had: its garbage collection must not wait for threads that never run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { makePrompt, relayCommand } from '../../src/lab/link/emulated-link.ts';
import { rootPrefix } from '../../src/lab/link/namespace-process.ts';
import { type RpcClient, rpcClient } from '../../src/lab/process/rpc.ts';
import { tryCommand } from '../../src/lab/process/run-command.ts';
import { buildOnce } from '../support/build-once.ts';

const FILL_MEMORY = new URL('../support/fill-memory.mjs', import.meta.url).href;

const prefix = process.platform === 'linux' ? await rootPrefix() : undefined;
/** Containers may refuse it; there the relay goes before nothing. */
const mayBePrompt = prefix !== undefined && (await tryCommand([...prefix, 'chrt', '-f', '10', 'true'])).code === 0;

let child: ChildProcess | undefined;
let relay: RpcClient | undefined;
const ends: Socket[] = [];

beforeAll(buildOnce);
afterEach(async () => {
  for (const end of ends) end.close();
  child?.kill('SIGKILL');
  await relay?.exited;
});

/** The first of those that this process may run on. */
const oneProcessor = (): string => /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';

async function endAt(port: number): Promise<Socket> {
  const end = createSocket('udp4');
  // The relay may be gone.
  end.on('error', () => {});
  ends.push(end);
  end.connect(port, '127.0.0.1');
  await once(end, 'connect');
  return end;
}

test.runIf(mayBePrompt)('a prompt relay carries packets while its memory grows, on one processor', async () => {
  const command = relayCommand();
  const [program, ...rest] = command;
  child = spawn('taskset', ['-c', oneProcessor(), program, '--import', FILL_MEMORY, ...rest], { stdio: ['pipe', 'pipe', 'pipe'] });
  relay = rpcClient(child, 'relay');
  let said = '';
  const filled = new Promise<void>((resolve) => {
    child?.stderr?.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('filled')) resolve();
    });
  });
  const ports = await relay.ask('ports', {}, { answer: v.object({ client: v.number(), server: v.number() }) });
  const [client, server] = [await endAt(ports.client), await endAt(ports.server)];
  const joined = relay.call('joined');
  client.send('first');
  server.send('first');
  await joined;
  await makePrompt(prefix ?? [], child.pid ?? 0);
  child.kill('SIGUSR2');
  // A link's packets come meanwhile; the relay ends by itself once it has had no rest for seconds.
  const packets = setInterval(() => server.send('packet'), 5);
  const ended = relay.exited.then((why) => `ended: ${why}, ${said}`);
  const carried = filled.then(() => once(client, 'message')).then(() => 'carried');
  const outcome = await Promise.race([carried, ended]);
  clearInterval(packets);
  expect(outcome).toBe('carried');
});
