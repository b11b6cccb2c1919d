/** Firefox is killed in the middle of writing, again and again: every load that was there before is there after, to the byte, and none in half. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PageLoad } from '../../src/core/measure/page-load.ts';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { seededRandom } from '../../src/core/random.ts';
import { countBar } from '../support/bar-count.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';

const KILLS = process.env.PLUMBFOX_FULL === '1' ? 100 : 2;
/** Killed so long after a page was asked for, at most: while its events and its load are written. */
const WITHIN_MS = 500;

let directory: string;
let server: TestServer;
let firefox: ExtensionFirefox | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-test-'));
  server = await startTestServer(imagePage(5));
});

afterEach(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** The page's icon may come later; what the page itself asked for never changes. */
const ownRequests = ({ requests }: PageLoad) =>
  requests.filter(({ url }) => !url.includes('favicon')).map(({ url, timing }) => [url, timing]);
const checksum = (load: PageLoad) =>
  createHash('sha256')
    .update(JSON.stringify([load.id, load.url, load.startedAt, load.loadEventEnd, ownRequests(load)]))
    .digest('hex');

/** The event page raises it once a load is stored. */
const watchStored = (popup: Page) =>
  popup.evaluate(() => {
    const { browser } = globalThis as unknown as ExtensionGlobal;
    const { onChanged } = browser.storage.session;
    const told = new Promise<void>((resolve) => onChanged.addListener((changes) => 'loadsStored' in changes && resolve()));
    Object.assign(globalThis, { told });
  });
const toldStored = (popup: Page) => popup.evaluate(() => (globalThis as unknown as { told: Promise<void> }).told);

interface ExtensionGlobal {
  readonly browser: {
    readonly storage: { readonly session: { readonly onChanged: { addListener(hear: (changes: object) => void): void } } };
  };
}

test(`killed ${KILLS} times within ${WITHIN_MS} ms of a page, nothing that was recorded is lost or changed`, async () => {
  const random = seededRandom(4);
  const known = new Map<string, string>();
  let kept = 0;
  for (let kill = 0; kill <= KILLS; kill++) {
    firefox = await startExtensionFirefox({
      profile: directory,
      permanent: true,
      preferences: { 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15 },
    });
    await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
    const there = await firefox.ask({ kind: 'loads-after' });
    const found = new Map(there.map((load) => [load.id, checksum(load)]));
    for (const [id, sum] of known) expect(found.get(id), `load ${id} after kill ${kill}`).toBe(sum);
    if (kill > 0) kept += 1;
    expect(await firefox.ask({ kind: 'popup-state' })).toMatchObject({ recording: { state: 'recording' }, loads: there.length });
    expect((await firefox.ask({ kind: 'popup-state' })).recordLoss).toBeUndefined();
    if (kill === KILLS) break;
    const { page } = firefox;
    const whole = `${server.origin}/page?whole${kill}`;
    await watchStored(firefox.popup);
    await page.goto(whole, { waitUntil: 'load' });
    await toldStored(firefox.popup);
    const recorded = await firefox.ask({ kind: 'loads-after' });
    // It has said that it stored the load: from then on it is there.
    expect(recorded.map(({ url }) => url)).toContain(storedUrl(whole));
    for (const load of recorded) known.set(load.id, checksum(load));
    void page.goto(`${server.origin}/page?killed${kill}`, { waitUntil: 'load' }).catch(() => undefined);
    await new Promise((done) => setTimeout(done, random.integer(WITHIN_MS)));
    await firefox.kill();
    firefox = undefined;
  }
  expect(known.size).toBeGreaterThanOrEqual(KILLS);
  countBar(4, 'kills after which every recorded load was there, by checksum', kept, KILLS);
}, 3_600_000);
