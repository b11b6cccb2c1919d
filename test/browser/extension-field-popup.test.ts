/** Everyday loads in the popup, of a store filled beforehand: compared by its worker, within links that a person can name. */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinPageLoad } from '../../src/core/measure/join-page-load.ts';
import type { PlainId } from '../../src/core/text/messages.ts';
import { english, englishPattern, loadsStored } from '../support/english.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, POPUP_URL, startExtensionFirefox } from '../support/extension-firefox.ts';
import { entry, originOf, pageTiming } from '../support/observation-builders.ts';
import { pageBundle } from '../support/page-bundle.ts';

const LOADS = 2_000;
/** A page that compares nothing, and so keeps no comparison. */
const WELCOME_URL = POPUP_URL.replace('popup/popup.html', 'welcome/welcome.html');
/** More than are compared at once. */
const MANY = 20 * 256;

let firefox: ExtensionFirefox;
let fillStore = '';

interface Filled {
  readonly bench: { fill(count: number, lastLoad: object): Promise<void> };
}

interface WithStorage {
  readonly browser: {
    readonly storage: {
      readonly local: {
        remove(key: string): Promise<void>;
        get(key: string): Promise<{ readonly fieldAnswer?: { readonly loads: number } }>;
      };
    };
  };
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

interface OpenPopup {
  readonly page: Page;
  readonly text: () => Promise<string>;
  /** What stands beside a term of the last load. */
  readonly factOf: (term: PlainId) => Promise<string | undefined>;
}

/** A popup opened anew, once it shows a comparison: for a moment perhaps the last one it knew, so that news is to be polled for. */
async function openPopup(): Promise<OpenPopup> {
  const page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await page.bringToFront();
  const text = () => page.evaluate(() => document.body.innerText.replaceAll('\u00a0', ' '));
  await page.waitForFunction(
    () =>
      document.getElementById('content')?.hidden === false &&
      document.getElementById('comparison')?.hidden === false &&
      document.getElementById('comparison-status')?.hidden === true,
  );
  const factOf = async (term: PlainId) => {
    const facts = await page.$$eval('#load-facts > div', (all) =>
      all.map(({ children }) => [...children].map((child) => child.textContent?.replaceAll('\u00a0', ' '))),
    );
    return facts.find(([name]) => name === english(term))?.[1];
  };
  return { page, text, factOf };
}

test('all loads are compared, and the last one is measured against its link, which is estimated', async () => {
  const { page, text, factOf } = await openPopup();
  const words = await text();
  for (const profile of ['firefox-default', 'c4-d6', 'c6-d4', 'c2-d1']) expect(words).toContain(profile);
  expect(words).toContain(loadsStored(LOADS));
  // The last of 2,000 loads: the network changes every 75, and 1,999 / 75 is 26 and a rest, so it is the first one.
  expect(await factOf('load.network')).toMatch(/^RTT \d+ ms, \d+ Mbit\/s$/);
  const ms = /[\d.]+ ms/;
  expect(await factOf('load.roundTrip')).toMatch(englishPattern('figure.interval', { figure: ms, low: ms, high: ms }));
  expect(await page.$eval('#load-efficiency', ({ textContent }) => textContent)).toMatch(/^\d+\s%$/);
  expect(words).not.toMatch(/undefined|NaN|\[object/);
  await page.close();
});

test('a link is called what a person calls it, until the name is taken away', async () => {
  const { page, text, factOf } = await openPopup();
  const name = (await factOf('load.network')) ?? '';
  expect(name).not.toBe('');
  const named = english('load.network.given', { given: 'train', name });
  await page.type('#link-name', 'train');
  // Drawn anew meanwhile, also while the field has no focus, it is still there for the press.
  await page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
    (document.getElementById('records-text') as HTMLElement).textContent = '';
    dispatchEvent(new Event('focus'));
  });
  await expect.poll(text).toContain(loadsStored(LOADS));
  await page.focus('#link-form button');
  await page.keyboard.press('Enter');
  await expect.poll(() => factOf('load.network')).toBe(named);
  await page.close();
  const again = await openPopup();
  await expect.poll(() => again.factOf('load.network')).toBe(named);
  const report = await firefox.ask({ kind: 'export-report' });
  expect(report.links.map((link) => link.name)).toContain('train');
  await again.page.$eval('#link-name', (field) => {
    (field as HTMLInputElement).select();
  });
  await again.page.type('#link-name', ' ');
  await again.page.keyboard.press('Enter');
  await expect.poll(() => again.factOf('load.network')).toBe(name);
  await again.page.close();
});

test('records that cannot be read are counted, and the others compared all the same', async () => {
  // The figures are gone, and of the loads themselves the last alone can be measured again.
  await firefox.popup.evaluate(
    (last) =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open('plumbfox');
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const change = open.result.transaction(['figures', 'loads'], 'readwrite');
          change.objectStore('figures').clear();
          const loads = change.objectStore('loads').openCursor(IDBKeyRange.upperBound(last, true));
          loads.onsuccess = () => {
            if (loads.result === null) return;
            loads.result.update({ ...loads.result.value, load: {} });
            loads.result.continue();
          };
          change.oncomplete = () => {
            open.result.close();
            resolve();
          };
        };
      }),
    LOADS - 1,
  );
  const { page, text } = await openPopup();
  await expect.poll(text).toContain(`${loadsStored(LOADS)} ${english('comparison.unreadable', { count: LOADS - 1 })}`);
  expect(await page.$eval('#comparison-rows > tr > th', ({ textContent }) => textContent)).toMatch(/^firefox-default/);
  expect(await page.$eval('#comparison-rows > tr > th', ({ textContent }) => textContent)).toMatch(
    englishPattern('count.loads', { count: 1 }),
  );
  await page.close();
});

test('of many loads the newest are compared first, which is said, and then all', async () => {
  await firefox.popup.evaluate((count) => (globalThis as unknown as Filled).bench.fill(count, {}), MANY);
  const { page } = await openPopup();
  // Closed once it has kept its comparison: it could keep a further one at any time.
  await page.evaluate(async (loads) => {
    const { local } = (globalThis as unknown as WithStorage).browser.storage;
    while ((await local.get('fieldAnswer')).fieldAnswer?.loads !== loads) await new Promise((done) => setTimeout(done, 20));
  }, MANY);
  await page.close();
  const outer = await openExtensionPage(firefox.browser, WELCOME_URL);
  await outer.waitForFunction(() => document.getElementById('content')?.hidden === false);
  const seen = await outer.evaluate(async (url) => {
    await (globalThis as unknown as WithStorage).browser.storage.local.remove('fieldAnswer');
    const frame = document.createElement('iframe');
    frame.style.cssText = 'position: fixed; inset: 0; width: 400px; height: 600px';
    frame.src = url;
    document.body.append(frame);
    const statuses = new Set<string>();
    const find = (id: string) => frame.contentDocument?.getElementById(id);
    while (!find('comparison-status')) await new Promise((done) => setTimeout(done));
    new MutationObserver(() => statuses.add(find('comparison-status')?.textContent ?? '')).observe(find('content') as HTMLElement, {
      subtree: true,
      childList: true,
    });
    const isDone = () => statuses.size > 1 && find('comparison-status')?.hidden === true && find('comparison-rows')?.hasChildNodes();
    while (!isDone()) await new Promise((done) => setTimeout(done, 20));
    return [...statuses];
  }, CONTROLS_URL);
  const newest = english('count.loads', { count: 2_048 });
  expect(seen.map((status) => status.replaceAll('\u00a0', ' '))).toContain(english('comparison.newest', { newest, all: MANY }));
  await outer.close();
});
