/**
 * Our analysis against tcptrace on the same capture. Tolerances: counts, bytes and the number of RTT samples agree exactly; RTTs to the 0.1 ms
 * that tcptrace prints. Both take a sample where an acknowledgement ends exactly where a segment does that was sent once (Karn), unless a segment
 * before it was sent after it; SYN and FIN count. tcptrace's words about the kept captures are kept with them, so that this runs everywhere.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { analyseCapture } from '../../src/lab/capture/capture-analysis.ts';
import { laneDevice, startCapture } from '../../src/lab/capture/start-capture.ts';
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import { emulatedLink, SERVER_ADDRESSES } from '../../src/lab/link/emulated-link.ts';
import { findPrivilege, namespaceProcess } from '../../src/lab/link/namespace-process.ts';
import { parseLink } from '../../src/lab/link/parse-link.ts';
import { tryCommand } from '../../src/lab/process/run-command.ts';
import { buildOnce } from '../support/build-once.ts';
import { ownConnections, type TracedConnection, tracedConnections } from '../support/tcptrace.ts';

/** tcptrace prints tenths of a millisecond. */
const RTT_TOLERANCE_MS = 0.0501;

function expectTheSame(capture: Uint8Array, report: string): readonly TracedConnection[] {
  const traced = tracedConnections(report);
  const own = ownConnections(analyseCapture(capture), traced);
  expect(own.map(({ hostA }) => hostA)).toEqual(traced.map(({ hostA }) => hostA));
  for (const [at, { figures }] of traced.entries()) {
    for (const [name, sides] of Object.entries(figures)) {
      const ours = own[at]?.figures[name as keyof typeof figures] ?? [];
      const tolerance = /min|avg|max/.test(name) ? RTT_TOLERANCE_MS : 0;
      for (const side of [0, 1] as const)
        expect(Math.abs((ours[side] ?? Number.NaN) - sides[side]), `connection ${at + 1}, ${name}`).toBeLessThanOrEqual(tolerance);
    }
  }
  return traced;
}

describe('our analysis and that of tcptrace agree', () => {
  it.each(['docs-c4-d6-server', 'docs-c6-d1-client'])('on the kept capture %s', (name) => {
    const path = fileURLToPath(new URL(`../fixtures/capture/${name}`, import.meta.url));
    const traced = expectTheSame(readFileSync(`${path}.pcap`), readFileSync(`${path}.tcptrace.txt`, 'utf8'));
    expect(traced.length).toBeGreaterThan(3);
    expect(traced.reduce((sum, { figures }) => sum + figures['RTT samples'][0] + figures['RTT samples'][1], 0)).toBeGreaterThan(50);
  });

  it('on a capture made now, over an emulated link that loses packets', async (context) => {
    const reason = await whyNot();
    if (reason !== undefined) context.skip(reason);
    const folder = mkdtempSync(join(tmpdir(), 'plumbfox-capture-'));
    try {
      const path = join(folder, 'lossy.pcap');
      await captureDownloads(path);
      const { code, stdout } = await tryCommand(['tcptrace', '-l', '-r', '-n', path]);
      expect(code).toBe(0);
      const traced = expectTheSame(readFileSync(path), stdout);
      expect(traced).toHaveLength(3);
      // The shallow queue has lost some: otherwise this would compare nothing but clean connections.
      expect(traced.reduce((sum, { figures }) => sum + figures['rexmt data pkts'][0] + figures['rexmt data pkts'][1], 0)).toBeGreaterThan(
        0,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Why no capture can be compared here; `undefined`: it can. */
async function whyNot(): Promise<string | undefined> {
  const privilege = await findPrivilege();
  if (privilege.kind === 'none') return `no emulated link here: ${privilege.reason}`;
  const { code } = await tryCommand(['sh', '-c', 'command -v tcptrace']);
  return code === 0 ? undefined : 'tcptrace is missing and could not be installed';
}

const HOST = SERVER_ADDRESSES[0];
/** Enough for slow start to overflow the queue. */
const DOWNLOAD_BYTES = 200_000;
const PLAIN_TCP = fileURLToPath(new URL('../support/plain-tcp.mjs', import.meta.url));

/** Three downloads side by side, captured where they are sent. */
async function captureDownloads(path: string): Promise<void> {
  buildOnce();
  const prefix = (await ensurePrograms({ emulator: true, capture: true, install: false, onInstall: () => {} })).prefix ?? [];
  const server = await namespaceProcess('origin-process', { prefix });
  const client = await namespaceProcess('lane-worker', { prefix });
  const link = await emulatedLink({ prefix, client, server });
  const enter = [...prefix, 'nsenter', '--target', String(server.pid), '--net', process.execPath, PLAIN_TCP, 'serve', HOST, '7000'];
  const sender = spawn(enter[0] as string, enter.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    if (sender.stdout) await once(sender.stdout, 'data');
    await link.setLink(parseLink('rtt=60,down=4000,up=1000,queue=8'));
    const capture = await startCapture({ prefix, pid: server.pid, device: await laneDevice(server), path, snapLengthBytes: 96 });
    const receive = () => client.run([process.execPath, PLAIN_TCP, 'receive', HOST, '7000', String(DOWNLOAD_BYTES)]);
    await Promise.all([receive(), receive(), receive()]);
    const { packets, missedPackets } = await capture.stop();
    expect(packets).toBeGreaterThan(300);
    expect(missedPackets).toBe(0);
  } finally {
    sender.kill('SIGKILL');
    await link.close();
    await client.stop();
    await server.stop();
  }
}
