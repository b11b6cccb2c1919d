/**
 * Every page of the extension, and the report, before anything was recorded, with loads, and with everything at once: axe-core finds nothing in
 * light and in dark; nothing overflows or is cut off from 360 to 1,280 px, at a minimum font size of 24 px, at Firefox's zoom of 200 % and from
 * right to left; and no number stands alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import type { Report } from '../../src/core/report/report.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { axeViolations } from '../support/axe.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { narrowState } from '../support/narrow-state.ts';
import { pageFaults } from '../support/page-check.ts';
import { NO_FAULTS, pageLooks } from '../support/page-looks.ts';
import { numberFaults, shownTexts } from '../support/shown-numbers.ts';
import { storeHistory } from '../support/stored-history.ts';

const PAGES = readdirSync('dist/extension-lab', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
const WIDTHS = [360, 800, 1280];
/** As Services.prefs takes them; 0 is dark, 1 light, for pages alone. */
const SCHEME = 'layout.css.prefers-color-scheme.content-override';
/** 2: a page's colours never, which is what `forced-colors: active` means. */
const FORCED = 'browser.display.document_color_use';
const LONG_PATH = `/${'a-long-path/'.repeat(250)}`;

const DASHBOARD = 'dashboard/dashboard.html';
/** What the dashboard makes when a section is opened. */
const MADE = ['#sites-status:not(:empty)', '#trial-log-body p', '#models-content p', '#first-bytes-content [role=status]:not(:empty)'];

let firefox: ExtensionFirefox;
let server: TestServer;
let parent: ChromeContext;

const setPreference = (name: string, value: number): Promise<unknown> =>
  parent.run('({ name, value }) => Services.prefs.setIntPref(name, value)', { name, value });
const clearPreference = (name: string): Promise<unknown> => parent.run('(name) => Services.prefs.clearUserPref(name)', name);

/** A page that shows what it has, with everything in it opened. */
async function open(path: string): Promise<Page> {
  const page = await openExtensionPage(firefox.browser, new URL(`../${path}`, CONTROLS_URL).href);
  await page.waitForFunction(() => document.querySelector('main')?.hidden === false);
  await openDetails(page);
  if (path === DASHBOARD) await page.waitForFunction((all) => all.every((one) => document.querySelector(one) !== null), {}, MADE);
  return page;
}

const openDetails = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

async function picture(page: Page, what: string): Promise<void> {
  const folder = process.env.PLUMBFOX_TEST_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${what.replaceAll(/\W+/g, '-')}.png`) as `${string}.png`, fullPage: true });
}

async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const [scheme, value] of Object.entries({ dark: 0, light: 1 })) {
    await setPreference(SCHEME, value);
    await page.waitForFunction((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, {}, scheme);
    expect.soft(await axeViolations(page), `${what}, ${scheme}`).toEqual([]);
  }
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: 800 });
    expect.soft(await page.evaluate(pageFaults), `${what}, ${width} px`).toEqual(NO_FAULTS);
  }
  expect.soft(numberFaults(await page.evaluate(shownTexts)), `${what}, numbers`).toEqual([]);
  await page.setViewport({ width: 800, height: 800 });
  await page.bringToFront();
  for (const { name, begin, end } of Object.values(pageLooks(parent))) {
    await begin(page);
    expect.soft(await page.evaluate(pageFaults), `${what}, ${name}`).toEqual(NO_FAULTS);
    await picture(page, `${what} ${name}`);
    await end(page);
  }
}

beforeAll(async () => {
  server = await startTestServer((path) => imagePage(6)(path.startsWith('/a-long-path/') ? '/page' : path));
  firefox = await startExtensionFirefox();
  parent = await chromeContext(firefox.browser);
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

// The popup's card has tests of its own, for each of its states.
test.each(PAGES.filter((path) => !path.startsWith('popup/')))('%s, before anything was recorded', async (path) => {
  const page = await open(path);
  await expectAccessible(page, path);
  await page.close();
});

describe('with loads', () => {
  beforeAll(async () => {
    for (const path of ['/page', LONG_PATH, '/page?again']) await firefox.page.goto(`${server.origin}${path}`, { waitUntil: 'load' });
    await vi.waitFor(async () => expect(await firefox.ask({ kind: 'loads-after' })).toHaveLength(3), { timeout: 60_000 });
  });

  test.each(PAGES.filter((path) => path !== DASHBOARD))('%s', async (path) => {
    const page = await open(path);
    await expectAccessible(page, path);
    await page.close();
  });

  test('the dashboard, with thousands of loads, a trial that ended, a waterfall and the trend of a site', async () => {
    await storeHistory(firefox.popup, 3_000);
    await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c8-d1'] } });
    await firefox.page.goto(`${server.origin}/page?trial`, { waitUntil: 'load' });
    await vi.waitFor(async () => expect(await firefox.ask({ kind: 'loads-after' })).toHaveLength(4), { timeout: 60_000 });
    await firefox.ask({ kind: 'stop-trial' });
    const page = await open(DASHBOARD);
    // Pressed within the page: a pointer may miss what moves as the sections above it are drawn.
    for (const choice of ['#loads-rows button', '#sites-table tbody button']) {
      await page.waitForSelector(choice);
      await page.$eval(choice, (button) => (button as HTMLButtonElement).click());
    }
    const drawn = ['timeline-picture', 'trend-picture', 'models-map-picture'];
    await page.waitForFunction(
      (ids) => ids.every((id) => Number(document.querySelector<HTMLImageElement>(`#${id}`)?.naturalWidth) > 0),
      {},
      drawn,
    );
    await page.waitForSelector('#log-checks tbody tr');
    // What follows opens sections anew: tables below pictures among them.
    await openDetails(page);
    await expectAccessible(page, 'the dashboard with everything');
    await page.close();
  });
});

