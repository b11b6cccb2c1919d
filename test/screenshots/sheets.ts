/**
 * Contact sheets of every page, to be looked at: the extension's pages before anything was recorded and with loads, at four widths, dark and in German,
 * reports, and each section of the dashboard with thousands of loads. One PNG for each sheet in `dist/screenshots`, which git does not keep.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'puppeteer-core';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { sampleReport } from '../golden/sample-report.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer } from '../support/extension-server.ts';
import { storeHistory } from '../support/stored-history.ts';

const FOLDER = 'dist/screenshots';
const PAGES = ['popup', 'controls', 'dashboard', 'welcome'] as const;
/** A panel of the toolbar, a phone, a small window, a large one. */
const WIDTHS = [380, 360, 800, 1280];
const PANEL_HEIGHT = 600;
const WINDOW_HEIGHT = 1000;
/** As Services.prefs takes it: 0 is dark, 1 light, for pages alone. */
const SCHEME = 'layout.css.prefers-color-scheme.content-override';
const SITES = ['/page', '/page?two', '/page?again'];

interface Tile {
  readonly sheet: string;
  readonly label: string;
  readonly width: number;
  readonly png: string;
}
const tiles: Tile[] = [];

const inScheme = (parent: ChromeContext, value: 0 | 1): Promise<unknown> =>
  parent.run('({ name, value }) => Services.prefs.setIntPref(name, value)', { name: SCHEME, value });

async function photograph(page: Page, { sheet, label, width, height }: Omit<Tile, 'png'> & { readonly height: number }): Promise<void> {
  await page.setViewport({ width, height });
  tiles.push({ sheet, label: `${label}, ${width} px`, width, png: await page.screenshot({ encoding: 'base64' }) });
}

/** Every page in its present state. @param dark - Whether dark ones are wanted too. */
async function photographPages(browser: Browser, state: string, { parent, dark }: { parent: ChromeContext; dark: boolean }): Promise<void> {
  for (const name of PAGES) {
    const page = await openExtensionPage(browser, new URL(`../${name}/${name}.html`, CONTROLS_URL).href);
    await page.waitForFunction(() => document.querySelector('main')?.hidden === false);
    const height = name === 'popup' ? PANEL_HEIGHT : WINDOW_HEIGHT;
    for (const width of dark ? WIDTHS : WIDTHS.slice(0, 1)) await photograph(page, { sheet: name, label: state, width, height });
    if (dark) {
      await inScheme(parent, 0);
      await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
      for (const width of [380, 1280]) await photograph(page, { sheet: name, label: `${state}, dark`, width, height });
      await inScheme(parent, 1);
    }
    await page.close();
  }
}

/** The extension in a language, before anything was recorded and with loads. @param extension - Its folder. */
async function photographExtension(language: string, extension: string): Promise<void> {
  const server = await startTestServer(imagePage(6));
  const firefox = await startExtensionFirefox({ extension });
  try {
    const parent = await chromeContext(firefox.browser);
    await inScheme(parent, 1);
    await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
    const dark = language === 'en';
    await photographPages(firefox.browser, `${language}, fresh`, { parent, dark });
    for (const [at, path] of SITES.entries()) {
      await firefox.page.bringToFront();
      await firefox.page.goto(`${server.origin}${path}`, { waitUntil: 'load' });
      while ((await firefox.ask({ kind: 'loads-after' })).length <= at) await new Promise((done) => setTimeout(done, 100));
    }
    await photographPages(firefox.browser, `${language}, ${SITES.length} loads`, { parent, dark });
    await photographSections(firefox, server.origin, { language, parent });
    if (dark) await photographReports(firefox.page, parent);
    if (dark) await addCardStates();
    // A page of its own: that of the reports has their policy, which allows no picture.
    if (dark) await writeSheets(await firefox.browser.newPage());
  } finally {
    await firefox.stop();
    await server.close();
  }
}

