/** What the helper writes, before a real Firefox: read at its start, given back while it runs and when it has ended, read by its own parser. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isHeeded } from '../../src/core/profiles/carrier.ts';
import { CATALOGUE, PER_SERVER } from '../../src/core/profiles/catalogue.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { parsePreferenceFile, valuesSet } from '../../src/core/profiles/preference-statements.ts';
import { findProfile, profileSet } from '../../src/core/profiles/presets.ts';
import type { Profile } from '../../src/core/profiles/profile.ts';
import { appliedBlock } from '../../src/core/profiles/user-js.ts';
import { hashOf } from '../../src/helper/files/checked-file.ts';
import type { FirefoxStart } from '../../src/helper/profile/firefox-process.ts';
import { openProfile } from '../../src/helper/profile/profile-changes.ts';
import { countBar } from '../support/bar-count.ts';
import { preferenceLines, QUIET_PREFERENCES } from '../support/firefox-process.ts';
import { anyPreferences, preferenceFile, TEST_PREFIX } from '../support/preference-files.ts';
import { canMount, privatePolicy } from '../support/private-policy.ts';
import { type ProfileFirefox, startProfileFirefox } from '../support/profile-firefox.ts';

const KNOBS = CATALOGUE.map(({ preference }) => preference).filter(isHeeded);
const NOW = Date.UTC(2026, 10, 21);
const FOREIGN = `// mine, with a line end of Windows\r\n${preferenceLines(QUIET_PREFERENCES)}user_pref("network.dnsCacheExpiration", 30);`;
const FORMER = 'user_pref("network.http.max-connections", 333);\nuser_pref("network.prefetch-next", false);\n';

interface Held {
  readonly value: PreferenceValue | null;
  readonly type: string;
  readonly userSet: boolean;
  readonly default: PreferenceValue | null;
}
/** Inside Firefox; `names`: preferences. */
const HELD = `(names) => {
  const read = (branch, name) => {
    try {
      switch (branch.getPrefType(name)) {
        case Services.prefs.PREF_INT: return branch.getIntPref(name);
        case Services.prefs.PREF_BOOL: return branch.getBoolPref(name);
        case Services.prefs.PREF_STRING: return branch.getCharPref(name);
      }
    } catch {}
    return null;
  };
  const types = { 32: 'string', 64: 'number', 128: 'boolean', 0: 'none' };
  const shipped = Services.prefs.getDefaultBranch('');
  return Object.fromEntries(names.map((name) => [name, {
    value: read(Services.prefs, name), type: types[Services.prefs.getPrefType(name)],
    userSet: Services.prefs.prefHasUserValue(name), default: read(shipped, name),
  }]));
}`;

/** Each file as Firefox's reader of user.js takes it, into preferences that are then as they were, with what it prints. */
const READ_FILES = `({ paths, prefix, knobs }) => {
  const get = (name) => {
    switch (Services.prefs.getPrefType(name)) {
      case Services.prefs.PREF_INT: return Services.prefs.getIntPref(name);
      case Services.prefs.PREF_BOOL: return Services.prefs.getBoolPref(name);
      default: return Services.prefs.getCharPref(name);
    }
  };
  const set = (name, value) => typeof value === 'number' ? Services.prefs.setIntPref(name, value) : Services.prefs.setBoolPref(name, value);
  const userSet = (names) => names.filter((name) => Services.prefs.prefHasUserValue(name));
  const clear = (names) => names.forEach((name) => Services.prefs.clearUserPref(name));
  const before = userSet(knobs).map((name) => [name, get(name)]);
  clear(knobs);
  const read = paths.map((path) => {
    const file = Cc['@mozilla.org/file/local;1'].createInstance(Ci.nsIFile);
    file.initWithPath(path);
    Services.console.reset();
    try { Services.prefs.readUserPrefsFromFile(file); } catch {}
    const errors = Services.console.getMessageArray().flatMap(({ message }) => {
      const found = /:(\\d+): prefs parse error: (.*)$/s.exec(message);
      return found ? [found[1] + ': ' + found[2]] : [];
    });
    const names = [...Services.prefs.getChildList(prefix), ...userSet(knobs)];
    const values = Object.fromEntries(names.map((name) => [name, get(name)]));
    clear(names);
    return { errors, set: values };
  });
  for (const [name, value] of before) set(name, value);
  return read;
}`;

