/** A trial from the popup: chosen, started, paused, stopped with the keyboard and the mouse, at the width of a phone. */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { english, englishPattern } from '../support/english.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { startTestServer, type TestServer } from '../support/extension-server.ts';
import { heldPages, loadOnce, trialNow } from '../support/trial-firefox.ts';

const WIDTH_PX = 360;

let firefox: ExtensionFirefox;
let server: TestServer;

async function openPopup(): Promise<{ page: Page; text: () => Promise<string> }> {
  const page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await page.setViewport({ width: WIDTH_PX, height: 800 });
  await page.waitForFunction(() => document.getElementById('content')?.hidden === false);
  const text = () => page.evaluate(() => document.getElementById('trial')?.innerText.replaceAll('\u00a0', ' ') ?? '');
  return { page, text };
}

const isShown = (page: Page, selector: string) => page.$eval(selector, (element) => element.checkVisibility());
const secondSlot = englishPattern('trial.slot', { slot: 2, block: 1 });
/** How many loads a trial takes. Some minutes of browsing say nothing of a day. */
const planned = (most: RegExp) => {
  const loads = (count: RegExp) => englishPattern('count.pageLoads', { count });
  return englishPattern('trial.plan', { loads: loads(/[\d,]+/), pace: '', most: loads(most) });
};
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
const tooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
/** Controls that are shown and have no name for those who cannot see them. */
const nameless = (page: Page) =>
  page.$$eval('#trial input, #trial select, #trial button, #trial summary', (all) =>
    all
      .filter((one) => one.checkVisibility())
      .filter((one) => !(one.getAttribute('aria-label') ?? one.closest('label')?.textContent ?? one.textContent)?.trim())
      .map((one) => one.outerHTML),
  );

describe('where profiles can be switched', () => {
  beforeAll(async () => {
    server = await startTestServer(heldPages);
    firefox = await startExtensionFirefox();
    await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
  });
  afterAll(async () => {
    await firefox?.stop();
    await server?.close();
  });

  test('a trial is chosen and started with the keyboard, and says what is going on', async () => {
    const { page, text } = await openPopup();
    expect(await isShown(page, '#trial-setup')).toBe(true);
    await page.focus('#trial-setup summary');
    await page.keyboard.press('Enter');
    expect(await text()).toContain(english('trial.setup.legend', { baseline: english('trend.baseline') }));
    await expect.poll(text).toMatch(planned(/[\d,]+/));
    expect(await nameless(page)).toEqual([]);
    expect(await tooWide(page)).toBe(false);
    await page.focus('input[value="c8-d1"]');
    await page.keyboard.press(' ' as 'Space');
    await expect.poll(text).toContain(english('trial.setup.nothing'));
    await page.focus('input[value="c2-d1"]');
    await page.keyboard.press(' ' as 'Space');
    await page.focus('#trial-slot');
    await page.evaluate(() => (document.getElementById('trial-slot') as HTMLInputElement).select());
    await page.keyboard.type('2');
    await expect.poll(text).toMatch(planned(/1,440/));
    await page.keyboard.press('Enter');
    const slot = englishPattern('trial.slot', { slot: 1, block: 1, profile: /(?:2 connections|Firefox’s own settings)/ });
    await expect.poll(text).toMatch(englishPattern('trial.since', { slot, time: /\d\d:\d\d/ }));
    expect(await text()).toContain(english('trial.washout'));
    expect(await text()).toContain(english('trial.collecting'));
    expect(await focused(page)).toBe('trial-pause');
    expect(await isShown(page, '#trial-setup')).toBe(false);
    expect(await nameless(page)).toEqual([]);
    expect(await tooWide(page)).toBe(false);
    await page.close();
  });

  test('shows the loads of each profile, and goes on to the next slot by itself', async () => {
    for (const at of [1, 2, 3]) await loadOnce(firefox, `${server.origin}/hold?${at}`);
    const { page, text } = await openPopup();
    expect(await text()).toMatch(secondSlot);
    expect(await text()).toContain(english('trial.recorded', { recorded: 2, attempted: 2 }));
    expect(await text()).not.toMatch(/undefined|NaN|\[object/);
    await page.close();
  });

  test('pauses and goes on, and the focus stays where it can be used', async () => {
    const { page, text } = await openPopup();
    await page.focus('#trial-pause');
    await page.keyboard.press('Enter');
    await expect.poll(text).toContain(english('trial.restored'));
    await expect.poll(() => focused(page)).toBe('trial-resume');
    await page.keyboard.press('Enter');
    await expect.poll(text).toMatch(secondSlot);
    await expect.poll(() => focused(page)).toBe('trial-pause');
    await page.close();
  });

  test('stops only after the question, and another can be started then', async () => {
    const { page, text } = await openPopup();
    await page.focus('#trial-stop');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('trial-stop-cancel');
    await page.keyboard.press('Escape');
    expect((await trialNow(firefox)).now.state).toBe('in-effect');
    await page.click('#trial-stop');
    await page.click('#trial-stop-confirm');
    await expect.poll(text).toContain(english('trial.stopped'));
    expect(await isShown(page, '#trial-setup')).toBe(true);
    await page.close();
  });

  test('what cannot be done is said on the page', async () => {
    const { page } = await openPopup();
    await page.evaluate(() => document.getElementById('trial-pause')?.click());
    const failure = () => page.$eval('#failure', (element) => (element as HTMLElement).innerText);
    await expect.poll(failure).toMatch(englishPattern('failed', { what: english('failed.trialPause') }));
    await page.close();
  });
});
