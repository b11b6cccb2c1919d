/**
 * The file of the records is damaged or lost between two runs of Firefox: the person is told in words how much is gone, what can be read can
 * be saved, and recording goes on. "0 loads, recording" is never shown as if it were the truth.
 */
import { mkdtemp, open, readdir, rm, stat, truncate, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { seededRandom } from '../../src/core/random.ts';
import { countBar } from '../support/bar-count.ts';
import { openCard } from '../support/card-page.ts';
import { english, englishPattern } from '../support/english.ts';
import { DASHBOARD_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { lastSeen } from '../support/last-seen.ts';

const FULL = process.env.PLUMBFOX_FULL === '1';
/** Garbage in the middle of the file, at other places each time: 20 in the whole run. */
const SEEDS = FULL ? 20 : 1;
const LOADS = 3;

let directory: string;
let server: TestServer;
let firefox: ExtensionFirefox | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-test-'));
  server = await startTestServer(imagePage(3));
});

afterEach(async () => {
  await firefox?.stop();
  firefox = undefined;
  await server?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

async function start(preferences: Record<string, boolean | number> = {}): Promise<ExtensionFirefox> {
  firefox = await startExtensionFirefox({
    profile: directory,
    permanent: true,
    preferences: { 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15, ...preferences },
  });
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
  return firefox;
}

async function stop(): Promise<void> {
  await firefox?.stop();
  firefox = undefined;
}

const state = () => (firefox as ExtensionFirefox).ask({ kind: 'popup-state' });

async function record(count: number, name: string): Promise<void> {
  const before = (await state()).loads;
  for (let at = 0; at < count; at++) {
    await firefox?.page.goto(`${server.origin}/page?${name}${at}`, { waitUntil: 'load' });
    await expect.poll(async () => (await state()).loads).toBe(before + at + 1);
  }
}

/**
 * The file of the database, or that of `storage.local`, which lies in a folder of its own, with a `^` in its name. What Firefox keeps beside it goes
 * with it, as when the file system lost it.
 */
async function databaseFile(of: 'records' | 'storage.local' = 'records'): Promise<string> {
  const pattern =
    of === 'records'
      ? /^moz-extension[^/^]*\/idb\/[^/]+\.sqlite(-wal|-shm)?$/
      : /^moz-extension[^/]*\^[^/]*\/idb\/[^/]+\.sqlite(-wal|-shm)?$/;
  const folder = join(directory, 'profile', 'storage', 'default');
  const files = (await readdir(folder, { recursive: true })).filter((file) => pattern.test(file));
  await Promise.all(files.filter((file) => !file.endsWith('.sqlite')).map((file) => unlink(join(folder, file))));
  const file = files.find((each) => each.endsWith('.sqlite'));
  if (file === undefined) throw new Error('There is no database');
  return join(folder, file);
}

async function overwrite(path: string, at: number, bytes: number, seed = 1): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const random = seededRandom(seed);
    const garbage = Buffer.from(Array.from({ length: bytes }, () => random.integer(256)));
    await file.write(garbage, 0, bytes, at);
  } finally {
    await file.close();
  }
}

const DAMAGES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'its header is overwritten': (path) => overwrite(path, 0, 100),
  ...(FULL && {
    'it is gone': (path: string) => unlink(path),
    'it is truncated to nothing': (path) => truncate(path, 0),
    'it is halved': async (path) => truncate(path, Math.floor((await stat(path)).size / 2)),
  }),
};

describe.each(Object.entries(DAMAGES))('%s', (_, damage) => {
  test('the popup and the dashboard say how much is lost, recording goes on, and once read it is not said again', async () => {
    await start();
    await record(LOADS, 'before');
    await stop();
    await damage(await databaseFile());
    await start();
    const told = await state();
    expect(told.recordLoss).toMatchObject({ loads: LOADS });
    const words = englishPattern('loss.loads', { count: LOADS });
    const { popup, browser } = firefox as ExtensionFirefox;
    const shown = (page: typeof popup, id: string) =>
      page.evaluate(
        (name) => (document.getElementById(name)?.checkVisibility() ? document.getElementById(name)?.textContent : undefined),
        id,
      );
    await popup.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect.poll(() => shown(popup, 'loss-text')).toMatch(words);
    const dashboard = await openExtensionPage(browser, DASHBOARD_URL);
    await expect.poll(() => shown(dashboard, 'loss')).toMatch(words);
    await record(1, 'after');
    expect((await state()).recordLoss).toMatchObject({ loads: LOADS });
    await popup.evaluate(() => document.getElementById('loss-dismiss')?.click());
    await expect.poll(async () => (await state()).recordLoss).toBeUndefined();
    expect((await state()).loads).toBe(1);
    countBar(6, 'losses told in words', 1, 1);
  });
});

