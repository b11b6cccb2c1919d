/** What the helper does to the files of a profile, with a Firefox that only reads and saves them; a real one: test/browser/helper-files. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PER_SERVER } from '../../../src/core/profiles/catalogue.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../src/core/profiles/profile.ts';
import { openProfile } from '../../../src/helper/open-profile.ts';
import type { FirefoxStart } from '../../../src/helper/profile-changes.ts';
import { startPretendedFirefox } from '../../support/pretended-firefox.ts';

const profileNamed = (id: string): Profile => findProfile(id) ?? expect.fail(id);
const NOW = Date.UTC(2026, 10, 21);

let home: string;
let directory: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plumbfox-files-'));
  directory = join(home, 'profile');
  await mkdir(directory);
});
afterEach(() => rm(home, { recursive: true }));

const none = () => join(home, 'no-policies.json');
const open = (askedBy?: FirefoxStart) =>
  openProfile(directory, { now: () => NOW, systemPolicies: none(), ...(askedBy === undefined ? {} : { askedBy }) });
const write = (name: string, text: string) => writeFile(join(directory, name), text, 'latin1');
const read = (name: string) => readFile(join(directory, name), 'latin1').catch(() => undefined);
/** Everything in the profile, names and bytes. */
const everything = async () => Promise.all((await readdir(directory)).toSorted().map(async (name) => [name, await read(name)]));
/** The test itself stands in for the Firefox that has the profile open. */
const begin = async (began: string): Promise<FirefoxStart> => {
  await symlink(`127.0.1.1:+${process.pid}`, join(directory, 'lock'));
  return { processId: process.pid, began };
};
const end = () => rm(join(directory, 'lock'));

const FOREIGN = '// my own\r\nuser_pref("browser.startup.page", 3);\r\nuser_pref("network.prefetch-next", false);';
const SAVED =
  '// Mozilla User Preferences\n\nuser_pref("a.first", "\\u00e9\xe9");\nuser_pref("network.http.max-connections", 333);\nuser_pref("z.last", true);\n';

describe('a profile while Firefox is closed', () => {
  it('is written, read by Firefox, taken back, and nothing is left of it', async () => {
    await write('user.js', FOREIGN);
    await write('prefs.js', SAVED);
    await startPretendedFirefox(directory).then(({ save }) => save());
    const before = await everything();
    const changes = await open();
    expect(await changes.apply(profileNamed('betterfox'))).toMatchObject({
      phase: 'pending',
      profileId: 'betterfox',
      restartNeeded: false,
    });
    expect((await read('user.js'))?.startsWith(`${FOREIGN}\r\n// >>> Plumbfox`)).toBe(true);
    const firefox = await startPretendedFirefox(directory);
    expect(firefox.values.get(PER_SERVER)).toBe(10);
    await firefox.save();
    expect(await changes.confirm()).toMatchObject({ phase: 'confirmed', changedByOthers: [] });
    expect((await changes.revert()).leftAlone).toEqual([]);
    expect(await everything()).toEqual(before);
    expect(await changes.status()).toEqual({ phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] });
  });
});

describe('a profile while Firefox runs', () => {
  it('goes by a block that gives back, and all is as before when Firefox has ended', async () => {
    await write('user.js', FOREIGN);
    await write('prefs.js', SAVED);
    await startPretendedFirefox(directory).then(({ save }) => save());
    const before = await everything();
    await open().then((changes) => changes.apply(profileNamed('betterfox')));
    const start = await begin('1');
    const firefox = await startPretendedFirefox(directory);
    const changes = await open(start);
    expect(await changes.started(start)).toMatchObject({ phase: 'pending', starts: 1 });
    expect(await changes.revert()).toMatchObject({ leftAlone: [], status: { phase: 'restoring', restartNeeded: true } });
    const next = await startPretendedFirefox(directory);
    expect(next.values.get(PER_SERVER)).toBe(6);
    expect(next.values.get('network.http.max-connections')).toBe(333);
    await firefox.save();
    await end();
    expect(await changes.ended()).toMatchObject({ phase: 'none' });
    expect(await everything()).toEqual(before);
  });
});
