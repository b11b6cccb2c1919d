/**
 * However many requests wait for their load, settling them goes in short steps and goes on where it was interrupted; and a page that asks
 * without end is cut off and says so. The store's own code in Firefox's IndexedDB, then a real page.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAX_REQUESTS } from '../../src/core/measure/load-measures.ts';
import { measureLoad } from '../../src/core/measure/measure-load.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { startTestServer, type TestServer } from '../support/extension-server.ts';
import { event, mainEvent, PAGE, pageTiming } from '../support/observation-builders.ts';
import { pageBundle } from '../support/page-bundle.ts';

/** The whole bar seeds 100,000 requests; the cut shows the same by slope. */
const FULL = process.env.PLUMBFOX_FULL === '1';
/** Where settling was quadratic, 6,000 took 8.6 s, and 20,000 never ended. */
const WAITING = FULL ? [20_000, 100_000] : [2_000, 8_000];
/** So many more are written by a hundred tabs that never come to an end. */
const FLOOD = FULL ? 1_000_000 : 40_000;
/** What may wait of them; see `waiting-events.ts`. */
const MAX_WAITING_BYTES = 12_000_000;
/** Nothing may keep the thread for longer, beyond what the machine itself does while nothing is to be done; the whole bar has the machine to itself. */
const LONGEST_BLOCK_MS = FULL ? 50 : 400;

/** What the process that writes and settles them may have more by then; as of the bar. */
const MAX_GROWTH_BYTES = 50_000_000;

/** How often the thread should get its turn. */
const TICK_MS = 5;

const BROWSER = `globalThis.chrome = globalThis.browser = { runtime: { id: 'x' }, storage: { session: { get: async () => ({}), set: async () => {} } } };`;
const ENTRY = `
  import { countNavigations, storeEvents } from './src/adapters/event-store.ts';
  import { settleLateEvents } from './src/adapters/late-events.ts';
  import { newestLoads, storeLoad } from './src/adapters/load-store.ts';
  import { originOf } from './src/adapters/site-shares.ts';
  import { withRecords, writeRecords } from './src/adapters/record-database.ts';
  import { joinPageLoad } from './src/core/measure/join-page-load.ts';
  import { selectLoadEvents } from './src/core/measure/select-load-events.ts';
  globalThis.store = async ({ timing, events }) => {
    await storeEvents(events);
    const first = (tabEvents) => {
      const { events: used } = selectLoadEvents(timing, tabEvents);
      return { load: joinPageLoad(timing, used, { originOf }), used };
    };
    await storeLoad({ timing, tabId: 1 }, { first, amend: (load) => load });
  };
  globalThis.write = storeEvents;
  /** As a former version left them: without bound. */
  globalThis.seed = async ({ event, from, count }) => {
    for (let at = from; at < from + count; at += 5_000)
      await writeRecords(['events'], async (transaction) => {
        for (let own = at; own < Math.min(from + count, at + 5_000); own++)
          void transaction.objectStore('events').add({ ...event, requestId: 'r' + own, at: event.at + own / 100, url: event.url + '?' + own });
      });
  };
  /** Does it, and says how long it took and for how long the thread did not get its turn: then, and for two seconds before. */
  const watched = async (work) => {
    const idle = await watch(() => new Promise((done) => setTimeout(done, 2_000)));
    const { result, ...others } = await watch(work);
    return { ...others, idleMs: idle.blocks[0], result };
  };
  globalThis.settle = async ({ now, budgetMs }) => {
    const { result, ...others } = await (budgetMs === undefined ? watched : watch)(() => settleLateEvents(now, originOf, budgetMs));
    return { ...others, isDone: result };
  };
  /** Events of a hundred tabs, as many at once as a burst has. */
  globalThis.flood = async ({ event, count }) => {
    const { result: _, ...others } = await watched(async () => {
      for (let from = 0; from < count; from += 500)
        await storeEvents(Array.from({ length: 500 }, (_, at) => ({ ...event, tabId: (from / 500) % 100, requestId: 'f' + (from + at), at: event.at + from })));
    });
    const [bytes, waiting] = await withRecords((db) => Promise.all([db.get('totals', 'waiting'), db.count('events')]));
    return { ...others, bytes: bytes.bytes, waiting };
  };
  const watch = async (work) => {
    const began = performance.now();
    let [last, blocks, isOver] = [began, [], false];
    const tick = () => {
      const turn = performance.now();
      blocks.push(turn - last - ${TICK_MS});
      last = turn;
      if (!isOver) setTimeout(tick, ${TICK_MS});
    };
    setTimeout(tick, ${TICK_MS});
    const result = await work();
    isOver = true;
    blocks.sort((a, b) => b - a);
    return { result, tookMs: performance.now() - began, blocks: blocks.slice(0, 5) };
  };
  globalThis.navigations = countNavigations;
  globalThis.documents = async () => (await newestLoads(9)).map(({ url, requests }) => [
    url, requests.filter(({ type }) => type === 'main_frame').map(({ requestId, wire }) => [requestId, wire?.status]),
  ]);
  globalThis.held = async () => withRecords(async (db) => ({
    waiting: await db.count('events'),
    requests: (await newestLoads(1))[0]?.requests.length,
    observation: (await newestLoads(1))[0]?.observation,
  }));
`;