let home: string;
let directory: string;
let command: readonly string[];
let firefox: ProfileFirefox | undefined;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plumbfox-files-'));
  directory = join(home, 'profile');
  await mkdir(directory);
  command = canMount() ? await privatePolicy(home, { policies: {} }) : ['firefox-esr'];
  await writeFile(join(directory, 'user.js'), FOREIGN, 'latin1');
  await writeFile(join(directory, 'prefs.js'), FORMER);
});
afterEach(() => stop());
afterAll(async () => {
  await rm(home, { recursive: true, maxRetries: 5 });
});

const start = async (): Promise<ProfileFirefox> => {
  firefox = await startProfileFirefox(directory, { home: join(home, 'home'), command });
  return firefox;
};
const stop = async () => {
  await firefox?.stop();
  firefox = undefined;
};
const open = (askedBy?: FirefoxStart) =>
  openProfile(directory, { now: () => NOW, systemPolicies: join(home, 'none.json'), ...(askedBy === undefined ? {} : { askedBy }) });
const profileNamed = (id: string): Profile => findProfile(id) ?? expect.fail(id);
const bytesOf = (name: string) => readFile(join(directory, name), 'latin1');
const userJsHash = async () => hashOf(Buffer.from(await bytesOf('user.js'), 'latin1'));
/** The lines of prefs.js that concern what we set, in their own bytes. */
const ourLines = async () => {
  const bytes = await bytesOf('prefs.js');
  const { statements } = parsePreferenceFile(bytes);
  return hashOf(
    Buffer.from(
      statements
        .filter(({ name }) => KNOBS.includes(name))
        .map(({ start: from, end }) => bytes.slice(from, end))
        .join('\n'),
      'latin1',
    ),
  );
};
const held = ({ chrome }: ProfileFirefox) => chrome.run<Record<string, Held>>(HELD, KNOBS);
const valuesIn = (all: Record<string, Held>) => Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value]));

let before: { readonly userJs: string; readonly lines: string };
/** What is in force without us. */
let usual: Record<string, PreferenceValue | null>;

describe('Firefox’s own reader of user.js', () => {
  it('takes 500 files as ours does, mistakes included, and every profile and 100 sets of preferences as they are meant', async () => {
    const { chrome } = await start();
    usual = valuesIn(await held(firefox ?? expect.fail()));
    const cases = fc.sample(preferenceFile, { numRuns: 500, seed: 16 });
    const profiles = ['firefox-default', 'control', 'betterfox']
      .map(profileNamed)
      .concat(profileSet('fennec-18') ?? [], profileSet('connections-sweep') ?? []);
    const written = await Promise.all(profiles.map((profile, at) => appliedAlone(profile, at)));
    const sets = fc.sample(anyPreferences, { numRuns: 100, seed: 15 });
    const blocks = sets.map((intended) => appliedBlock({ notes: [], intended, givenBack: [] }));
    const paths = await Promise.all(
      [...cases, ...written, ...blocks].map(async (bytes, at) => {
        const path = join(home, `case-${at}.js`);
        await writeFile(path, bytes, 'latin1');
        return path;
      }),
    );
    const read = await chrome.run<{ errors: string[]; set: Record<string, PreferenceValue> }[]>(READ_FILES, {
      paths,
      prefix: TEST_PREFIX,
      knobs: CATALOGUE.map(({ preference }) => preference),
    });
    let mistakes = 0;
    for (const [at, bytes] of cases.entries()) {
      const ours = parsePreferenceFile(bytes);
      mistakes += ours.errors.length;
      expect({ bytes, ...read[at] }).toEqual({
        bytes,
        errors: ours.errors.map(({ line, message }) => `${line}: ${message}`),
        set: Object.fromEntries([...valuesSet(ours)].map(([name, { value }]) => [name, value])),
      });
    }
    expect(mistakes).toBeGreaterThan(200);
    for (const [at, profile] of profiles.entries()) {
      expect({ id: profile.id, ...read[cases.length + at] }).toEqual({ id: profile.id, errors: [], set: profile.preferences });
    }
    for (const [at, set] of sets.entries()) expect(read[paths.length - sets.length + at]).toEqual({ errors: [], set });
    countBar(16, 'files that Firefox reads as we do', cases.length, cases.length);
    countBar(15, 'sets that Firefox reads from user.js as they were meant', sets.length, sets.length);
    await stop();
    before = { userJs: await userJsHash(), lines: await ourLines() };
  });
});

