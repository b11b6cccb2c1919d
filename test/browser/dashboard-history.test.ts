/** The dashboard's list of recorded loads in a real Firefox: searched, filtered, sorted and turned by keyboard, among thousands of older loads. */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { english, englishPattern } from '../support/english.ts';
import { DASHBOARD_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { tabTo } from '../support/keyboard.ts';
import { storeHistory } from '../support/stored-history.ts';

const OLDER = 3_000;
/** Rows of the list. */
const ROWS = 25;
const PAGES = ['first', 'second', 'third'] as const;

let firefox: ExtensionFirefox;
let server: TestServer;
let page: Page;

beforeAll(async () => {
  const images = imagePage(8);
  // Pages by name, each with its own images.
  server = await startTestServer((path) => images(path.replace(/^\/(?:first|second|third)$/, '/page?')));
  firefox = await startExtensionFirefox();
  await firefox.ask({ kind: 'set-quiet', quietMs: 300 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

const status = () => page.$eval('#loads-status', (element) => element.textContent?.replaceAll('\u00a0', ' '));
const names = () => page.$$eval('#loads-rows tr > th', (cells) => cells.map((cell) => cell.firstChild?.textContent ?? ''));
const total = english('count.loads', { count: OLDER + PAGES.length });
const shown = (first: number, last: number) => english('history.all', { first, last, loads: total });
const all = () => expect.poll(status).toBe(shown(1, ROWS));
const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);

// A test of its own: only within one may be waited for what is recorded.
test('pages are recorded', async () => {
  for (const [at, name] of PAGES.entries()) {
    await firefox.page.goto(`${server.origin}/${name}`, { waitUntil: 'load' });
    await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length, { timeout: 60_000 }).toBe(at + 1);
  }
  await storeHistory(firefox.popup, OLDER);
  page = await openExtensionPage(firefox.browser, DASHBOARD_URL);
  await page.bringToFront();
  await page.waitForSelector('#loads-rows tr');
});

describe('the list of loads', () => {
  test('has its worker, and what the page asks first, from before the scripts were read', async () => {
    expect(await page.evaluate(() => ({ ...earlyStart }))).toEqual({
      path: 'history-worker.js',
      kind: 'dashboard-state',
      hasFailed: false,
      isOutdated: expect.any(Boolean),
    });
  });

  test('begins with the newest, and says of older ones that their address is not kept', async () => {
    await all();
    const [third, second, first, older] = await names();
    expect([third, second, first].map((name) => name?.split('/').at(-1))).toEqual(['third', 'second', 'first']);
    expect(older).toBe(english('history.addressGone'));
    expect(await page.$$eval('#loads-rows button', (buttons) => buttons.length)).toBe(PAGES.length);
  });

  test('is searched and turned by keyboard alone, and the focus stays', async () => {
    await page.focus('#history-search');
    await page.keyboard.type('seco');
    await expect.poll(names).toHaveLength(1);
    expect(await status()).toBe(english('history.found', { first: 1, last: 1, found: 1, loads: total }));
    expect(await focused()).toBe('history-search');
    await tabTo(page, '#history-clear');
    await page.keyboard.press('Enter');
    await all();
    await page.focus('#loads-more');
    await page.keyboard.press('Enter');
    await expect.poll(status).toBe(shown(ROWS + 1, 2 * ROWS));
    expect(await names()).toHaveLength(ROWS);
    await page.focus('#history-newer');
    await page.keyboard.press('Enter');
    await all();
  });

  test('is filtered by site, and by what is excluded', async () => {
    const site = await page.$eval('#history-site option:nth-child(2)', (option) => (option as HTMLOptionElement).value);
    await page.select('#history-site', site);
    await expect.poll(names).toHaveLength(PAGES.length);
    await page.select('#history-site', '');
    await page.select('#history-excluded', 'page-left');
    await expect.poll(status).toMatch(englishPattern('history.found', { first: 1, last: /\d+/, found: /\d+/, loads: total }));
    const reasons = await page.$$eval('#loads-rows small:not(.narrow)', (all) => [...new Set(all.map((one) => one.textContent))]);
    expect(reasons).toEqual([english('history.pageLeft')]);
    await page.click('#history-clear');
    await all();
  });

  test('is sorted by a column, either way', async () => {
    const times = () => page.$$eval('#loads-rows tr > td:nth-child(6)', (cells) => cells.map((cell) => cell.firstChild?.textContent ?? ''));
    const before = await times();
    await page.focus('#loads-table button[value=loadTime]');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.$eval('#loads-table th:nth-child(6)', (head) => head.getAttribute('aria-sort'))).toBe('descending');
    const slowest = (await times())[0];
    expect(slowest).not.toBe(before[0]);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.$eval('#loads-table th:nth-child(6)', (head) => head.getAttribute('aria-sort'))).toBe('ascending');
    expect((await times())[0]).not.toBe(slowest);
    await page.click('#loads-table button[value=startedAt]');
    await expect.poll(async () => (await names())[0]).toMatch(/third$/);
  });

  test('shows the waterfall of a load, and two loads on one axis, by keyboard alone', async () => {
    const sums = () => page.$$eval('#timeline-sums li', (items) => items.map((item) => item.textContent?.replaceAll('\u00a0', ' ') ?? ''));
    const rows = () => page.$$eval('#timeline-table tbody tr', (all) => all.length);
    await page.focus('#loads-rows button');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('chosen-title');
    await expect.poll(sums, { timeout: 30_000 }).toHaveLength(1);
    // The page, its eight images and perhaps an icon of the site, under a heading.
    const requests = async () => (await sums()).map((sum) => Number(/, (\d+) requests/.exec(sum)?.[1]));
    const [own = 0] = await requests();
    expect(own).toBeGreaterThanOrEqual(9);
    const [measured, predicted] = await page.$$eval('#timeline-table tbody', (bodies) =>
      bodies.map(({ rows: own }) => ({ rows: own.length, heading: own[0]?.textContent })),
    );
    expect(measured?.rows).toBe(own + 1);
    if (predicted !== undefined) expect(predicted.heading).toMatch(/^Predicted, not measured\. /);
    const drawn = () => page.$eval('#timeline-picture', (image) => (image as HTMLImageElement).naturalHeight);
    await expect.poll(drawn).toBeGreaterThan(100);
    const height = await drawn();
    await tabTo(page, '#timeline-compare');
    await page.keyboard.press('Enter');
    expect(await status()).toBe(shown(1, ROWS));
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/second$/);
    await page.keyboard.press('Enter');
    await expect.poll(sums).toHaveLength(2);
    expect((await sums()).map((sum) => /(third|second),/.exec(sum)?.[1])).toEqual(['third', 'second']);
    expect(await rows()).toBe((await requests()).reduce((sum, count) => sum + count + 1, 0));
    await expect.poll(drawn).toBeGreaterThan(height);
    const ofBoth = await drawn();
    await tabTo(page, '#timeline-alone');
    await page.keyboard.press('Enter');
    await expect.poll(sums).toHaveLength(1);
    await expect.poll(drawn).toBeLessThan(ofBoth);
    // The second's own: it may have asked for the icon of the site where the third did not.
    const ofSecond = await drawn();
    // At most 6 connections of 9 requests and more.
    await tabTo(page, '#timeline-connections');
    await page.keyboard.press('Enter');
    expect(await page.$eval('#timeline-connections', (button) => button.ariaPressed)).toBe('true');
    await expect.poll(drawn).toBeLessThan(ofSecond);
    await page.keyboard.press('Enter');
    await expect.poll(drawn).toBe(ofSecond);
    expect(await page.$eval('#failure', (element) => (element as HTMLElement).hidden)).toBe(true);
  });

  test('has a table of its sites, sorted by keyboard, and the trend of one of them', async () => {
    const rows = () =>
      page.$$eval('#sites-table tbody tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
    await page.focus('#sites > summary');
    await page.keyboard.press('Enter');
    // The pages of one host, whose loads have requests; sites of the older loads have no address.
    const { host } = new URL(server.origin);
    await expect.poll(async () => (await rows()).map(([name]) => name?.startsWith(host)), { timeout: 30_000 }).toEqual([true]);
    await expect.poll(async () => (await rows())[0]?.at(-1), { timeout: 30_000 }).toBe('100\u00a0%');
    expect((await rows())[0]?.[1]).toBe(String(PAGES.length));
    expect((await rows())[0]?.[2]).toContain(english('count.loads', { count: PAGES.length }).replace(' ', '\u00a0'));
    await page.select('#sites-by', 'network');
    await expect.poll(async () => (await rows()).length).toBeGreaterThan(1);
    const loads = async () => (await rows()).map(([, count]) => Number(/^[\d,]+/.exec(count ?? '')?.[0].replace(',', '')));
    await page.focus('#sites-table button[value=loads]');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await loads()).join()).toBe((await loads()).toSorted((a, b) => a - b).join());
    expect(await page.evaluate(() => (document.activeElement as HTMLButtonElement).value)).toBe('loads');
    await page.select('#sites-by', 'site');
    await page.waitForSelector('#sites-table tbody button');
    await page.focus('#sites-table tbody button');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('trend-heading');
    await expect.poll(() => page.$eval('#trend-picture', (image) => (image as HTMLImageElement).naturalHeight)).toBeGreaterThan(100);
    const days = await page.$$eval('#trend-table tbody tr', (all) => all.map((row) => row.children[1]?.textContent));
    expect(days).toEqual([String(PAGES.length)]);
    expect(await page.$eval('#failure', (element) => (element as HTMLElement).hidden)).toBe(true);
  });

  test('has the log of a trial, with its checks as a table, also when it has ended', async () => {
    await page.focus('#trial-log > summary');
    await page.keyboard.press('Enter');
    const log = () => page.$eval('#trial-log-body', (body) => body.textContent ?? '');
    await expect.poll(log).toBe(english('log.none'));
    await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c8-d1'] } });
    await firefox.page.goto(`${server.origin}/first`, { waitUntil: 'load' });
    await expect.poll(() => page.$$eval('#log-checks tbody tr', (all) => all.length), { timeout: 60_000 }).toBe(5);
    await expect.poll(() => page.$$eval('#log-turns tbody td', (all) => all.map((cell) => cell.textContent))).toContain(english('log.now'));
    await firefox.ask({ kind: 'stop-trial' });
    // Nothing was stored: the log is read again as the page gets the focus.
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect.poll(log).toMatch(englishPattern('log.span'));
    expect(await page.$$eval('#log-checks tbody tr', (all) => all.length)).toBe(5);
    expect(await page.$eval('#failure', (element) => (element as HTMLElement).hidden)).toBe(true);
  });

  test('has what settings change, and first bytes, by keyboard alone', async () => {
    await page.focus('#models > summary');
    await page.keyboard.press('Enter');
    const drawn = () => page.$eval('#models-content', (content) => Number(content.querySelector('img')?.naturalHeight));
    await expect.poll(drawn, { timeout: 30_000 }).toBeGreaterThan(100);
    // On this page the table has no room beside its picture.
    await tabTo(page, '#models-content summary');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const region = () => page.evaluate(() => [document.activeElement?.getAttribute('role'), document.activeElement?.textContent] as const);
    expect(await region()).toEqual(['region', expect.stringContaining(english('models.measured'))]);
    await page.focus('#first-bytes > summary');
    await page.keyboard.press('Enter');
    const status = () => page.$eval('#first-bytes-content', (content) => content.querySelector('[role=status]')?.textContent);
    await expect.poll(status, { timeout: 30_000 }).toMatch(englishPattern('firstBytes.few'));
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('#first-bytes-content select') !== null)).toBe(true);
    expect(await page.$eval('#failure', (element) => (element as HTMLElement).hidden)).toBe(true);
  });

  test('has its networks named in the settings, by keyboard alone', async () => {
    await page.focus('#settings > summary');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#names-list input');
    await page.focus('#names-list input');
    await page.keyboard.type('At home');
    await page.keyboard.press('Tab');
    const networks = () => page.$$eval('#history-network option', (options) => options.map((option) => option.textContent).join());
    await expect.poll(networks, { timeout: 30_000 }).toContain('At home');
    // The focus stays where it is when the list is written anew.
    const removal = await page.waitForSelector('#names-list button');
    await removal?.focus();
    await page.$eval('#prediction', (section) => section.setAttribute('open', ''));
    const inMilliseconds = () =>
      page.$$eval('#content > :is(section, details)', (sections) =>
        sections.flatMap((section) => (/\d\u00a0ms/.test((section as HTMLElement).innerText) ? section.id : [])),
      );
    await expect.poll(inMilliseconds).toEqual(expect.arrayContaining(['chosen', 'timeline', 'prediction']));
    await page.select('#settings-time', 's');
    await expect.poll(() => page.$eval('#names-list small', (small) => small.textContent)).toContain('\u00a0s');
    expect(await page.evaluate(() => document.activeElement?.matches('#names-list button'))).toBe(true);
    // Every section follows.
    await expect.poll(inMilliseconds).toEqual([]);
  });

  test.each([360, 800, 1280])('fits a page of %i px', async (width) => {
    await page.setViewport({ width, height: 800 });
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    // The waterfall is drawn again, as wide as its section.
    const room = () =>
      page.$eval('#timeline-picture', (image) => {
        const { naturalWidth, clientWidth: shown, parentElement } = image as HTMLImageElement;
        return { isWhole: naturalWidth === shown, left: (parentElement?.clientWidth ?? 0) - naturalWidth };
      });
    await expect.poll(room).toEqual({ isWhole: true, left: expect.toSatisfy((left: number) => left >= 0 && (left === 0 || width > 1200)) });
  });
});
