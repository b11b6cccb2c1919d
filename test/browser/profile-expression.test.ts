/** A user.js of a person's own is applied by `plumbfox apply` as a profile, held by a real Firefox, and gone after `plumbfox revert`. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { buildOnce } from '../support/build-once.ts';
import { type Ended, startCommand } from '../support/command-run.ts';
import { preferenceLines, QUIET_PREFERENCES } from '../support/firefox-process.ts';
import { canMount, privatePolicy } from '../support/private-policy.ts';
import { startProfileFirefox } from '../support/profile-firefox.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const PACING = 'network.http.pacing.requests.enabled';
const BURST = 'network.http.pacing.requests.burst';
const RATIO = 'network.http.focused_window_transaction_ratio';
const ID = `c16-d1+${PACING}=false+${BURST}=30`;
const MINE = preferenceLines(QUIET_PREFERENCES);

const HELD = `(names) => Object.fromEntries(names.map((name) => {
  const { prefs } = Services;
  switch (prefs.getPrefType(name)) {
    case prefs.PREF_INT: return [name, prefs.getIntPref(name)];
    case prefs.PREF_BOOL: return [name, prefs.getBoolPref(name)];
    default: return [name, prefs.getStringPref(name, '')];
  }
}))`;

let home: string;
let directory: string;
let command: readonly string[];
beforeAll(async () => {
  await buildOnce();
  home = await mkdtemp(join(tmpdir(), 'plumbfox-expression-'));
  directory = join(home, 'profile');
  await mkdir(directory);
  await writeFile(join(directory, 'user.js'), MINE);
  command = canMount() ? await privatePolicy(home, { policies: {} }) : ['firefox-esr'];
});
afterAll(() => rm(home, { recursive: true, maxRetries: 5 }));

async function run(...args: readonly string[]): Promise<Ended> {
  const started = startCommand([...args, '--firefox-profile', directory], { env: { ...process.env, HOME: home } });
  const ended = await started.ended;
  await started.dispose();
  return ended;
}

/** What a Firefox that is started holds. */
async function heldByFirefox(): Promise<Record<string, PreferenceValue>> {
  const firefox = await startProfileFirefox(directory, { home: join(home, 'home'), command });
  try {
    return await firefox.chrome.run<Record<string, PreferenceValue>>(HELD, [PER_SERVER, PACING, BURST, RATIO]);
  } finally {
    await firefox.stop();
  }
}

test('a list and an expression are in effect after a start, and undone', async () => {
  const shipped = await heldByFirefox();
  const list = join(home, 'list.js');
  await writeFile(
    list,
    `user_pref("${BURST}", 30);\nuser_pref("${PER_SERVER}", 16);\nuser_pref("${PACING}", false);\nuser_pref("a.b", 1);\n`,
  );
  expect(await run('apply', '--profile', list, '--confirm')).toMatchObject({ code: 0, stderr: expect.stringContaining('written: a.b') });
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ applied: ID });
  expect(await heldByFirefox()).toEqual({ ...shipped, [PER_SERVER]: 16, [PACING]: false, [BURST]: 30 });
  expect(await run('apply', '--profile', `firefox-default+${RATIO}=0.5+${PACING}=false`, '--confirm')).toMatchObject({ code: 0 });
  expect(await heldByFirefox()).toEqual({ ...shipped, [PACING]: false, [RATIO]: '0.5' });
  expect(await run('revert')).toMatchObject({ code: 0 });
  expect(await heldByFirefox()).toEqual(shipped);
  expect(await readFile(join(directory, 'user.js'), 'utf8')).toBe(MINE);
});
