/** The guard as the process it is, over a profile whose Firefox is pretended: what it does is in the files. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { BETTERFOX } from '../../../src/core/profiles/presets.ts';
import { openProfile } from '../../../src/helper/profile/profile-changes.ts';
import { countBar } from '../../support/bar-count.ts';
import { buildOnce } from '../../support/build-once.ts';
import { type RunningHelper, startHelper } from '../../support/helper-program.ts';

const USER_JS = '// mine\r\nuser_pref("network.proxy.type", 1);';
let profile: string;
let started: (ChildProcess | RunningHelper)[];

beforeAll(buildOnce);
beforeEach(async () => {
  started = [];
  profile = await mkdtemp(join(tmpdir(), 'plumbfox-guard-'));
  await writeFile(join(profile, 'user.js'), USER_JS);
  await (await openProfile(profile, { now: () => 0 })).apply(BETTERFOX);
});
afterEach(async () => {
  for (const each of started) ('child' in each ? each.child : each).kill('SIGKILL');
  await rm(profile, { recursive: true, force: true });
});

function startGuard(): RunningHelper {
  const guard = startHelper(['guard', profile]);
  started.push(guard);
  return guard;
}

/** Has the profile open until it is killed, which leaves its link behind. */
async function startFirefox(): Promise<{ crash(): Promise<void> }> {
  const firefox = spawn('sleep', ['1000'], { stdio: 'ignore' });
  started.push(firefox);
  await once(firefox, 'spawn');
  await symlink(`127.0.0.1:+${firefox.pid}`, join(profile, 'lock.new'));
  await rename(join(profile, 'lock.new'), join(profile, 'lock'));
  return {
    crash: async () => {
      const gone = once(firefox, 'exit');
      firefox.kill('SIGKILL');
      await gone;
    },
  };
}

const takeBack = async () => void (await (await openProfile(profile, { now: () => 0 })).revert());

/** What the guard exchanges in the moment in which it is read is refused, and has to be read again. */
async function counted(): Promise<number> {
  for (;;) {
    try {
      return (await (await openProfile(profile, { now: () => 0 })).status()).starts;
    } catch (error) {
      if (!/was replaced while it was read/.test(String(error))) throw error;
    }
  }
}

const crashAndWait = async (starts: number) => {
  await (await startFirefox()).crash();
  for (let now = await counted(); now !== starts; now = await counted()) await new Promise((done) => setTimeout(done, 25));
};

it('puts the former state back when the second start has ended without a word, and ends', async () => {
  const guard = startGuard();
  await crashAndWait(1);
  const second = await startFirefox();
  while ((await counted()) !== 2) await new Promise((done) => setTimeout(done, 25));
  // It is read by the Firefox that runs, and not touched before that has ended.
  expect(await readFile(join(profile, 'user.js'), 'latin1')).not.toBe(USER_JS);
  await second.crash();
  expect(await guard.ended).toBe(0);
  expect(await readFile(join(profile, 'user.js'), 'latin1')).toBe(USER_JS);
  countBar(23, 'files given back by the guard, to the byte', 1, 1);
});

/** Has ended, and its parent never looks: its number stays taken, and nothing in the folder changes any more. */
async function zombie(): Promise<number> {
  const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(parent);
  const [line] = await once(parent.stdout, 'data');
  return Number(line);
}

it.runIf(process.platform === 'linux')('counts a start that has ended before its parent has looked', async () => {
  startGuard();
  await symlink(`127.0.0.1:+${await zombie()}`, join(profile, 'lock'));
  while ((await counted()) !== 1) await new Promise((done) => setTimeout(done, 25));
});

it('goes on from where another was killed', async () => {
  const first = startGuard();
  await crashAndWait(1);
  first.child.kill('SIGKILL');
  await first.ended;
  await (await startFirefox()).crash();
  expect(await startGuard().ended).toBe(0);
  expect(await readFile(join(profile, 'user.js'), 'latin1')).toBe(USER_JS);
  countBar(23, 'files given back by the guard, to the byte', 1, 1);
});

it('ends when the profile is confirmed', async () => {
  const guard = startGuard();
  await crashAndWait(1);
  await (await openProfile(profile, { now: () => 0 })).confirm();
  expect(await guard.ended).toBe(0);
});

it('ends when it is taken back', async () => {
  const guard = startGuard();
  await crashAndWait(1);
  await takeBack();
  expect(await guard.ended).toBe(0);
  expect(existsSync(join(profile, 'plumbfox'))).toBe(false);
});

it('ends with the folder', async () => {
  const guard = startGuard();
  await crashAndWait(1);
  // It may take its lock in the folder just then.
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  expect(await guard.ended).toBe(0);
});

it('is one for each profile', async () => {
  const first = startGuard();
  await crashAndWait(1);
  expect(await startGuard().ended).toBe(0);
  expect(first.child.exitCode).toBeNull();
});

it('ends at once where nothing is written', async () => {
  await takeBack();
  expect(await startGuard().ended).toBe(0);
});

it('has nothing to say', async () => {
  const guard = startGuard();
  await crashAndWait(1);
  await (await openProfile(profile, { now: () => 0 })).confirm();
  await guard.ended;
  expect([guard.stdout().toString(), guard.stderr()]).toEqual(['', '']);
});
