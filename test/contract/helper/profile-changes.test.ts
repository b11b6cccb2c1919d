/** What the helper does to the files of a profile, with a Firefox that only reads and saves them; a real one: test/browser/helper-files. */

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PER_SERVER } from '../../../src/core/profiles/catalogue.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../src/core/profiles/profile.ts';
import { USER_JS_BEGIN, USER_JS_END, userJs } from '../../../src/core/profiles/user-js.ts';
import type { FirefoxStart } from '../../../src/helper/profile/firefox-process.ts';
import { openProfile } from '../../../src/helper/profile/profile-changes.ts';
import { countBar } from '../../support/bar-count.ts';
import { startPretendedFirefox } from '../../support/pretended-firefox.ts';

const profileNamed = (id: string): Profile => findProfile(id) ?? expect.fail(id);
const BETTERFOX = profileNamed('betterfox');
const C4 = profileNamed('c4-d6');
const NOW = Date.UTC(2026, 10, 21);

let home: string;
let directory: string;
/** The profile's files before anything of ours. */
let before: unknown;

const FOREIGN = '// my own\r\nuser_pref("browser.startup.page", 3);\r\nuser_pref("network.dnsCacheExpiration", 30);';
const SAVED = 'user_pref("a.first", "\xe9");\nuser_pref("network.http.max-connections", 333);\nuser_pref("z.last", true);\n';

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plumbfox-files-'));
  directory = join(home, 'profile');
  await mkdir(directory);
  await write('user.js', FOREIGN);
  await write('prefs.js', SAVED);
  await startPretendedFirefox(directory).then(({ save }) => save());
  before = await everything();
});
afterEach(() => rm(home, { recursive: true }));

const open = (askedBy?: FirefoxStart) =>
  openProfile(directory, { now: () => NOW, systemPolicies: join(home, 'none.json'), ...(askedBy === undefined ? {} : { askedBy }) });
const write = (name: string, text: string) => writeFile(join(directory, name), text, 'latin1');
const read = (name: string) => readFile(join(directory, name), 'latin1').catch(() => undefined);
/** Everything in the profile, names and bytes. */
const everything = async () => Promise.all((await readdir(directory)).toSorted().map(async (name) => [name, await read(name)]));
const withoutNote = async () => (await everything()).filter(([name]) => name !== 'plumbfox');
/** The test itself stands in for the Firefox that has the profile open. */
const begin = async (began: string): Promise<FirefoxStart> => {
  await symlink(`127.0.1.1:+${process.pid}`, join(directory, 'lock'));
  return { processId: process.pid, began };
};
const end = () => rm(join(directory, 'lock'));
/** A start and an end, and what was in force. */
const session = async () => {
  const firefox = await startPretendedFirefox(directory);
  await firefox.save();
  return firefox.values;
};
const setTo = async (name: string, value: number) => {
  const firefox = await startPretendedFirefox(directory);
  firefox.values.set(name, value);
  await firefox.save();
};

describe('while Firefox is closed', () => {
  it('a profile is written, read, taken back, and nothing is left of it', async () => {
    const changes = await open();
    expect(await changes.apply(BETTERFOX)).toMatchObject({ phase: 'pending', profileId: 'betterfox', restartNeeded: false });
    expect((await read('user.js'))?.startsWith(`${FOREIGN}\r\n${USER_JS_BEGIN}\r\n`)).toBe(true);
    expect((await session()).get(PER_SERVER)).toBe(10);
    expect(await changes.confirm()).toMatchObject({ phase: 'confirmed', changedByOthers: [] });
    expect((await changes.revert()).leftAlone).toEqual([]);
    expect(await everything()).toEqual(before);
    expect(await changes.status()).toEqual({ phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] });
  });

  it('a profile gives way to another, and what that one does not set is as before at once', async () => {
    const changes = await open();
    await changes.apply(BETTERFOX);
    await session();
    await changes.apply(C4);
    expect(await read('user.js')).not.toContain('Given back');
    const values = await session();
    expect([values.get(PER_SERVER), values.get('network.http.max-connections'), values.has('network.prefetch-next')]).toEqual([
      4,
      333,
      false,
    ]);
    await changes.revert();
    expect(await everything()).toEqual(before);
  });

  it('a profile that sets nothing is there too, and goes', async () => {
    const changes = await open();
    expect(await changes.apply(profileNamed('firefox-default'))).toMatchObject({ profileId: 'firefox-default', preferences: [] });
    await session();
    await changes.revert();
    expect(await everything()).toEqual(before);
  });

  it('a profile without user.js has none again', async () => {
    await rm(join(directory, 'user.js'));
    before = await everything();
    const changes = await open();
    await changes.apply(C4);
    await session();
    await changes.revert();
    expect(await everything()).toEqual(before);
  });

  it('a value that equals the default gives way to the former one', async () => {
    await setTo(PER_SERVER, 9);
    before = await everything();
    const changes = await open();
    await changes.apply(profileNamed('c6-d1'));
    expect((await session()).get(PER_SERVER)).toBe(6);
    expect(await read('prefs.js')).not.toContain(PER_SERVER);
    await changes.revert();
    expect(await everything()).toEqual(before);
  });
});

