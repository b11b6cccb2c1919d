/** A person applies a profile from the popup of the lab build, with no helper: in effect at once, still there after a restart, and taken back: by the person, or when the extension goes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BETTERFOX, profileLabel } from '../../src/core/profiles/presets.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import { english, englishPattern } from '../support/english.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { PER_SERVER } from '../support/trial-firefox.ts';

const WIDTH_PX = 360;
/** Another one of betterfox. */
const OTHER = 'network.dnsCacheExpiration';
/** What Plumbfox may leave behind, its own note of what was there before among it. */
const OURS = [...Object.keys(BETTERFOX.preferences), 'extensions.plumbfox.former'];

let directory: string;
let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let page: Page;

async function start(): Promise<void> {
  firefox = await startExtensionFirefox({
    profile: directory,
    permanent: true,
    preferences: { 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15 },
  });
  chrome = await chromeContext(firefox.browser);
  await openPopup();
}

async function openPopup(): Promise<void> {
  page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await page.setViewport({ width: WIDTH_PX, height: 800 });
  await shown('#apply-apply');
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-live-'));
  await start();
});

afterAll(async () => {
  await firefox?.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const shown = (selector: string) => page.waitForFunction((one) => document.querySelector(one)?.checkVisibility(), {}, selector);
const isShown = (selector: string) => page.$eval(selector, (element) => element.checkVisibility());
const textOf = (selector: string) => page.$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll('\u00a0', ' '));
const standing = () => textOf('#apply-standing');
const outcome = () => textOf('#apply-outcome');
const inEffect = (profileId: string) => english('apply.inEffect.live', { settings: profileLabel(profileId) });
const notApplied = (why: RegExp) =>
  englishPattern('failed', { what: english('failed.apply'), why: new RegExp(`${PER_SERVER}: ${why.source}`) });
const ticks = () =>
  page.$$eval('#apply-ticks > li', (items) => items.map((item) => [...item.classList].filter((name) => name !== 'tick').join()));
/** What happens when the person comes back to the popup. */
const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('focus')));

/** By Firefox's own parent process, past everything of the extension. */
const held = (name = PER_SERVER) =>
  chrome.run<{ value: number; own: boolean }>(
    'name => ({ value: Services.prefs.getIntPref(name), own: Services.prefs.prefHasUserValue(name) })',
    name,
  );
const own = (names: readonly string[]) =>
  chrome.run<string[]>('names => names.filter((name) => Services.prefs.prefHasUserValue(name))', [...names]);
const setByAnother = (value: number) => chrome.run('([name, value]) => Services.prefs.setIntPref(name, value)', [PER_SERVER, value]);
/** What about:addons and about:debugging do; settles when the add-on has ended. */
const addOn = (method: 'disable' | 'enable' | 'uninstall') =>
  chrome.run('async ([id, method]) => { await (await AddonManager.getAddonByID(id))[method](); return null; }', [EXTENSION_ID, method]);
const isRunning = () => chrome.run<boolean>('id => WebExtensionPolicy.getByID(id)?.active ?? false', EXTENSION_ID);
const clear = () => chrome.run('name => Services.prefs.clearUserPref(name)', PER_SERVER);

async function apply(profileId: string): Promise<void> {
  await page.select('#apply-profile', profileId);
  await page.click('#apply-apply');
}

test('Apply is in effect at once, says how far it has got, and Undo restores what was there', async () => {
  expect(await standing()).toBe(english('apply.none.live'));
  expect(await isShown('#apply-allow')).toBe(false);
  expect(await isShown('#by-hand')).toBe(false);
  expect(await held()).toEqual({ value: 6, own: false });
  await apply('c4-d1');
  await expect.poll(standing).toBe(inEffect('c4-d1'));
  expect(await held()).toEqual({ value: 4, own: true });
  expect(await ticks()).toEqual(['yes', 'yes', 'nobody']);
  expect(await textOf('#apply-ticks')).toContain(english('tick.values', { profile: 'c4-d1', preferences: `${PER_SERVER} = 4` }));
  expect(await textOf('#apply-ticks')).toContain(english('tick.helperNotAllowed'));
  await expect.poll(() => textOf('#profile-id')).toBe('c4-d1');
  expect(await isShown('#mismatches')).toBe(false);
  expect(await isShown('#apply-problems')).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(WIDTH_PX);
  await page.click('#apply-revert');
  await expect.poll(outcome).toBe(english('apply.restored', { preferences: PER_SERVER }));
  expect(await held()).toEqual({ value: 6, own: false });
  await expect.poll(ticks).toEqual([]);
  await expect.poll(() => textOf('#profile-applied-by')).toBe(english('active.browser'));
});

