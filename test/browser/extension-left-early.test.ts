/**
 * A page is left while the event page starts: Firefox drops what its content script sends then (`getSender` in ExtensionParent.sys.mjs asks
 * the page that has gone who it was). The process of the extension is held still, so that the start takes until the page is gone.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { countBar } from '../support/bar-count.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';

const LOADS = 3;
const IMAGES = 4;

let firefox: ExtensionFirefox;
let server: TestServer;
/** `undefined`: not to be stored at all, so that Firefox does not keep the page. */
let cached: string | undefined;

beforeAll(async () => {
  const page = imagePage(IMAGES);
  server = await startTestServer((path) => {
    const resource = page(path);
    return resource && cached !== undefined ? { ...resource, headers: { 'cache-control': cached } } : resource;
  });
  firefox = await startExtensionFirefox({ preferences: { 'extensions.background.idle.timeout': 700 } });
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

test.each([
  ['is gone', undefined],
  ['is kept for going back', 'max-age=60'],
])(
  `each of ${LOADS} pages that are left before the event page has started is recorded where it %s`,
  async (_, cacheControl) => {
    cached = cacheControl;
    await firefox.ask({ kind: 'delete-all' });
    const chrome = await chromeContext(firefox.browser);
    const processes = await chrome.run<number[]>(
      `async () => (await ChromeUtils.requestProcInfo()).children.filter(({ type }) => type === 'extension').map(({ pid }) => pid)`,
      null,
    );
    expect(processes).toHaveLength(1);
    const signal = (name: NodeJS.Signals) => {
      for (const id of processes) process.kill(id, name);
    };
    const asked: string[] = [];
    for (let at = 0; at < LOADS; at++) {
      await firefox.untilEventPageEnds();
      signal('SIGSTOP');
      try {
        // The second leaves the first. To another site, the process of the first might end in the middle of leaving it.
        for (const name of [`left${at}`, `next${at}`]) {
          const url = `${server.origin}/page?${name}`;
          asked.push(storedUrl(url));
          await firefox.page.goto(url, { waitUntil: 'load' });
        }
      } finally {
        signal('SIGCONT');
      }
      await firefox.untilEventPageRuns();
    }
    const loads = async () => firefox.ask({ kind: 'loads-after' });
    await expect.poll(async () => (await loads()).map(({ url }) => url).toSorted(), { timeout: 60_000 }).toEqual(asked.toSorted());
    for (const { requests } of await loads())
      expect(requests.filter(({ wire, url }) => wire && !url.includes('/favicon'))).toHaveLength(IMAGES + 1);
    const { navigations } = await firefox.ask({ kind: 'popup-state' });
    expect(navigations).toEqual({ attempted: asked.length, recorded: asked.length, failed: 0 });
    countBar(1, 'loads recorded although the event page had ended', (await loads()).length, asked.length);
  },
  240_000,
);
