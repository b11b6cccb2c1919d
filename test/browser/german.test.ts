/** Where Firefox is German, every page of the extension is: fresh, with loads, with a trial and applied settings. And axe-core finds nothing. */
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fieldExport } from '../../src/core/field/field-report.ts';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import { EFFECTS } from '../../src/core/profiles/reference/effects.ts';
import { reportText } from '../../src/core/report/report.ts';
import { CORE_ENGLISH } from '../../src/core/text/core-english.ts';
import { ENGLISH } from '../../src/core/text/english.ts';
import { sampleReport } from '../golden/sample-report.ts';
import { jsonOf } from '../repo/support/source-tree.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { storeHistory } from '../support/stored-history.ts';

const PAGES = readdirSync('dist/extension-lab', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));

/** Parameters, preferences, files and sites, profiles, commands, elements of HTML, and what is written in capitals alone. */
const NAMES =
  /\{[^}]*\}|„(?:plumbfox|Adding) [^“]*“|<[^>]*>|https?:\S+|\bplumbfox (?:audit|probe)\b|\bc\d+-d\d+\S*|[\w-]+(?:[.:][\w-]+)+(?:\/[\w-]+)*|\bfirefox-default\b|\b[A-Z][A-Z\d_]+\b/g;
/** Profiles and units, and the names of this test’s page and images, and of its server in a prediction. */
const SAME_IN_GERMAN = ['betterfox', 'control', 'image', 'kb', 'origin', 'page', 'true'];

const wordsOf = (text: string): readonly string[] =>
  text
    .replaceAll(NAMES, ' ')
    .toLowerCase()
    .match(/[a-zäöüß]{2,}/g) ?? [];
const textsOf = (catalogue: Readonly<Record<string, string | Readonly<Record<string, string>>>>): readonly string[] =>
  Object.values(catalogue).flatMap((message) => (typeof message === 'string' ? [message] : Object.values(message)));

/** Every word that the English texts have and no German one has. The key of a text without an id is made of it. */
const ENGLISH_WORDS: ReadonlySet<string> = (() => {
  const english = [...textsOf(ENGLISH), ...textsOf(CORE_ENGLISH), ...textsOf(EFFECTS)];
  const labels = CATALOGUE.flatMap(({ label, price = '' }) => [label, price]);
  const german = jsonOf('_locales/de/messages.json') as Readonly<Record<string, { readonly message: string }>>;
  const keys = Object.keys(german).flatMap((key) => (key.startsWith('page_') ? [key.slice('page_'.length).replaceAll('_', ' ')] : []));
  const known = new Set([...Object.values(german).flatMap(({ message }) => wordsOf(message)), ...SAME_IN_GERMAN]);
  return new Set([...english, ...labels, ...keys].flatMap(wordsOf).filter((word) => !known.has(word)));
})();
/** English alone has these, and hardly a sentence does without: for what no catalogue has. */
const FUNCTION_WORDS = new Set(
  'the of and is are not with that from its it to which has have by when before after there this be been or without for'.split(' '),
);
const isEnglish = (text: string): boolean => wordsOf(text).some((word) => ENGLISH_WORDS.has(word) || FUNCTION_WORDS.has(word));

let firefox: ExtensionFirefox;
let server: TestServer;
let extension: string;

beforeAll(async () => {
  // Firefox ESR carries no German: the copy has German where English is asked for.
  extension = await mkdtemp(join(tmpdir(), 'plumbfox-german-'));
  await cp('dist/extension-lab', extension, { recursive: true });
  await writeFile(join(extension, '_locales/en/messages.json'), await readFile('dist/extension-lab/_locales/de/messages.json'));
  server = await startTestServer(imagePage(6));
  // In dark: in light every page is looked at in English.
  firefox = await startExtensionFirefox({ extension, preferences: { 'layout.css.prefers-color-scheme.content-override': 0 } });
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(extension, { recursive: true, force: true });
});

async function open(path: string): Promise<Page> {
  const page = await openExtensionPage(firefox.browser, new URL(`../${path}`, CONTROLS_URL).href);
  await page.waitForFunction(() => document.querySelector('main')?.hidden === false);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  return page;
}

/** Every text of the page that a person may come to read or hear, those of hidden elements too. */
async function englishOn(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      if (node.parentElement?.closest('script, style, code, pre, [lang=en]') === null) found.push(node.textContent ?? '');
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) found.push(element.getAttribute(name) ?? '');
    }
    return found;
  });
  return [...new Set(texts.map((text) => text.trim()))].filter(isEnglish);
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const found = await inPage.run(document, { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] });
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

async function expectGerman(page: Page, what: string): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  expect.soft(await englishOn(page), what).toEqual([]);
  expect.soft(await violations(page), what).toEqual([]);
}

test('before anything was recorded', async () => {
  for (const path of PAGES) {
    const page = await open(path);
    await expectGerman(page, path);
    await page.close();
  }
});

