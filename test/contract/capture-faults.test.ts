/** Recording packets where something is wrong: one clear line each, and no tcpdump left behind. Needs root, and tcpdump. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyseCapture } from '../../src/core/capture/index.ts';
import { startCapture } from '../../src/lab/capture/start-capture.ts';
import { ensurePrograms } from '../../src/lab/environment/ensure-programs.ts';
import { findPrivilege } from '../../src/lab/link/privilege.ts';
import { runCommand } from '../../src/lab/run-command.ts';

const privilege = await findPrivilege();
if (privilege.kind === 'none') process.stderr.write(`Captures are not tested here: ${privilege.reason}\n`);

describe.skipIf(privilege.kind === 'none')('a capture', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-capture-'));
  let prefix: readonly string[] = [];
  const server = createServer((_, response) => response.end('x'.repeat(20_000)));
  let port = 0;
  beforeAll(async () => {
    prefix = (await ensurePrograms({ emulator: true, capture: true, install: true, onInstall: () => {} })).prefix ?? [];
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  }, 600_000);
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const start = (options: { path?: string; device?: string } = {}) =>
    startCapture({ prefix, pid: process.pid, device: 'lo', path: join(folder, 'one.pcap'), snapLengthBytes: 65_535, ...options });
  const fetchOnce = async () => (await fetch(`http://127.0.0.1:${port}/fetched-now`)).arrayBuffer();

  it('has every packet up to its end', async () => {
    const capture = await start();
    await fetchOnce();
    const { packets, missedPackets } = await capture.stop();
    const analysis = analyseCapture(readFileSync(join(folder, 'one.pcap')));
    expect(analysis).toMatchObject({ packets, brokenOffBytes: 0 });
    expect(missedPackets).toBe(0);
    const [exchange] = analysis.connections.flatMap(({ exchanges }) => exchanges.filter(({ target }) => target === '/fetched-now'));
    expect(exchange).toMatchObject({ method: 'GET', status: 200 });
    expect(exchange?.responseBytes).toBeGreaterThan(20_000);
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
    await runCommand([...prefix, 'mount', '-t', 'tmpfs', '-o', 'size=8k,mode=777', 'tmpfs', disk]);
    try {
      const capture = await start({ path: join(disk, 'full.pcap') });
      await fetchOnce();
      await expect(capture.stop()).rejects.toMatchObject({
        kind: 'environment',
        message: expect.stringMatching(/is not whole .* space left/),
      });
    } finally {
      await runCommand([...prefix, 'umount', disk]);
    }
  });

  it('that is abandoned is not an error, ended already or not', async () => {
    const capture = await start();
    await capture.abandon();
    await capture.abandon();
  });
});
