/**
 * Above the caps the oldest loads keep only their figures, then not even those; a site that takes more than its share gives up its own first,
 * and a trial under way keeps its loads. The store's own code, with small caps, in Firefox's IndexedDB; then a real page against the disk.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { startTestServer, type TestServer } from '../support/extension-server.ts';
import { mainEvent, pageTiming } from '../support/observation-builders.ts';
import { pageBundle } from '../support/page-bundle.ts';

/** Of 60 kB each: 18 MB of addresses, or 90 MB. */
const LONG_REQUESTS = process.env.PLUMBFOX_FULL === '1' ? 1_500 : 300;
/** What the bundle puts into the page. */
const ENTRY = `
  import { storeEvents } from './src/adapters/event-store.ts';
  import { readFigures } from './src/adapters/figures-store.ts';
  import { newestLoads, newestSpan, storeLoad } from './src/adapters/load-store.ts';
  import { originOf } from './src/adapters/site-shares.ts';
  import { trimRecords } from './src/adapters/record-caps.ts';
  import { withRecords, writeRecords } from './src/adapters/record-database.ts';
  import { countSiteLoads, deleteSite, expireRecords } from './src/adapters/record-deletion.ts';
  import { addLateEntries } from './src/core/measure/late-arrivals.ts';
  import { joinPageLoad } from './src/core/measure/join-page-load.ts';
  import { selectLoadEvents } from './src/core/measure/select-load-events.ts';
  globalThis.store = async ({ timing, events, caps, tabId = 1 }) => {
    await storeEvents(events);
    const first = (tabEvents) => {
      const { events: used } = selectLoadEvents(timing, tabEvents);
      return { load: joinPageLoad(timing, used, { originOf }), used };
    };
    await storeLoad({ timing, tabId }, { first, amend: (load, late) => addLateEntries(load, { timing, late, originOf }) });
    await trimRecords({ caps });
  };
  globalThis.trim = trimRecords;
  Object.assign(globalThis, { newestSpan, countSiteLoads, deleteSite, expireRecords });
  globalThis.held = async () => withRecords(async (db) => {
    const { figures, loads, missing } = await readFigures();
    return {
      whole: (await newestLoads(1000)).map(({ url }) => url),
      figures: figures.map(({ startedAt }) => (startedAt - 1_000_000) / 60_000),
      loads, missing,
      navigations: (await db.getAll('navigations')).map(({ requestId }) => requestId),
      events: await db.count('events'),
      totals: await db.get('totals', 'all'),
      summed: (await db.getAll('loads')).reduce((sum, { bytes }) => sum + bytes, 0),
      sites: await db.count('sites'),
    };
  });
  /** Puts the loads with these addresses into a trial that is under way, or has ended. */
  globalThis.trial = async ({ urls, status }) =>
    writeRecords(['loads', 'trials'], async (transaction) => {
      await transaction.objectStore('trials').put({ progress: { status } }, 1);
      const loads = transaction.objectStore('loads');
      for (let cursor = await loads.openCursor(); cursor; cursor = await cursor.continue())
        if (urls.includes(cursor.value.url)) await cursor.update({ ...cursor.value, hold: 1 });
    });
  /** A database as version 3 made it, of so many loads with long addresses. */
  globalThis.former = async ({ timing, count }) => {
    const load = joinPageLoad(timing, [], { originOf });
    const open = indexedDB.open('plumbfox', 3);
    open.onupgradeneeded = () => {
      const db = open.result;
      const index = (store, ...indexes) => indexes.forEach(([name, path]) => store.createIndex(name, path));
      index(db.createObjectStore('events', { autoIncrement: true }), ['byTab', 'tabId'], ['byTime', 'at']);
      const loads = db.createObjectStore('loads', { autoIncrement: true });
      index(loads, ['byId', 'id'], ['byTab', ['tabId', 'startedAt']]);
      index(db.createObjectStore('navigations', { autoIncrement: true }), ['byRequest', 'requestId'], ['byState', 'state'], ['byTime', 'startedAt']);
      db.createObjectStore('applied', { autoIncrement: true });
      db.createObjectStore('trials', { autoIncrement: true });
      db.createObjectStore('figures');
      db.createObjectStore('totals').put({ loads: count, requests: count * load.requests.length }, 'all');
      for (let at = 0; at < count; at++) {
        const startedAt = timing.timeOrigin + at * 60_000;
        const url = load.url + '?' + 'q'.repeat(5_000) + at;
        const requests = load.requests.map((request) => ({ ...request, url }));
        loads.add({ load: { ...load, requests, url, id: String(at), startedAt }, id: String(at), startedAt, url, tabId: 1, endedAt: startedAt, entries: 0 });
      }
      open.transaction.objectStore('events').add({ phase: 'completed', at: 5, requestId: 'left', tabId: 3, frameId: 0, type: 'image', url: 'http://x.test/' });
    };
    await new Promise((done, failed) => { open.onsuccess = done; open.onerror = failed; });
    open.result.close();
  };
`;

