/** On Linux alone: what /proc shows. A process of ours stands in for Firefox: it holds the same file open. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askingFirefox, beginningOf, firefoxWithId, isRunning, parentOf } from '../../../../src/helper/profile/firefox-process.ts';

describe.runIf(process.platform === 'linux')('a running Firefox', () => {
  let profile: string;
  let child: ChildProcess;
  let line: Buffer;

  beforeEach(() => {
    profile = realpathSync(mkdtempSync(join(tmpdir(), 'plumbfox-üprofile-')));
  });
  afterEach(() => {
    process.kill(Number(line));
    child.kill('SIGKILL');
    rmSync(profile, { recursive: true });
  });

  /** Its first line is the number of a process that it started, which holds nothing. */
  async function startWith(...names: readonly string[]): Promise<number> {
    const fds = names.map((name) => openSync(join(profile, name), 'w'));
    // It tells its number itself, once it holds nothing: until it has had the processor it has all that its parent has.
    const script = `sh -c 'echo $$; exec sleep 1000 >&-' 3>&- 4>&- & exec sleep 1000`;
    child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', ...fds] });
    [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    for (const fd of fds) closeSync(fd);
    return child.pid as number;
  }

  it('is known by the lock that it holds', async () => {
    const pid = await startWith('.parentlock');
    expect(await firefoxWithId(pid)).toEqual({ profileFolder: profile, start: { processId: pid, began: await beginningOf(pid) } });
  });

  it('is none without a lock, or with two', async () => {
    expect(await firefoxWithId(await startWith('parentlock'))).toBeUndefined();
    process.kill(Number(line));
    child.kill('SIGKILL');
    mkdirSync(join(profile, 'other'));
    expect(await firefoxWithId(await startWith('.parentlock', 'other/.parentlock'))).toBeUndefined();
  });

  it('is none whose profile is gone', async () => {
    const pid = await startWith('.parentlock');
    rmSync(join(profile, '.parentlock'));
    expect(await firefoxWithId(pid)).toBeUndefined();
  });

  it('is the parent of who asks, or further up behind a launcher, and none where nobody is', async () => {
    const pid = await startWith('.parentlock');
    const launcher = Number(line);
    expect(await parentOf(launcher)).toBe(pid);
    expect((await askingFirefox(pid))?.start.processId).toBe(pid);
    expect((await askingFirefox(launcher))?.start.processId).toBe(pid);
    expect(await askingFirefox(1)).toBeUndefined();
  });

  it('has ended when its process has, and is not another of the same number', async () => {
    const pid = await startWith('.parentlock');
    const began = (await beginningOf(pid)) as string;
    expect(await isRunning({ processId: pid, began })).toBe(true);
    expect(await isRunning({ processId: pid, began: `${began}0` })).toBe(false);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect(await isRunning({ processId: pid, began })).toBe(false);
  });
});