/** user.js of a profile of its own after `apply`. */
async function appliedAlone(profile: Profile, at: number): Promise<string> {
  const alone = join(home, `alone-${at}`);
  await mkdir(alone);
  const changes = await openProfile(alone, { now: () => NOW, systemPolicies: join(home, 'none.json') });
  await changes.apply(profile);
  return readFile(join(alone, 'user.js'), 'latin1');
}

describe('a profile', () => {
  it('is in effect after a start, exchanged while Firefox runs, and what it leaves is given back', async () => {
    const betterfox = profileNamed('betterfox');
    await open().then((changes) => changes.apply(betterfox));
    const first = await start();
    const inForce = await held(first);
    expect(valuesIn(inForce)).toEqual({ ...usual, ...betterfox.preferences });
    for (const name of Object.keys(betterfox.preferences))
      expect(inForce[name]).toMatchObject({ type: typeof inForce[name]?.default, userSet: true });
    await expect(open().then((changes) => changes.apply(profileNamed('c4-d6')))).rejects.toThrow(/has .*profile open; close it/);
    const changes = await open(first.start);
    expect(await changes.started(first.start)).toMatchObject({ phase: 'pending', starts: 1, changedByOthers: [] });
    expect(await changes.apply(profileNamed('c4-d6'))).toMatchObject({ profileId: 'c4-d6', starts: 0, restartNeeded: true });
    await stop();
  });

  it('taken back while Firefox runs is gone at the next start, with nobody’s help', async () => {
    const second = await start();
    expect(valuesIn(await held(second))).toEqual({ ...usual, [PER_SERVER]: 4 });
    const changes = await open(second.start);
    await changes.started(second.start);
    expect(await changes.confirm()).toMatchObject({ phase: 'confirmed', changedByOthers: [] });
    expect(await changes.revert()).toMatchObject({
      restored: expect.arrayContaining([PER_SERVER]),
      leftAlone: [],
      status: { phase: 'restoring' },
    });
    await stop();
    const third = await start();
    expect(valuesIn(await held(third))).toEqual(usual);
    await stop();
    // A user value that equals its default is not saved; so nothing of ours is left, with our block still there.
    expect(await ourLines()).toBe(before.lines);
    expect(await open().then((closed) => closed.ended())).toMatchObject({ phase: 'none' });
    expect({ userJs: await userJsHash(), lines: await ourLines() }).toEqual(before);
    countBar(24, 'profiles taken back to the byte', 1, 1);
  });

  it('taken back while Firefox is closed leaves both files as they were, at once and after a start', async () => {
    const changes = await open();
    await changes.apply(profileNamed('betterfox'));
    await start();
    await stop();
    expect(await ourLines()).not.toBe(before.lines);
    expect(await changes.revert()).toMatchObject({ leftAlone: [], status: { phase: 'none' } });
    expect({ userJs: await userJsHash(), lines: await ourLines() }).toEqual(before);
    expect(valuesIn(await held(await start()))).toEqual(usual);
    await stop();
    expect({ userJs: await userJsHash(), lines: await ourLines() }).toEqual(before);
    countBar(24, 'profiles taken back to the byte', 1, 1);
  });
});