test('with loads, a comparison, a prediction, own settings and a tweak list', async () => {
  await firefox.ask({ kind: 'live-apply', profileId: 'c8-d1', accepts: [] });
  for (const path of ['/page', '/page?again']) await firefox.page.goto(`${server.origin}${path}`, { waitUntil: 'load' });
  await vi.waitFor(async () => expect(await firefox.ask({ kind: 'loads-after' })).toHaveLength(2), { timeout: 60_000 });
  await firefox.ask({ kind: 'live-revert' });
  await firefox.page.goto(`${server.origin}/page`, { waitUntil: 'load' });
  await vi.waitFor(async () => expect(await firefox.ask({ kind: 'loads-after' })).toHaveLength(3), { timeout: 60_000 });
  const controls = await open('controls/controls.html');
  await controls.waitForFunction(() => document.querySelectorAll('#comparison-rows tr').length > 1);
  await controls.waitForFunction(() => document.querySelector('#prediction-status, #prediction-rows tr')?.textContent !== '');
  await expectGerman(controls, 'controls');
  await controls.close();
  // Enough loads to tell the network by: without them nothing is predicted for a load, and nothing said of what is assumed.
  await storeHistory(firefox.popup, 3_000);
  const dashboard = await open('dashboard/dashboard.html');
  await dashboard.type(
    '#audit-list',
    'user_pref("network.http.max-connections", 1800);\nuser_pref("network.prefetch-next", 1);\nuser_pref("a.b", 1);',
  );
  await dashboard.click('#audit-start');
  await dashboard.waitForFunction(() => document.querySelector('#audit-table td') !== null);
  await (await dashboard.waitForSelector('#loads-rows button'))?.click();
  const made = [
    '#chosen-assumed-list li',
    '#timeline-table td',
    '#sites-table td',
    '#trial-log-body p',
    '#models-content p',
    '#first-bytes-content p:not(:empty)',
  ];
  await dashboard.waitForFunction((all) => all.every((one) => document.querySelector(one) !== null), {}, made);
  const effects = await dashboard.evaluate(() => {
    const choice = document.getElementById('own-preference') as HTMLSelectElement;
    return [...choice.options].map(({ value }) => {
      choice.value = value;
      choice.dispatchEvent(new Event('input'));
      const shown = document.getElementById('own-effect')?.parentElement?.innerText ?? '';
      return `${choice.selectedOptions[0]?.text}: ${shown}`;
    });
  });
  expect(effects.length).toBeGreaterThan(140);
  expect.soft(effects.filter(isEnglish)).toEqual([]);
  // The table of the package has them in the catalogue's order.
  expect.soft(effects.find((text) => text.includes('(network.prefetch-next)') && text.includes('rel=prefetch'))).toContain('Vorabladen');
  // A report of everyday loads, and one of a run.
  const loads = await firefox.ask({ kind: 'loads-after' });
  const provenance = { plumbfox: '0.1.0', firefox: { version: '153.7', buildId: '1' }, os: 'Linux' };
  const input = { loads, figures: [], names: [], total: loads.length + 2, provenance, createdAt: '2026-11-24T00:00:00.000Z' };
  const everyday = fieldExport({ ...input, answer: { from: 'nothing', why: 'no-loads' } });
  for (const content of [reportText(everyday), reportText(sampleReport())]) {
    await dashboard.evaluate((text) => {
      const files = new DataTransfer();
      files.items.add(new File([text], 'report.json'));
      const field = document.getElementById('report-file') as HTMLInputElement;
      field.files = files.files;
      field.dispatchEvent(new Event('change'));
    }, content);
    await dashboard.waitForFunction(() => document.getElementById('report')?.checkVisibility());
    expect.soft(await englishOn(dashboard), 'report').toEqual([]);
    // Only notes of a file may stay English, and say so.
    expect
      .soft(await dashboard.$$eval('#report :is(p, dd, td) [lang=en], #report p[lang=en]', (found) => found.map((one) => one.textContent)))
      .toEqual([]);
  }
  await expectGerman(dashboard, 'dashboard');
  await dashboard.close();
  const popup = await open('popup/popup.html');
  await popup.waitForFunction(() => document.getElementById('card')?.checkVisibility());
  await expectGerman(popup, 'popup');
  await popup.close();
});

test('with a trial, and what is refused while it runs', async () => {
  await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c8-d1'] } });
  const refused = await firefox.askRaw({ kind: 'start-trial', trial: { candidates: ['c8-d1'] } });
  expect(refused.ok).toBe(false);
  for (const state of ['running', 'paused', 'stopped']) {
    if (state === 'paused') await firefox.ask({ kind: 'pause-trial' });
    if (state === 'stopped') await firefox.ask({ kind: 'stop-trial' });
    for (const path of ['popup/popup.html', 'controls/controls.html']) {
      const page = await open(path);
      expect.soft(await englishOn(page), `${path}, ${state}`).toEqual([]);
      await page.close();
    }
  }
});