describe('while Firefox runs', () => {
  it('a profile goes by a block that gives back, and all is as before when Firefox has ended', async () => {
    await open().then((changes) => changes.apply(BETTERFOX));
    const start = await begin('1');
    const firefox = await startPretendedFirefox(directory);
    await firefox.save();
    const changes = await open(start);
    expect(await changes.started(start)).toMatchObject({ phase: 'pending', starts: 1 });
    expect(await changes.revert()).toMatchObject({ leftAlone: [], status: { phase: 'restoring', restartNeeded: true } });
    const next = await startPretendedFirefox(directory);
    expect([next.values.get(PER_SERVER), next.values.get('network.http.max-connections')]).toEqual([6, 333]);
    expect(next.values.get('network.dnsCacheExpiration')).toBe(30);
    await firefox.save();
    await end();
    expect(await changes.ended()).toMatchObject({ phase: 'none' });
    expect(await everything()).toEqual(before);
  });

  it('it goes with the next start too, if nobody saw the end of the first', async () => {
    const first = await begin('1');
    await open(first).then((changes) => changes.apply(BETTERFOX));
    const second = { ...first, began: '2' };
    await startPretendedFirefox(directory).then(({ save }) => save());
    expect(await open(second).then((changes) => changes.revert())).toMatchObject({ status: { phase: 'restoring' } });
    const third = { ...first, began: '3' };
    const changes = await open(third);
    // Not saved yet: our values are still in prefs.js.
    const firefox = await startPretendedFirefox(directory);
    expect(await changes.started(third)).toMatchObject({ phase: 'restoring' });
    await firefox.save();
    expect(await changes.started(third)).toMatchObject({ phase: 'none' });
    await end();
    expect(await everything()).toEqual(before);
  });

  it('what this Firefox has not read is simply gone', async () => {
    const start = await begin('1');
    const changes = await open(start);
    expect(await changes.apply(BETTERFOX)).toMatchObject({ restartNeeded: true, starts: 0 });
    // This start was there before.
    expect(await changes.started(start)).toMatchObject({ starts: 0, phase: 'pending' });
    expect(await changes.confirm()).toMatchObject({ phase: 'pending' });
    expect(await changes.revert()).toMatchObject({ status: { phase: 'none' } });
    await end();
    expect(await everything()).toEqual(before);
  });

  it('what took the place of something that it has read goes by the block, too', async () => {
    await open().then((changes) => changes.apply(BETTERFOX));
    const start = await begin('1');
    const firefox = await startPretendedFirefox(directory);
    await firefox.save();
    const changes = await open(start);
    await changes.apply(C4);
    expect(await changes.revert()).toMatchObject({ status: { phase: 'restoring' } });
    await firefox.save();
    await end();
    await changes.ended();
    expect(await everything()).toEqual(before);
  });

  it('what another profile has left is given back until it is saved', async () => {
    await open().then((changes) => changes.apply(BETTERFOX));
    const first = await begin('1');
    await startPretendedFirefox(directory).then(({ save }) => save());
    await open(first).then((changes) => changes.apply(C4));
    expect(await read('user.js')).toContain('user_pref("network.http.max-connections", 333);');
    const second = { ...first, began: '2' };
    const firefox = await startPretendedFirefox(directory);
    expect([firefox.values.get(PER_SERVER), firefox.values.get('network.prefetch-next')]).toEqual([4, true]);
    await firefox.save();
    const changes = await open(second);
    expect(await changes.started(second)).toMatchObject({ starts: 1, changedByOthers: [] });
    expect(await read('user.js')).not.toContain('max-connections');
    await end();
    await changes.revert();
    expect(await everything()).toEqual(before);
  });
});

