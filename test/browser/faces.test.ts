/**
 * Welcome tab, popup, the page behind "More" and dashboard say one answer, in a real Firefox behind an emulated link: whichever of them works it out, and
 * while another looks on. What each says beside it differs; the settings, the figures and the pages that they rest on do not.
 */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeTrial } from '../support/card-records.ts';
import { english } from '../support/english.ts';
import { CONTROLS_URL, DASHBOARD_URL, openExtensionPage, POPUP_URL } from '../support/extension-firefox.ts';
import { type LinkedFirefox, startLinkedFirefox } from '../support/linked-firefox.ts';
import { recorded } from '../support/trial-firefox.ts';

/** Round trips are what takes the time here, so that more connections are sure to be predicted to gain. */
const LINK = 'rtt=200,down=8000,up=2000,queue=200';
const WELCOME_URL = POPUP_URL.replace('popup/popup.html', 'welcome/welcome.html');
const PAGES = ['wiki', 'images', 'wiki'] as const;
const SOON = { timeout: 40_000, interval: 200 };

let linked: LinkedFirefox;

beforeAll(async () => {
  linked = await startLinkedFirefox(LINK);
  await linked.firefox.ask({ kind: 'set-quiet', quietMs: 300 });
});
afterAll(() => linked?.close());

const open = (url: string): Promise<Page> => openExtensionPage(linked.firefox.browser, url);

const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) =>
    element.checkVisibility() ? (element as HTMLElement).innerText.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ') : '',
  );
const cardText = (page: Page): Promise<string> => textOf(page, '#card');
const answerText = (page: Page): Promise<string> => textOf(page, '#answer');

/** Every change of speed in a text, each once: `+20`, `−1.6`. The sign of an interval's first end may stand without its %. */
const changesIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/[+−]\d+(?:\.\d+)?/g)].map(([change]) => change))].sort();
const settingsIn = (text: string): string | undefined => /\d+ connections(?:, [\w ]+)?(?= (?:should|look)|≈| ≈|$|: so far)/.exec(text)?.[0];

const PAGES_OF = /\d+(?: of \d+)? recent pages?(?: \(\d+ could not be simulated\))?/;

/** What a sentence says and the card does not, which has rows besides; a busy machine decides whether a gain is sure. */
async function missing(card: Page, face: Page): Promise<readonly string[]> {
  const [own, other] = [await cardText(card), await answerText(face)];
  const atMost = /at most ([\d.]+ %)/.exec(other)?.[1];
  const pages = PAGES_OF.exec(other)?.[0] ?? 'an answer';
  const wanted = [pages, ...(atMost === undefined ? [] : [`≤ ${atMost}`])];
  return [...wanted.filter((piece) => !own.includes(piece)), ...changesIn(other).filter((change) => !changesIn(own).includes(change))];
}

async function expectOneAnswer(card: Page, face: Page): Promise<string> {
  await expect.poll(() => missing(card, face), SOON).toEqual([]);
  return answerText(face);
}

async function load(page: string, token: string): Promise<void> {
  const url = linked.pageUrl(page, token);
  await linked.firefox.page.bringToFront();
  await linked.firefox.page.goto(url, { waitUntil: 'load' });
  await recorded(linked.firefox, url);
}

const tabIdsAt = (page: Page): Promise<readonly number[]> =>
  page.evaluate(async () => {
    const { tabs } = (globalThis as unknown as { browser: { tabs: { query(what: object): Promise<{ id: number; url?: string }[]> } } })
      .browser;
    return (await tabs.query({})).filter(({ url }) => url?.startsWith('http:')).map(({ id }) => id);
  });

