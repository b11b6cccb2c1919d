/** The figures of loads beside the loads: written with them, worked out where they are missing, and not stopped by a record that cannot be read. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CHUNK_LOADS } from '../../src/protocol/figure-chunk.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { startTestServer, type TestServer } from '../support/extension-server.ts';
import { mainEvent, pageTiming } from '../support/observation-builders.ts';
import { pageBundle } from '../support/page-bundle.ts';

/** Of the extension APIs, what the store asks for: a page of the web has none. */
const BROWSER = `globalThis.chrome = globalThis.browser = { runtime: { id: 'x' }, storage: { session: { get: async () => ({}), set: async () => {} } } };`;

/** What the bundle puts into the page. */
const ENTRY = `
  import { storeEvents } from './src/adapters/event-store.ts';
  import { completeFigures, readFigures } from './src/adapters/figures-store.ts';
  import { settleLateEvents } from './src/adapters/late-events.ts';
  import { loadsAfter, newestLoads, storeLoad } from './src/adapters/load-store.ts';
  import { originOf } from './src/adapters/site-shares.ts';
  import { trimRecords } from './src/adapters/record-caps.ts';
  import { closeRecordDatabase, withRecords, writeRecords } from './src/adapters/record-database.ts';
  import { loadsOfTrial } from './src/adapters/trial-store.ts';
  import { loadSummary } from './src/core/field/load-summary.ts';
  import { addLateEntries } from './src/core/measure/late-arrivals.ts';
  import { joinPageLoad } from './src/core/measure/join-page-load.ts';
  import { selectLoadEvents } from './src/core/measure/select-load-events.ts';
  globalThis.store = async ({ timing, events, caps }) => {
    await storeEvents(events);
    const first = (tabEvents) => {
      const { events: used } = selectLoadEvents(timing, tabEvents);
      return { load: joinPageLoad(timing, used, { originOf }), used };
    };
    await storeLoad({ timing, tabId: 1 }, { first, amend: (load, late) => addLateEntries(load, { timing, late, originOf }) });
    await trimRecords({ caps });
  };
  globalThis.late = async ({ events, now }) => {
    await storeEvents(events);
    await settleLateEvents(now, originOf);
  };
  /** The figures as they are held, and as the loads give them. */
  globalThis.held = async () => ({
    ...(await readFigures()),
    expected: (await loadsAfter()).map(loadSummary),
    chunks: await withRecords((db) => db.getAllKeys('figures')),
    newest: (await newestLoads(3)).map(({ url }) => url),
  });
  globalThis.complete = async (chunks) => {
    let seen = 0;
    await completeFigures(() => ++seen < chunks);
    return seen;
  };
  /** A database as version 1 made it, with so many loads. */
  globalThis.former = async ({ timing, count }) => {
    const load = joinPageLoad(timing, [], { originOf });
    const open = indexedDB.open('plumbfox', 1);
    open.onupgradeneeded = () => {
      const db = open.result;
      const index = (store, ...indexes) => indexes.forEach(([name, path]) => store.createIndex(name, path));
      index(db.createObjectStore('events', { autoIncrement: true }), ['byTab', 'tabId'], ['byTime', 'at']);
      const loads = db.createObjectStore('loads', { autoIncrement: true });
      index(loads, ['byId', 'id'], ['byTab', ['tabId', 'startedAt']]);
      index(db.createObjectStore('navigations', { autoIncrement: true }), ['byRequest', 'requestId'], ['byState', 'state'], ['byTime', 'startedAt']);
      db.createObjectStore('applied', { autoIncrement: true });
      db.createObjectStore('totals').put({ loads: count, requests: count }, 'all');
      for (let at = 0; at < count; at++) {
        const startedAt = timing.timeOrigin + at;
        loads.add({ load: { ...load, id: String(at), startedAt }, id: String(at), startedAt, url: load.url, tabId: 1, endedAt: startedAt, entries: 0 });
      }
    };
    await new Promise((done, failed) => { open.onsuccess = done; open.onerror = failed; });
    open.result.close();
  };
  globalThis.change = async ({ store, key, value }) =>
    writeRecords([store], async (transaction) => {
      const before = await transaction.objectStore(store).get(key);
      await transaction.objectStore(store).put({ ...before, ...value }, key);
    });
  /** Puts the loads with these keys into a trial. */
  globalThis.place = async ({ keys, mark }) =>
    writeRecords(['loads'], async (transaction) => {
      const loads = transaction.objectStore('loads');
      for (const key of keys) {
        const stored = await loads.get(key);
        await loads.put({ ...stored, load: { ...stored.load, trial: { mark } } }, key);
      }
    });
  globalThis.ofTrial = async ({ id, since }) => (await loadsOfTrial(id, since)).map(({ url }) => url);
  globalThis.close = closeRecordDatabase;
  /** How often a chunk of figures was written so far. */
  globalThis.chunksWritten = () => {
    const { put } = IDBObjectStore.prototype;
    let count = 0;
    IDBObjectStore.prototype.put = function (...given) {
      if (this.name === 'figures') count += 1;
      return put.apply(this, given);
    };
    globalThis.chunksWritten = () => count;
  };
`;

