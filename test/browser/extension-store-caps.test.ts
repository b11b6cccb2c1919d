/** Above the caps the oldest loads go, with their navigations, and nothing else does: the store's own code, with small caps, in Firefox's IndexedDB. */
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { startTestServer, type TestServer } from '../support/extension-server.ts';
import { mainEvent, pageTiming } from '../support/observation-builders.ts';

/** What the bundle puts into the page. */
const ENTRY = `
  import { storeEvents } from './src/adapters/event-store.ts';
  import { newestLoads, storeLoad } from './src/adapters/load-store.ts';
  import { originOf } from './src/adapters/origin-of.ts';
  import { withRecords } from './src/adapters/record-database.ts';
  import { addLateEntries } from './src/core/measure/add-late-entries.ts';
  import { joinPageLoad } from './src/core/measure/join-page-load.ts';
  import { selectLoadEvents } from './src/core/measure/select-load-events.ts';
  globalThis.store = async ({ timing, events, caps, tabId = 1 }) => {
    await storeEvents(events);
    const first = (tabEvents) => {
      const { events: used } = selectLoadEvents(timing, tabEvents);
      return { load: joinPageLoad(timing, used, { originOf }), used };
    };
    await storeLoad({ timing, tabId }, { first, amend: (load, late) => addLateEntries(load, { timing, late, originOf }) }, caps);
  };
  globalThis.held = async () => withRecords(async (db) => ({
    loads: (await newestLoads(1000)).map(({ url }) => url),
    navigations: (await db.getAll('navigations')).map(({ requestId }) => requestId),
    events: await db.count('events'),
    totals: await db.get('totals', 'all'),
  }));
`;

let firefox: ExtensionFirefox;
let server: TestServer;

interface Held {
  readonly loads: readonly string[];
  readonly navigations: readonly string[];
  readonly events: number;
  readonly totals: { readonly loads: number; readonly requests: number };
}

/** Loads begin a minute apart. */
const MINUTE_MS = 60_000;

beforeAll(async () => {
  server = await startTestServer((path) => ({ path, type: 'text/html', body: '<!doctype html><title>store</title>' }));
  firefox = await startExtensionFirefox();
});

/** Every test has an origin of its own, and with it a database of its own. */
beforeEach(async () => {
  await server?.close();
  server = await startTestServer((path) => ({ path, type: 'text/html', body: '<!doctype html><title>store</title>' }));
  await firefox.page.goto(server.origin);
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'firefox140',
  });
  await firefox.page.evaluate(outputFiles[0]?.text ?? '');
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

const run = <T>(call: string, argument: unknown) => firefox.page.evaluate(`${call}(${JSON.stringify(argument)})`) as Promise<T>;

/** The n-th load: its document and `images` more requests. */
async function storeLoad(at: number, { images = 1, caps }: { images?: number; caps: { loads: number; requests: number } }) {
  const began = at * MINUTE_MS;
  const url = `http://site.test/${at}`;
  const entries = Array.from({ length: images }, (_, image) => ({
    ...pageTiming().navigation,
    name: `http://site.test/${at}/${image}.png`,
    initiatorType: 'img',
  }));
  const timing = { ...pageTiming(entries), url, timeOrigin: 1_000_000 + began, navigationType: 'navigate' };
  const events = [mainEvent('started', `${at}`, began, { url }), mainEvent('completed', `${at}`, began + 50, { url })];
  await run('store', { timing, events, caps });
}

const held = () => run<Held>('held', null);

test('with a cap of 3 loads, the fourth and fifth drop the first and second', async () => {
  for (let at = 0; at < 5; at++) await storeLoad(at, { caps: { loads: 3, requests: 1_000 } });
  // 2 requests each.
  expect(await held()).toEqual({
    loads: ['http://site.test/2', 'http://site.test/3', 'http://site.test/4'],
    navigations: ['2', '3', '4'],
    events: 0,
    totals: { loads: 3, requests: 6 },
  });
});

test('with a cap of 10 requests, as many of the oldest go as it takes', async () => {
  const caps = { loads: 100, requests: 10 };
  for (let at = 0; at < 3; at++) await storeLoad(at, { images: 2, caps });
  expect((await held()).totals).toEqual({ loads: 3, requests: 9 });
  // 9 + 6 = 15; without the first 12, without the second 9.
  await storeLoad(3, { images: 5, caps });
  expect(await held()).toMatchObject({
    loads: ['http://site.test/2', 'http://site.test/3'],
    navigations: ['2', '3'],
    totals: { loads: 2, requests: 9 },
  });
});

test('one page opened in two tabs within one millisecond is two loads; told twice by one tab it is one', async () => {
  const caps = { loads: 100, requests: 100 };
  const url = 'http://site.test/together';
  const timing = { ...pageTiming(), url, timeOrigin: 1_000_000, navigationType: 'navigate' };
  for (const tabId of [1, 2, 2]) {
    const events = [mainEvent('started', `tab-${tabId}`, 0, { url, tabId }), mainEvent('completed', `tab-${tabId}`, 50, { url, tabId })];
    await run('store', { timing, events, caps, tabId });
  }
  expect((await held()).loads).toEqual([url, url]);
});

test('at the cap nothing goes', async () => {
  for (let at = 0; at < 3; at++) await storeLoad(at, { caps: { loads: 3, requests: 6 } });
  expect((await held()).loads).toHaveLength(3);
});

test('what is added to a load later counts as well', async () => {
  const caps = { loads: 100, requests: 10 };
  for (let at = 0; at < 3; at++) await storeLoad(at, { images: 2, caps });
  // The last one again, with 3 entries more: 9 + 3 = 12, without the first 9.
  await storeLoad(2, { images: 5, caps });
  expect(await held()).toMatchObject({ loads: ['http://site.test/1', 'http://site.test/2'], totals: { loads: 2, requests: 9 } });
});

test('a navigation that is not recorded yet stays', async () => {
  const caps = { loads: 1, requests: 100 };
  await storeLoad(0, { caps });
  const url = 'http://site.test/under-way';
  const events = [mainEvent('started', 'under-way', MINUTE_MS, { url })];
  await run('store', {
    timing: { ...pageTiming(), url: 'http://site.test/1', timeOrigin: 1_000_000 + MINUTE_MS, navigationType: 'navigate' },
    events: [...events, mainEvent('started', '1', MINUTE_MS, { url: 'http://site.test/1' })],
    caps,
  });
  expect((await held()).navigations.toSorted()).toEqual(['1', 'under-way']);
});
