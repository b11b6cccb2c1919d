/** The command with a real Firefox when something goes wrong in the middle: one line, the documented exit code, nothing left behind. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseReport } from '../../src/protocol/parse-report.ts';
import {
  type CommandOptions,
  type Ended,
  eventually,
  namespaceInUse,
  ownNamespaces,
  type RunningCommand,
  startCommand,
} from '../support/command-run.ts';
import { releaseNetworks } from '../support/held-networks.ts';
import { FULL } from '../support/long-form.ts';

const packets = process.platform === 'linux' && process.getuid?.() === 0;
/** One page that takes about a second, one fast link: a load every few seconds. */
const SMALL = ['--pages', 'hold', '--links', 'rtt=20,down=4000', '--profiles', 'c2-d1', '--seed', '1'];

let folder: string;
let running: RunningCommand[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-faults-'));
});

afterEach(async () => {
  for (const each of running) await each.dispose();
  running = [];
  releaseNetworks();
  rmSync(folder, { recursive: true, force: true });
});

const out = () => join(folder, 'out');

function tune(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const started = startCommand(['tune', ...args, '--out', out()], options);
  running.push(started);
  return started;
}

const logged = (): number =>
  existsSync(join(out(), 'loads.jsonl')) ? readFileSync(join(out(), 'loads.jsonl'), 'utf8').split('\n').length - 1 : 0;

async function afterLoads(run: RunningCommand, count: number): Promise<void> {
  await eventually(
    () => `${count} loads, after ${run.told()}`,
    () => logged() >= count,
    60_000,
  );
}

const found = (run: RunningCommand, pattern: RegExp): number | undefined =>
  run.processes().find(({ command }) => pattern.test(command))?.pid;

async function kill(run: RunningCommand, pattern: RegExp): Promise<void> {
  process.kill(await eventually(`a process ${pattern}`, () => found(run, pattern)), 'SIGKILL');
}

/** Nothing of the run is there any more; most of it at once, the rest within moments. */
async function nothingLeft(run: RunningCommand, namespaces: readonly string[]): Promise<void> {
  await eventually('every process gone', () => run.processes().length === 0, 30_000);
  await eventually('every namespace gone', () => !namespaceInUse(namespaces), 30_000);
  expect(readdirSync(run.temporary)).toEqual([]);
}

function oneLine(ended: Ended, expected: { code: number; says: RegExp }): void {
  expect(ended.errors).toHaveLength(1);
  expect(ended.errors[0]).toMatch(expected.says);
  expect(ended.stderr).not.toMatch(/^\s+at /m);
  expect(ended.code).toBe(expected.code);
}

function script(name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && { echo Mozilla Firefox 1.0; exit 0; }\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('a Firefox that does not start', () => {
  test.each([
    ['ends at once', 'echo "cannot open display" >&2; exit 1', /did not start: it ended with exit code 1 \(cannot open display\)/],
    ['says nothing', 'sleep 1000', /did not start: no answer in 3 s/],
    ['ignores SIGTERM', 'trap "" TERM INT; sleep 1000 & wait; sleep 1000', /did not start: no answer in 3 s/],
  ])('%s', async (_name, body, says) => {
    const run = tune([...SMALL, '--timeout', '3', '--relay'], { env: { PLUMBFOX_FIREFOX: script('firefox', body) } });
    oneLine(await run.ended, { code: 3, says });
    await nothingLeft(run, []);
    expect(existsSync(out())).toBe(false);
  });
});

describe('a server that hangs', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer(() => {});
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterEach(() => {
    server.close();
  });

  test('a page of the real network that never answers: its loads are void with a reason, the rest is not tried, and the run is void', async () => {
    const { port } = server.address() as { port: number };
    writeFileSync(join(folder, 'urls'), `http://127.0.0.1:${port}/\n`);
    const run = tune(['--real-network', '--urls', join(folder, 'urls'), '--profiles', 'c2-d1', '--blocks', '3', '--timeout', '6']);
    const ended = await run.ended;
    oneLine(ended, { code: 4, says: /No load was valid: The extension stored no load within 6 s/ });
    const { loads } = parseReport(JSON.parse(readFileSync(join(out(), 'report.json'), 'utf8')));
    expect(loads).toHaveLength(6);
    // Three in a row are tried; the other three would cost the time limit again.
    expect(loads.filter(({ validity }) => validity.state === 'void' && /^not tried again/.test(validity.reason))).toHaveLength(3);
    await nothingLeft(run, []);
  });

  test('a page that is not over the first time: its later loads have records of their own, and count', async () => {
    let visits = 0;
    const hangsOnce = createHttpServer(({ url }, response) => {
      if (url === '/') {
        visits += 1;
        response.setHeader('content-type', 'text/html').end(`<!doctype html><title>a</title><img src="/${visits}.png" alt="">`);
      } else if (url !== '/1.png') response.setHeader('content-type', 'image/png').end('no picture');
    });
    await new Promise<void>((done) => hangsOnce.listen(0, '127.0.0.1', done));
    try {
      const { port } = hangsOnce.address() as { port: number };
      writeFileSync(join(folder, 'urls'), `http://127.0.0.1:${port}/\n`);
      const run = tune(['--real-network', '--urls', join(folder, 'urls'), '--profiles', 'c2-d1', '--blocks', '2', '--timeout', '6']);
      const ended = await run.ended;
      expect(ended.code).toBe(0);
      const { loads } = parseReport(JSON.parse(readFileSync(join(out(), 'report.json'), 'utf8')));
      // The one that warms up is the one without an end.
      expect(visits).toBe(5);
      expect(loads.map(({ validity }) => validity)).toEqual(Array.from({ length: 4 }, () => ({ state: 'valid' })));
      await nothingLeft(run, []);
    } finally {
      hangsOnce.closeAllConnections();
      hangsOnce.close();
    }
  });

  test.runIf(packets)('an origin of the lab that stands still: the run ends void, with what was measured before', async () => {
    const run = tune([...SMALL, '--blocks', '50', '--timeout', '6']);
    await afterLoads(run, 1);
    const namespaces = ownNamespaces(run.processes());
    const origin = await eventually('the origin', () => found(run, /node.*origin-process/));
    process.kill(origin, 'SIGSTOP');
    const ended = await run.ended;
    oneLine(ended, {
      code: 4,
      // Said of a third load in a row, or at once where a profile is to show its limit: without servers nothing can be measured.
      says: /The origin-process process did not answer within 10 s.*Given up after \d+ loads?, kept in/,
    });
    const { loads } = parseReport(JSON.parse(readFileSync(join(out(), 'report.json'), 'utf8')));
    expect(loads[0]?.validity.state).toBe('valid');
    expect(loads.at(-1)?.validity.state).toBe('void');
    await nothingLeft(run, namespaces);
  });
});