/** Each section of the dashboard by itself, opened, with thousands of loads, a trial that has ended, a load and a site chosen. */
async function photographSections(
  firefox: ExtensionFirefox,
  origin: string,
  { language, parent }: { language: string; parent: ChromeContext },
): Promise<void> {
  await storeHistory(firefox.popup, 3_000);
  await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c8-d1'] } });
  await firefox.page.bringToFront();
  await firefox.page.goto(`${origin}/page?trial`, { waitUntil: 'load' });
  while ((await firefox.ask({ kind: 'loads-after' })).length <= SITES.length) await new Promise((done) => setTimeout(done, 100));
  await firefox.ask({ kind: 'stop-trial' });
  const page = await openExtensionPage(firefox.browser, new URL('../dashboard/dashboard.html', CONTROLS_URL).href);
  await page.bringToFront();
  await page.waitForFunction(() => document.querySelector('main')?.hidden === false);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
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
  const photographAll = async (variant: string, width: number) => {
    await page.setViewport({ width, height: WINDOW_HEIGHT });
    // Pictures are drawn anew for another width.
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 500)));
    for (const section of await page.$$('main > section:not([hidden]), main > details')) {
      const name = await section.evaluate((element) => element.id || element.getAttribute('aria-labelledby') || 'section');
      const png = await section.screenshot({ encoding: 'base64' });
      tiles.push({ sheet: `sections-${variant}-${width}`, label: name, width, png });
    }
  };
  const widths = language === 'en' ? [380, 1280] : [380];
  for (const width of widths) await photographAll(language, width);
  if (language === 'en') {
    await inScheme(parent, 0);
    await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
    await photographAll('dark', 1280);
    await inScheme(parent, 1);
  }
  await page.close();
}

async function photographReports(page: Page, parent: ChromeContext): Promise<void> {
  const published = async (study: string) =>
    parseReport(JSON.parse(gunzipSync(await readFile(`docs/results/${study}/report.json.gz`)).toString('utf8')));
  const reports = {
    sample: sampleReport(),
    'modern-defaults': await published('modern-defaults'),
    'fennec-2008': await published('fennec-2008'),
  };
  for (const [name, report] of Object.entries(reports)) {
    await page.setContent(reportHtml(report));
    for (const width of WIDTHS) await photograph(page, { sheet: 'report', label: name, width, height: 1400 });
    await inScheme(parent, 0);
    for (const width of [380, 1280]) await photograph(page, { sheet: 'report', label: `${name}, dark`, width, height: 1400 });
    await inScheme(parent, 1);
  }
}

/** What the tests of the card have photographed: a sheet of all states for each way in which they were seen. */
async function addCardStates(): Promise<void> {
  const folder = join(FOLDER, 'card');
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.png')).sort()) {
    const [state = name, variant = ''] = name.split('.');
    const width = Number(variant.split('-')[1] ?? WIDTHS[0]);
    tiles.push({ sheet: `card-${variant}`, label: state, width, png: await readFile(join(folder, name), 'base64') });
  }
}

/** Tiles of all languages so far: six beside each other, and two where all are as wide as a large window. */
async function writeSheets(page: Page): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const sheet of new Set(tiles.map((tile) => tile.sheet))) {
    const figures = tiles
      .filter((tile) => tile.sheet === sheet)
      .map(({ label, png }) => `<figure>${label}<img src="data:image/png;base64,${png}"></figure>`);
    const isWide = tiles.every((tile) => tile.sheet !== sheet || tile.width > 1000);
    await page.setViewport({ width: 6 * 320, height: 800 });
    await page.setContent(
      `<style>body{margin:8px;background:#888;font:13px sans-serif;display:grid;grid-template-columns:repeat(${isWide ? 2 : 6},1fr);gap:10px;align-items:start}figure{margin:0}img{width:100%;display:block}</style>${figures.join('')}`,
    );
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    await page.screenshot({ path: `${FOLDER}/${sheet}.png`, fullPage: true });
  }
}

/** Firefox ESR carries no German: the copy has German where English is asked for. */
const german = await mkdtemp(join(tmpdir(), 'plumbfox-german-'));
try {
  await cp('dist/extension-lab', german, { recursive: true });
  await writeFile(join(german, '_locales/en/messages.json'), await readFile('dist/extension-lab/_locales/de/messages.json'));
  await photographExtension('de', german);
  await photographExtension('en', 'dist/extension-lab');
} finally {
  await rm(german, { recursive: true, force: true });
}
process.stdout.write(`Made ${[...new Set(tiles.map(({ sheet }) => `${FOLDER}/${sheet}.png`))].join(', ')}.\n`);
