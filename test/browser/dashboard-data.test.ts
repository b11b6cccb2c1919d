/**
 * What the dashboard does with the records, in one Firefox: files that can be read again, a hostile report that changes nothing of the page, a site
 * that is never recorded, and deletion.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedLoadTimeMs } from '../../src/core/har/page-from-har.ts';
import type { Har } from '../../src/core/har/write-har.ts';
import { loadWindow } from '../../src/core/measure/load-window.ts';
import { mergeReports } from '../../src/core/report/merge/merge-reports.ts';
import { type Report, reportText } from '../../src/core/report/report.ts';
import { reportSummary } from '../../src/core/report/shown-report.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { sampleReport } from '../golden/sample-report.ts';
import { keepPrediction, PROMISING } from '../support/card-records.ts';
import { english, englishPattern } from '../support/english.ts';
import { DASHBOARD_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { pngOf, startTestServer, type TestServer } from '../support/extension-server.ts';
import { harFaults } from '../support/har-schema.ts';
import { pressByKey, typeByKey } from '../support/keyboard.ts';
import { numberFaults, shownTexts } from '../support/shown-numbers.ts';

/** Resolve to loopback through a preference. */
const [ONE, TWO] = ['one.example', 'two.example'] as const;

let firefox: ExtensionFirefox;
let server: TestServer;
let downloads: string;
let dashboard: Page;

beforeAll(async () => {
  downloads = await mkdtemp(join(tmpdir(), 'plumbfox-data-'));
  server = await startTestServer((path) =>
    path.endsWith('.png')
      ? { path, type: 'image/png', body: pngOf(900) }
      : {
          path,
          type: 'text/html',
          body: '<!doctype html><link rel="icon" href="data:,"><img src="/a.png" alt=""><img src="/b.png" alt="">',
        },
  );
  const preferences = {
    'network.dns.localDomains': `${ONE},www.${TWO}`,
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.useDownloadDir': true,
    'browser.download.always_ask_before_handling_new_types': false,
  };
  firefox = await startExtensionFirefox({ variant: 'release', preferences });
  await firefox.ask({ kind: 'set-quiet', quietMs: 50 });
});

/** Four loads, and the dashboard in front. */
async function begin(): Promise<void> {
  for (const [at, host] of [ONE, `www.${TWO}`, ONE, `www.${TWO}`].entries()) await load(host, at + 1);
  dashboard = await openExtensionPage(firefox.browser, DASHBOARD_URL);
  await dashboard.evaluate(() => {
    Object.assign(globalThis, { violations: [] });
    addEventListener('securitypolicyviolation', ({ blockedURI }) =>
      (globalThis as never as { violations: string[] }).violations.push(blockedURI),
    );
  });
}

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(downloads, { recursive: true, force: true });
});

let loaded = 0;
/** Loads a page, and waits until there are so many loads. */
async function load(host: string, total: number): Promise<void> {
  loaded += 1;
  await firefox.page.bringToFront();
  await firefox.page.goto(`http://${host}:${server.port}/page?${loaded}`);
  await expect.poll(stored).toBe(total);
}

const stored = async () => (await firefox.ask({ kind: 'loads-after' })).length;
const open = (id: string) => dashboard.$eval(`#${id}`, (element) => ((element as HTMLDetailsElement).open = true));
const sites = () => dashboard.$$eval('#data-site option', (options) => options.map((option) => (option as HTMLOptionElement).value).sort());
const textOf = (id: string) => dashboard.$eval(`#${id}`, (element) => (element as HTMLElement).innerText.replaceAll('\u00a0', ' '));
const press = (id: string) => dashboard.$eval(`#${id}`, (element) => (element as HTMLElement).click());
const isShown = (id: string) => dashboard.$eval(`#${id}`, (element) => element.checkVisibility());

/** The file that a button saves, once it is whole. */
async function saved(button: string, ending: string): Promise<string> {
  await press(button);
  const isWhole = (text: string) => text.endsWith('}\n') || text.endsWith('\r\n');
  const read = async () => {
    const name = (await readdir(downloads)).find((file) => file.endsWith(ending));
    return name === undefined ? '' : readFile(join(downloads, name), 'utf8');
  };
  await expect.poll(async () => isWhole(await read())).toBe(true);
  return read();
}

