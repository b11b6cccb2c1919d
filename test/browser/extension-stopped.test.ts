/**
 * The process of the extension is killed, again and again. Until the fifth time the next load is recorded as ever; after the sixth within 30 s
 * Firefox does not start it again: whatever page of the extension is opened says so, nothing that was recorded is lost, and once Plumbfox runs
 * again it says from when until when nothing was recorded.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import { countBar } from '../support/bar-count.ts';
import { englishPattern } from '../support/english.ts';
import {
  CONTROLS_URL,
  DASHBOARD_URL,
  type ExtensionFirefox,
  openExtensionPage,
  startExtensionFirefox,
} from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { lastSeen } from '../support/last-seen.ts';

/** Firefox starts the process again after so many ends within 30 s (extensions.webextensions.crash.threshold). */
const STARTED_AGAIN = process.env.PLUMBFOX_FULL === '1' ? 5 : 2;

let directory: string;
let server: TestServer;
let firefox: ExtensionFirefox;
let chrome: ChromeContext;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-test-'));
  server = await startTestServer(imagePage(3));
});

afterEach(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<void> {
  firefox = await startExtensionFirefox({
    profile: directory,
    permanent: true,
    preferences: { 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15 },
  });
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
  chrome = await chromeContext(firefox.browser);
}

const processes = () =>
  chrome.run<number[]>(
    `async () => (await ChromeUtils.requestProcInfo()).children.filter(({ type }) => type === 'extension').map(({ pid }) => pid)`,
    null,
  );

/** Its tabs go with it. */
async function killProcess(): Promise<void> {
  await expect.poll(async () => (await processes()).length).toBeGreaterThan(0);
  const killed = await processes();
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await processes()).filter((pid) => killed.includes(pid))).toEqual([]);
}

const visit = (name: string) => firefox.page.goto(`${server.origin}/page?${name}`, { waitUntil: 'load' });
const addressOf = (name: string) => storedUrl(`${server.origin}/page?${name}`);

const ask = (page: Page, kind: string) =>
  page.evaluate(async (asked) => {
    const { browser } = globalThis as unknown as { browser: { runtime: { sendMessage(message: object): Promise<{ value: unknown }> } } };
    return (await browser.runtime.sendMessage({ kind: asked })).value;
  }, kind);
const recorded = async (page: Page) => ((await ask(page, 'loads-after')) as readonly { url: string }[]).map(({ url }) => url);

/** Of the database itself, which answers although nothing of the extension runs. */
const stored = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('plumbfox');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('loads').objectStore('loads').getAll();
          reading.onerror = () => reject(reading.error);
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result.map(({ load }: { load: { url: string } }) => load.url));
          };
        };
      }),
  );
const textOf = (page: Page, id: string) =>
  page.evaluate((name) => (document.getElementById(name)?.checkVisibility() ? document.getElementById(name)?.textContent : undefined), id);

const eventPageState = () => chrome.run<string>('(id) => WebExtensionPolicy.getByID(id).extension.backgroundState', EXTENSION_ID);

/** Only where the event page itself is in the process that ends is it not started again. */
async function untilStopped(): Promise<void> {
  const isStopped = () =>
    chrome.run<boolean>(
      `() => ChromeUtils.importESModule('resource://gre/modules/Extension.sys.mjs').ExtensionProcessCrashObserver.processSpawningDisabled`,
      null,
    );
  for (let kill = 0; kill < 30 && !(await isStopped()); kill++) {
    await visit(`quick${kill}`);
    await expect.poll(eventPageState).toBe('running');
    await killProcess();
  }
  expect(await isStopped()).toBe(true);
}

const restarted = async () => {
  await firefox.stop();
  await start();
  return firefox.popup;
};
const switchedOffAndOn = async () => {
  await chrome.run(
    `async (id) => { const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
      const addon = await AddonManager.getAddonByID(id);
      await addon.disable(); await addon.enable(); return null; }`,
    EXTENSION_ID,
  );
  return openExtensionPage(firefox.browser, CONTROLS_URL);
};

test(`after each of ${STARTED_AGAIN} kills of its process the next load is recorded`, async () => {
  await start();
  await visit('before');
  const expected = [addressOf('before')];
  await expect.poll(() => recorded(firefox.popup)).toEqual(expected);
  let held = 0;
  for (let kill = 1; kill <= STARTED_AGAIN; kill++) {
    await killProcess();
    await visit(`after${kill}`);
    expected.push(addressOf(`after${kill}`));
    const popup = await openExtensionPage(firefox.browser, CONTROLS_URL);
    await expect.poll(() => recorded(popup)).toEqual(expected);
    expect(await ask(popup, 'popup-state')).not.toHaveProperty('standstills');
    held++;
  }
  countBar(3, 'kills of the extension process after which the next load was recorded', held, STARTED_AGAIN);
});

test.each<readonly [string, () => Promise<Page>]>([
  ['a restart of Firefox', restarted],
  ...(process.env.PLUMBFOX_FULL === '1' ? [['switching it off and on', switchedOffAndOn] as const] : []),
])('where Firefox has stopped it the popup says so, and after %s since when nothing was recorded', async (_, again) => {
  await start();
  await visit('before');
  await expect.poll(() => recorded(firefox.popup)).toEqual([addressOf('before')]);
  await untilStopped();
  await visit('unseen');
  await visit('unseen-too');
  for (const url of [CONTROLS_URL, DASHBOARD_URL]) {
    const page = await openExtensionPage(firefox.browser, url);
    const failure = () => textOf(page, 'failure');
    await expect.poll(failure).toMatch(/Firefox stopped Plumbfox/);
    expect(await stored(page)).toContain(addressOf('before'));
  }
  const popup = await again();
  const told = () => textOf(popup, 'loss-text');
  const time = /\d\d:\d\d/;
  const spans = englishPattern('loss.span', { from: time, until: time });
  expect((await lastSeen(told, (text) => (text ?? '') !== '')) ?? '').toMatch(englishPattern('loss.stopped', { spans }));
  const before = await recorded(popup);
  expect(before).toContain(addressOf('before'));
  expect(before).not.toContain(addressOf('unseen'));
  await visit('after');
  await expect.poll(() => recorded(popup)).toEqual(expect.arrayContaining([...before, addressOf('after')]));
  await popup.evaluate(() => document.getElementById('loss-dismiss')?.click());
  await expect.poll(async () => (await ask(popup, 'popup-state')) as object).not.toHaveProperty('standstills');
  countBar(3, 'stops by Firefox that were told, with nothing lost', 1, 1);
});