let firefox: ExtensionFirefox;
let server: TestServer;
let bundle = '';

interface Held {
  readonly figures: readonly unknown[];
  readonly expected: readonly unknown[];
  readonly unreadable: number;
  readonly loads: number;
  readonly missing: number;
  readonly chunks: readonly number[];
  readonly newest: readonly string[];
}

const PAGE = (path: string) => ({ path, type: 'text/html', body: '<!doctype html><title>store</title>' });
const MINUTE_MS = 60_000;

beforeAll(async () => {
  bundle = await pageBundle({ contents: ENTRY }, BROWSER);
  firefox = await startExtensionFirefox();
});

/** Every test has an origin of its own, and with it a database of its own. */
beforeEach(async () => {
  await server?.close();
  server = await startTestServer(PAGE);
  await openPage();
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

async function openPage(): Promise<void> {
  await firefox.page.goto(server.origin);
  await firefox.page.evaluate(bundle);
}

const run = <T>(call: string, argument: unknown = null) => firefox.page.evaluate(`${call}(${JSON.stringify(argument)})`) as Promise<T>;
const held = () => run<Held>('held');

interface Stored {
  readonly images?: number;
  readonly caps?: { readonly loads: number; readonly bytes: number };
}

/** The n-th load, a minute after the one before: its document and `images` more requests. */
async function storeLoad(at: number, { images = 1, caps = { loads: 1_000, bytes: 1_000_000 } }: Stored = {}): Promise<void> {
  const url = `http://site.test/${at}`;
  const began = at * MINUTE_MS;
  const entries = Array.from({ length: images }, (_, image) => ({
    ...pageTiming().navigation,
    name: `${url}/${image}.png`,
    initiatorType: 'img',
  }));
  const timing = { ...pageTiming(entries), url, timeOrigin: 1_000_000 + began, navigationType: 'navigate' };
  const events = [mainEvent('started', `${at}`, began, { url }), mainEvent('completed', `${at}`, began + 50, { url })];
  await run('store', { timing, events, caps });
}

test('figures are written with the load, and amended with it', async () => {
  for (const at of [0, 1, 2]) await storeLoad(at);
  const first = await held();
  expect(first).toMatchObject({ loads: 3, missing: 0, unreadable: 0, chunks: [0] });
  expect(first.figures).toEqual(first.expected);
  // The last one again with more entries, then an answer of its image that came late.
  await storeLoad(2, { images: 4 });
  const url = 'http://site.test/2/0.png';
  const events = ['started', 'completed'].map((phase) => ({
    ...mainEvent(phase as 'started', 'image', 2 * MINUTE_MS + 20, { url, responseBytes: 7_777 }),
    type: 'image',
    documentUrl: 'http://site.test/2',
  }));
  await run('late', { events, now: 1_000_000 + 3 * MINUTE_MS });
  const amended = await held();
  expect(amended.figures).toEqual(amended.expected);
  expect(amended.figures[2]).not.toEqual(first.figures[2]);
});

test('above the caps figures go with their loads', async () => {
  for (let at = 0; at < 5; at++) await storeLoad(at, { caps: { loads: 3, bytes: 2_000 } });
  const { figures, expected, missing } = await held();
  expect(expected.length).toBeLessThan(3);
  expect(figures.slice(3 - expected.length)).toEqual(expected);
  expect([figures.length, missing]).toEqual([3, 0]);
});

test('loads of a former version get their figures chunk by chunk, the newest first, also after an interruption', async () => {
  const count = 2 * CHUNK_LOADS + 10;
  await run('former', { timing: { ...pageTiming(), navigationType: 'navigate' }, count });
  // Keys begin at 1: chunks 0, 1 and 2.
  expect(await held()).toMatchObject({ loads: count, missing: count, chunks: [] });
  expect(await run('complete', 1)).toBe(1);
  expect(await held()).toMatchObject({ missing: 2 * CHUNK_LOADS - 1, chunks: [2] });
  await run('close');
  await openPage();
  expect(await run('complete', 99)).toBe(2);
  const { figures, expected, missing, chunks } = await held();
  expect([missing, chunks]).toEqual([0, [0, 1, 2]]);
  expect(figures).toEqual(expected);
  expect(await run('complete', 99)).toBe(0);
});

test('figures of an older definition are worked out anew', async () => {
  for (const at of [0, 1]) await storeLoad(at);
  await run('change', { store: 'figures', key: 0, value: { metricVersion: 0 } });
  expect(await held()).toMatchObject({ figures: [], missing: 2 });
  // A new load must not make the old figures pass for new ones.
  await storeLoad(2);
  expect((await held()).missing).toBe(2);
  await run('complete', 99);
  const { figures, expected } = await held();
  expect(figures).toEqual(expected);
});

test('figures of an older definition whose loads have gone are counted as let go of, also below the oldest load', async () => {
  await run('former', { timing: { ...pageTiming(), navigationType: 'navigate' }, count: 300 });
  // From the version before: of the newest there is room for the requests of some 20.
  await storeLoad(999, { caps: { loads: 1_000, bytes: 30_000 } });
  expect(await held()).toMatchObject({ loads: 301, missing: 0, chunks: [0, 1] });
  await run('change', { store: 'figures', key: 0, value: { metricVersion: 0 } });
  expect((await held()).missing).toBe(255);
  await run('complete', 99);
  expect(await held()).toMatchObject({ loads: 46, missing: 0, chunks: [1] });
});

test('a chunk of figures is not written where nothing of it changes', async () => {
  for (const at of [0, 1, 2]) await storeLoad(at);
  await run('chunksWritten');
  // It is stored, and then the requests of all go; their figures are there already.
  await storeLoad(3, { caps: { loads: 1_000, bytes: 1 } });
  expect(await held()).toMatchObject({ loads: 4, missing: 0, newest: [] });
  expect(await run('chunksWritten')).toBe(1);
});

test('one record that cannot be read is counted and keeps no other from being read', async () => {
  for (const at of [0, 1, 2]) await storeLoad(at);
  await run('change', { store: 'loads', key: 2, value: { load: { format: 99 } } });
  await run('change', { store: 'figures', key: 0, value: { metricVersion: 0 } });
  await run('complete', 99);
  const { figures, expected, ...counts } = await held();
  expect(counts).toMatchObject({ loads: 3, unreadable: 1, missing: 0, newest: ['http://site.test/0', 'http://site.test/2'] });
  expect(figures).toHaveLength(2);
  expect(figures).toEqual(expected);
  // Nor does it keep new ones from being stored, or the oldest from being dropped.
  await storeLoad(3, { caps: { loads: 2, bytes: 1 } });
  expect(await held()).toMatchObject({ loads: 2, unreadable: 0, newest: [] });
});

test('one record that cannot be read keeps no other load of its trial from being judged', async () => {
  for (const at of [0, 1, 2]) await storeLoad(at);
  const mark = { trialId: 't-1', block: 0, slot: 0, profileId: 'firefox-default', position: 0, washout: false };
  await run('place', { keys: [1, 2, 3], mark });
  const ofTrial = () => run<readonly string[]>('ofTrial', { id: 't-1', since: 0 });
  expect(await ofTrial()).toEqual(['http://site.test/0', 'http://site.test/1', 'http://site.test/2']);
  await run('change', { store: 'loads', key: 2, value: { load: { format: 99, trial: { mark } } } });
  expect(await ofTrial()).toEqual(['http://site.test/0', 'http://site.test/2']);
});