describe('without a word that all is well', () => {
  it('two starts are the last, and what was there is back before the third reads anything', async () => {
    const changes = await open();
    await changes.apply(BETTERFOX);
    for (const began of ['1', '2']) {
      const start = await begin(began);
      await session();
      const asked = await open(start);
      await asked.started(start);
      expect(await asked.started(start)).toMatchObject({ phase: 'pending', starts: Number(began) });
      expect(await asked.ended()).toMatchObject({ phase: 'pending' });
      await end();
      if (began === '1') expect(await changes.ended()).toMatchObject({ phase: 'pending', profileId: 'betterfox' });
    }
    const restored = await changes.ended();
    expect(restored).toMatchObject({
      phase: 'none',
      preferences: [],
      restoredBecause: expect.stringContaining('started 2 times with betterfox'),
    });
    // But for the note of why, which stays for the session in which it is told.
    expect(await withoutNote()).toEqual(before);
    const third = await begin('3');
    expect((await session()).get(PER_SERVER)).toBeUndefined();
    const asked = await open(third);
    expect(await asked.started(third)).toMatchObject({ phase: 'none', restoredBecause: restored.restoredBecause });
    expect(await asked.status()).toMatchObject({ restoredBecause: restored.restoredBecause });
    await asked.started({ ...third, began: '4' });
    expect(await asked.status()).not.toHaveProperty('restoredBecause');
    await end();
    expect(await everything()).toEqual(before);
    countBar(23, 'starts after which the former state was back', 2, 2);
  });

  it('the third start does it, if nobody else has', async () => {
    await open().then((changes) => changes.apply(BETTERFOX));
    const start = await begin('0');
    for (const began of ['1', '2', '3']) {
      await startPretendedFirefox(directory).then(({ save }) => save());
      const again = { ...start, began };
      const status = await open(again).then((changes) => changes.started(again));
      expect(status.phase).toBe(began === '3' ? 'restoring' : 'pending');
    }
    await end();
    expect(await open().then((changes) => changes.ended())).toMatchObject({ phase: 'none', restoredBecause: expect.any(String) });
    expect(await withoutNote()).toEqual(before);
  });

  it('does not matter once it was said', async () => {
    const changes = await open();
    await changes.apply(C4);
    await changes.confirm();
    for (const began of ['1', '2', '3', '4']) {
      const start = await begin(began);
      await session();
      expect(await open(start).then((asked) => asked.started(start))).toMatchObject({ phase: 'confirmed' });
      await end();
      await changes.ended();
    }
    expect(await changes.status()).toMatchObject({ phase: 'confirmed', profileId: 'c4-d6' });
  });
});

