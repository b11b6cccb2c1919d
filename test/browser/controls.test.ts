/** The popup's page in a real Firefox: what it says of a load, without permission, and at the width of a phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerSentence } from '../../src/core/answer/format-answer.ts';
import { english, englishPattern, loadsStored } from '../support/english.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { comparison, endedTrial, FASTER, popupState, profile } from '../unit/controls/sample-state.ts';

/** The narrowest width the popup must work at, CSS pixels. */
const WIDTH_PX = 360;

interface WebExtensionPage {
  readonly browser: {
    readonly runtime: { sendMessage: (message: unknown) => Promise<unknown> };
    readonly permissions: {
      remove(permissions: { origins: string[] }): Promise<boolean>;
      contains(permissions: { origins: string[] }): Promise<boolean>;
    };
  };
}

let firefox: ExtensionFirefox;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(imagePage(8));
  firefox = await startExtensionFirefox({ variant: 'release' });
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

/** A popup opened anew, once it shows its content. */
async function openPopup() {
  const page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await page.setViewport({ width: WIDTH_PX, height: 800 });
  await page.waitForFunction(() => document.getElementById('content')?.hidden === false);
  const text = () => page.evaluate(() => document.body.innerText.replaceAll('\u00a0', ' '));
  return { page, text };
}

async function recordOneLoad(): Promise<void> {
  const before = (await firefox.ask({ kind: 'loads-after' })).length;
  await firefox.page.bringToFront();
  await firefox.page.goto(`${server.origin}/page?${before}`, { waitUntil: 'load' });
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length).toBe(before + 1);
}

