/**
 * A prefs.js of a profile used for years, and filled by its extensions (18.7 MB were seen), on a disk that needs seconds for each promise to keep
 * something: applied and taken back from the popup, which waits for as long as the helper says that it is at work. Long form alone.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hostManifest } from '../../src/helper/install/registration.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import { COMMAND } from '../support/command-run.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { helperReady } from '../support/installed-helper.ts';

const BYTES = 18_700_000;
/** As extensions that keep JSON there. Firefox with 330,000 short ones needs minutes to begin. */
const VALUE_BYTES = 8_000;
const FILLED = 'user_pref("extensions.filled.';
const PER_SERVER = 'network.http.max-persistent-connections-per-server';
/** Of each fsync: together far more than the extension waits without a word (5 s). */
const FSYNC_MS = 2_500;

let directory: string;
let profile: string;
let firefox: ExtensionFirefox | undefined;

const linesOf = (name: string): readonly string[] => readFileSync(join(profile, name), 'latin1').split('\n');
const hashOf = (lines: readonly string[]): string => createHash('sha256').update(lines.join('\n'), 'latin1').digest('hex');
const filled = () => linesOf('prefs.js').filter((line) => line.startsWith(FILLED));

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbfox-large-profile-'));
  profile = join(directory, 'profile');
  for (const path of [profile, join(directory, 'home')]) mkdirSync(path);
  command('helper', 'install');
  // What a person allows by the popup's button.
  const allowed = { [EXTENSION_ID]: { permissions: ['nativeMessaging'], origins: [] } };
  writeFileSync(join(profile, 'extension-preferences.json'), JSON.stringify(allowed));
  const line = (at: number) => `${FILLED}${at}", "${'{\\"a\\":1},'.repeat(VALUE_BYTES / 9)}");\n`;
  const lines = Array.from({ length: Math.ceil(BYTES / line(1_000).length) }, (_, at) => line(at));
  writeFileSync(join(profile, 'prefs.js'), `// Mozilla User Preferences\n${lines.join('')}`);
  slowHelper();
});
afterEach(async () => {
  await firefox?.stop();
  firefox = undefined;
});
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));

function command(...args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: join(directory, 'home') };
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** The built helper, whose disk is slow, and of which all is kept that it says. */
function slowHelper(): void {
  const disk = join(directory, 'slow-disk.cjs');
  const script = `const fs = require('node:fs');
    const { fsyncSync } = fs;
    fs.fsyncSync = (fd) => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${FSYNC_MS}); return fsyncSync(fd); };
    require('node:module').syncBuiltinESMExports();`;
  writeFileSync(disk, script);
  const program = join(directory, 'helper.sh');
  const words = [process.execPath, '--require', disk, resolve('dist/helper/plumbfox-helper.mjs')].map((word) => `'${word}'`).join(' ');
  mkdirSync(join(directory, 'said'));
  writeFileSync(program, `#!/bin/sh\n${words} "$@" | tee '${join(directory, 'said')}'/$$\n`, { mode: 0o755 });
  writeFileSync(join(directory, 'home/.mozilla/native-messaging-hosts/plumbfox.json'), JSON.stringify(hostManifest(program)));
}

/** By each process of the helper since the last time, how often it has said that it is at work. */
function timesSaid(): readonly number[] {
  const folder = join(directory, 'said');
  return readdirSync(folder).map((name) => {
    let rest = readFileSync(join(folder, name));
    rmSync(join(folder, name));
    let times = 0;
    while (rest.length > 0) {
      const length = rest.readUInt32LE();
      times += Number(rest.subarray(4, 4 + length).includes('"working":true'));
      rest = rest.subarray(4 + length);
    }
    return times;
  });
}

async function start({ first = false } = {}): Promise<ExtensionFirefox> {
  firefox = await startExtensionFirefox({
    profile: directory,
    permanent: true,
    archive: 'dist/plumbfox-release.xpi',
    preferences: { 'extensions.autoDisableScopes': 0 },
    keepUserJs: !first,
  });
  await firefox.popup.bringToFront();
  await helperReady(firefox);
  return firefox;
}

async function stop(): Promise<void> {
  await firefox?.stop();
  firefox = undefined;
}

/** What the popup says has failed, once the press has been answered, however long that takes; empty: nothing. */
async function press({ popup }: ExtensionFirefox, button: string, profileId?: string): Promise<string> {
  // On a busy machine the helper may begin too slowly for the popup's first look: it is asked again, as a person would.
  const isShown = (selector: string) => popup.$eval(selector, (element) => element.checkVisibility());
  const isThere = async () => {
    if (await isShown('#apply-retry')) await popup.click('#apply-retry');
    return isShown(button);
  };
  await expect.poll(isThere, { timeout: 120_000, interval: 2_000 }).toBe(true);
  if (profileId !== undefined) await popup.select('#apply-profile', profileId);
  await popup.click(button);
  const isAnswered = () => popup.$eval('#apply', (section) => section.ariaBusy === 'false');
  await expect.poll(isAnswered, { timeout: 120_000, interval: 100 }).toBe(true);
  const failures = await popup.$$eval('#apply-problems, #apply-outcome', (all) =>
    all.flatMap((one) => (one.checkVisibility() ? [(one as HTMLElement).innerText] : [])),
  );
  return failures.join(' ').trim();
}

test.runIf(process.env.PLUMBFOX_FULL === '1')(
  '18.7 MB of preferences: applied and taken back from the popup, told each second, and the file is as Firefox left it',
  async () => {
    await start({ first: true });
    await stop();
    const before = { userJs: hashOf(linesOf('user.js')), filled: hashOf(filled()), lines: filled().length };
    expect(filled().join('\n').length).toBeGreaterThan(BYTES * 0.95);

    let running = await start();
    timesSaid();
    expect(await press(running, '#apply-apply', 'c4-d1')).toBe('');
    expect(Math.max(...timesSaid())).toBeGreaterThanOrEqual(5);
    expect((await helperReady(running)).status).toMatchObject({ phase: 'pending', profileId: 'c4-d1' });
    await stop();

    running = await start();
    await expect.poll(async () => (await helperReady(running)).status, { timeout: 120_000 }).toMatchObject({ starts: 1 });
    timesSaid();
    expect(await press(running, '#apply-revert')).toBe('');
    expect(Math.max(...timesSaid())).toBeGreaterThanOrEqual(5);
    await stop();
    running = await start();
    await expect
      .poll(async () => (await helperReady(running)).status, { timeout: 120_000 })
      .toMatchObject({ phase: 'none', preferences: [] });
    await stop();
    await expect.poll(() => hashOf(linesOf('user.js')), { timeout: 120_000 }).toBe(before.userJs);
    expect({ filled: hashOf(filled()), lines: filled().length }).toMatchObject({ filled: before.filled, lines: before.lines });
    expect(linesOf('prefs.js').filter((line) => line.includes(PER_SERVER))).toEqual([]);

    // Firefox closed, the helper itself writes the file.
    running = await start();
    expect(await press(running, '#apply-apply', 'c4-d1')).toBe('');
    await stop();
    await start();
    await stop();
    const left = linesOf('prefs.js');
    expect(left).toContain(`user_pref("${PER_SERVER}", 4);`);
    command('revert', '--firefox-profile', profile);
    expect(hashOf(linesOf('prefs.js'))).toBe(hashOf(left.filter((line) => !line.includes(PER_SERVER))));
    expect(hashOf(linesOf('user.js'))).toBe(before.userJs);
  },
  900_000,
);
