/** A new person's first minutes: the welcome tab, three sites loaded twice, the first answer, and the toolbar button. */
import { rm } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import { axeViolations } from '../support/axe.ts';
import { browserWindow, panelCard, type SeenCard } from '../support/browser-window.ts';
import { type ExtensionFirefox, openExtensionPage, POPUP_URL, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { pageFaults } from '../support/page-check.ts';
import { NO_FAULTS } from '../support/page-looks.ts';
import { numberFaults, shownTexts } from '../support/shown-numbers.ts';
import { undrivenExtension } from '../support/undriven-extension.ts';

const WELCOME_URL = POPUP_URL.replace('popup/popup.html', 'welcome/welcome.html');
const WELCOME_TITLE = 'Welcome to Plumbfox';
const SITES = ['a.example', 'b.example', 'c.example'];
const WAIT = { timeout: 60_000, interval: 100 };

let folder: string;
let server: TestServer;
let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let welcome: Page;

beforeAll(async () => {
  folder = await undrivenExtension();
  const pages = imagePage(3);
  server = await startTestServer((path) => {
    if (path === '/form') {
      return { path, type: 'text/html', body: '<!doctype html><form method="post" action="/answer"><button>Send</button></form>' };
    }
    if (path === '/answer') return { path, type: 'text/html', body: '<!doctype html><title>Thank you</title><p>Received.' };
    if (path === '/edit') {
      return {
        path,
        type: 'text/html',
        body: '<!doctype html><title>Editor</title><button>x</button><script>addEventListener("beforeunload", (e) => e.preventDefault())</script>',
      };
    }
    return pages(path);
  });
  firefox = await startExtensionFirefox({
    extension: folder,
    privateBrowsing: true,
    // The event page ends after half a second without work, so that a tryout outlives it several times.
    preferences: { 'network.dns.localDomains': SITES.join(','), 'extensions.background.idle.timeout': 500 },
  });
  chrome = await chromeContext(firefox.browser);
  await firefox.ask({ kind: 'set-quiet', quietMs: 900 });
  // Before another welcome page lives, beside which the background opens none.
  await vi.waitFor(async () => expect(await installedTabs(), 'tabs that the installation opened, by title').toEqual([WELCOME_TITLE]), WAIT);
  welcome = await openExtensionPage(firefox.browser, `${WELCOME_URL}#try`);
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Titles, asked of Firefox itself: the driver does not always follow a page of an extension that begins anew. */
const installedTabs = () =>
  chrome.run<readonly string[]>(
    'url => gBrowser.tabs.filter(tab => tab.linkedBrowser.currentURI.spec === url).map(tab => tab.linkedBrowser.contentTitle)',
    WELCOME_URL,
  );
const shownText = (page: Page, id: string) =>
  page.$eval(`#${id}`, (element) => (element.checkVisibility() ? element.textContent : undefined));
const rows = (page: Page) => page.$$eval('#tabs li', (all) => all.map((row) => row.textContent?.replaceAll(/\s+/g, ' ').trim()));
/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${selector}`);
}
/** In the state that the welcome page has now. */
async function expectAccessible(): Promise<void> {
  expect.soft(await axeViolations(welcome)).toEqual([]);
  expect.soft(await welcome.evaluate(pageFaults)).toEqual(NO_FAULTS);
}
const tabIdOf = async (title: string): Promise<number> => {
  const { tabs } = await firefox.ask({ kind: 'tryout-state' });
  return tabs.find((tab) => tab.title === title)?.tabId ?? -1;
};

test('an installation opens the welcome tab, once, and it says what is recorded', async () => {
  await expect.poll(() => shownText(welcome, 'access-state'), WAIT).toBe('Plumbfox has access to websites, and records page loads.');
  expect(await welcome.$eval('main', (main) => main.textContent)).toContain('Records never leave this device');
  expect(await shownText(welcome, 'tabs-status')).toContain('Open three');
  // By now the background has started and answered: a second tab would be there, and would stay.
  await expect.poll(installedTabs, WAIT).toEqual([WELCOME_TITLE]);
  await expectAccessible();
});

test('a page that answers a form, a private window, and what is no website are refused with the reason', async () => {
  for (const site of SITES) {
    const page = await firefox.browser.newPage();
    await page.goto(`http://${site}:${server.port}/page?${site}`);
  }
  const form = await firefox.browser.newPage();
  await form.goto(`${server.origin}/form`);
  await Promise.all([form.waitForNavigation(), form.click('button')]);
  const open = `url => { const window = OpenBrowserWindow({ private: true });
    const started = (subject, topic) => {
      if (subject !== window) return;
      Services.obs.removeObserver(started, topic);
      window.gBrowser.loadURI(Services.io.newURI(url), { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
    };
    Services.obs.addObserver(started, 'browser-delayed-startup-finished'); return null; }`;
  await chrome.run(open, `${server.origin}/page?private`);
  await expect.poll(() => server.paths().includes('/page?private'), WAIT).toBe(true);
  await welcome.bringToFront();
  await expect.poll(() => rows(welcome), WAIT).toContain('A tab in a private window. Never recorded.');
  const shown = await rows(welcome);
  expect(shown).toContainEqual(expect.stringMatching(/^Thank you.*The answer to a form/));
  expect(shown).toContainEqual(expect.stringMatching(/^a\.example/));
  expect(shown.join()).not.toContain('?private');
  const choosable = await welcome.$$eval('#tabs input:enabled', (all) => all.length);
  expect(choosable).toBe(3);
  await expectAccessible();
  // The background refuses them too, whatever the page asks for.
  const [a, b, answer] = await Promise.all([tabIdOf('a.example'), tabIdOf('b.example'), tabIdOf('Thank you')]);
  const requests = server.paths().length;
  const { refused, tryout } = await firefox.ask({ kind: 'start-tryout', tabIds: [a, b, answer] });
  expect({ refused, tryout }).toEqual({ refused: [{ tabId: answer, why: 'form-answer' }], tryout: undefined });
  expect(server.paths()).toHaveLength(requests);
});