test(
  `garbage in the middle, ${SEEDS} times: a loss is told or nothing is lost, what can be read can be saved, and a reset begins anew`,
  async () => {
    let dealtWith = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      await start();
      if (seed === 0) await firefox?.ask({ kind: 'delete-all' });
      await record(2, `seed${seed}-`);
      const before = (await state()).loads;
      await stop();
      const path = await databaseFile();
      const { size } = await stat(path);
      await overwrite(path, 65_536 + ((seed * 16_384) % Math.max(1, size - 65_536 - 16_384)), 16_384, seed + 1);
      await start();
      const { popup } = firefox as ExtensionFirefox;
      // The page's own code is what the button runs; the file itself goes where Firefox puts downloads.
      const now = await state();
      if (now.recording.state !== 'recording') {
        expect(now.recording).toMatchObject({ state: 'store-failed' });
        await popup.evaluate(() => window.dispatchEvent(new Event('focus')));
        await expect.poll(() => popup.evaluate(() => document.getElementById('rescue')?.checkVisibility())).toBe(true);
        await popup.evaluate(() => document.getElementById('salvage')?.click());
        const outcome = () =>
          popup.evaluate(() => {
            const failure = document.getElementById('failure');
            return (failure?.checkVisibility() ? failure : document.getElementById('rescue-outcome'))?.textContent ?? '';
          });
        const said = await lastSeen(outcome, (text) => text !== '' && text !== english('rescue.reading'));
        const loads = englishPattern('count.loads', { count: /\d+/ });
        expect(said).toMatch(englishPattern('rescue.saved', { loads, name: /plumbfox-salvage-\S+\.json/ }));
        await firefox?.ask({ kind: 'reset-records' });
        expect(await state()).toMatchObject({ recording: { state: 'recording' }, loads: 0 });
      } else expect(now.loads + (now.recordLoss?.loads ?? 0)).toBeGreaterThanOrEqual(before);
      await firefox?.ask({ kind: 'dismiss-loss' });
      await record(1, `goes-on${seed}-`);
      await stop();
      dealtWith++;
    }
    countBar(7, 'damaged databases of which no load was lost without being told', dealtWith, SEEDS);
  },
  SEEDS * 180_000,
);

describe('the list of sites never recorded', () => {
  const SITE = '127.0.0.1';
  const visit = () => firefox?.page.goto(`${server.origin}/page?listed`, { waitUntil: 'load' });
  /** Long enough for what a visit would leave to be stored: events gather for a second at most, and the network is idle after 100 ms. */
  const nothingIsStored = async () => {
    await visit();
    await firefox?.page.goto('about:blank');
    await new Promise((done) => setTimeout(done, 2_000));
    expect(await state()).toMatchObject({ loads: 0, navigations: { attempted: 0 } });
  };

  async function listed(): Promise<void> {
    await start();
    await firefox?.ask({ kind: 'change-settings', change: { neverRecorded: [SITE] } });
    await nothingIsStored();
    await stop();
  }

  test('outlives a damaged storage.local: the site stays unrecorded', async () => {
    await listed();
    await overwrite(await databaseFile('storage.local'), 0, 100);
    await start();
    expect((await state()).recording).toEqual({ state: 'recording' });
    await nothingIsStored();
    expect(await firefox?.ask({ kind: 'change-settings', change: {} })).toMatchObject({ neverRecorded: [SITE], isListLost: false });
  });

  test('is lost with both files: recording pauses and says so, until the person says that the list is complete', async () => {
    await listed();
    await overwrite(await databaseFile('storage.local'), 0, 100);
    await overwrite(await databaseFile(), 0, 100);
    await start();
    expect((await state()).recording).toEqual({ state: 'list-lost' });
    await nothingIsStored();
    const card = await openCard((firefox as ExtensionFirefox).browser);
    await card.expectState('list-lost', english('card.listLost'), english('card.seeNever'));
    await card.close();
    const dashboard = await openExtensionPage((firefox as ExtensionFirefox).browser, `${DASHBOARD_URL}#never-heading`);
    await dashboard.waitForSelector('#never-lost', { visible: true });
    await dashboard.type('#never-site', SITE);
    await dashboard.keyboard.press('Enter');
    await dashboard.waitForSelector('#never-list', { visible: true });
    await nothingIsStored();
    await dashboard.click('#never-complete');
    await dashboard.waitForSelector('#never-lost', { hidden: true });
    expect((await state()).recording).toEqual({ state: 'recording' });
    await nothingIsStored();
    await firefox?.ask({ kind: 'change-settings', change: { neverRecorded: [] } });
    await record(1, 'after');
  });
});

