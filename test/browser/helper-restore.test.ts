/**
 * The helper as people have it, in a real Firefox: installed by the command, asked by the extension, watched over by its guard. A profile that
 * nobody calls well is gone before the third start reads anything; so is one with which Firefox does not even come up.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_REPLY_BYTES, MAX_REQUEST_BYTES } from '../../src/helper/host/native-frames.ts';
import { hostManifest } from '../../src/helper/install/registration.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import { countBar } from '../support/bar-count.ts';
import { COMMAND, eventually } from '../support/command-run.ts';
import { crashFirefox } from '../support/crashing-firefox.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { helperReady } from '../support/installed-helper.ts';
import { canMount } from '../support/private-policy.ts';

const CONNECTIONS = 'network.http.max-persistent-connections-per-server';
/** Somebody's own. Nothing listens on port 1, so that no page comes. */
const FOREIGN = {
  'extensions.autoDisableScopes': 0,
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 1,
  'network.http.speculative-parallel-limit': 2,
};

let directory: string;
let profile: string;

const read = (name: string): string => readFileSync(join(profile, name), 'latin1');
const hashOf = (name: string): string => createHash('sha256').update(read(name)).digest('hex');
interface Written {
  readonly phase: string;
  readonly starts: readonly unknown[];
}
const written = (): Written | undefined =>
  existsSync(join(profile, 'plumbfox/record.json')) ? (JSON.parse(read('plumbfox/record.json')) as Written) : undefined;
