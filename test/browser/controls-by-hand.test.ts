/** By hand, in a real Firefox without lab build, policy or helper: steps and copies, guessing ahead, and what stands after a new start. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profileLabel } from '../../src/core/profiles/presets.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { english, englishPattern } from '../support/english.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const PREFETCH = 'network.prefetch-next';
const SPECULATIVE = 'network.http.speculative-parallel-limit';
const NO_DNS_PREFETCH = 'network.dns.disablePrefetch';
/** Of the person's own, in the place of what Firefox ships. */
const OWN_LIMIT = 10;

let directory: string;
let firefox: ExtensionFirefox;
let page: Page;

async function start(): Promise<void> {
  firefox = await startExtensionFirefox({
    profile: directory,
    permanent: true,
    archive: 'dist/plumbfox-release.xpi',
    preferences: {
      'extensions.autoDisableScopes': 0,
      'extensions.startupScanScopes': 15,
      // The click is still needed; the question is answered.
      'extensions.webextOptionalPermissionPrompts': false,
    },
  });
  page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await page.waitForFunction(() => document.getElementById('content')?.hidden === false);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-by-hand-'));
  await start();
});

afterAll(async () => {
  await firefox?.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const inFirefox = async <T>(body: string, argument: unknown): Promise<T> => (await chromeContext(firefox.browser)).run<T>(body, argument);
const held = () =>
  inFirefox<{ prefetch: boolean; speculative: number; noDnsPrefetch: boolean; own: boolean[] }>(
    `([prefetch, speculative, dns]) => ({
      prefetch: Services.prefs.getBoolPref(prefetch),
      speculative: Services.prefs.getIntPref(speculative),
      noDnsPrefetch: Services.prefs.getBoolPref(dns),
      own: [prefetch, speculative, dns].map(name => Services.prefs.prefHasUserValue(name)),
    })`,
    [PREFETCH, SPECULATIVE, NO_DNS_PREFETCH],
  );
const textOf = (selector: string) => page.$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll('\u00a0', ' '));
const prefetchState = () => textOf('#prefetch-state');
const standing = () => textOf('#by-hand-standing');

const AS_BEFORE = english('prefetch.free', { state: english('prefetch.on') });
const SWITCHED_OFF = english('prefetch.ours.before', { state: english('prefetch.off'), before: english('prefetch.on') });
const BEFORE = { prefetch: true, speculative: OWN_LIMIT, noDnsPrefetch: false, own: [false, true, false] };
const OFF = { prefetch: false, speculative: 0, noDnsPrefetch: true, own: [true, true, true] };

test('a preference is copied as it has to be typed', async () => {
  await expect.poll(standing).toBe(english('manual.none'));
  await page.click('#by-hand-summary');
  await page.select('#by-hand-profile', 'c8-d1');
  const name = await page.$('#by-hand-steps li:nth-child(3) button');
  await name?.click();
  await expect.poll(() => textOf('#by-hand-copied')).toBe(english('manual.copied.text', { what: 'the name', text: PER_SERVER }));
  await page.evaluate(() => {
    const field = document.body.appendChild(document.createElement('textarea'));
    field.id = 'pasted';
    field.focus();
  });
  await page.keyboard.down('Control');
  await page.keyboard.press('v');
  await page.keyboard.up('Control');
  await expect.poll(() => page.$eval('#pasted', (field) => (field as HTMLTextAreaElement).value)).toBe(PER_SERVER);
});

test('guessing ahead is switched off, and the person’s own value comes back', async () => {
  await inFirefox('([name, value]) => Services.prefs.setIntPref(name, value)', [SPECULATIVE, OWN_LIMIT]);
  expect(await held()).toEqual(BEFORE);
  await page.click('#prefetch-allow');
  await expect.poll(prefetchState).toBe(AS_BEFORE);
  await page.click('#prefetch-switch');
  await expect.poll(prefetchState).toBe(SWITCHED_OFF);
  expect(await held()).toEqual(OFF);
  await page.click('#prefetch-undo');
  await expect.poll(prefetchState).toBe(AS_BEFORE);
  expect(await held()).toEqual(BEFORE);
  // Switched on again by the switch, it is put back too, and not set.
  await page.click('#prefetch-switch');
  await expect.poll(prefetchState).toBe(SWITCHED_OFF);
  await page.click('#prefetch-switch');
  await expect.poll(prefetchState).toBe(AS_BEFORE);
  expect(await held()).toEqual(BEFORE);
});

test('what was set manually counts from the next start on, and prefetching stays off until it is undone', async () => {
  await page.click('#prefetch-switch');
  await expect.poll(prefetchState).toBe(SWITCHED_OFF);
  await page.click('#by-hand-done');
  await expect.poll(standing).toBe(english('manual.waits', { profile: profileLabel('c8-d1') }));
  expect((await firefox.ask({ kind: 'popup-state' })).active).toMatchObject({ profileId: 'c8-d1', mismatches: [PER_SERVER] });
  await firefox.stop();
  await start();
  await expect.poll(standing).toBe(english('manual.inEffect', { profile: profileLabel('c8-d1') }));
  expect((await firefox.ask({ kind: 'popup-state' })).active).toMatchObject({ profileId: 'c8-d1', appliedBy: 'manual', mismatches: [] });
  await expect.poll(prefetchState).toBe(SWITCHED_OFF);
  expect(await held()).toEqual(OFF);
  await page.click('#prefetch-undo');
  await expect.poll(prefetchState).toBe(AS_BEFORE);
  expect(await held()).toEqual(BEFORE);
});

test('what somebody else has changed meanwhile is left as it is, and said', async () => {
  await page.click('#prefetch-switch');
  await expect.poll(prefetchState).toBe(SWITCHED_OFF);
  await inFirefox('name => Services.prefs.setBoolPref(name, false)', NO_DNS_PREFETCH);
  await page.click('#prefetch-undo');
  await expect.poll(() => textOf('#failure')).toMatch(englishPattern('failed', { what: english('failed.undo') }));
  expect(await held()).toMatchObject({ prefetch: false, speculative: 0, noDnsPrefetch: false });
});

test('what settings cost stands above their steps', async () => {
  const costly = `c8-d1+${PREFETCH}=true`;
  expect(await firefox.askRaw({ kind: 'keep-own-profile', own: { name: 'Eager', profileId: costly } })).toMatchObject({ ok: true });
  // Settings are offered while none are set.
  expect(await firefox.askRaw({ kind: 'note-by-hand' })).toMatchObject({ ok: true });
  await page.close();
  page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await expect.poll(() => page.$$eval('#by-hand-profile option', (all) => all.map(({ value }) => value))).toContain(costly);
  await page.click('#by-hand-summary');
  await page.select('#by-hand-profile', costly);
  await expect.poll(() => textOf('#by-hand-price')).toMatch(/network\.prefetch-next = true: .*their servers see you/);
  await page.select('#by-hand-profile', 'c8-d1');
  await expect.poll(() => page.$eval('#by-hand-price', (element) => element.checkVisibility())).toBe(false);
});
