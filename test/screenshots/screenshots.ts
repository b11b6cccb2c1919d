/**
 * The pictures in docs/pictures: the popup after some pages over an emulated link, and the chart of a published report.
 */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import type { Report } from '../../src/core/report/report.ts';
import { CONTROLS_URL, openExtensionPage } from '../support/extension-firefox.ts';
import { startLinkedFirefox } from '../support/linked-firefox.ts';

/** A network on which connections matter, like a far server over a modest line. */
const LINK = 'rtt=100,down=8000,up=2000,queue=200';
/** Pages of the lab, loaded in this order: two of each are compared, the last is shown. */
const PAGES = ['wiki', 'images', 'wiki', 'images', 'news', 'news'] as const;
/** The width of a panel in CSS pixels, and what of its height says most. */
const PANEL = { width: 400, height: 900 };
/** The recommendation and the first chart. */
const REPORT = { width: 840, height: 1000 };

const { firefox, pageUrl, close } = await startLinkedFirefox(LINK);
try {
  await firefox.ask({ kind: 'set-quiet', quietMs: 300 });
  for (const [at, page] of PAGES.entries()) {
    await firefox.page.bringToFront();
    await firefox.page.goto(pageUrl(page, 'a'), { waitUntil: 'load' });
    while ((await firefox.ask({ kind: 'loads-after' })).length <= at) await new Promise((done) => setTimeout(done, 100));
  }
  const popup = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await popup.setViewport(PANEL);
  await popup.waitForFunction(() => document.getElementById('content')?.hidden === false);
  // The answer rests on a prediction, which takes some seconds; with it a trial is offered.
  await popup.waitForFunction(() => document.getElementById('answer-trial')?.hidden === false);
  await popup.screenshot({ path: 'docs/pictures/popup.png' });
  await popup.close();
  const published = gunzipSync(await readFile('docs/results/modern-defaults/report.json.gz')).toString('utf8');
  const report = await firefox.browser.newPage();
  await report.setViewport(REPORT);
  await report.setContent(reportHtml(JSON.parse(published) as Report));
  await report.screenshot({ path: 'docs/pictures/report.png' });
  await report.close();
} finally {
  await close();
}
process.stdout.write('Made docs/pictures/popup.png and docs/pictures/report.png.\n');
