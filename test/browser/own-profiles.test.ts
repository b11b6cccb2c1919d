/**
 * A person makes settings of their own in the dashboard, applies them under "More" of the lab build, is asked for their price, and undoes them: all by
 * keyboard.
 */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { profileLabel } from '../../src/core/profiles/presets.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { english } from '../support/english.ts';
import {
  CONTROLS_URL,
  DASHBOARD_URL,
  type ExtensionFirefox,
  openExtensionPage,
  startExtensionFirefox,
} from '../support/extension-firefox.ts';
import { chooseByKey, pressByKey, typeByKey } from '../support/keyboard.ts';

const PACING = 'network.http.pacing.requests.enabled';
const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const PREFETCH = 'network.prefetch-next';
const FAST = `c16-d1+${PACING}=false`;
const COSTLY = `firefox-default+${PREFETCH}=true`;

let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let page: Page;

beforeAll(async () => {
  // What is to be set must not be set already.
  firefox = await startExtensionFirefox({ preferences: { [PREFETCH]: false } });
  chrome = await chromeContext(firefox.browser);
});
afterAll(() => firefox?.stop());

const textOf = (selector: string) => page.$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll('\u00a0', ' '));
const shown = (selector: string) => page.waitForFunction((one) => document.querySelector(one)?.checkVisibility(), {}, selector);

/** By Firefox's own parent process, past everything of the extension. */
const held = (name: string) =>
  chrome.run<PreferenceValue>(
    'name => Services.prefs.getPrefType(name) === Services.prefs.PREF_BOOL ? Services.prefs.getBoolPref(name) : Services.prefs.getIntPref(name)',
    name,
  );

async function add(preference: string, value: string): Promise<void> {
  await chooseByKey(page, '#own-preference', preference);
  if (await page.$eval('#own-number', (element) => element.checkVisibility())) await typeByKey(page, '#own-number', value);
  else await chooseByKey(page, '#own-choice', value);
  await pressByKey(page, '#own-add');
}

async function keep(name: string): Promise<void> {
  await typeByKey(page, '#own-name', name);
  await pressByKey(page, '#own-keep');
  await expect.poll(() => textOf('#own-kept')).toContain(name);
}

test('two preferences chosen in the dashboard are kept under a name, and one out of bounds is refused', async () => {
  page = await openExtensionPage(firefox.browser, DASHBOARD_URL);
  await shown('#own-make');
  await page.bringToFront();
  await pressByKey(page, '#own-make > summary');
  await add(PER_SERVER, '300');
  await expect.poll(() => textOf('#failure')).toContain(`${PER_SERVER}: 300 is not within 1 to 255`);
  await add(PER_SERVER, '16');
  await add(PACING, 'false');
  expect(await textOf('#own-chosen')).toContain('no request pacing');
  await keep('Fast <b>at home</b>');
  await expect.poll(() => textOf('#own-kept')).toContain(`Fast <b>at home</b>: ${profileLabel(FAST)}`);
  await add(PREFETCH, 'true');
  expect(await textOf('#own-chosen')).toContain('Costs privacy or security.');
  await keep('Eager');
});

test('they are applied in the popup, read back, and undone', async () => {
  page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await page.bringToFront();
  await shown('#apply-apply');
  await chooseByKey(page, '#apply-profile', FAST);
  await pressByKey(page, '#apply-apply');
  await expect.poll(() => textOf('#apply-standing')).toBe(english('apply.inEffect.live', { settings: profileLabel(FAST) }));
  expect([await held(PER_SERVER), await held(PACING)]).toEqual([16, false]);
  await pressByKey(page, '#apply-revert');
  await expect.poll(() => held(PACING)).toBe(true);
  expect(await held(PER_SERVER)).toBe(6);
});

test('what costs privacy is applied only after the question that names it', async () => {
  await expect.poll(() => textOf('#apply-standing')).toBe(english('apply.none.live'));
  await chooseByKey(page, '#apply-profile', COSTLY);
  await pressByKey(page, '#apply-apply');
  await shown('#apply-price');
  expect(await textOf('#apply-price')).toMatch(/network\.prefetch-next = true: .*their servers see you/);
  await pressByKey(page, '#apply-price-cancel');
  await expect.poll(() => page.$eval('#apply-price', (element) => element.checkVisibility())).toBe(false);
  expect(await held(PREFETCH)).toBe(false);
  const refused = await firefox.askRaw({ kind: 'live-apply', profileId: COSTLY });
  expect(refused).toMatchObject({ ok: false, error: { reason: 'price-not-accepted', preference: PREFETCH } });
  expect(await held(PREFETCH)).toBe(false);
  await pressByKey(page, '#apply-apply');
  await shown('#apply-price');
  await pressByKey(page, '#apply-price-confirm');
  await expect.poll(() => held(PREFETCH)).toBe(true);
  await shown('#apply-revert');
  await pressByKey(page, '#apply-revert');
  await expect.poll(() => held(PREFETCH)).toBe(false);
});
