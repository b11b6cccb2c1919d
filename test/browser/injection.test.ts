/** Markup in names and addresses stays text: in a report's page and in the pages of the extension, and no policy has to stop anything. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { sampleReport } from '../golden/sample-report.ts';
import { countBar } from '../support/bar-count.ts';
import {
  CONTROLS_URL,
  DASHBOARD_URL,
  type ExtensionFirefox,
  openExtensionPage,
  POPUP_URL,
  startExtensionFirefox,
} from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { harFaults } from '../support/har-schema.ts';

const MARKUP = '"><img src=x onerror=globalThis.injected=1><script>globalThis.injected=1</script>';
/** A title that turns direction, and takes a megabyte. */
const TITLE = `\u202E${MARKUP}${'A'.repeat(1_000_000)}`;
const WELCOME_URL = POPUP_URL.replace('popup/popup.html', 'welcome/welcome.html');

let folder: string;
let firefox: ExtensionFirefox;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbfox-injection-'));
  server = await startTestServer(imagePage(2));
  firefox = await startExtensionFirefox({ variant: 'release' });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Watched {
  violations: number;
  injected?: number;
}

/** Before any of the page's own: what its policy stops is counted. */
const watch = () => {
  const watched = globalThis as unknown as Watched;
  watched.violations = 0;
  document.addEventListener('securitypolicyviolation', () => {
    watched.violations += 1;
  });
};

const found = (page: Page) =>
  page.evaluate(() => {
    const { violations, injected } = globalThis as unknown as Watched;
    return { violations, injected: injected ?? 0, elements: document.querySelectorAll('img[src="x"], [onerror]').length };
  });

/** Every text of the report that may be any text. @returns how many there are. */
function injectedReport() {
  const report = structuredClone(sampleReport()) as unknown as Record<string, unknown>;
  let places = 0;
  const visit = (holder: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === 'object' && value !== null) visit(value as Record<string, unknown>);
      if (typeof value !== 'string') continue;
      holder[key] = `${value}${MARKUP}`;
      try {
        parseReport(structuredClone(report));
        places += 1;
      } catch {
        holder[key] = value;
      }
    }
  };
  visit(report);
  return { report: parseReport(report), places };
}

test('report.html shows markup as text wherever a report may hold any text', async () => {
  const { report, places } = injectedReport();
  expect(places).toBeGreaterThan(20);
  const path = join(folder, 'report.html');
  await writeFile(path, reportHtml(report));
  await firefox.page.evaluateOnNewDocument(watch);
  await firefox.page.goto(pathToFileURL(path).href, { waitUntil: 'load' });
  expect(await firefox.page.evaluate(() => document.body.innerText)).toContain('<img src=x');
  expect(await found(firefox.page)).toEqual({ violations: 0, injected: 0, elements: 0 });
  countBar(28, 'texts of a report whose markup Firefox shows as text', places, places);
});

test('the popup and the dashboard show markup in stored addresses as text', async () => {
  await firefox.ask({ kind: 'set-quiet', quietMs: 50 });
  await firefox.page.goto(`${server.origin}/page?1`, { waitUntil: 'load' });
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length).toBe(1);
  await firefox.page.evaluate((title) => {
    document.title = title;
  }, TITLE);
  // No address that Firefox tells has such letters: somebody else has written into the profile.
  await firefox.popup.evaluate(async (markup) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('plumbfox');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const store = db.transaction('loads', 'readwrite').objectStore('loads');
    await new Promise<void>((resolve, reject) => {
      const cursors = store.openCursor();
      cursors.onerror = () => reject(cursors.error);
      cursors.onsuccess = () => {
        const cursor = cursors.result;
        if (cursor === null) {
          resolve();
          return;
        }
        const record = JSON.parse(JSON.stringify(cursor.value)) as { load: { url: string; requests: { url: string; origin: string }[] } };
        record.load.url = `=http://site.test/${markup}`;
        for (const request of record.load.requests) {
          request.url = `http://site.test/${markup}`;
          request.origin = `http://${markup}.test`;
        }
        cursor.update(record);
        cursor.continue();
      };
    });
    db.close();
  }, MARKUP);
  await firefox.popup.evaluate(async (markup) => {
    const { storage } = (globalThis as unknown as { browser: { storage: { local: { set(items: object): Promise<void> } } } }).browser;
    await storage.local.set({
      linkNames: [{ id: 0, name: `\u202E${markup}`.slice(0, 40), rttMs: 1, downKbps: 1000 }],
      ownProfiles: [{ name: `\u202E${markup}`.slice(0, 40), profileId: 'firefox-default+network.http.pacing.requests.enabled=false' }],
    });
  }, MARKUP);
  const pages = { [CONTROLS_URL]: '<img src=x', [DASHBOARD_URL]: '<img src=x', [WELCOME_URL]: '', [POPUP_URL]: '' };
  for (const [url, shown] of Object.entries(pages)) {
    const page = await openExtensionPage(firefox.browser, url);
    await page.evaluate(watch);
    await page.bringToFront();
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.waitForFunction(() => document.querySelector('main')?.hidden === false);
    // What is folded is made when it is opened.
    await page.evaluate(() => {
      for (const section of document.querySelectorAll<HTMLDetailsElement>('main > details')) section.open = true;
    });
    await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain(shown);
    expect(await found(page), url).toEqual({ violations: 0, injected: 0, elements: 0 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), url).toBe(true);
    if (url === DASHBOARD_URL) await expectSoundFiles(page);
    await page.close();
  }
  countBar(28, 'pages of the extension that show markup as text', 4, 4);
});

/** The files that the dashboard saves of these records, asked of the worker that makes them. */
async function expectSoundFiles(page: Page): Promise<void> {
  const made = (request: object) =>
    page.evaluate(
      (message) =>
        new Promise<string>((resolve, reject) => {
          const worker = new Worker('data-worker.js', { type: 'module' });
          worker.onerror = () => reject(new Error('The worker failed'));
          worker.onmessage = ({ data }) => {
            worker.terminate();
            if (data.kind === 'file') resolve(data.text);
            else reject(new Error(data.message));
          };
          worker.postMessage(message);
        }),
      request,
    );
  const har = JSON.parse(await made({ kind: 'har', plumbfox: '1.0', firefox: '153.0' }));
  expect(harFaults(har)).toEqual([]);
  expect(har.log.pages).toHaveLength(1);
  const [, row = '', ...rest] = (await made({ kind: 'csv', names: [] })).split('\r\n');
  expect(rest).toEqual(['']);
  // A load whose address was written over keeps its figures only.
  expect(row.split(',')).toHaveLength(9);
  expect(row).not.toMatch(/(?:^|,)"?[=+@-]/);
}