/** What the network panel of Firefox's own tools makes of an entry. */
interface ImportedRequest {
  readonly url: string;
  readonly startedMs: number;
  readonly totalTime: number;
}

/** The importer of the network panel, in the parent process, with a list in the place of the panel's. */
const IMPORT_HAR = `har => {
  const { require } = ChromeUtils.importESModule('resource://devtools/shared/loader/Loader.sys.mjs');
  const { HarImporter } = require('resource://devtools/client/netmonitor/src/har/har-importer.js');
  const requests = new Map();
  new HarImporter({
    clearRequests: () => requests.clear(),
    addRequest: (id, { url, startedMs }) => requests.set(id, { url, startedMs }),
    updateRequest: (id, { totalTime }) => Object.assign(requests.get(id), { totalTime }),
    addTimingMarker: () => {},
  }).import(har);
  return [...requests.values()];
}`;

let exported: Report;

test('a report is read again with the same comparison; a HAR is valid and holds the loads; a table has a row for each', async () => {
  await begin();
  await open('data');
  await expect.poll(() => sites()).toEqual(['', ONE, TWO]);
  const text = await saved('data-json', '.json');
  exported = parseReport(JSON.parse(text));
  expect(exported).toEqual(JSON.parse(text));
  expect(exported.loads).toHaveLength(4);
  expect(text).not.toMatch(/example/);

  const har: Har = JSON.parse(await saved('data-har', '.har'));
  expect(harFaults(har)).toEqual([]);
  const loads = await firefox.ask({ kind: 'loads-after' });
  const times = loads.map((each) => loadWindow(each)).map((window) => window && window.end - window.start);
  expect(har.log.pages.map(({ id }) => Math.round(recordedLoadTimeMs(har, { pageId: id }) ?? Number.NaN))).toEqual(
    times.map((time) => Math.round(time ?? Number.NaN)),
  );
  expect(har.log.entries).toHaveLength(12);
  const imported = await (await chromeContext(firefox.browser)).run<readonly ImportedRequest[]>(IMPORT_HAR, JSON.stringify(har));
  expect(imported.map(({ url }) => url)).toEqual(har.log.entries.map(({ request }) => request.url));
  for (const [at, { startedMs, totalTime }] of imported.entries()) {
    const { startedDateTime, time } = har.log.entries[at] as Har['log']['entries'][number];
    expect(startedMs).toBe(Date.parse(startedDateTime));
    expect(totalTime).toBeCloseTo(time, 3);
  }

  await expect.poll(() => dashboard.$$eval('#loads-rows button', (buttons) => buttons.length)).toBe(4);
  await dashboard.$eval('#loads-rows button', (button) => (button as HTMLElement).click());
  await rm(join(downloads, (await readdir(downloads)).find((file) => file.endsWith('.har')) ?? ''));
  const one: Har = JSON.parse(await saved('chosen-har', '.har'));
  expect(one.log.pages).toHaveLength(1);
  expect(har.log.pages.map(({ startedDateTime }) => startedDateTime)).toContain(one.log.pages[0]?.startedDateTime);

  const rows = (await saved('data-csv', '.csv')).trimEnd().split('\r\n');
  expect(rows).toHaveLength(5);
  expect(rows[1]).toContain(`,http://${ONE}:${server.port}/page?~`);
  expect(await textOf('data-outcome')).toContain('.csv');
});

test('sections on models are made when they are opened, and figures are written in the units that are chosen', async () => {
  const pictures = (id: string) => dashboard.$$eval(`#${id} img`, (images) => images.filter((image) => image.checkVisibility()).length);
  expect(await textOf('models-content')).toBe('');
  await open('models');
  await expect.poll(() => textOf('models-content')).toContain(english('models.measured.none'));
  await expect.poll(() => textOf('models-content')).not.toContain(english('prediction.computing'));
  // Nothing is drawn of nothing.
  expect(await pictures('models')).toBe(0);
  await open('first-bytes');
  // On loopback a handshake takes less than the clock's step.
  await expect.poll(() => textOf('first-bytes-content')).toMatch(englishPattern('firstBytes.few'));
  const choices = await dashboard.$$eval('#first-bytes-content select', (selects) => selects.map(({ length }) => length));
  expect(choices[0]).toBe(3);

  await open('settings');
  const times = () =>
    dashboard.$$eval('#loads-rows tr > td:nth-child(6)', (cells) => cells.map((cell) => cell.firstChild?.textContent?.at(-2)));
  await dashboard.select('#settings-time', 's');
  await expect.poll(async () => new Set(await times())).toEqual(new Set(['\u00a0']));
  await dashboard.select('#settings-time', 'ms');
  await expect.poll(async () => new Set(await times())).toEqual(new Set(['m']));
});

