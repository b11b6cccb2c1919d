/** A process is gone only where the system says so; what cannot be looked at runs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const asked = vi.hoisted(() => ({ failure: undefined as string | undefined }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const readFile = async (path: string, encoding: BufferEncoding) => {
    if (asked.failure !== undefined) throw Object.assign(new Error(asked.failure), { code: asked.failure });
    return real.readFile(path, encoding);
  };
  return { ...real, readFile };
});
const { beginningOf, isRunning } = await import('../../../../src/helper/profile/firefox-process.ts');

/** More than any system gives. */
const NOBODY_THERE = 2 ** 30;

describe.runIf(process.platform === 'linux')('on Linux', () => {
  afterEach(() => {
    asked.failure = undefined;
  });

  it.each(['EMFILE', 'EACCES', 'EIO', 'ENOENT'])('a process that lives runs, although looking fails with %s', async (code) => {
    asked.failure = code;
    expect(await isRunning({ processId: process.pid, began: 'boot/1' })).toBe(true);
    expect(await beginningOf(process.pid)).toBeUndefined();
  });

  it.each(['EMFILE', 'EACCES'])('whether nobody has the number is not known where looking fails with %s', async (code) => {
    asked.failure = code;
    expect(await isRunning({ processId: NOBODY_THERE, began: 'boot/1' })).toBe(true);
  });

  it.each(['ENOENT', 'ESRCH'])('a process is gone where looking says %s, and nobody has its number', async (code) => {
    asked.failure = code;
    expect(await isRunning({ processId: NOBODY_THERE, began: 'boot/1' })).toBe(false);
  });

  it('a process runs by its own beginning, and by no other', async () => {
    const began = (await beginningOf(process.pid)) ?? expect.fail();
    expect(await isRunning({ processId: process.pid, began })).toBe(true);
    expect(await isRunning({ processId: process.pid, began: `${began}0` })).toBe(false);
  });
});

describe('on macOS, by its ps', () => {
  const { platform } = process;
  const { PATH } = process.env;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plumbfox-ps-'));
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    process.env.PATH = `${folder}:${PATH}`;
  });
  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: platform });
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  });

  const BEGAN = 'Mon Nov 23 04:00:00 2026';
  it.each([
    ['shows it', `echo '${BEGAN}'`, true],
    ['shows another of that number', `echo 'Mon Nov 23 05:00:00 2026'`, false],
    ['shows none, with 1', 'exit 1', false],
    ['fails with 1 and a reason', 'echo "ps: too many open files" >&2; exit 1', true],
    ['fails otherwise', 'exit 71', true],
    ['is killed', 'kill -9 $$', true],
    ['says nothing at all', 'exit 0', true],
  ])('that %s', async (_, script, expected) => {
    writeFileSync(join(folder, 'ps'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    expect(await isRunning({ processId: 4_242, began: BEGAN })).toBe(expected);
  });
});