test('a page that would ask before it is left is refused, and nothing is loaded', async () => {
  const editor = await firefox.browser.newPage();
  await editor.goto(`${server.origin}/edit`);
  const [a, b, edit] = await Promise.all([tabIdOf('a.example'), tabIdOf('b.example'), tabIdOf('Editor')]);
  // Firefox asks only of a page that the person has used.
  await editor.click('button');
  const requests = server.paths().length;
  const { refused } = await firefox.ask({ kind: 'start-tryout', tabIds: [a, b, edit] });
  expect(refused).toEqual([{ tabId: edit, why: 'asks-to-stay' }]);
  expect(server.paths()).toHaveLength(requests);
  await editor.close({ runBeforeUnload: false });
});

test('by keyboard alone three sites are loaded twice, with progress, through the ends of event page and welcome tab', async () => {
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length, WAIT).toBeGreaterThanOrEqual(3);
  const before = (await firefox.ask({ kind: 'loads-after' })).length;
  const requested = server.paths().length;
  await welcome.bringToFront();
  await expect.poll(() => welcome.$$eval('#tabs input:enabled', (all) => all.length), WAIT).toBe(3);
  for (let chosen = 0; chosen < 3; chosen += 1) {
    await tabTo(welcome, '#tabs input:enabled:not(:checked)');
    await welcome.keyboard.press(' ');
  }
  await tabTo(welcome, '#start');
  expect(server.paths()).toHaveLength(requested);
  await welcome.keyboard.press('Enter');
  await expect.poll(() => shownText(welcome, 'progress-text'), WAIT).toMatch(/^Loading [abc]\.example/);
  await expect.poll(() => welcome.evaluate(() => document.activeElement?.id), WAIT).toBe('cancel');
  await expectAccessible();
  await welcome.close();
  welcome = await openExtensionPage(firefox.browser, `${WELCOME_URL}#try`);
  await expect.poll(() => shownText(welcome, 'progress-text'), WAIT).toBe('Done: 6 of 6 loads recorded.');
  const pages = server
    .paths()
    .slice(requested)
    .filter((path) => path.startsWith('/page'));
  expect(pages.slice(0, 3)).toEqual(pages.slice(3));
  expect(pages.slice(0, 3).toSorted()).toEqual(SITES.map((site) => `/page?${site}`));
  expect(await firefox.ask({ kind: 'loads-after' })).toHaveLength(before + 6);
  const cells = await welcome.$$eval('#sites td', (all) => all.map(({ textContent }) => textContent));
  expect(cells).toHaveLength(6);
  for (const cell of cells) expect(cell).toMatch(/^[\d.]+\s(ms|s)$/);
  await expect.poll(() => shownText(welcome, 'answer-label'), WAIT).toBeTruthy();
  await expect.poll(() => shownText(welcome, 'answer-sentence'), WAIT).toMatch(/\w/);
  expect(await welcome.$eval('#failure', (failure) => failure.textContent)).toBe('');
  expect(numberFaults(await welcome.evaluate(shownTexts))).toEqual([]);
  await expectAccessible();
});