describe.runIf(packets)('in the middle of a run', () => {
  test('Ctrl-C keeps what was measured and leaves nothing else', async () => {
    const run = tune([...SMALL, '--blocks', '50', '--json']);
    await afterLoads(run, 1);
    const namespaces = ownNamespaces(run.processes());
    // The two ends of the link; Firefox makes more for its content processes.
    expect(namespaces.length).toBeGreaterThanOrEqual(2);
    process.kill(-run.pid, 'SIGINT');
    // npm passes it on: the second within a moment is the same press.
    process.kill(run.pid, 'SIGINT');
    const ended = await run.ended;
    oneLine(ended, { code: 130, says: /Interrupted after \d+ loads?, kept in / });
    const { loads } = parseReport(JSON.parse(readFileSync(join(out(), 'report.json'), 'utf8')));
    expect(loads).toHaveLength(logged());
    expect(loads.length).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(ended.stdout).seed).toBe(1);
    await nothingLeft(run, namespaces);
  });

  test('Ctrl-C while Firefox starts leaves nothing at all', async () => {
    const run = tune(SMALL);
    await eventually('Firefox', () => found(run, /firefox.*--profile/));
    const namespaces = ownNamespaces(run.processes());
    process.kill(-run.pid, 'SIGINT');
    const ended = await run.ended;
    oneLine(ended, { code: 130, says: /Interrupted before the first load; nothing is kept/ });
    expect(existsSync(out())).toBe(false);
    await nothingLeft(run, namespaces);
  });

  test('the command killed with SIGKILL takes everything with it', async () => {
    const run = tune([...SMALL, '--blocks', '50']);
    await afterLoads(run, 1);
    const namespaces = ownNamespaces(run.processes());
    process.kill(run.pid, 'SIGKILL');
    await run.ended;
    await nothingLeft(run, namespaces);
    expect(logged()).toBeGreaterThanOrEqual(1);
  });

  const KILLED = [
    ['Firefox', /firefox.*--profile .*\/plumbfox-firefox/, /Firefox ended in the middle of the run \(SIGKILL\)/],
    ['the relay', /node.*\/relay-process/, /The relay ended in the middle of the run \(SIGKILL\)/],
    ['the lane worker', /node.*lane-worker/, /The lane worker ended in the middle of the run \(SIGKILL\)/],
    ['socat', /^socat /, /socat ended in the middle of the run/],
    ['the origin', /node.*origin-process/, /The origin server ended in the middle of the run \(SIGKILL\)/],
  ] as const;
  test.each(FULL ? KILLED : KILLED.slice(0, 1))('%s killed: the run ends and says so', async (_name, pattern, says) => {
    const run = tune([...SMALL, '--blocks', '50']);
    await afterLoads(run, 1);
    const namespaces = ownNamespaces(run.processes());
    await kill(run, pattern);
    oneLine(await run.ended, { code: 3, says });
    expect(parseReport(JSON.parse(readFileSync(join(out(), 'report.json'), 'utf8'))).loads).toHaveLength(logged());
    await nothingLeft(run, namespaces);
  });
});