test('what someone else changes meanwhile is named, not overwritten, and left alone', async () => {
  await apply('c4-d1');
  await expect.poll(ticks).toEqual(['yes', 'yes', 'nobody']);
  await setByAnother(9);
  await comeBack();
  await expect.poll(ticks).toEqual(['yes', 'no', 'nobody']);
  expect(await textOf('#apply-ticks')).toContain(english('tick.changed.live', { name: PER_SERVER, found: '9', intended: '4' }));
  await apply('c8-d1');
  await expect.poll(outcome).toMatch(notApplied(/it was set to 4 and is 9 now.*/));
  expect(await held()).toEqual({ value: 9, own: true });
  await page.click('#apply-revert');
  await expect.poll(outcome).toBe(english('apply.leftAlone', { preferences: PER_SERVER }));
  expect(await held()).toEqual({ value: 9, own: true });
  await clear();
});

test('a locked preference is refused by its name, and nothing is changed', async () => {
  await chrome.run('name => Services.prefs.lockPref(name)', PER_SERVER);
  await apply('betterfox');
  await expect.poll(outcome).toMatch(notApplied(/.*locked.*/));
  expect(await own(OURS)).toEqual([]);
  expect(await ticks()).toEqual([]);
  await chrome.run('name => Services.prefs.unlockPref(name)', PER_SERVER);
});

test('while a trial runs it is left to the trial', async () => {
  await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c2-d1'] } });
  await expect.poll(standing).toBe(english('apply.heldByTrial'));
  for (const button of ['#apply-apply', '#apply-revert', '#apply-profile']) expect(await isShown(button)).toBe(false);
  for (const request of [{ kind: 'live-apply', profileId: 'c8-d1' }, { kind: 'live-revert' }]) {
    expect(await firefox.askRaw(request)).toMatchObject({ ok: false, error: { message: expect.stringContaining('stop it first') } });
  }
  await firefox.ask({ kind: 'stop-trial' });
  await expect.poll(standing).toBe(english('apply.none.live'));
  expect(await held()).toEqual({ value: 6, own: false });
});

test('it survives a restart of Firefox, and so does what was there before', async () => {
  await setByAnother(5);
  await apply('betterfox');
  await expect.poll(standing).toBe(inEffect('betterfox'));
  await firefox.stop();
  await start();
  expect(await held()).toEqual({ value: 10, own: true });
  await expect.poll(standing).toBe(inEffect('betterfox'));
  await expect.poll(ticks).toEqual(['yes', 'yes', 'nobody']);
  await page.click('#apply-revert');
  await expect.poll(outcome).toMatch(englishPattern('apply.restored'));
  expect(await held()).toEqual({ value: 5, own: true });
  expect(await own(OURS)).toEqual([PER_SERVER]);
});

test('disabled, it leaves what was there before and what somebody else has changed; enabled again, it knows', async () => {
  await apply('betterfox');
  await expect.poll(standing).toBe(inEffect('betterfox'));
  await chrome.run('name => Services.prefs.setIntPref(name, 77)', OTHER);
  await addOn('disable');
  expect(await held()).toEqual({ value: 5, own: true });
  expect(await held(OTHER)).toEqual({ value: 77, own: true });
  expect((await own(OURS)).toSorted()).toEqual([OTHER, PER_SERVER]);
  await addOn('enable');
  await openPopup();
  await expect.poll(standing).toBe(english('apply.none.live'));
  await expect.poll(() => textOf('#profile-applied-by')).toBe(english('active.browser'));
  expect(await isShown('#apply-revert')).toBe(false);
  expect(await held()).toEqual({ value: 5, own: true });
});

test('an update keeps it in effect, and the way back', async () => {
  await apply('c4-d1');
  await expect.poll(standing).toBe(inEffect('c4-d1'));
  await chrome.run(
    'async (path) => { await AddonManager.installTemporaryAddon(new FileUtils.File(path)); return null; }',
    resolve('dist/extension-lab'),
  );
  await openPopup();
  await expect.poll(standing).toBe(inEffect('c4-d1'));
  expect(await held()).toEqual({ value: 4, own: true });
  // Ends the one of the same name over the other, which goes on.
  await addOn('uninstall');
  await expect.poll(isRunning).toBe(true);
  expect(await held()).toEqual({ value: 4, own: true });
});

test('removed, it leaves what was there before, and nothing of its own', async () => {
  expect(await own(OURS)).toContain('extensions.plumbfox.former');
  await addOn('uninstall');
  expect(await held()).toEqual({ value: 5, own: true });
  expect((await own(OURS)).toSorted()).toEqual([OTHER, PER_SERVER]);
});
