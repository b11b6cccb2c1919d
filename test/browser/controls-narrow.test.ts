/** The popup as a phone shows it: 360 x 740, by touch, on a Firefox that lacks what Firefox for Android lacks. */
import { rm } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { aboutConfigSteps, aboutConfigUndo } from '../../src/core/profiles/about-config.ts';
import { findProfile, profileLabel } from '../../src/core/profiles/presets.ts';
import type { Profile } from '../../src/core/profiles/profile.ts';
import { androidExtension } from '../support/android-extension.ts';
import { controlsLayout } from '../support/controls-layout.ts';
import { english, loadsStored } from '../support/english.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { narrowState } from '../support/narrow-state.ts';

const PHONE = { width: 360, height: 740 };
/** The smallest side of what a finger has to hit, CSS pixels: WCAG 2.2, 2.5.5. */
const TARGET_PX = 44;

let folder: string;
let server: TestServer;
let firefox: ExtensionFirefox;
let page: Page;

beforeAll(async () => {
  folder = await androidExtension();
  server = await startTestServer(imagePage(8));
  // The only pointer is a finger: LookAndFeel::IntID::PrimaryPointerCapabilities, 1 is coarse.
  const finger = { 'ui.primaryPointerCapabilities': 1, 'ui.allPointerCapabilities': 1 };
  firefox = await startExtensionFirefox({ extension: folder, preferences: finger });
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
  await firefox.page.goto(`${server.origin}/page`, { waitUntil: 'load' });
  await vi.waitFor(async () => expect(await firefox.ask({ kind: 'loads-after' })).toHaveLength(1), { timeout: 20_000 });
  page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await page.setViewport(PHONE);
  await page.waitForFunction(() => document.getElementById('content')?.hidden === false);
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const text = () => page.evaluate(() => document.body.innerText.replaceAll('\u00a0', ' '));
const isShown = (selector: string) => page.$eval(selector, (element) => element.checkVisibility());

const stepsShown = () => page.$$eval('#by-hand-steps > li > p', (all) => all.map(({ textContent }) => textContent));
const TEN = findProfile('c10-d1') as Profile;

async function expectToFit(): Promise<void> {
  const { scrollWidth, coarse, targets, overlapping, smallText } = await page.evaluate(controlsLayout);
  expect(coarse).toBe(true);
  expect(scrollWidth).toBeLessThanOrEqual(PHONE.width);
  expect(targets.length).toBeGreaterThan(3);
  expect(targets.filter(({ height }) => height < TARGET_PX)).toEqual([]);
  expect(targets.filter(({ left, right }) => left < 0 || right > PHONE.width)).toEqual([]);
  expect(overlapping).toEqual([]);
  expect(smallText).toEqual([]);
}

test('what Android has no part in is absent, and nothing has failed', async () => {
  const words = await text();
  expect(words).toContain(loadsStored(1));
  expect(words).not.toMatch(/undefined|NaN/);
  expect(words).not.toMatch(/helper|policies\.json/);
  for (const trouble of ['#failure', '#failures', '#mismatches']) expect(await isShown(trouble)).toBe(false);
  expect(await isShown('#prefetch')).toBe(false);
  await expect.poll(() => isShown('#by-hand')).toBe(true);
  expect(await firefox.askRaw({ kind: 'browser-facts' })).toMatchObject({ ok: true, value: { os: 'android', experimentApi: false } });
  await expectToFit();
});

test('a profile is set manually, and undone', async () => {
  await page.click('#by-hand-summary');
  await page.select('#by-hand-profile', 'c10-d1');
  expect(await stepsShown()).toEqual(aboutConfigSteps(TEN, { platform: 'android' }).map((step) => step.text));
  const copyValue = await page.$('#by-hand-steps li:nth-child(3) .copy:last-child button');
  await copyValue?.click();
  await expect.poll(text).toContain(english('manual.copied', { what: 'the value' }));
  await page.select('#by-hand-way', 'beta');
  expect(await text()).toContain('adb shell am set-debug-app --persistent org.mozilla.firefox_beta');
  await expectToFit();
  await page.click('#by-hand-done');
  await expect.poll(text).toContain(english('manual.waits', { profile: profileLabel('c10-d1') }));
  expect((await firefox.ask({ kind: 'popup-state' })).active).toMatchObject({
    profileId: 'c10-d1',
    appliedBy: 'manual',
    mismatches: ['network.http.max-persistent-connections-per-server'],
  });
  await page.select('#by-hand-way', 'about-config');
  await page.click('#by-hand-summary');
  expect(await stepsShown()).toEqual(aboutConfigUndo(TEN, { platform: 'android' }).map((step) => step.text));
  await page.click('#by-hand-done');
  await expect.poll(text).toContain(english('manual.undone'));
});

test('the address of a probe on a computer beside the phone is opened, and nothing else', async () => {
  const token = 'an-unguessable-part';
  await page.evaluate(() => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('#by-hand details')) details.open = true;
  });
  await page.type('#probe-address', `${server.origin}/page`);
  await page.click('#probe-form button');
  expect(await page.$eval('#probe-address', (field) => (field as HTMLInputElement).validity.customError)).toBe(true);
  await page.$eval('#probe-address', (field) => (field as HTMLInputElement).select());
  await page.type('#probe-address', `127.0.0.1:${server.port}/${token}`);
  await page.click('#probe-form button');
  await expect.poll(() => server.log.map(({ path }) => path)).toContain(`/${token}/`);
  await page.bringToFront();
});

test('everything at once fits, each target can be hit, and none covers another', async () => {
  await page.evaluate((state) => {
    const { runtime } = (globalThis as unknown as { browser: { runtime: { sendMessage: (message: unknown) => Promise<unknown> } } })
      .browser;
    runtime.sendMessage = async () => ({ ok: true, value: JSON.parse(state) });
    dispatchEvent(new Event('focus'));
  }, JSON.stringify(narrowState()));
  await expect.poll(() => page.$eval('#answer-sentence', ({ textContent }) => textContent)).toContain(profileLabel('c10-d1'));
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    document.getElementById('delete')?.click();
  });
  await expectToFit();
});

test('a failure is in sight however far down the popup is', async () => {
  const top = await page.$eval('#failure', (failure) => {
    (failure as HTMLElement).hidden = false;
    failure.textContent = 'It failed';
    scrollTo(0, document.body.scrollHeight);
    return failure.getBoundingClientRect().top;
  });
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(PHONE.height);
  expect(top).toBe(8);
});
