/** What an enterprise policy says about a preference of ours is told before anything is written, not found out afterwards. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PER_SERVER } from '../../../src/core/profiles/catalogue.ts';
import { findProfile, readProfile } from '../../../src/core/profiles/presets.ts';
import { openProfile } from '../../../src/helper/profile/profile-changes.ts';

const C4 = findProfile('c4-d6') ?? expect.fail('c4-d6');

let home: string;
let directory: string;
let policies: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plumbfox-policy-'));
  directory = join(home, 'profile');
  policies = join(home, 'policies.json');
  await mkdir(directory);
  await writeFile(join(directory, 'prefs.js'), '');
});
afterEach(() => rm(home, { recursive: true }));

const open = () => openProfile(directory, { now: () => 0, systemPolicies: policies });
const hold = (entry: unknown) => writeFile(policies, JSON.stringify({ policies: { Preferences: { [PER_SERVER]: entry } } }));
it.each([
  [
    'locks another value',
    { Value: 9, Status: 'locked', Type: 'number' },
    /an enterprise policy \(.*\) sets it to 9, so 4 would have no effect/,
  ],
  ['has the oldest form', 9, /sets it to 9/],
  ['sets a user value', { Value: 9, Status: 'user' }, /sets it to 9/],
  ['clears it at each start', { Status: 'clear' }, /resets it at each start/],
])('a policy that %s is told before anything is written', async (_, entry, message) => {
  await hold(entry);
  await expect(open().then((changes) => changes.apply(C4))).rejects.toThrow(message);
  expect(await readdir(directory)).toEqual(['prefs.js']);
});

it.each([
  ['locks the same value', { Value: 4, Status: 'locked' }, true],
  ['sets a default', { Value: 9, Status: 'default' }, false],
  ['is something else', [], false],
])('a policy that %s is none of our business', async (_, entry, locked) => {
  await hold(entry);
  expect(await open().then((changes) => changes.apply(C4))).toMatchObject({ preferences: [{ intended: 4, found: 4, locked }] });
});

it('a policy beside the program counts where the system has none', async () => {
  await mkdir(join(home, 'program/distribution'), { recursive: true });
  await writeFile(join(directory, 'compatibility.ini'), `[Compatibility]\nLastPlatformDir=${join(home, 'program')}\n`);
  policies = join(home, 'program/distribution/policies.json');
  await hold(9);
  policies = join(home, 'none.json');
  await expect(open().then((changes) => changes.apply(C4))).rejects.toThrow(/sets it to 9/);
  await writeFile(policies, 'not JSON: Firefox then heeds no policy at all');
  await expect(open().then((changes) => changes.apply(C4))).resolves.toMatchObject({ phase: 'pending' });
});

it('a policy that locks it by a name of its own is told as well', async () => {
  const profile = readProfile('firefox-default+network.dns.disablePrefetch=false') ?? expect.fail('no such profile');
  await writeFile(policies, JSON.stringify({ policies: { NetworkPrediction: false } }));
  await expect(open().then((changes) => changes.apply(profile))).rejects.toThrow(/sets it to true, so false would have no effect/);
});

it.each([
  ['an extension of the Flatpak', '.local/share/flatpak/extension/org.mozilla.firefox.systemconfig/x86_64/stable/policies'],
  ["the Flatpak's own files", '.local/share/flatpak/app/org.mozilla.firefox/current/active/files/lib/firefox/distribution'],
])('a profile of the Flatpak has the policy of %s, and none of the machine', async (_, folder) => {
  directory = join(home, '.var/app/org.mozilla.firefox/.mozilla/firefox/a');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'prefs.js'), '');
  await writeFile(join(directory, 'compatibility.ini'), '[Compatibility]\nLastPlatformDir=/app/lib/firefox\n');
  const machine = policies;
  await mkdir(join(home, folder), { recursive: true });
  policies = join(home, folder, 'policies.json');
  await hold(9);
  policies = machine;
  await expect(open().then((changes) => changes.apply(C4))).rejects.toThrow(/sets it to 9/);
  await rm(join(home, folder), { recursive: true });
  await hold(9);
  await expect(open().then((changes) => changes.apply(C4))).resolves.toMatchObject({ phase: 'pending' });
});