test('where Firefox never remembers history nothing is stored, and the popup says why', async () => {
  firefox = await startExtensionFirefox({ privateBrowsing: true, preferences: { 'browser.privatebrowsing.autostart': true } });
  await firefox.page.goto(`${server.origin}/page?private`, { waitUntil: 'load' });
  expect((await state()).recording).toEqual({ state: 'private-browsing' });
  const card = await openCard(firefox.browser);
  await card.expectState('private-only', english('card.privateOnly'), english('card.check'));
  await card.close();
  const kept = await firefox.popup.evaluate(async () => {
    const { browser } = globalThis as unknown as { browser: { storage: { local: { get(): Promise<unknown> } } } };
    return JSON.stringify(await browser.storage.local.get());
  });
  expect(kept).not.toContain(new URL(storedUrl(server.origin)).host);
  countBar(9, 'profiles without history in which nothing was stored', 1, 1);
});

test('records that a newer version has changed are shown, and nothing is written to them', async () => {
  await start();
  await record(2, 'old');
  const version = (to: number | undefined) =>
    (firefox as ExtensionFirefox).popup.evaluate(
      (wanted) =>
        new Promise<number>((resolve, reject) => {
          const opening = wanted === null ? indexedDB.open('plumbfox') : indexedDB.open('plumbfox', wanted);
          opening.onsuccess = () => {
            const { version: now } = opening.result;
            opening.result.close();
            resolve(now);
          };
          opening.onerror = () => reject(opening.error);
        }),
      to ?? null,
    );
  const before = await version(undefined);
  await version(before + 1);
  const told = await state();
  expect(told).toMatchObject({ recording: { state: 'version-too-new' }, loads: 2 });
  await firefox?.page.goto(`${server.origin}/page?new`, { waitUntil: 'load' });
  await new Promise((done) => setTimeout(done, 1_500));
  expect(await state()).toMatchObject({ recording: { state: 'version-too-new' }, loads: 2 });
  expect(await version(undefined)).toBe(before + 1);
  countBar(11, 'newer databases read and not written', 1, 1);
});

test('a page that does not let go of the records is named as the reason, and nothing waits for ever', async () => {
  await start();
  await record(1, 'one');
  // As a page of an older version would: it holds the database, of an older version, and does not heed the change.
  await firefox?.popup.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('plumbfox');
        deleting.onerror = () => reject(deleting.error);
        deleting.onsuccess = () => {
          const opening = indexedDB.open('plumbfox', 1);
          opening.onupgradeneeded = () => {
            for (const name of ['events', 'loads', 'navigations', 'applied'])
              opening.result.createObjectStore(name, { autoIncrement: true });
            opening.result.createObjectStore('totals');
          };
          opening.onsuccess = () => {
            Object.assign(globalThis, { held: opening.result });
            resolve();
          };
        };
      }),
  );
  expect((await state()).recording).toEqual({ state: 'held-by-another' });
  const card = await openCard((firefox as ExtensionFirefox).browser);
  await card.expectState('held-by-another', english('card.held'), english('card.check'));
  await card.close();
  countBar(11, 'upgrades that another tab held up, told', 1, 1);
});