let firefox: ExtensionFirefox;
let server: TestServer;

interface Held {
  readonly whole: readonly string[];
  readonly figures: readonly number[];
  readonly loads: number;
  readonly missing: number;
  readonly navigations: readonly string[];
  readonly events: number;
  readonly totals: { readonly loads: number; readonly requests: number; readonly whole?: number; readonly bytes?: number };
  readonly summed: number;
  readonly sites: number;
}

interface Caps {
  readonly bytes: number;
  readonly loads: number;
}

/** Loads begin a minute apart. */
const MINUTE_MS = 60_000;
const ROOM: Caps = { bytes: 1_000_000, loads: 1_000 };

const PAGE = (path: string) =>
  path.startsWith('/long')
    ? {
        path,
        type: 'text/html',
        body: `<!doctype html><script>
          window.answered = 0;
          const one = (at) => fetch('/x?' + 'u'.repeat(60_000) + at).catch(() => 0).finally(() => { window.answered++; if (at + 6 < ${LONG_REQUESTS}) one(at + 6); });
          for (let at = 0; at < 6; at++) one(at);
        </script>`,
      }
    : { path, type: 'text/html', body: '<!doctype html><title>store</title>' };

beforeAll(async () => {
  server = await startTestServer(PAGE);
  firefox = await startExtensionFirefox();
});