test('the prediction that is kept for the same loads is shown as it is, by whichever page it was made', async () => {
  await keepPrediction(firefox, PROMISING);
  const other = await openExtensionPage(firefox.browser, DASHBOARD_URL);
  await other.waitForFunction(() => document.getElementById('answer')?.classList.contains('predicted'));
  expect(await other.$eval('#answer-profile', (id) => id.textContent)).toBe('c16-d1');
  const rows = await other.$$eval('#prediction-rows th', (heads) => heads.map((head) => (head as HTMLElement).dataset.profile));
  expect(rows).toEqual(['c16-d1', 'c8-d1', 'firefox-default']);
  await other.close();
});

const show = (text: string) =>
  dashboard.evaluate((content) => {
    const files = new DataTransfer();
    files.items.add(new File([content], 'report.json'));
    const field = document.getElementById('report-file') as HTMLInputElement;
    field.files = files.files;
    field.dispatchEvent(new Event('change'));
  }, text);

test('a report is shown with the same ratios, intervals and verdicts that its file holds', async () => {
  const sample = sampleReport();
  await show(reportText(sample));
  await expect.poll(() => isShown('report')).toBe(true);
  const rows = await dashboard.$$eval('#report-table tbody tr', (all) =>
    all.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replaceAll('\u00a0', ' '))),
  );
  const [group] = reportSummary(parseReport(JSON.parse(reportText(sample)))).groups;
  expect(rows).toEqual(group?.rows.map(({ profile, loads, time, change, verdict }) => [profile, loads, time, change, verdict]));
  expect(rows[0]).toEqual(['c4-d6', '11 (1 excluded)', '5.00 s', '+27 % (+20 % to +35 %)', 'faster']);
  expect(numberFaults(await dashboard.evaluate(shownTexts))).toEqual([]);
  // What this Firefox has exported is compared again from its loads as it was.
  expect(mergeReports([exported]).comparison.profiles).toEqual(exported.comparison.profiles);
});

/** Clicks "Compare together", and settles with the failure or, where there is none, what the report is made of. */
async function joined(): Promise<string> {
  await dashboard.$eval('#failure', (element) => ((element as HTMLElement).hidden = true));
  await dashboard.click('#report-join');
  const settled = async () =>
    (await isShown('failure')) ? textOf('failure') : (await isShown('report-join')) ? '' : textOf('report-made');
  await expect.poll(settled).not.toBe('');
  return settled();
}

test('a report that another Firefox exported is joined with the loads of this one; the own report and one of the lab are refused in a line', async () => {
  // As another Firefox would have recorded them: an hour later, 10 ms longer.
  const later = (at: number) => at + 3_600_000;
  const loads = exported.loads.map((load) => ({
    ...load,
    startedAt: later(load.startedAt),
    ...(load.measures && { measures: { ...load.measures, loadTimeMs: load.measures.loadTimeMs + 10 } }),
  }));
  const others = { ...exported, loads } as Report;
  await show(reportText(others));
  await expect.poll(() => isShown('report')).toBe(true);
  expect(await textOf('report-made')).toBe(english('report.notYours'));
  expect(await joined()).toBe(english('report.joinedMade'));
  const expected = reportSummary(mergeReports([exported, others], { baseline: 'firefox-default', mixedLinks: true }));
  const rows = await dashboard.$$eval('#report-table tbody tr', (all) =>
    all.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replaceAll('\u00a0', ' '))),
  );
  expect(rows).toEqual(
    expected.groups[0]?.rows.map(({ profile, loads, time, change, verdict }) => [profile, loads, time, change, verdict]),
  );
  expect(await textOf('report-facts')).toContain(String(2 * exported.loads.length));

  await show(reportText(exported));
  await expect.poll(() => textOf('report-made')).toBe(english('report.notYours'));
  expect(await joined()).toBe(
    `${english('failed.join')}: your records and the file hold the same loads (${exported.loads.length} loads): each load counts once: omit one of them`,
  );
  await show(reportText(sampleReport()));
  await expect.poll(() => textOf('report-facts')).toContain(String(sampleReport().loads.length));
  expect(await joined()).toMatch(
    /: The links of your records are of kind real, those of the file packet and relay: compare them separately/,
  );
});

