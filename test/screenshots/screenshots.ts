/**
 * The pictures in docs/pictures: the report of a published study. The popup's, a confirmed answer, is a state of its card's test: `npm run screenshots`
 * photographs it into dist/screenshots/card.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import type { Report } from '../../src/core/report/report.ts';
import { startDrivenFirefox } from '../support/firefox-process.ts';

/** The recommendation and the first chart. */
const REPORT = { width: 840, height: 1000 };

const folder = await mkdtemp(join(tmpdir(), 'plumbfox-pictures-'));
const firefox = await startDrivenFirefox({ profile: folder, home: join(folder, 'home') });
try {
  const published = gunzipSync(await readFile('docs/results/modern-defaults/report.json.gz')).toString('utf8');
  const report = await firefox.browser.newPage();
  await report.setViewport(REPORT);
  await report.setContent(reportHtml(JSON.parse(published) as Report));
  await report.screenshot({ path: 'docs/pictures/report.png' });
} finally {
  await firefox.stop();
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write('Made docs/pictures/report.png.\n');