/** Every test has an origin of its own, and with it a database of its own. */
beforeEach(async () => {
  await server?.close();
  server = await startTestServer(PAGE);
  await firefox.page.goto(server.origin);
  await firefox.page.evaluate(await pageBundle({ contents: ENTRY }));
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

const run = <T>(call: string, argument: unknown = null) => firefox.page.evaluate(`${call}(${JSON.stringify(argument)})`) as Promise<T>;
const held = () => run<Held>('held');

interface OneLoad {
  readonly images?: number;
  readonly caps?: Caps;
  readonly site?: string;
}

/** The n-th load: its document and `images` more requests. */
async function storeLoad(at: number, { images = 1, caps = ROOM, site = `site${at}.test` }: OneLoad = {}) {
  const began = at * MINUTE_MS;
  const url = `http://${site}/${at}`;
  const entries = Array.from({ length: images }, (_, image) => ({
    ...pageTiming().navigation,
    name: `http://${site}/${at}/${image}.png`,
    initiatorType: 'img',
  }));
  const timing = { ...pageTiming(entries), url, timeOrigin: 1_000_000 + began, navigationType: 'navigate' };
  const events = [mainEvent('started', `${at}`, began, { url }), mainEvent('completed', `${at}`, began + 50, { url })];
  await run('store', { timing, events, caps });
}

/** Bytes of one load as `storeLoad` makes it. */
async function bytesOfOne(): Promise<number> {
  await storeLoad(0);
  return (await held()).totals.bytes ?? Number.NaN;
}

test('above the cap of bytes the oldest loads keep their figures alone, and nothing else goes', async () => {
  const one = await bytesOfOne();
  // No site has more than its share, a quarter.
  const caps = { bytes: 4.5 * one, loads: 1_000 };
  for (let at = 1; at < 6; at++) await storeLoad(at, { caps });
  const now = await held();
  expect(now).toMatchObject({
    whole: ['http://site2.test/2', 'http://site3.test/3', 'http://site4.test/4', 'http://site5.test/5'],
    figures: [0, 1, 2, 3, 4, 5],
    loads: 6,
    missing: 0,
    navigations: ['2', '3', '4', '5'],
    events: 0,
    totals: { loads: 6, whole: 4, requests: 8 },
  });
  expect(now.totals.bytes).toBe(now.summed);
  expect(now.summed).toBeLessThanOrEqual(caps.bytes);
  // A person's pace is computed from the older ones too.
  const spans = [await run('newestSpan', 3), await run('newestSpan', 5), await run('newestSpan', 100)];
  expect(spans).toEqual([3, 1, 0].map((first) => ({ loads: 6 - first, since: 1_000_000 + first * MINUTE_MS })));
});

test('a site goes whole: its loads, its figures, its waiting requests, and nothing of the others', async () => {
  const one = await bytesOfOne();
  // Two keep their requests, so one of the site is figures alone.
  const caps = { bytes: 2.5 * one, loads: 1_000 };
  for (const [at, host] of ['www.gone.test', 'kept.test', 'gone.test', 'kept.test'].entries())
    await storeLoad(at + 1, { caps, site: host });
  expect((await held()).figures).toEqual([0, 1, 2, 3, 4]);
  expect(await run('countSiteLoads', 'gone.test')).toBe(2);
  expect(await run('deleteSite', 'gone.test')).toBe(2);
  const now = await held();
  expect(now).toMatchObject({ figures: [0, 2, 4], loads: 3, missing: 0, sites: 2, totals: { loads: 3, forgotten: 2 } });
  expect(now.whole.filter((url) => url.includes('gone'))).toEqual([]);
  expect(now.totals.bytes).toBe(now.summed);
  expect(await run('countSiteLoads', 'gone.test')).toBe(0);
  expect(await run('deleteSite', 'gone.test')).toBe(0);
});

test('what is older or more than the person keeps goes, but not the loads of a trial in progress', async () => {
  await bytesOfOne();
  for (let at = 1; at < 6; at++) await storeLoad(at);
  expect(await run('expireRecords', {})).toBe(0);
  expect((await held()).loads).toBe(6);
  // The n-th load began n minutes after 1,000,000.
  expect(await run('expireRecords', { since: 1_000_000 + 2 * MINUTE_MS })).toBe(2);
  expect(await held()).toMatchObject({ figures: [2, 3, 4, 5], totals: { loads: 4, whole: 4, requests: 8, forgotten: 2 } });
  await run('trial', { urls: ['http://site2.test/2'], status: 'running' });
  expect(await run('expireRecords', { loads: 2 })).toBe(2);
  const now = await held();
  expect(now).toMatchObject({ figures: [2, 5], loads: 2, missing: 0, sites: 2 });
  expect(now.totals.bytes).toBe(now.summed);
  await run('trial', { urls: ['http://site2.test/2'], status: 'ended' });
  expect(await run('expireRecords', { since: 1_000_000 + 3 * MINUTE_MS })).toBe(1);
  expect((await held()).figures).toEqual([5]);
});

test('above the cap of loads figures go, the oldest first', async () => {
  const one = await bytesOfOne();
  const caps = { bytes: 4.5 * one, loads: 6 };
  for (let at = 1; at < 9; at++) await storeLoad(at, { caps });
  const totals = { loads: 6, whole: 4, forgotten: 3 };
  expect(await held()).toMatchObject({ figures: [3, 4, 5, 6, 7, 8], loads: 6, missing: 0, totals, sites: 6 });
});

test('a page that loads itself without end pushes out its own loads alone, whatever host of its site it takes', async () => {
  const one = await bytesOfOne();
  const caps = { bytes: 10 * one, loads: 20 };
  for (let at = 1; at < 5; at++) await storeLoad(at, { caps });
  for (let at = 5; at < 45; at++) await storeLoad(at, { caps, site: `h${at}.evil.test` });
  const { whole, figures, loads, missing } = await held();
  expect(whole.slice(0, 5)).toEqual([0, 1, 2, 3, 4].map((at) => `http://site${at}.test/${at}`));
  expect(figures.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  expect({ loads, missing }).toEqual({ loads: 20, missing: 0 });
});

test('loads of a trial under way go last; of one that has ended they go as all others', async () => {
  const one = await bytesOfOne();
  await storeLoad(1);
  const urls = ['http://site0.test/0'];
  await run('trial', { urls, status: 'running' });
  const caps = { bytes: 2.5 * one, loads: 100 };
  await storeLoad(2, { caps });
  expect((await held()).whole).toEqual(['http://site0.test/0', 'http://site2.test/2']);
  await run('trial', { urls, status: 'ended' });
  await storeLoad(3, { caps });
  expect((await held()).whole).toEqual(['http://site2.test/2', 'http://site3.test/3']);
});

test('one page opened in two tabs within one millisecond is two loads; told twice by one tab it is one', async () => {
  const url = 'http://site.test/together';
  const timing = { ...pageTiming(), url, timeOrigin: 1_000_000, navigationType: 'navigate' };
  for (const tabId of [1, 2, 2]) {
    const events = [mainEvent('started', `tab-${tabId}`, 0, { url, tabId }), mainEvent('completed', `tab-${tabId}`, 50, { url, tabId })];
    await run('store', { timing, events, caps: ROOM, tabId });
  }
  expect((await held()).whole).toEqual([url, url]);
});

test('what is added to a load later counts as well', async () => {
  const one = await bytesOfOne();
  const caps = { bytes: 2.5 * one, loads: 100 };
  const site = 'site0.test';
  await storeLoad(1, { caps, site });
  expect((await held()).whole).toHaveLength(2);
  // The last one again, with many entries more: there is no room for the first any longer.
  await storeLoad(1, { images: 6, caps, site });
  const { whole, totals, summed } = await held();
  expect(whole).toEqual(['http://site0.test/1']);
  expect(totals).toMatchObject({ loads: 2, whole: 1, requests: 7, bytes: summed });
});

test('a navigation that is not recorded yet stays', async () => {
  const one = await bytesOfOne();
  const url = 'http://site.test/under-way';
  await run('store', {
    timing: { ...pageTiming(), url: 'http://site.test/1', timeOrigin: 1_000_000 + MINUTE_MS, navigationType: 'navigate' },
    events: [mainEvent('started', 'under-way', MINUTE_MS, { url }), mainEvent('started', '1', MINUTE_MS, { url: 'http://site.test/1' })],
    caps: { bytes: 1.5 * one, loads: 100 },
  });
  expect((await held()).navigations.toSorted()).toEqual(['1', 'under-way']);
});

test('a database of version 3 loses no load: the newest have their addresses cut, the others keep their figures', async () => {
  await run('former', { timing: { ...pageTiming(), navigationType: 'navigate' }, count: 30 });
  const before = await held();
  expect(before).toMatchObject({ loads: 30, events: 1 });
  expect(before.whole).toHaveLength(30);
  await run('trim', { caps: { bytes: 10_000, loads: 1_000 } });
  const { whole, figures, loads, missing, totals, summed, events } = await held();
  expect({ figures: figures.length, loads, missing, events }).toEqual({ figures: 30, loads: 30, missing: 0, events: 1 });
  expect(whole.length).toBeGreaterThan(3);
  expect(whole.length).toBeLessThan(30);
  for (const url of whole) expect(url).toMatch(/^http:\/\/site\.test\/\?~[0-9a-z]+$/);
  expect(totals).toEqual({ loads: 30, whole: whole.length, requests: whole.length, bytes: summed });
});

test(`${LONG_REQUESTS} requests with addresses of 60 kB each take less than 5 MB on the disk`, async () => {
  await firefox.ask({ kind: 'set-quiet', quietMs: 2_000 });
  await firefox.page.goto(`${server.origin}/long`);
  await expect.poll(() => firefox.page.evaluate('window.answered'), { timeout: 150_000 }).toBe(LONG_REQUESTS);
  // Not left before: on a busy machine Firefox ends the page before its last message, and the load counts as one that is missing.
  await expect
    .poll(async () => (await firefox.ask({ kind: 'loads-after' })).some(({ url }) => url.endsWith('/long')), { timeout: 120_000 })
    .toBe(true);
  const folder = join(firefox.profile, 'storage', 'default');
  const bytesOnDisk = async () => {
    const files = (await readdir(folder, { recursive: true })).filter((file) => /^moz-extension.*\/idb\//.test(file));
    expect(files.length).toBeGreaterThan(0);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  // The database's log is among them, and is emptied when Firefox comes to it.
  await expect.poll(bytesOnDisk).toBeLessThan(5_000_000);
}, 360_000);
