/** Everyday loads in the popup, of a store filled beforehand: compared by its worker, within links that a person can name. */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinPageLoad } from '../../src/core/measure/join-page-load.ts';
import { type ExtensionFirefox, openExtensionPage, POPUP_URL, startExtensionFirefox } from '../support/extension-firefox.ts';
import { entry, originOf, pageTiming } from '../support/observation-builders.ts';
import { pageBundle } from '../support/page-bundle.ts';

const LOADS = 2_000;

let firefox: ExtensionFirefox;
let fillStore = '';

interface Filled {
  readonly bench: { fill(count: number, lastLoad: object): Promise<void> };
}

beforeAll(async () => {
  fillStore = await pageBundle({ file: 'test/bench/in-firefox.ts' });
  firefox = await startExtensionFirefox({ variant: 'release' });
  const lastLoad = joinPageLoad(pageTiming([entry('http://site.test/a.png', 60, 150)]), [], { originOf });
  await firefox.popup.evaluate(fillStore);
  await firefox.popup.evaluate(
    (count, load) => (globalThis as unknown as Filled).bench.fill(count, JSON.parse(load)),
    LOADS,
    JSON.stringify(lastLoad),
  );
});

afterAll(() => firefox?.stop());

/** A popup opened anew, once it shows a comparison: for a moment perhaps the last one it knew, so that news is to be polled for. */
async function openPopup(): Promise<{ readonly page: Page; readonly text: () => Promise<string> }> {
  const page = await openExtensionPage(firefox.browser, POPUP_URL);
  await page.bringToFront();
  const text = () => page.evaluate(() => document.body.innerText.replaceAll('\u00a0', ' '));
  await page.waitForFunction(
    () =>
      document.getElementById('content')?.hidden === false &&
      document.getElementById('comparison')?.hidden === false &&
      document.getElementById('comparison-status')?.hidden === true,
  );
  return { page, text };
}

const linkOf = (words: string) => /Link \(estimated\)\s+(.*)/.exec(words)?.[1];

test('all loads are compared, and the last one is measured against its link, which is estimated', async () => {
  const { page, text } = await openPopup();
  const words = await text();
  for (const profile of ['firefox-default', 'c4-d6', 'c6-d4', 'c2-d1']) expect(words).toContain(profile);
  expect(words).toContain('2,000 loads stored on this machine.');
  // The last of 2,000 loads: the network changes every 75, and 1,999 / 75 is 26 and a rest, so it is the first one.
  expect(linkOf(words)).toMatch(/^RTT \d+ ms, \d+ Mbit\/s$/);
  expect(words).toMatch(/Round trip \(estimated\)\s+[\d.]+ ms \([\d.]+ ms to [\d.]+ ms\)/);
  expect(words).toMatch(/Efficiency estimated\s+\d+ %/);
  expect(words).not.toMatch(/undefined|NaN|\[object/);
  await page.close();
});

test('a link is called what a person calls it, until the name is taken away', async () => {
  const { page, text } = await openPopup();
  const name = linkOf(await text());
  await page.type('#link-name', 'train');
  // Drawn anew meanwhile, also while the field has no focus, it is still there for the press.
  await page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
    (document.getElementById('records-text') as HTMLElement).textContent = '';
    dispatchEvent(new Event('focus'));
  });
  await expect.poll(text).toContain('2,000 loads stored');
  await page.focus('#link-form button');
  await page.keyboard.press('Enter');
  await expect.poll(async () => linkOf(await text())).toBe(`train (${name})`);
  await page.close();
  const again = await openPopup();
  await expect.poll(async () => linkOf(await again.text())).toBe(`train (${name})`);
  const report = await firefox.ask({ kind: 'export-report' });
  expect(report.links.map((link) => link.name)).toContain('train');
  await again.page.$eval('#link-name', (field) => {
    (field as HTMLInputElement).select();
  });
  await again.page.type('#link-name', ' ');
  await again.page.keyboard.press('Enter');
  await expect.poll(async () => linkOf(await again.text())).toBe(name);
  await again.page.close();
});

test('records that cannot be read are counted, and the others compared all the same', async () => {
  // Of the loads themselves there is but the last: without their figures the others cannot be read.
  await firefox.popup.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open('plumbfox');
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const clear = open.result.transaction('figures', 'readwrite');
          clear.objectStore('figures').clear();
          clear.oncomplete = () => {
            open.result.close();
            resolve();
          };
        };
      }),
  );
  const { page, text } = await openPopup();
  await expect.poll(text).toContain('2,000 loads stored on this machine. 1,999 records cannot be read and are excluded.');
  expect(await text()).toMatch(/firefox-default\s+baseline · 1 load/);
  await page.close();
});