describe('what somebody else has changed', () => {
  it('in Firefox is left alone and named', async () => {
    const changes = await open();
    await changes.apply(BETTERFOX);
    await session();
    await setTo('network.buffer.cache.count', 99);
    expect((await changes.status()).changedByOthers).toEqual(['network.buffer.cache.count']);
    expect(await changes.revert()).toMatchObject({ leftAlone: ['network.buffer.cache.count'], status: { phase: 'none' } });
    expect((await session()).get('network.buffer.cache.count')).toBe(99);
    expect((await session()).get('network.http.max-connections')).toBe(333);
  });

  it('in user.js stays, byte for byte', async () => {
    const changes = await open();
    await changes.apply(C4);
    const written = (await read('user.js')) ?? '';
    await write('user.js', `// new\n${written}user_pref("${PER_SERVER}", 3);\n`);
    expect(await changes.status()).toMatchObject({ changedByOthers: [PER_SERVER], preferences: [{ intended: 4, found: 3 }] });
    await changes.apply(BETTERFOX);
    expect((await changes.status()).changedByOthers).toEqual([]);
    expect((await session()).get(PER_SERVER)).toBe(10);
    await changes.revert();
    expect(await read('user.js')).toBe(`// new\n${FOREIGN}user_pref("${PER_SERVER}", 3);\n`);
  });

  it('of line ends, by an editor that writes them all in one way, is no matter', async () => {
    const changes = await open();
    await changes.apply(C4);
    const written = (await read('user.js')) ?? '';
    await write('user.js', written.replaceAll('\r\n', '\n').trimEnd());
    await changes.revert();
    expect(await read('user.js')).toBe(FOREIGN.replaceAll('\r\n', '\n'));
  });

  it('inside our block keeps us from the file, until the block is gone', async () => {
    const changes = await open();
    await changes.apply(C4);
    await session();
    const written = (await read('user.js')) ?? '';
    await write('user.js', written.replace(`${PER_SERVER}", 4`, `${PER_SERVER}", 5`));
    const edited = await everything();
    await expect(changes.revert()).rejects.toThrow(/the content of the Plumbfox block has been changed; delete/);
    await expect(changes.apply(BETTERFOX)).rejects.toThrow(/delete/);
    expect(await everything()).toEqual(edited);
    await write('user.js', FOREIGN);
    await changes.revert();
    expect(await everything()).toEqual(before);
  });
});

describe('a block that was pasted by hand', () => {
  const pasted = userJs(BETTERFOX, { carrier: 'none' });
  it('makes room for ours and comes back', async () => {
    await write('user.js', `${pasted}${FOREIGN}`);
    await session();
    before = await everything();
    const changes = await open();
    expect(await changes.status()).toMatchObject({ phase: 'confirmed', profileId: 'betterfox', restartNeeded: false });
    await changes.apply(C4);
    expect((await read('user.js'))?.split(USER_JS_END)).toHaveLength(2);
    await session();
    await changes.revert();
    expect((await everything()).map(([, bytes]) => bytes)).toEqual((before as string[][]).map(([, bytes]) => bytes));
  });

  it('is taken out with what it has left, without a record', async () => {
    const clean = await read('prefs.js');
    await write('user.js', `${pasted}${FOREIGN}`);
    await session();
    expect(await open().then((changes) => changes.revert())).toMatchObject({ status: { phase: 'none' } });
    expect(await read('user.js')).toBe(FOREIGN);
    // What prefs.js held before the paste nobody knows.
    expect(await read('prefs.js')).toBe(clean?.replace('user_pref("network.http.max-connections", 333);\n', ''));
  });
});

it('a damaged record is told, and goes with a revert', async () => {
  const changes = await open();
  await changes.apply(C4);
  await session();
  await writeFile(join(directory, 'plumbfox/record.json'), '{"version":1}');
  await expect(changes.apply(BETTERFOX)).rejects.toThrow(/is damaged; run plumbfox revert first/);
  const preferences = [{ name: PER_SERVER, intended: 4, found: 4, locked: false }];
  expect(await changes.status()).toMatchObject({ phase: 'confirmed', profileId: 'c4-d6', preferences, changedByOthers: [] });
  await changes.revert();
  expect(await everything()).toEqual(before);
});

it('what a newer version has written is left to that', async () => {
  const changes = await open();
  await changes.apply(C4);
  const record = (await read('plumbfox/record.json'))?.replace('"version": 1', '"version": 2') ?? '';
  await write('plumbfox/record.json', record);
  const written = await withoutNote();
  for (const work of [() => changes.status(), () => changes.apply(BETTERFOX), () => changes.revert()]) {
    await expect(work()).rejects.toThrow(/A newer Plumbfox has written into .*; update this one/);
  }
  expect([await withoutNote(), await read('plumbfox/record.json')]).toEqual([written, record]);
});

it('a prefs.js that is damaged elsewhere does not keep ours from being taken out of it', async () => {
  const changes = await open();
  await changes.apply(C4);
  await session();
  const saved = await read('prefs.js');
  const damage = 'user_pref("half", "of a li';
  await write('prefs.js', `${saved}${damage}`);
  await changes.revert();
  expect(await everything()).toEqual(
    (before as [string, string][]).map(([name, text]) => [name, name === 'prefs.js' ? text + damage : text]),
  );
});
