/** What is not recorded: private windows, and anything while the permission is missing. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import { countBar } from '../support/bar-count.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';

/** Resolves to loopback through a preference, so that its name would be seen wherever it is written. */
const CANARY = 'canary-7f3a.example';

let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(imagePage(3));
  firefox = await startExtensionFirefox({ privateBrowsing: true, preferences: { 'network.dns.localDomains': CANARY } });
  chrome = await chromeContext(firefox.browser);
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

async function loadsOf(count: number) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const loads = await firefox.ask({ kind: 'loads-after' });
    if (loads.length >= count || Date.now() > deadline) return loads;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Everything that the extension has stored, as text. */
const storedText = () =>
  firefox.popup.evaluate(async () => {
    const { browser } = globalThis as unknown as { browser: { storage: Record<string, { get(): Promise<unknown> }> } };
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('plumbfox');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const all = (store: string) =>
      new Promise((resolve, reject) => {
        const reading = db.transaction(store).objectStore(store).getAll();
        reading.onsuccess = () => resolve(reading.result);
        reading.onerror = () => reject(reading.error);
      });
    const records = await Promise.all([...db.objectStoreNames].map(all));
    db.close();
    return JSON.stringify([records, await browser.storage.local?.get(), await browser.storage.session?.get()]);
  });

async function filesWith(directory: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => ((await readFile(file).catch(() => Buffer.alloc(0))).includes(text) ? [file] : [])),
  );
  return found.flat();
}

test('a private window leaves nothing, although the extension is allowed there', async () => {
  expect(await chrome.run('id => WebExtensionPolicy.getByID(id).privateBrowsingAllowed', EXTENSION_ID)).toBe(true);
  // A window that has just loaded still loads its first page, over any other.
  const open = `url => { const window = OpenBrowserWindow({ private: true });
    const started = (subject, topic) => {
      if (subject !== window) return;
      Services.obs.removeObserver(started, topic);
      window.gBrowser.loadURI(Services.io.newURI(url), { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
    };
    Services.obs.addObserver(started, 'browser-delayed-startup-finished'); return null; }`;
  await chrome.run(open, `http://${CANARY}:${server.port}/page?private`);
  const deadline = Date.now() + 60_000;
  while (server.paths().length < 4 && Date.now() < deadline) await new Promise((done) => setTimeout(done, 50));
  expect(server.paths().filter((path) => path.endsWith('?private'))).toHaveLength(4);
  // A load in an ordinary window afterwards shows that recording works, and that what came before has been dealt with.
  await firefox.page.goto(`${server.origin}/page?ordinary`);
  expect((await loadsOf(1)).map(({ url }) => url)).toEqual([storedUrl(`${server.origin}/page?ordinary`)]);
  expect(await storedText()).not.toContain(CANARY);
  const files = await filesWith(join(firefox.profile, 'storage'), CANARY);
  expect(files).toEqual([]);
  // The name is in the profile, where this test has put it, and in no file that Firefox or the extension has written pages to.
  const elsewhere = (await filesWith(firefox.profile, CANARY)).map((file) => file.slice(firefox.profile.length + 1));
  // While prefs.js is written it is prefs-1.js.
  expect(elsewhere.filter((file) => !/^(user|prefs(-\d+)?)\.js$/.test(file))).toEqual([]);
  countBar(9, 'private windows of which nothing is in the profile', 1, 1);
});

test('without the permission for all sites nothing is recorded, and the popup is told; with it again, recording goes on', async () => {
  const before = (await firefox.ask({ kind: 'loads-after' })).length;
  const change = (
    verb: 'add' | 'remove',
  ) => `async id => { const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
    const extension = WebExtensionPolicy.getByID(id).extension;
    await ExtensionPermissions.${verb}(id, { permissions: [], origins: ['<all_urls>'] }, extension); return null; }`;
  await chrome.run(change('remove'), EXTENSION_ID);
  await expect.poll(async () => (await firefox.ask({ kind: 'popup-state' })).recording).toEqual({ state: 'no-permission' });
  await firefox.page.goto(`${server.origin}/page?without`);
  // Asking for the loads writes what still waits to be written.
  await firefox.ask({ kind: 'loads-after' });
  const during = await storedText();
  expect(during).not.toContain('?without');
  await chrome.run(change('add'), EXTENSION_ID);
  await expect.poll(async () => (await firefox.ask({ kind: 'popup-state' })).recording).toEqual({ state: 'recording' });
  await firefox.page.goto(`${server.origin}/page?again`);
  const loads = await loadsOf(before + 1);
  expect(loads.slice(before).map(({ url }) => url)).toEqual([storedUrl(`${server.origin}/page?again`)]);
  expect(await storedText()).not.toContain('?without');
});