test('a hostile report changes nothing but texts, and one that is damaged is refused in a line', async () => {
  const bad = `<img src=x onerror="document.title='run'"><script>alert(1)</script>\u202E${'A'.repeat(1_000_000)}`;
  const [profile] = exported.comparison.profiles;
  if (profile === undefined) throw new Error('There is no profile');
  const { answer: _, ...rest } = exported;
  const hostile = {
    ...rest,
    provenance: { ...exported.provenance, plumbfox: bad, os: bad, notes: Array.from({ length: 500 }, () => bad.slice(0, 2_000)) },
    links: exported.links.map((link) => ({ ...link, name: bad })),
    comparison: {
      ...exported.comparison,
      profiles: [{ ...profile, id: bad }],
      recommendation: { ...exported.comparison.recommendation, sentence: bad },
    },
  };
  const count = () => dashboard.evaluate(() => document.querySelectorAll('img, script, iframe, object, svg, style, link').length);
  const before = await count();
  await show(JSON.stringify(hostile));
  await expect.poll(() => isShown('report')).toBe(true);
  expect(await count()).toBe(before);
  const shown = await textOf('report');
  expect(shown).toContain('<img src=x onerror=');
  expect(shown).not.toContain('\u202E');
  expect(shown.length).toBeLessThan(100_000);
  expect(await dashboard.$eval('#report', (section) => section.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
  expect(await dashboard.evaluate(() => [document.title, (globalThis as never as { violations: string[] }).violations])).toEqual([
    'Plumbfox dashboard',
    [],
  ]);
  for (const damaged of ['{"format": NaN}', '{}', JSON.stringify(exported).replace(/"order":\d+/, '"order":1e999'), '[]']) {
    await dashboard.$eval('#failure', (element) => ((element as HTMLElement).hidden = true));
    await show(damaged);
    await expect.poll(() => isShown('failure')).toBe(true);
    expect(await isShown('report')).toBe(false);
  }
});

test('a site that is never recorded leaves nothing from then on, and what there was of it goes when asked', async () => {
  await open('settings');
  await dashboard.bringToFront();
  await typeByKey(dashboard, '#never-site', `http://www.${TWO}:${server.port}/page`);
  await dashboard.keyboard.press('Enter');
  await expect.poll(() => textOf('never-words')).toBe(english('settings.stored', { count: 2, site: TWO }));
  await pressByKey(dashboard, '#never-delete');
  await expect.poll(() => textOf('never-outcome')).toBe(english('records.deleted', { count: 2 }));
  await expect.poll(stored).toBe(2);
  await load(`www.${TWO}`, 2);
  await load(ONE, 3);
  await dashboard.bringToFront();
  const urls = (await firefox.ask({ kind: 'loads-after' })).flatMap(({ url, requests }) => [url, ...requests.map((each) => each.url)]);
  expect(urls.filter((url) => url.includes(TWO))).toEqual([]);
  // Kept where a restart finds it.
  const kept = await dashboard.evaluate(() =>
    (globalThis as never as { browser: { storage: { local: { get(key: string): Promise<unknown> } } } }).browser.storage.local.get(
      'settings',
    ),
  );
  expect(kept).toMatchObject({ settings: { neverRecorded: [TWO] } });
  await pressByKey(dashboard, '#never-list button');
  await expect.poll(() => isShown('never-list')).toBe(false);
});

test('every load goes when asked', async () => {
  await open('data');
  await pressByKey(dashboard, '#data-delete');
  await pressByKey(dashboard, '#data-delete-confirm');
  await expect.poll(stored).toBe(0);
  await expect.poll(() => textOf('data-outcome')).toBe(english('records.deleted', { count: 3 }));
  await expect.poll(() => sites()).toEqual(['']);
});
