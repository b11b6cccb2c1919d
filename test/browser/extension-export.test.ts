/** The file that the popup's export button writes, after pages whose every name can be told from anything else were loaded in a real Firefox. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIN_CELL_LOADS, OTHER_PAGES } from '../../src/core/report/small-cells.ts';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { countBar } from '../support/bar-count.ts';
import { canaryForms, formsIn } from '../support/canary-forms.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { pngOf, type Resource, startTestServer, type TestServer } from '../support/extension-server.ts';

/** Resolve to loopback through a preference; the second is an internationalised name as Firefox asks for it. */
const PLAIN = 'zqcanary-7f3a.example';
const IDN = 'xn--zqbcherei-q9a.example';
const TITLE = 'zqtitle of a page that nobody is to know';
const IMAGES = 3;

let firefox: ExtensionFirefox;
let server: TestServer;
let downloads: string;

function canaryPage(path: string): Resource {
  if (path.startsWith('/zqpath/image')) return { path, type: 'image/png', body: pngOf(900) };
  const images = Array.from({ length: IMAGES }, (_, at) => `<img src="/zqpath/image-${at}?zqquery=zqvalue" alt="">`).join('');
  const script = `<script>const image = new Image(); image.src = URL.createObjectURL(new Blob(['zqblob'], { type: 'image/png' }))</script>`;
  const body = `<!doctype html><title>${TITLE}</title><link rel="icon" href="data:,">${images}<img src="data:image/png;base64,zqdata" alt="">${script}`;
  return { path, type: 'text/html', body };
}

beforeAll(async () => {
  downloads = await mkdtemp(join(tmpdir(), 'plumbfox-export-'));
  server = await startTestServer(canaryPage);
  const preferences = {
    'network.dns.localDomains': `${PLAIN},${IDN}`,
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.useDownloadDir': true,
    'browser.download.always_ask_before_handling_new_types': false,
  };
  firefox = await startExtensionFirefox({ variant: 'release', preferences });
  await firefox.ask({ kind: 'set-quiet', quietMs: 50 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(downloads, { recursive: true, force: true });
});

const exported = async (): Promise<string | undefined> => {
  const name = (await readdir(downloads)).find((file) => /^plumbfox-report-.*\.json$/.test(file));
  const text = name === undefined ? '' : await readFile(join(downloads, name), 'utf8');
  return text.endsWith('}\n') ? text : undefined;
};

test('holds no address, name, title or digest of a page, and pages of few loads are one', async () => {
  const often = `http://${PLAIN}:${server.port}/zqpath/often?zqquery=zqvalue#zqfragment`;
  const seldom = `http://${IDN}:${server.port}/zqpath/seldom`;
  const addresses = [...Array.from({ length: MIN_CELL_LOADS }, (_, at) => often.replace('#', `#${at}`)), seldom, seldom];
  for (const [at, address] of addresses.entries()) {
    // A fragment alone would be no load of its own.
    await firefox.page.goto('about:blank');
    await firefox.page.goto(address, { waitUntil: 'load' });
    await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length, { interval: 50 }).toBe(at + 1);
  }
  const stored = JSON.stringify(await firefox.ask({ kind: 'loads-after' }));
  for (const name of [PLAIN, IDN]) expect(stored).toContain(name);
  await firefox.popup.bringToFront();
  await firefox.popup.waitForSelector('#export:not([disabled])');
  await firefox.popup.evaluate(() => document.getElementById('export')?.click());
  await expect.poll(exported).toBeDefined();
  const text = (await exported()) ?? '';
  const canaries = [often, seldom, `${server.origin}/zqpath/image-0?zqquery=zqvalue`].flatMap(canaryForms);
  const forms = [...canaries, TITLE, 'zqtitle', 'zqblob', 'zqdata', 'zqbücherei', `:${server.port}`, '://', '127.0.0.1'];
  expect(formsIn(text, forms)).toEqual([]);
  const report = parseReport(JSON.parse(text));
  expect(report.pages.map(({ name }) => name)).toEqual(['page-1', OTHER_PAGES]);
  expect(report.loads).toHaveLength(addresses.length);
  countBar(26, 'forms of addresses that an export from the popup does not hold', forms.length - formsIn(text, forms).length, forms.length);
});
