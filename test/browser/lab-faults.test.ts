/** A study when something goes wrong in the middle: that load is void or the run stops with one line; nothing is lost, nothing left behind. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readStudyLog, standingLoads } from '../../src/lab/study-run/study-log.ts';
import { type CommandOptions, eventually, type RunningCommand, startCommand } from '../support/command-run.ts';

const RUN_MS = 170_000;
/** Four loads of about two seconds. */
const SMALL = ['fennec-2008', '--only', 'page=docs-2008,link=wimax-2008,profile=c4-d2', '--repeats', '1', '--lanes', '1', '--seed', '4'];

let folder: string;
let running: RunningCommand[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-lab-faults-'));
});
afterEach(async () => {
  for (const each of running) await each.dispose();
  running = [];
  rmSync(folder, { recursive: true, force: true });
});

const out = () => join(folder, 'out');
const record = () => readStudyLog(join(out(), 'loads.jsonl'));
const loadsSoFar = () => (existsSync(join(out(), 'loads.jsonl')) ? record().loads.length : 0);

function lab(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const started = startCommand(['lab', 'run', ...args, '--out', out()], options);
  running.push(started);
  return started;
}

/** A load may be void for something else, on a busy machine; it is measured again as well. */
const reasonsLike = (pattern: RegExp): readonly string[] =>
  record().loads.flatMap(({ load: { validity } }) => (validity.state === 'void' && pattern.test(validity.reason) ? [validity.reason] : []));

async function signalled(run: RunningCommand, pattern: RegExp, signal: NodeJS.Signals): Promise<void> {
  const found = () => run.processes().find(({ command }) => pattern.test(command))?.pid;
  process.kill(await eventually(`a process ${pattern}`, found), signal);
}

async function goesOn(run: RunningCommand): Promise<void> {
  const { code, errors } = await run.ended;
  expect([errors, code]).toEqual([[], 0]);
  const standing = standingLoads({ loads: record().loads, interference: [] });
  expect(standing).toHaveLength(4);
  expect(standing.every(({ validity }) => validity.state === 'valid')).toBe(true);
  await eventually('every process gone', () => run.processes().length === 0, 30_000);
}

test('the study goes on when the servers die in the middle of a page, and when Firefox hangs: only the load under way is void', {
  timeout: RUN_MS,
}, async () => {
  const run = lab([...SMALL, '--timeout', '6']);
  await eventually('a load', () => loadsSoFar() >= 1, 60_000);
  await signalled(run, /origin-process/, 'SIGKILL');
  const ended = () => reasonsLike(/^The origin server ended in the middle of the run \(SIGKILL\)/);
  const firstHalf = await eventually('that the servers are gone', () => (ended().length > 0 ? loadsSoFar() : undefined), 60_000);
  await eventually('a load with new servers', () => loadsSoFar() > firstHalf, 60_000);
  await signalled(run, /firefox.* --headless/, 'SIGSTOP');
  await goesOn(run);
  expect(ended()).toHaveLength(1);
  expect(reasonsLike(/did not answer within 21 s/)).toHaveLength(1);
});

describe('the run stops with one line', () => {
  test('on a full disk; what was measured stands, and it goes on once there is room', { timeout: RUN_MS }, async () => {
    mkdirSync(out());
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', out()]);
    try {
      const { code, errors } = await lab(SMALL).ended;
      expect(errors).toEqual([
        expect.stringMatching(/loads\.jsonl cannot be written \(ENOSPC\): what was measured before is kept; make room and --resume/),
      ]);
      expect(code).toBe(3);
      execFileSync('mount', ['-o', 'remount,size=8m', out()]);
      const again = lab(['fennec-2008', '--resume', '--lanes', '1']);
      await goesOn(again);
    } finally {
      execFileSync('umount', [out()]);
    }
  });

  test('where a Debian package is missing and nothing may be installed', { timeout: RUN_MS }, async () => {
    const { code, errors } = await lab([...SMALL, '--capture', '--no-install'], { env: { PATH: programsWithout('tcpdump') } }).ended;
    expect(errors).toEqual([
      expect.stringMatching(/^plumbfox: Missing, and installing was not allowed \(--no-install\): tcpdump\. Install with: /),
    ]);
    expect(code).toBe(3);
    expect(existsSync(out())).toBe(false);
  });

  test('where no namespace may be made', { timeout: RUN_MS }, async () => {
    const refusing = join(folder, 'refusing');
    mkdirSync(refusing);
    writeFileSync(join(refusing, 'unshare'), '#!/bin/sh\necho "unshare failed: Operation not permitted" >&2\nexit 1\n');
    chmodSync(join(refusing, 'unshare'), 0o755);
    const { code, errors } = await lab(SMALL, { env: { PATH: `${refusing}:${process.env.PATH}` } }).ended;
    expect(errors).toEqual([
      expect.stringMatching(/^plumbfox: A study needs network namespaces, and there are none: .*Operation not permitted/),
    ]);
    expect(code).toBe(3);
    expect(existsSync(out())).toBe(false);
  });
});

/** A folder with every program of this machine but one. */
function programsWithout(missing: string): string {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const place of (process.env.PATH ?? '').split(':').filter((each) => existsSync(each))) {
    for (const name of readdirSync(place)) {
      if (name !== missing && !existsSync(join(programs, name))) symlinkSync(join(place, name), join(programs, name));
    }
  }
  return programs;
}
