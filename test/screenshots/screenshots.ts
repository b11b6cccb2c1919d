/**
 * The pictures in docs/pictures: the popup's last load, just recorded from a page served on loopback, and the chart of a published report.
 */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import type { Report } from '../../src/core/report/report.ts';
import { openExtensionPage, POPUP_URL, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer } from '../support/extension-server.ts';

/** The width of a panel in CSS pixels, and what of its height says most. */
const PANEL = { width: 400, height: 760 };
const LOADS = 4;

const server = await startTestServer(imagePage(12));
const firefox = await startExtensionFirefox({ variant: 'release' });
try {
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
  for (let load = 0; load < LOADS; load += 1) {
    await firefox.page.bringToFront();
    await firefox.page.goto(`${server.origin}/page?${load}`, { waitUntil: 'load' });
    while ((await firefox.ask({ kind: 'loads-after' })).length <= load) await new Promise((done) => setTimeout(done, 100));
  }
  const popup = await openExtensionPage(firefox.browser, POPUP_URL);
  await popup.setViewport(PANEL);
  await popup.waitForFunction(() => document.getElementById('content')?.hidden === false);
  // Sections that wait for the helper to answer come last.
  await new Promise((done) => setTimeout(done, 3_000));
  await (await popup.$('section[aria-labelledby="load-heading"]'))?.screenshot({ path: 'docs/pictures/popup.png' });
  await popup.close();
  const published = gunzipSync(await readFile('docs/results/modern-defaults/report.json.gz')).toString('utf8');
  const report = await firefox.browser.newPage();
  await report.setViewport({ width: 840, height: 600 });
  await report.setContent(reportHtml(JSON.parse(published) as Report));
  await report.screenshot({ path: 'docs/pictures/report.png' });
  await report.close();
} finally {
  await firefox.stop();
  await server.close();
}
process.stdout.write('Made docs/pictures/popup.png and docs/pictures/report.png.\n');
