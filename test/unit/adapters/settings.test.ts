/** The person's settings: kept twice, read as far as they can be, and a lost list of sites never recorded is never an empty one. */
import { beforeEach, expect, test } from 'vitest';
import { createSettings, readSettings } from '../../../src/adapters/settings.ts';
import { DEFAULT_SETTINGS } from '../../../src/protocol/settings.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

/** The one store of the database that is used, or its failure. */
let about: Map<string, string>;
let isFailing = false;
let browser: ReturnType<typeof fakeBrowser>;
const objectStore = { get: async (key: string) => about.get(key), put: async (value: string, key: string) => void about.set(key, value) };
const failing = <T>(work: () => Promise<T>) => (isFailing ? Promise.reject(new DOMException('damaged', 'UnknownError')) : work());
const { keptSettings, changeSettings, beginSettings, checkSettings } = createSettings({
  withRecords: (work) => failing(() => work({ get: (_: string, key: string) => objectStore.get(key) } as never)),
  writeRecords: (_, work) => failing(() => work({ objectStore: () => objectStore } as never)),
});

beforeEach(() => {
  browser = useBrowser(fakeBrowser());
  about = new Map();
  isFailing = false;
});

const local = () => browser.storage.local.held;
const LISTED = { ...DEFAULT_SETTINGS, neverRecorded: ['bank.test'], keepDays: 30, revision: 1 } as const;

async function listed(): Promise<void> {
  await beginSettings();
  expect(await changeSettings({ neverRecorded: ['bank.test'], keepDays: 30 })).toEqual(LISTED);
}

test('an installation begins them, and a change is kept', async () => {
  await beginSettings();
  expect(await keptSettings()).toEqual(DEFAULT_SETTINGS);
  expect(await changeSettings({ badge: 'off' })).toEqual({ ...DEFAULT_SETTINGS, badge: 'off', revision: 1 });
  await beginSettings();
  expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, badge: 'off', revision: 1 });
});

test.each([
  ['a member of a later version', { badge: 'of a later version', keepDays: 0 }, DEFAULT_SETTINGS],
  ['nothing else', {}, DEFAULT_SETTINGS],
])('a record with the list and %s is read as far as it can be', async (_, members, read) => {
  await browser.storage.local.set({ settings: { neverRecorded: [], revision: 0, ...members } });
  expect(await keptSettings()).toEqual(read);
});

test.each<[string, unknown]>([
  ['is gone', undefined],
  ['is something else', 'text'],
  ['has no list', { revision: 9, badge: 'off' }],
  ['has half a list', { revision: 9, neverRecorded: ['bank.test', 3] }],
])('where the record in storage.local %s, the one in the database counts and is put back', async (_, stored) => {
  await listed();
  local().set('settings', stored);
  expect(await keptSettings()).toEqual(LISTED);
  expect(await readSettings()).toEqual(LISTED);
});

test('where storage.local cannot be read, the record in the database counts', async () => {
  await listed();
  browser.storage.local.get = async () => Promise.reject(new Error('An unexpected error occurred'));
  expect(await keptSettings()).toEqual(LISTED);
});

test('a new database is given the record of storage.local, and the newer of two counts', async () => {
  await listed();
  about.clear();
  await checkSettings();
  local().set('settings', { ...LISTED, neverRecorded: [], revision: 0 });
  await checkSettings();
  expect(await readSettings()).toEqual(LISTED);
});

test('where both are gone they are lost, and what the person enters then does not make the list complete until they say so', async () => {
  await listed();
  local().clear();
  about.clear();
  await checkSettings();
  expect(await keptSettings()).toBeUndefined();
  expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, isListLost: true });
  expect(await changeSettings({ neverRecorded: ['bank.test'] })).toMatchObject({ neverRecorded: ['bank.test'], isListLost: true });
  expect(await changeSettings({ isListLost: false })).toMatchObject({ neverRecorded: ['bank.test'], isListLost: false });
});

test('a copy that is no JSON is none; a database that fails is a failure, not a loss', async () => {
  about.set('settings', '{"neverRec');
  expect(await keptSettings()).toBeUndefined();
  isFailing = true;
  await expect(keptSettings()).rejects.toThrow('damaged');
});
