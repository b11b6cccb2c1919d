/** Whoever is killed between two changes of a file is followed by a revert that puts everything back. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import type { FirefoxStart } from '../../../src/helper/profile/firefox-process.ts';
import { LOCK_FILE } from '../../../src/helper/profile/lock.ts';
import { openProfile } from '../../../src/helper/profile/profile-changes.ts';
import { startPretendedFirefox } from '../../support/pretended-firefox.ts';

/** `full`: user.js alone cannot be changed. */
const left = vi.hoisted(() => ({ full: false }));
vi.mock('../../../src/helper/files/replace-file.ts', async (original) => {
  const real = await original<typeof import('../../../src/helper/files/replace-file.ts')>();
  const replaceFile: typeof real.replaceFile = (replacement) => {
    if (left.full && replacement.path.endsWith('/user.js')) throw new PlumbfoxError('environment', 'the disk is full');
    return real.replaceFile(replacement);
  };
  return { ...real, replaceFile };
});

const profileNamed = (id: string) => findProfile(id) ?? expect.fail(id);

let home: string;
let directory: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plumbfox-killed-'));
});
afterEach(async () => {
  left.full = false;
  await rm(home, { recursive: true });
});

const everything = async () =>
  Promise.all(
    (await readdir(directory)).toSorted().map(async (name) => [name, await readFile(join(directory, name), 'latin1').catch(() => '')]),
  );
const open = (askedBy?: FirefoxStart) =>
  openProfile(directory, { now: () => 0, systemPolicies: join(home, 'none'), ...(askedBy === undefined ? {} : { askedBy }) });
const session = async () => (await startPretendedFirefox(directory)).save();
const start: FirefoxStart = { processId: process.pid, began: '1' };

const STEPS = {
  apply: async () => void (await (await open()).apply(profileNamed('c4-d6'))),
  confirm: async () => void (await (await open()).confirm()),
  exchange: async () => void (await (await open()).apply(profileNamed('betterfox'))),
  session,
  'exchange while it runs': () => whileRunning(async (changes) => changes.apply(profileNamed('c4-d6'))),
  'revert while it runs': () => whileRunning(async (changes) => changes.revert()),
  revert: async () => void (await (await open()).revert()),
};

/** The test itself stands in for the Firefox. */
async function whileRunning(work: (changes: Awaited<ReturnType<typeof open>>) => Promise<unknown>): Promise<void> {
  await symlink(`127.0.1.1:+${process.pid}`, join(directory, 'lock'));
  try {
    await work(await open(start));
  } finally {
    await rm(join(directory, 'lock'));
  }
}

/** What a process of its own is asked for, to be killed in the middle of it. */
const ASKED: Readonly<Partial<Record<keyof typeof STEPS, { readonly asked: readonly string[]; readonly runs?: true }>>> = {
  apply: { asked: ['apply', 'c4-d6'] },
  confirm: { asked: ['confirm', ''] },
  exchange: { asked: ['apply', 'betterfox'] },
  'exchange while it runs': { asked: ['apply', 'c4-d6'], runs: true },
  'revert while it runs': { asked: ['revert', ''], runs: true },
  revert: { asked: ['revert', ''] },
};

let program: string;
beforeAll(async () => {
  program = join(await mkdtemp(join(tmpdir(), 'plumbfox-change-')), 'change-once.mjs');
  await build({
    entryPoints: ['test/support/change-once.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    plugins: [
      {
        name: 'replace-or-die',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/replace-file\.ts$/ }, ({ importer }) =>
            importer.endsWith('replace-or-die.ts') ? undefined : { path: resolve('test/support/replace-or-die.ts') },
          ),
      },
    ],
  });
});
afterAll(() => rm(join(program, '..'), { recursive: true }));

/** @returns whether it came to its end, and was not killed before its change number `changes`. */
async function wentThrough(step: keyof typeof STEPS, changes: number): Promise<boolean> {
  const { asked, runs } = ASKED[step] ?? expect.fail(step);
  const args = [program, directory, join(home, 'none'), ...asked, ...(runs ? [String(process.pid)] : [])];
  if (runs) await symlink(`127.0.1.1:+${process.pid}`, join(directory, 'lock'));
  const env = { ...process.env, PLUMBFOX_TEST_CHANGES: String(changes) };
  const [code, signal] = await once(spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
  if (runs) await rm(join(directory, 'lock'));
  expect([
    [0, null],
    [null, 'SIGKILL'],
  ]).toContainEqual([code, signal]);
  return code === 0;
}

/** The last of each course is the one that is killed. */
const COURSES: readonly (readonly (keyof typeof STEPS)[])[] = [
  ['apply'],
  ['apply', 'session', 'confirm'],
  ['apply', 'session', 'exchange'],
  ['exchange', 'session', 'exchange while it runs'],
  ['exchange', 'session', 'exchange while it runs', 'session', 'revert while it runs'],
  ['exchange', 'session', 'revert while it runs', 'session', 'revert'],
  ['apply', 'session', 'exchange', 'session', 'revert'],
];

it.each(COURSES.map((course) => [course.join(', '), course] as const))(
  '%s: killed at every change',
  async (_, course) => {
    let killed = 0;
    for (let changes = 0; ; changes++) {
      directory = join(home, String(changes));
      await mkdir(directory);
      await writeFile(join(directory, 'user.js'), '// mine\r\nuser_pref("network.prefetch-next", false);');
      await writeFile(join(directory, 'prefs.js'), 'user_pref("network.http.max-connections", 333);\n');
      await session();
      const before = await everything();
      for (const step of course.slice(0, -1)) await STEPS[step]();
      if (await wentThrough(course.at(-1) ?? expect.fail(), changes)) break;
      killed++;
      // Its lock stays behind, and is taken over.
      expect(await readdir(directory)).toContain(LOCK_FILE);
      // A Firefox may come between.
      if (changes % 2 === 1) await session();
      const after = await open();
      await after.revert();
      expect(await everything()).toEqual(before);
    }
    expect(killed).toBeGreaterThan(0);
    // A process for each change: limits as a busy machine needs them.
  },
  300_000,
);

it('half a file that somebody who was killed has left behind goes with the revert', async () => {
  directory = join(home, 'profile');
  await mkdir(join(directory, 'plumbfox'), { recursive: true });
  await writeFile(join(directory, 'prefs.js'), '');
  const before = ['prefs.js'];
  for (const folder of [directory, join(directory, 'plumbfox')]) await writeFile(join(folder, '.plumbfox-0123456789abcdef.tmp'), 'half');
  await (await open()).revert();
  expect(await readdir(directory)).toEqual(before);
});

it('what cannot be written has changed nothing, and what was applied before stays applied', async () => {
  directory = join(home, 'profile');
  await mkdir(directory);
  await writeFile(join(directory, 'user.js'), '// mine\n');
  const changes = await open();
  const whole = async () => [await everything(), await readFile(join(directory, 'plumbfox/record.json'), 'utf8').catch(() => undefined)];
  for (const id of ['betterfox', 'c4-d6']) {
    const [before, status] = [await whole(), await changes.status()];
    left.full = true;
    await expect(changes.apply(profileNamed(id))).rejects.toThrow('the disk is full');
    left.full = false;
    expect([await whole(), await changes.status()]).toEqual([before, status]);
    await changes.apply(profileNamed(id));
  }
});