test('the page behind "More", with everything at once', async () => {
  const page = await open('controls/controls.html');
  await page.evaluate((state) => {
    const { runtime } = (globalThis as unknown as { browser: { runtime: { sendMessage: (message: unknown) => Promise<unknown> } } })
      .browser;
    runtime.sendMessage = async () => ({ ok: true, value: JSON.parse(state) });
    dispatchEvent(new Event('focus'));
  }, JSON.stringify(narrowState()));
  await page.waitForFunction(() => document.getElementById('failures')?.checkVisibility());
  await openDetails(page);
  await expectAccessible(page, 'everything');
  await page.close();
});

test('forced colours keep good, problem and each verdict apart', async () => {
  const page = await open('controls/controls.html');
  onTestFinished(() => clearPreference(FORCED).then(() => undefined));
  await setPreference(FORCED, 2);
  await page.waitForFunction(() => matchMedia('(forced-colors: active)').matches);
  // Colours are the person's now: a good notice and one of a problem have another frame each, and each verdict a sign.
  const frames = await page.evaluate(() =>
    ['notice', 'notice good', 'notice problem', 'verdict good', 'verdict bad'].map((className) => {
      const element = document.createElement('p');
      element.className = className;
      document.body.append(element);
      return `${getComputedStyle(element).borderInlineStartStyle} ${getComputedStyle(element, '::before').content}`;
    }),
  );
  expect(new Set(frames).size).toBe(frames.length);
  await page.close();
});

test('forced colours keep the card’s dot, its progress, its 3 % band and its arrows in sight', async () => {
  const page = await open('popup/popup.html');
  onTestFinished(() => clearPreference(FORCED).then(() => undefined));
  await setPreference(FORCED, 2);
  await page.waitForFunction(() => matchMedia('(forced-colors: active)').matches);
  const drawn = await page.evaluate(() => {
    const style = (selector: string, part?: string) => getComputedStyle(document.querySelector(selector) ?? document.body, part);
    const dotOf = (isRecording: boolean) => {
      document.body.toggleAttribute('data-off', !isRecording);
      return style('header', '::before').backgroundColor;
    };
    const plot = document.createElement('span');
    plot.className = 'plot';
    for (const className of ['same', 'interval on-high']) plot.append(Object.assign(document.createElement('span'), { className }));
    document.getElementById('card')?.append(plot);
    const arrow = style('.on-high', '::after');
    return {
      dots: [dotOf(true), dotOf(false)],
      bar: style('#meter').backgroundColor,
      ground: [style('.track').backgroundColor, style('#card').backgroundColor],
      arrow: [arrow.borderLeftColor, arrow.borderTopColor],
      edges: [style('.track').borderTopStyle, style('.same').borderLeftStyle, style('.same').borderRightStyle],
    };
  });
  expect(drawn.dots[0]).not.toBe(drawn.dots[1]);
  expect(drawn.ground).not.toContain(drawn.bar);
  expect(drawn.arrow[0]).not.toBe(drawn.arrow[1]);
  expect(drawn.edges).not.toContain('none');
  await picture(page, 'the card in forced colours');
  await page.close();
});

test('report.html', async () => {
  const published = gunzipSync(readFileSync('docs/results/protocols/report.json.gz')).toString('utf8');
  const page = await firefox.browser.newPage();
  await page.setContent(reportHtml(JSON.parse(published) as Report));
  await expectAccessible(page, 'report.html');
  await page.close();
});