describe('popup', () => {
  test('without loads says how to get one, and offers neither export nor deletion', async () => {
    const { page, text } = await openPopup();
    expect(await text()).toContain(english('load.none.recording'));
    expect(await page.$$eval('#export, #delete', (buttons) => buttons.map((button) => (button as HTMLButtonElement).disabled))).toEqual([
      true,
      true,
    ]);
    await page.close();
  });

  test('shows the recorded load in words, without addresses beyond the host', async () => {
    await recordOneLoad();
    const { page, text } = await openPopup();
    const words = await text();
    expect(words).toContain(`127.0.0.1:${server.port}`);
    expect(words).toContain(loadsStored(1));
    expect(words).toContain('100 % HTTP/1.1');
    expect(await page.$eval('#load-time', ({ textContent }) => textContent)).toMatch(/^[0-9.]+\sm?s$/);
    expect(words).not.toMatch(/undefined|NaN|\[object/);
    expect(words).not.toContain('/page');
    expect(await page.$eval('#failure', (failure) => (failure as HTMLElement).hidden)).toBe(true);
    await page.close();
  });

  test('has its worker, and what it asks first, from before its scripts were read', async () => {
    const { page } = await openPopup();
    const early = await page.evaluate(() => ({ ...earlyStart }));
    expect(early).toEqual({
      path: '../views/comparison-worker.js',
      kind: 'popup-state',
      hasFailed: false,
      isOutdated: expect.any(Boolean),
    });
    await page.close();
  });

  // Puppeteer's `console` and `pageerror` stay silent for extension pages (tried on Firefox 153), so the page itself listens.
  test('reports no error when it asks, renders and exports', async () => {
    const { page, text } = await openPopup();
    await page.evaluate(() => {
      const note = (event: Event) => document.body.setAttribute('data-reported', `${event.type} ${document.body.dataset.reported ?? ''}`);
      for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) addEventListener(type, note);
      dispatchEvent(new Event('focus'));
    });
    // By the keyboard: what is shown above it comes and goes meanwhile, and moves it.
    await page.focus('#export');
    await page.keyboard.press('Enter');
    await expect.poll(text).toMatch(englishPattern('saved', { name: /plumbfox-report-[0-9TZ-]+\.json/ }));
    const reported = () => page.evaluate(() => document.body.dataset.reported);
    expect(await reported()).toBeUndefined();
    // The listeners do hear: without this the test could not fail.
    await page.evaluate(() => {
      setTimeout(() => Promise.reject(new Error('heard')));
    });
    await expect.poll(reported).toContain('unhandledrejection');
    await page.close();
  });

  test(`draws the chart, and fits ${WIDTH_PX} px with long names and every section shown`, async () => {
    const { page, text } = await openPopup();
    const answer = { from: 'trial', state: 'confirmed', ...FASTER, loads: 40 } as const;
    const state = popupState({
      active: { ...popupState().active, carrier: 'none', mismatches: ['network.http.max-persistent-connections-per-server'] },
      comparison: { ...comparison, profiles: [...comparison.profiles, profile('long-'.repeat(12))] },
      trial: endedTrial(answer),
    });
    // A loopback link is too fast to be estimated, so a comparison with bars is answered in the background's place.
    await page.evaluate((value) => {
      addEventListener('securitypolicyviolation', (event) => document.body.setAttribute('data-violated', event.violatedDirective));
      (globalThis as unknown as WebExtensionPage).browser.runtime.sendMessage = async () => ({ ok: true, value: JSON.parse(value) });
      dispatchEvent(new Event('focus'));
    }, JSON.stringify(state));
    await expect.poll(text).toContain(answerSentence(answer));
    const colours = () =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas');
        const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        return new Set(Array.from({ length: pixels.length / 4 }, (_, at) => pixels.slice(at * 4, at * 4 + 4).join())).size;
      });
    // Baseline, recommended, candidate, text and grid at the least; a blank canvas has one. The bars come after the words.
    await expect.poll(colours).toBeGreaterThanOrEqual(5);
    const drawn = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      violated: document.body.dataset.violated,
    }));
    expect(drawn.scroll).toBeLessThanOrEqual(WIDTH_PX);
    expect(drawn.violated).toBeUndefined();
    await page.close();
  });

  test(`fits ${WIDTH_PX} px: nothing is wider than the page`, async () => {
    const { page } = await openPopup();
    const { inner, scroll } = await page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
    expect(inner).toBe(WIDTH_PX);
    expect(scroll).toBeLessThanOrEqual(WIDTH_PX);
    await page.close();
  });

  test('shows a load recorded while it is open, when it is looked at again', async () => {
    const { page, text } = await openPopup();
    await recordOneLoad();
    await page.bringToFront();
    await expect.poll(text).toContain(loadsStored(2));
    await page.close();
  });

  test('deletes only after the question, which Escape takes back', async () => {
    const { page, text } = await openPopup();
    await page.focus('#delete');
    await page.keyboard.press('Enter');
    expect(await text()).toContain(english('records.deleteQuestion', { loads: english('count.loads', { count: 2 }) }));
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('delete-cancel');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('delete');
    expect(await firefox.ask({ kind: 'loads-after' })).toHaveLength(2);
    await page.keyboard.press('Enter');
    await page.focus('#delete-confirm');
    await page.keyboard.press('Enter');
    await expect.poll(text).toContain(english('records.deleted', { count: 2 }));
    expect(await firefox.ask({ kind: 'loads-after' })).toHaveLength(0);
    await page.close();
  });

  test.each([
    ['refuses', 'Firefox has no access'],
    ['never answers', 'Firefox did not answer'],
  ])('says why nothing could be saved of the records where Firefox %s', async (how, why) => {
    const { page } = await openPopup();
    await page.evaluate((isRefused) => {
      IDBFactory.prototype.open = () => {
        if (isRefused) throw new DOMException('Firefox has no access', 'UnknownError');
        return {} as IDBOpenDBRequest;
      };
      // What would take half a minute.
      const { setTimeout: later } = window;
      Object.assign(window, { setTimeout: (work: () => void) => later(work, 10) });
      document.getElementById('salvage')?.click();
    }, how === 'refuses');
    const said = () => page.evaluate(() => ['failure', 'rescue-outcome'].map((id) => document.getElementById(id)?.textContent));
    await expect
      .poll(said)
      .toEqual([expect.stringMatching(englishPattern('failed', { what: english('failed.save'), why: new RegExp(why) })), '']);
    await page.close();
  });

  test('says at once that the permission was taken back, and offers to grant it', async () => {
    const { page, text } = await openPopup();
    const has = await page.evaluate(async () => {
      const { permissions } = (globalThis as unknown as WebExtensionPage).browser;
      const everySite = { origins: ['<all_urls>', 'http://*/*', 'https://*/*'] };
      await permissions.remove(everySite);
      return permissions.contains({ origins: ['<all_urls>'] });
    });
    expect(has).toBe(false);
    await expect.poll(text).toContain(english('recording.off', { why: english('recording.noPermission') }));
    expect(await page.$eval('#grant', (grant) => grant.checkVisibility())).toBe(true);
    await page.close();
  });
});
