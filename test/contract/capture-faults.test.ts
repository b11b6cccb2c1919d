/** Recording packets where something is wrong: one clear line each, and no tcpdump left behind. Needs root, and tcpdump. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyseCapture } from '../../src/lab/capture/capture-analysis.ts';
import { startCapture } from '../../src/lab/capture/start-capture.ts';
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import { findPrivilege } from '../../src/lab/link/namespace-process.ts';
import { runCommand } from '../../src/lab/process/run-command.ts';
import { besideIn } from '../support/processes.ts';

const privilege = await findPrivilege();
if (privilege.kind === 'none') process.stderr.write(`Captures are not tested here: ${privilege.reason}\n`);

describe.skipIf(privilege.kind === 'none')('a capture', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-capture-'));
  let alone: Alone;
  beforeAll(async () => {
    const prefix = (await ensurePrograms({ emulator: true, capture: true, install: false, onInstall: () => {} })).prefix ?? [];
    alone = await inNamespaceOfItsOwn(prefix);
  }, 600_000);
  afterAll(() => {
    alone.child.stdin.end();
    rmSync(folder, { recursive: true });
  });
  const start = (options: { path?: string; device?: string } = {}) =>
    startCapture({
      prefix: alone.prefix,
      pid: alone.pid,
      device: 'lo',
      path: join(folder, 'one.pcap'),
      snapLengthBytes: 65_535,
      ...options,
    });
  const fetchOnce = async () => {
    const fetched = once(alone.said, 'line');
    alone.child.stdin.write('\n');
    expect(await fetched).toEqual(['fetched']);
  };
  const expectFetched = (capture: Uint8Array) => {
    const { connections } = analyseCapture(capture);
    const [exchange] = connections.flatMap(({ exchanges }) => exchanges.filter(({ target }) => target === '/fetched-now'));
    expect(exchange).toMatchObject({ method: 'GET', status: 200 });
    expect(exchange?.responseBytes).toBeGreaterThan(20_000);
  };

  it('has every packet up to its end', async () => {
    const capture = await start();
    await fetchOnce();
    const { packets, missedPackets } = await capture.stop();
    const analysis = analyseCapture(readFileSync(join(folder, 'one.pcap')));
    expect(analysis).toMatchObject({ packets, brokenOffBytes: 0 });
    expect(missedPackets).toBe(0);
    expectFetched(readFileSync(join(folder, 'one.pcap')));
  });

  it('waits for a tcpdump that got no processor to read what was sent', async () => {
    const capture = await start();
    const tcpdump = besideIn(alone.pid)
      .filter(({ name }) => name === 'tcpdump')
      .map(({ pid }) => String(pid));
    expect(tcpdump).toHaveLength(1);
    await runCommand([...alone.prefix, 'kill', '-STOP', ...tcpdump]);
    await fetchOnce();
    const stopped = capture.stop();
    await runCommand([...alone.prefix, 'kill', '-CONT', ...tcpdump]);
    expect(await stopped).toMatchObject({ missedPackets: 0 });
    expectFetched(readFileSync(join(folder, 'one.pcap')));
  });

  it('of a device that is not there does not begin', async () => {
    await expect(start({ device: 'pfnone' })).rejects.toMatchObject({
      kind: 'environment',
      message: expect.stringMatching(/did not start: .*pfnone/),
    });
  });

  it('is not begun under a name that tcpdump may not write to, or where nothing can be written', async () => {
    await expect(start({ path: join(folder, 'one.txt') })).rejects.toMatchObject({ kind: 'bad-input' });
    await expect(start({ path: join(folder, 'missing', 'one.pcap') })).rejects.toMatchObject({
      kind: 'environment',
      message: expect.stringMatching(/cannot be written/),
    });
  });

  it('onto a full disk is not taken for a whole one', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    await runCommand([...alone.prefix, 'mount', '-t', 'tmpfs', '-o', 'size=8k,mode=777', 'tmpfs', disk]);
    try {
      const capture = await start({ path: join(disk, 'full.pcap') });
      await fetchOnce();
      await expect(capture.stop()).rejects.toMatchObject({
        kind: 'environment',
        message: expect.stringMatching(/is not whole .* space left/),
      });
    } finally {
      await runCommand([...alone.prefix, 'umount', disk]);
    }
  });

  it('that is abandoned is not an error, ended already or not', async () => {
    const capture = await start();
    await capture.abandon();
    await capture.abandon();
  });
});

interface Alone {
  readonly prefix: readonly string[];
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly said: Interface;
  readonly pid: number;
}

/** Others' packets on the shared loopback device would be counted, and could fill tcpdump's buffer. */
async function inNamespaceOfItsOwn(prefix: readonly string[]): Promise<Alone> {
  const script = fileURLToPath(new URL('../support/fetch-itself.mjs', import.meta.url));
  const inside = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, script];
  const [program, ...rest] = [...prefix, ...inside];
  const child = spawn(program as string, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = createInterface({ input: child.stdout });
  const [pid] = await once(said, 'line');
  return { prefix, child, said, pid: Number(pid) };
}