interface Settled {
  readonly isDone: boolean;
  readonly tookMs: number;
  readonly idleMs: number;
  readonly blocks: readonly number[];
}
interface Held {
  readonly waiting: number;
  readonly requests?: number;
  readonly observation?: { readonly tooManyRequests?: true };
}

let firefox: ExtensionFirefox;
let server: TestServer;
let bundle = '';

const MANY = 3_000;
const pages = (path: string) => {
  const html = (body: string) => ({ path, type: 'text/html', body: `<!doctype html><title>t</title>${body}` });
  if (path.startsWith('/busy'))
    return html(`<script>
      window.answered = 0;
      let asked = 0;
      const ask = () => { if (asked < ${MANY}) fetch('/one?' + asked++).finally(() => { window.answered++; ask(); }); };
      for (let at = 0; at < 6; at++) ask();
    </script>`);
  if (path.startsWith('/one')) return { path, type: 'text/plain', body: '1' };
  return html('');
};

beforeAll(async () => {
  bundle = await pageBundle({ contents: ENTRY }, BROWSER);
  firefox = await startExtensionFirefox();
  await firefox.ask({ kind: 'set-quiet', quietMs: 200 });
});

/** Every test has an origin of its own, and with it a database of its own. */
beforeEach(async () => {
  await server?.close();
  server = await startTestServer(pages);
  await firefox.page.goto(`${server.origin}/store`);
  await firefox.page.evaluate(bundle);
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

const run = <T>(call: string, argument: unknown = null) => firefox.page.evaluate(`${call}(${JSON.stringify(argument)})`) as Promise<T>;
const held = () => run<Held>('held');
const LONG_AFTER = 1_000_000 + 3_600_000;
const storeOne = () =>
  run('store', {
    timing: { ...pageTiming(), navigationType: 'navigate' },
    events: [mainEvent('started', 'main', 0), mainEvent('completed', 'main', 50)],
  });
const blocksText = ({ blocks, idleMs }: Pick<Settled, 'blocks' | 'idleMs'>) =>
  `longest blocks ${blocks.map((ms) => ms.toFixed(0)).join(', ')} ms, the machine's own ${idleMs.toFixed(0)} ms`;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
/** Of all processes of pages: in one of them the store's code runs. */
const privateBytes = async () =>
  (await chromeContext(firefox.browser)).run<number>(
    `async () => (await ChromeUtils.requestProcInfo()).children.filter(({ type }) => /^web/.test(type)).reduce((sum, { memory }) => sum + memory, 0)`,
    null,
  );
const seed = (from: number, count: number) =>
  run('seed', {
    event: event('completed', 'x', 100, { documentUrl: PAGE, type: 'xmlhttprequest', url: 'http://site.test/one' }),
    from,
    count,
  });

test(`settling ${WAITING.join(' and ')} requests goes in short steps, and takes time in proportion`, async () => {
  await storeOne();
  const took: number[] = [];
  for (const count of WAITING) {
    await seed(0, count);
    const settled = await run<Settled>('settle', { now: LONG_AFTER });
    took.push(settled.tookMs);
    expect(settled.isDone).toBe(true);
    expect(await held()).toMatchObject({ waiting: 0 });
    process.stdout.write(`${count} settled in ${settled.tookMs.toFixed(0)} ms; ${blocksText(settled)}\n`);
    expect(settled.blocks[0]).toBeLessThan(LONGEST_BLOCK_MS + settled.idleMs);
  }
  const [few = 0, many = 0] = took;
  const growth = (WAITING[1] ?? 0) / (WAITING[0] ?? 1);
  // Quadratic would be `growth` times as much again.
  expect(many / few).toBeLessThan(growth * 1.8);
}, 900_000);

test('what is interrupted goes on where it was, and ends', async () => {
  await storeOne();
  await seed(0, 3_000);
  let left = 3_000;
  let rounds = 0;
  for (; rounds < 500; rounds++) {
    const { isDone } = await run<Settled>('settle', { now: LONG_AFTER, budgetMs: 1 });
    const { waiting } = await held();
    expect(waiting).toBeLessThan(left);
    left = waiting;
    if (isDone) break;
  }
  expect(rounds).toBeGreaterThan(3);
  expect(left).toBe(0);
});

test('late parts of a load are found wherever among many they wait, and no load grows beyond its bound', async () => {
  await storeOne();
  // They end with the observation, whose document has no entries of them: parts of it.
  await seed(0, 1_500);
  await run('settle', { now: LONG_AFTER });
  expect((await held()).requests).toBe(1_501);
  await seed(1_500, 1_500);
  await run('settle', { now: LONG_AFTER });
  expect(await held()).toMatchObject({ waiting: 0, requests: MAX_REQUESTS, observation: { tooManyRequests: true } });
});

test.each<readonly [string, string | undefined, string | undefined]>([
  ['that Firefox names', 'd1', 'd2'],
  ['known by its address and its clock', undefined, undefined],
])('the request of a document %s that comes after its load is brought into it, and into no other', async (_, documentId, otherId) => {
  const timing = { ...pageTiming(), documentId, navigationType: 'navigate' };
  const other = { ...pageTiming(), documentId: otherId, url: `${PAGE}other`, timeOrigin: 1_004_000, navigationType: 'navigate' };
  await run('store', { timing, events: [] });
  await run('store', {
    timing: other,
    events: [
      mainEvent('started', 'r2', 4_001, { url: other.url }),
      mainEvent('completed', 'r2', 4_020, { url: other.url, documentId: otherId }),
    ],
  });
  await run('write', [
    mainEvent('started', 'r1', 2, { url: `${PAGE}moved` }),
    mainEvent('redirected', 'r1', 9, { url: `${PAGE}moved`, status: 302 }),
  ]);
  await run('settle', { now: 1_010_000 });
  expect(await run('navigations')).toMatchObject({ attempted: 2, recorded: 1 });
  await run('write', [mainEvent('completed', 'r1', 50, { documentId }), event('completed', 'r3', 60)]);
  await run('settle', { now: 1_010_000 });
  expect(await run('documents')).toEqual([
    [
      PAGE,
      [
        ['r1', 200],
        ['r1', 302],
      ],
    ],
    [other.url, [['r2', 200]]],
  ]);
  expect(await run('navigations')).toEqual({ attempted: 2, recorded: 2, failed: 0 });
  await run('settle', { now: 1_010_000 });
  expect(await held()).toMatchObject({ waiting: 0 });
});

test('what a tab writes is bounded, a new navigation may write again, and the load that was cut off says so', async () => {
  const ofPage = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => event('completed', `p${from + at}`, 60, { documentUrl: PAGE, type: 'xmlhttprequest' }));
  await run('write', [mainEvent('started', 'main', 0), ...ofPage(0, 5_000)]);
  for (let at = 1; at < 4; at++) await run('write', ofPage(at * 5_000, 5_000));
  expect((await held()).waiting).toBe(2 * MAX_REQUESTS);
  await run('store', { timing: { ...pageTiming(), navigationType: 'navigate' }, events: [mainEvent('completed', 'main', 50)] });
  expect(await held()).toMatchObject({ requests: MAX_REQUESTS, observation: { tooManyRequests: true } });
  const next = { documentUrl: `${PAGE}next`, type: 'xmlhttprequest' as const };
  await run('write', [
    mainEvent('started', 'next', 10_000, { url: `${PAGE}next` }),
    mainEvent('completed', 'next', 10_010, { url: `${PAGE}next` }),
    event('completed', 'n1', 10_020, next),
  ]);
  await run('store', { timing: { ...pageTiming(), url: `${PAGE}next`, timeOrigin: 1_010_000, navigationType: 'navigate' }, events: [] });
  const after = await held();
  expect(after.requests).toBe(2);
  expect(after.observation).not.toHaveProperty('tooManyRequests');
});

test(
  `${FLOOD} requests of a hundred tabs take no more room than is set, and hold up nobody for long`,
  async () => {
    const one = event('completed', 'x', 100, { documentUrl: PAGE, type: 'xmlhttprequest' });
    const before = await privateBytes();
    const flooded = await run<Settled & { readonly bytes: number; readonly waiting: number }>('flood', { event: one, count: FLOOD });
    process.stdout.write(
      `${FLOOD} written in ${flooded.tookMs.toFixed(0)} ms, ${flooded.waiting} wait: ${flooded.bytes} bytes; ${blocksText(flooded)}\n`,
    );
    expect(flooded.waiting).toBeGreaterThan(1_000);
    expect(flooded.bytes).toBeLessThan(MAX_WAITING_BYTES);
    expect(flooded.blocks[0]).toBeLessThan(LONGEST_BLOCK_MS + flooded.idleMs);
    const waiting = (await privateBytes()) - before;
    const settled = await run<Settled>('settle', { now: LONG_AFTER });
    expect(settled.isDone).toBe(true);
    const growth = async () => (await privateBytes()) - before;
    process.stdout.write(
      `private memory ${mb(waiting)} more while they wait, ${mb(await growth())} when they are settled, in ${settled.tookMs.toFixed(0)} ms; ${blocksText(settled)}\n`,
    );
    expect(settled.blocks[0]).toBeLessThan(LONGEST_BLOCK_MS + settled.idleMs);
    // Firefox gives back what it no longer uses when it likes.
    await expect.poll(growth, { timeout: 120_000 }).toBeLessThan(MAX_GROWTH_BYTES);
  },
  FULL ? 1_800_000 : 600_000,
);

test.runIf(FULL)(
  `a real page that makes ${MANY} requests is excluded and says why; the next page is recorded as ever`,
  async () => {
    await firefox.ask({ kind: 'set-quiet', quietMs: 2_000 });
    await firefox.page.goto(`${server.origin}/busy`);
    await expect.poll(() => firefox.page.evaluate('window.answered'), { timeout: 120_000 }).toBe(MANY);
    await firefox.page.goto(`${server.origin}/quick`);
    const loads = async () => (await firefox.ask({ kind: 'loads-after' })).filter(({ url }) => /busy|quick/.test(url));
    await expect.poll(async () => (await loads()).length, { timeout: 60_000 }).toBe(2);
    const [busy, quick] = await loads();
    expect(busy?.requests).toHaveLength(MAX_REQUESTS);
    expect(busy && measureLoad(busy, {})?.cutShort).toBe('too-many-requests');
    expect(quick && measureLoad(quick, {})?.cutShort).toBeUndefined();
  },
  240_000,
);