const startsCounted = (): number | undefined => written()?.starts.length;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-restore-'));
  profile = join(directory, 'profile');
  await mkdir(profile);
  await mkdir(join(directory, 'home'));
  command('helper', 'install');
  // What a person allows by the popup's button.
  const allowed = { [EXTENSION_ID]: { permissions: ['nativeMessaging'], origins: [] } };
  await writeFile(join(profile, 'extension-preferences.json'), JSON.stringify(allowed));
});
afterAll(async () => {
  // The guard ends by itself when what it watches over is gone.
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

function command(...args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: join(directory, 'home') };
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

const start = (options: { readonly first?: boolean; readonly command?: readonly string[] } = {}): Promise<ExtensionFirefox> =>
  startExtensionFirefox({
    profile: directory,
    permanent: true,
    archive: 'dist/plumbfox-release.xpi',
    preferences: FOREIGN,
    keepUserJs: !options.first,
    ...(options.command && { command: options.command }),
  });

let before: { readonly userJs: string };

test('applied by the extension, and with two starts that end without a word, it is gone when the second has ended', async () => {
  let firefox = await start({ first: true });
  before = { userJs: hashOf('user.js') };
  expect(await helperReady(firefox)).toMatchObject({ profileFound: true, status: { phase: 'none' } });
  expect(await firefox.ask({ kind: 'helper-apply', profileId: 'c4-d6' })).toMatchObject({
    status: { phase: 'pending', restartNeeded: true, starts: 0 },
  });
  expect(hashOf('user.js')).not.toBe(before.userJs);
  await firefox.stop();

  firefox = await start();
  await firefox.page.goto('http://plumbfox.invalid/').then(
    () => expect.fail('a page came through a proxy that is not there'),
    () => undefined,
  );
  await eventually('the extension tells of its start', () => startsCounted() === 1);
  expect(await helperReady(firefox)).toMatchObject({ status: { phase: 'pending', starts: 1, restartNeeded: false } });
  await firefox.stop();
  expect(read('prefs.js')).toContain(CONNECTIONS);

  await crashFirefox(directory);
  await eventually('the former state is back', () => written()?.phase === 'restored');
  expect(hashOf('user.js')).toBe(before.userJs);
  expect(read('prefs.js')).not.toContain(CONNECTIONS);
  countBar(23, 'bad profiles gone in Firefox after two starts', 1, 1);
});

test('applied by the command, and with two starts that crash before the extension runs, the third has the former state', async () => {
  command('apply', '--profile', 'c2-d4', '--firefox-profile', profile);
  const prefsJs = hashOf('prefs.js');
  await crashFirefox(directory);
  await eventually('the guard counts the first', () => startsCounted() === 1);
  await crashFirefox(directory);
  await eventually('the former state is back', () => written()?.phase === 'restored');
  expect(hashOf('user.js')).toBe(before.userJs);
  expect(hashOf('prefs.js')).toBe(prefsJs);

  const firefox = await start();
  const { status } = await helperReady(firefox);
  expect(status).toMatchObject({ phase: 'none', preferences: [] });
  expect(status.restoredBecause).toContain('c2-d4');
  await longMessages(firefox);
  await firefox.stop();
  expect(hashOf('user.js')).toBe(before.userJs);
  expect(read('prefs.js')).not.toContain(CONNECTIONS);
  countBar(23, 'bad profiles gone in Firefox after two starts', 1, 1);
});

test.runIf(process.env.PLUMBFOX_FULL === '1' && canMount())(
  'applied by the command, and with the machine started anew after each start of Firefox, the third tells that it is gone',
  async () => {
    // Something else stands in its place.
    command('helper', 'install');
    command('apply', '--profile', 'c2-d4', '--firefox-profile', profile);
    for (const boot of [1, 2]) {
      await killGuards();
      const firefox = await start({ command: await onBoot(boot) });
      await eventually(`start ${boot} is counted`, () => startsCounted() === boot);
      await killGuards();
      await firefox.kill();
    }
    await killGuards();
    const third = await start({ command: await onBoot(3) });
    expect((await helperReady(third)).status.restoredBecause).toContain('c2-d4');
    await third.stop();
    await (await start({ command: await onBoot(3) })).stop();
    expect(hashOf('user.js')).toBe(before.userJs);
    expect(read('prefs.js')).not.toContain(CONNECTIONS);
    countBar(23, 'bad profiles gone in Firefox after restarts of the machine', 1, 1);
  },
  600_000,
);

/** As a restart of the machine does: none is left, and none has said a word. */
async function killGuards(): Promise<void> {
  const isGuard = (processId: string): boolean => {
    try {
      const words = readFileSync(`/proc/${processId}/cmdline`, 'latin1').split('\0');
      return words.includes('guard') && words.includes(profile);
    } catch {
      return false;
    }
  };
  const guards = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isGuard(name));
  for (const processId of guards()) process.kill(Number(processId), 'SIGKILL');
  await eventually('no guard is left', () => guards().length === 0);
}

/** Runs a Firefox on a machine that was started at another time, as far as it and its helper can see. */
async function onBoot(number: number): Promise<readonly string[]> {
  const file = join(directory, `boot-${number}`);
  await writeFile(file, `${number}0000000-0000-4000-8000-000000000000\n`);
  return ['unshare', '-m', 'sh', '-c', `mount --bind "${file}" /proc/sys/kernel/random/boot_id && exec "$@"`, 'boot', 'firefox-esr'];
}

/** In the Firefox that is there: each start takes seconds. */
async function longMessages(firefox: ExtensionFirefox): Promise<void> {
  const long = await exchange(firefox, { op: 'hello', padding: 'x'.repeat(MAX_REQUEST_BYTES) });
  expect(long).toMatchObject({ message: { ok: false, error: { kind: 'bad-request' } } });

  // Whatever is asked for is sent, in place of the helper.
  const program = join(directory, 'echo');
  const script = `let data = Buffer.alloc(0);
  process.stdin.on('data', (piece) => {
    data = Buffer.concat([data, piece]);
    if (data.length < 4 || data.length < 4 + data['readUInt32' + require('os').endianness()]()) return;
    const bytes = Buffer.from(JSON.stringify('x'.repeat(JSON.parse(data.subarray(4)).bytes - 2)));
    const length = Buffer.alloc(4);
    length['writeUInt32' + require('os').endianness()](bytes.length);
    process.stdout.write(Buffer.concat([length, bytes]));
  });`;
  await writeFile(program, `#!${process.execPath}\n${script}`, { mode: 0o755 });
  await writeFile(join(directory, 'home/.mozilla/native-messaging-hosts/plumbfox.json'), JSON.stringify(hostManifest(program)));
  const longest = await exchange(firefox, { bytes: MAX_REPLY_BYTES });
  expect(longest).toEqual({ message: 'x'.repeat(MAX_REPLY_BYTES - 2) });
  expect(await exchange(firefox, { bytes: MAX_REPLY_BYTES + 1 })).toEqual({ error: expect.stringContaining('exceeds the limit') });
  countBar(20, 'messages at the bounds, through Firefox', 3, 3);
}

interface NativePort {
  readonly onMessage: { addListener(heard: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(ended: (port: { error?: { message: string } }) => void): void };
  postMessage(message: unknown): void;
  disconnect(): void;
}

/** The first answer, or how the host ended. */
function exchange({ popup }: ExtensionFirefox, message: object): Promise<unknown> {
  return popup.evaluate(
    (text) =>
      new Promise((resolve) => {
        const { browser } = globalThis as unknown as { browser: { runtime: { connectNative(name: string): NativePort } } };
        const port = browser.runtime.connectNative('plumbfox');
        port.onMessage.addListener((heard) => {
          resolve({ message: heard });
          port.disconnect();
        });
        port.onDisconnect.addListener(({ error }) => resolve({ error: error?.message }));
        port.postMessage(JSON.parse(text));
      }),
    JSON.stringify(message),
  );
}