test('the first answer, of three sites, is the popup’s too: whoever opens it next finds it', async () => {
  const { browser } = linked.firefox;
  for (const [at, name] of PAGES.entries()) {
    const page = at === 0 ? linked.firefox.page : await browser.newPage();
    await page.goto(linked.pageUrl(name, `first${at}`), { waitUntil: 'load' });
    await recorded(linked.firefox, linked.pageUrl(name, `first${at}`));
  }
  const welcome = await open(`${WELCOME_URL}#try`);
  const tabIds = (await tabIdsAt(welcome)).slice(0, 3);
  expect(tabIds).toHaveLength(3);
  await linked.firefox.ask({ kind: 'start-tryout', tabIds: [...tabIds] });
  await expect.poll(() => answerText(welcome), { ...SOON, timeout: 120_000 }).toMatch(PAGES_OF);
  // The popup that opens next need not work it out.
  const kept = await welcome.evaluate(async () => {
    const { storage } = (globalThis as unknown as { browser: { storage: { local: { get(key: string): Promise<object> } } } }).browser;
    return storage.local.get('fieldPrediction');
  });
  expect(kept).toMatchObject({ fieldPrediction: { answer: { state: 'predicted' } } });
  const popup = await open(POPUP_URL);
  const said = await expectOneAnswer(popup, welcome);
  expect(await cardText(popup)).toContain(settingsIn(said) ?? PAGES_OF.exec(said)?.[0]);
  expect(await cardText(popup)).not.toContain(english('card.fresh'));
  await welcome.close();
  await popup.close();
}, 240_000);

test('popup and dashboard, popup and More: one answer while pages are loaded, and one for which a trial begins', async () => {
  const popup = await open(POPUP_URL);
  const dashboard = await open(DASHBOARD_URL);
  const first = await expectOneAnswer(popup, dashboard);
  for (const at of [0, 1]) await load('images', `more${at}`);
  for (const face of [popup, dashboard]) await face.bringToFront();
  const later = await expectOneAnswer(popup, dashboard);
  // The named settings stay unless others are 3 % better.
  expect(settingsIn(later)).toBe(settingsIn(first));
  await dashboard.close();
  const more = await open(CONTROLS_URL);
  await expectOneAnswer(popup, more);
  await more.close();
  await popup.close();
}, 180_000);

test('a trial: no figure on More, in its comparison or on the dashboard that the card does not have', async () => {
  const popup = await open(POPUP_URL);
  await linked.firefox.ask({ kind: 'start-trial', trial: { candidates: ['c8-d1'] } });
  await load('images', 'trial0');
  await load('images', 'trial1');
  const more = await open(CONTROLS_URL);
  const dashboard = await open(DASHBOARD_URL);
  await popup.bringToFront();
  await expect.poll(() => cardText(popup), SOON).toMatch(/of about [\d,]+ page loads/);
  const early = /too early to say which is faster/i;
  for (const [page, selector] of [
    [popup, '#card'],
    [more, '#answer'],
    [more, '#trial-sentence'],
    [dashboard, '#answer'],
  ] as const) {
    await page.bringToFront();
    await expect.poll(() => textOf(page, selector), SOON).toMatch(early);
    expect(changesIn(await textOf(page, selector))).toEqual([]);
  }
  await more.bringToFront();
  // Which of the two had these loads was drawn at random.
  await expect.poll(() => textOf(more, '#comparison-rows'), SOON).toContain('firefox-default');
  expect(changesIn(await textOf(more, '#comparison-rows'))).toEqual([]);
  await linked.firefox.ask({ kind: 'stop-trial' });
  // Confirmed, it is the answer of all of them.
  const found = { profileId: 'c8-d1', ratio: 1.42, low: 1.23, high: 1.65, finding: 'better', loads: 22, baselineLoads: 18 };
  await changeTrial(popup, { progress: { end: { kind: 'confirmed', found } } });
  for (const face of [more, dashboard]) {
    await popup.bringToFront();
    await popup.evaluate(() => window.dispatchEvent(new Event('focus')));
    await face.bringToFront();
    await face.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect.poll(async () => changesIn(await answerText(face)), SOON).toEqual(['+23', '+42', '+65']);
  }
  await expect.poll(async () => changesIn(await cardText(popup)), SOON).toEqual(['+23', '+42', '+65']);
}, 180_000);