test('the button shows the load time of the tab, what the person chose for it, and by its icon that it needs them', async () => {
  const tabId = await tabIdOf('a.example');
  const badge = () =>
    firefox.popup.evaluate((id) => {
      const { action } = (globalThis as unknown as { browser: { action: { getBadgeText(of: object): Promise<string> } } }).browser;
      return action.getBadgeText({ tabId: id });
    }, tabId);
  expect(await badge()).toMatch(/^\d+(\.\d)?$/);
  await tabTo(welcome, '#badge');
  await welcome.select('#badge', 'off');
  await expect.poll(badge, WAIT).toBe('');
  const icon = () =>
    chrome.run<string>(
      `id => { const all = [...CustomizableUI.getWidget(id.replace(/[^a-z0-9]/gi, '_') + '-browser-action').instances];
        return all[0].node.querySelector('.unified-extensions-item-action-button').getAttribute('style'); }`,
      EXTENSION_ID,
    );
  expect(await icon()).toContain('assets/icon.svg');
  const permission = (verb: 'add' | 'remove') =>
    chrome.run(
      `async id => { const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
        await ExtensionPermissions.${verb}(id, { permissions: [], origins: ['<all_urls>'] }, WebExtensionPolicy.getByID(id).extension); return null; }`,
      EXTENSION_ID,
    );
  await permission('remove');
  await expect.poll(icon, WAIT).toContain('icon-attention.svg');
  await expect.poll(() => shownText(welcome, 'grant'), WAIT).toBe('Allow access…');
  await expectAccessible();
  await permission('add');
  await expect.poll(icon, WAIT).toContain('assets/icon.svg');
});

test('the toolbar panel, by its shortcut: the card without scroll bars, used by keys alone', async () => {
  const window = browserWindow(chrome);
  await firefox.page.bringToFront();
  await window.press('F', 'Control', 'Shift');
  await window.openPanel();
  const card = async () => panelCard(firefox.popup);
  await expect.poll(async () => (await card())?.state, WAIT).toBe('fresh');
  await expect.poll(() => window.panelBox(), WAIT).toMatchObject({ width: 380 });
  const { needs, has } = (await card()) as SeenCard;
  expect(has.height).toBeLessThanOrEqual(600);
  expect(needs).toEqual(has);
  for (let presses = 0; presses < 10 && (await card())?.focus !== 'main'; presses += 1) await window.press('Tab');
  expect((await card())?.focus).toBe('main');
  await window.press('Escape');
  await expect.poll(() => window.panelBox(), WAIT).toBeNull();
});

test('no command of Firefox has the shortcut', async () => {
  const keys = await chrome.run<readonly string[]>(
    `() => [...document.querySelectorAll('key')].filter(key => key.getAttribute('key') === 'F')
      .map(key => key.getAttribute('modifiers').split(/[ ,]+/).sort().join('+')).filter(modifiers => modifiers === 'accel+shift')`,
    null,
  );
  // The extension's own.
  expect(keys).toEqual(['accel+shift']);
});
