/** What is recorded, against the log of the server that served it. */
import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { measureLoad } from '../../src/core/measure/measure-load.ts';
import type { PageLoad, RequestRecord } from '../../src/core/measure/page-load.ts';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { kilobitsPerSecond, milliseconds } from '../../src/core/units.ts';
import { LEFT_PAGE_KEYS } from '../../src/protocol/page-notes.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, pngOf, type Resource, startTestServer, type TestServer } from '../support/extension-server.ts';

const IMAGES = 44;
const QUIET_MS = 200;
/** How long the server holds back what a frame asks for; the second is still under way when the page's own observation ends. */
const AD_MS = 800;
const AFTER_MS = 1_500;
/** Firefox counts from a wall clock read when it started, rounded to 1 ms with jitter: 7 ms apart from this process's were seen. */
const CLOCK_MS = 50;

let firefox: ExtensionFirefox;
let server: TestServer;
let other: TestServer;
/** Held back by it: the last image of the page of 45 requests. */
let painted: Promise<void>;

function pages(path: string): Resource | undefined {
  const html = (body: string): Resource => ({
    path,
    type: 'text/html',
    body: `<!doctype html><meta charset="utf-8"><title>t</title>${body}`,
  });
  switch (path.split('?')[0]) {
    case '/old':
      return { path, type: 'text/plain', body: '', status: 301, headers: { location: '/hop' } };
    case '/hop':
      return { path, type: 'text/plain', body: '', status: 302, headers: { location: '/mixed' } };
    case '/mixed':
      return html(
        `<img src="/cut.png"><img src="/missing.png"><script src="/moved.js"></script><iframe src="/frame"></iframe><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src="${other.origin}/image-3?far">`,
      );
    case '/cut.png':
      return { path, type: 'image/png', body: '', cut: true };
    case '/moved.js':
      return { path, type: 'text/plain', body: '', status: 302, headers: { location: '/new.js' } };
    case '/new.js':
      return { path, type: 'text/javascript', body: 'void 0' };
    case '/frame':
      return html('<img src="/in-frame.png">');
    case '/in-frame.png':
      return { path, type: 'image/png', body: pngOf(777) };
    case '/with-ad':
      return html(`<img src="/image-1"><iframe src="${other.origin}/ad"></iframe>`);
    case '/slow-fetch':
      return html(`<script>fetch('/slow.png')</script>`);
    case '/slow.png':
      return { path, type: 'image/png', body: pngOf(4_000), delayMs: 3_000 };
    case '/polling':
      return html(
        `<script>window.polls = 0; window.poll = () => setInterval(() => fetch('/image-2?poll').then(() => window.polls++), 300)</script>`,
      );
    case '/endless':
      return html('<img src="/never.png">');
    case '/never.png':
      return { path, type: 'image/png', body: '', delayMs: 30_000 };
    case '/many':
      return html(
        `<script>window.answered = 0; for (let at = 0; at < 400; at++) fetch('/image-1?' + at).then(() => window.answered++)</script>`,
      );
    case `/image-${IMAGES - 1}`: {
      const last = imagePage(IMAGES)(path);
      return last && path.endsWith('?45') ? { ...last, until: painted } : last;
    }
    default:
      return imagePage(IMAGES)(path);
  }
}

/** An advertisement: a picture that holds the load event back, and another that a script asks for after it. */
function ads(path: string): Resource | undefined {
  switch (path) {
    case '/ad':
      return { path, type: 'text/html', body: '<img src="/ad.png"><script>onload = () => void fetch("/after.png")</script>' };
    case '/ad.png':
      return { path, type: 'image/png', body: pngOf(40_000), delayMs: AD_MS };
    case '/after.png':
      return { path, type: 'image/png', body: pngOf(20_000), delayMs: AFTER_MS };
    default:
      return imagePage(IMAGES)(path);
  }
}

beforeAll(async () => {
  server = await startTestServer(pages);
  other = await startTestServer(ads);
  firefox = await startExtensionFirefox();
  await firefox.ask({ kind: 'set-quiet', quietMs: QUIET_MS });
});

beforeEach(async () => {
  await firefox.page.goto('about:blank');
  await firefox.ask({ kind: 'delete-all' });
  server.log.length = 0;
  other.log.length = 0;
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  await other?.close();
});

/** The loads, once there are as many as expected. */
async function recorded(count: number): Promise<readonly PageLoad[]> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const loads = await firefox.ask({ kind: 'loads-after' });
    if (loads.length >= count || Date.now() > deadline) return loads;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The loads, once the last has as many requests of a kind as expected: what is answered after the end of the observation is added to it. */
async function recordedWith(count: number, kind: (request: RequestRecord) => boolean): Promise<readonly PageLoad[]> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const loads = await firefox.ask({ kind: 'loads-after' });
    if ((loads.at(-1)?.requests.filter(kind).length ?? 0) >= count || Date.now() > deadline) return loads;
    await new Promise((done) => setTimeout(done, 50));
  }
}

const pathOf = ({ url }: { readonly url: string }) => new URL(url).pathname + new URL(url).search;
/** Of what the server was asked for, what is stored. */
const storedPath = (path: string) => pathOf({ url: storedUrl(server.origin + path) });
const withoutFavicon = (requests: readonly RequestRecord[]) => requests.filter((request) => !request.url.includes('favicon'));

describe('a page of 45 requests', () => {
  test('is recorded as the server served it: every request, its bytes, its version, its times', async () => {
    let release = () => {};
    painted = new Promise((done) => {
      release = done;
    });
    await firefox.page.goto(`${server.origin}/page?45`, { waitUntil: 'domcontentloaded' });
    // Firefox tells of it when the picture has been drawn, which is another process.
    await firefox.page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0, { polling: 20 });
    release();
    const [load] = await recorded(1);
    const requests = withoutFavicon(load?.requests ?? []);
    expect(requests).toHaveLength(IMAGES + 1);
    expect(requests.map(pathOf).toSorted()).toEqual(server.paths().map(storedPath).toSorted());
    expect(pathOf(requests[0] as RequestRecord)).toBe(storedPath('/page?45'));
    for (const request of requests) {
      const served = server.log.find(({ path }) => storedPath(path) === pathOf(request));
      expect(request.wire).toMatchObject({
        responseBytes: served?.bytes,
        httpVersion: 'http/1.1',
        status: 200,
        fromCache: false,
        address: '127.0.0.1',
      });
      const { timing } = request;
      expect(timing?.requestStart).toBeGreaterThanOrEqual(timing?.fetchStart ?? Number.NaN);
      expect(timing?.responseStart).toBeGreaterThanOrEqual(timing?.requestStart ?? Number.NaN);
      expect(timing?.responseEnd).toBeGreaterThanOrEqual(timing?.responseStart ?? Number.NaN);
      const started = (load?.startedAt ?? 0) + (timing?.requestStart ?? Number.NaN);
      const ended = (load?.startedAt ?? 0) + (timing?.responseEnd ?? Number.NaN);
      expect(started).toBeLessThanOrEqual((served?.startedAt ?? 0) + CLOCK_MS);
      expect(ended).toBeGreaterThanOrEqual((served?.startedAt ?? 0) - CLOCK_MS);
    }
    const starts = requests.slice(1).map(({ timing }) => timing?.fetchStart ?? Number.NaN);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(load?.loadEventEnd).toBeGreaterThan(Math.max(...requests.map(({ timing }) => timing?.responseStart ?? 0)));
    // How far webRequest's clock is ahead of the page's is measured in each load.
    expect(load?.observation).toEqual({ ended: 'quiet', quietMs: QUIET_MS, eventsAheadMs: expect.any(Number) });
    expect(load?.firstContentfulPaint).toBeGreaterThan(0);
    expect(load?.largestContentfulPaint).toBeGreaterThanOrEqual(load?.firstContentfulPaint ?? Number.NaN);
  });

  test('reloaded again and again, each load has its own requests', async () => {
    for (let at = 0; at < 5; at++) await firefox.page.goto(`${server.origin}/page?again`, { waitUntil: 'load' });
    const loads = await recorded(5);
    expect(loads).toHaveLength(5);
    expect(loads.map(({ requests }) => withoutFavicon(requests).length)).toEqual(Array(5).fill(IMAGES + 1));
    const ids = loads.flatMap(({ requests }) => withoutFavicon(requests).map(({ requestId }) => requestId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(loads.flatMap(({ requests }) => withoutFavicon(requests))).toHaveLength(server.paths().length);
  });

  test('left in the middle, and the next at once: both are recorded, and no request twice', async () => {
    // Long enough that the first page is left before its observation ends by itself.
    await firefox.ask({ kind: 'set-quiet', quietMs: 5_000 });
    for (let at = 0; at < 4; at++) await firefox.page.goto(`${server.origin}/page?left-${at}`, { waitUntil: 'domcontentloaded' });
    const loads = await recorded(4);
    await firefox.ask({ kind: 'set-quiet', quietMs: QUIET_MS });
    expect(loads.map(pathOf)).toEqual([0, 1, 2, 3].map((at) => storedPath(`/page?left-${at}`)));
    for (const { url, requests } of loads) {
      for (const request of withoutFavicon(requests)) expect(request.url.endsWith(new URL(url).search)).toBe(true);
    }
    expect(loads[0]?.observation.ended).toBe('page-left');
  });

  test('in two tabs at once, each tab has its own', async () => {
    const second = await firefox.browser.newPage();
    await Promise.all([firefox.page.goto(`${server.origin}/page?tab`), second.goto(`${server.origin}/page?tab`)]);
    const loads = await recorded(2);
    expect(loads.map(({ requests }) => withoutFavicon(requests).length)).toEqual([IMAGES + 1, IMAGES + 1]);
    const ids = loads.flatMap(({ requests }) => requests.flatMap(({ requestId }) => requestId ?? []));
    expect(new Set(ids).size).toBe(ids.length);
    await second.close();
  });
});

describe('what pages do', () => {
  test('redirects, failures, frames, data: and another origin', async () => {
    await firefox.page.goto(`${server.origin}/old`);
    const [load] = await recorded(1);
    const requests = withoutFavicon(load?.requests ?? []);
    const by = (path: string) => requests.filter((request) => pathOf(request) === storedPath(path));
    expect(load?.url).toBe(`${server.origin}/mixed`);
    expect(requests[0]).toMatchObject({ url: `${server.origin}/mixed`, outcome: { state: 'completed' } });
    expect(requests.slice(1, 3).map(({ url, outcome, wire }) => [new URL(url).pathname, outcome.state, wire?.status])).toEqual([
      ['/old', 'redirected', 301],
      ['/hop', 'redirected', 302],
    ]);
    expect(by('/moved.js')[0]).toMatchObject({ type: 'script', outcome: { state: 'redirected' }, wire: { status: 302 } });
    expect(by('/new.js')[0]?.timing).toBeDefined();
    expect(by('/cut.png').at(-1)?.outcome.state).toBe('failed');
    expect(by('/missing.png')[0]).toMatchObject({ outcome: { state: 'completed' }, wire: { status: 404 } });
    expect(by('/frame')[0]).toMatchObject({ type: 'sub_frame' });
    expect(by('/frame')[0]?.timing).toBeDefined();
    expect(by('/in-frame.png')[0]).toMatchObject({ type: 'image', outcome: { state: 'completed' } });
    const far = by('/image-3?far')[0];
    expect(far).toMatchObject({ origin: other.origin, wire: { responseBytes: other.log[0]?.bytes, httpVersion: 'http/1.1' } });
    // Without Timing-Allow-Origin a page would see none of these times; the extension does.
    expect(far?.timing?.requestStart).toBeGreaterThan(0);
    const served = server.paths().toSorted();
    const sent = requests.filter(({ url, wire, outcome }) => url.startsWith(server.origin) && (wire || outcome.state === 'failed'));
    expect(new Set(sent.map(pathOf))).toEqual(new Set(served));
  });

  test('a slow frame of another origin belongs to the load: its bytes, and the time they take', async () => {
    await firefox.page.goto(`${server.origin}/with-ad`);
    const isAd = ({ url, timing }: RequestRecord) => /\/(?:ad|after)\.png$/.test(url) && timing !== undefined;
    const [load] = await recordedWith(2, isAd);
    if (load === undefined) throw new Error('a load');
    const [ad, after] = load.requests.filter(isAd);
    const tookMs = (request: RequestRecord | undefined) => (request?.timing?.responseEnd ?? 0) - (request?.timing?.fetchStart ?? 0);
    expect(tookMs(ad)).toBeGreaterThan(AD_MS - CLOCK_MS);
    expect(tookMs(after)).toBeGreaterThan(AFTER_MS - CLOCK_MS);
    // The load event waits for the first, and the second is asked for after that of the frame, which is in another process: the page's own may come
    // 50 ms and more behind it on a busy machine. Without the frame the page is there in a few ms.
    expect(ad?.timing?.responseEnd).toBeLessThan((load.loadEventEnd ?? 0) + CLOCK_MS);
    expect(after?.timing?.fetchStart).toBeGreaterThan((ad?.timing?.responseEnd ?? Number.NaN) - CLOCK_MS);
    const link = { rttMs: milliseconds(10), downKbps: kilobitsPerSecond(2_000) };
    const { loadTimeMs, bytes, efficiency } = measureLoad(load, { link });
    expect(loadTimeMs).toBeGreaterThan(AD_MS + AFTER_MS - CLOCK_MS);
    // 60 kB of the frame and what the page has itself: a quarter of a second and more at 2 Mbit/s, of at least 2.3.
    expect(bytes).toBeGreaterThan(60_000);
    expect(efficiency).toBeLessThan((10 + ((bytes ?? 0) * 8) / 2_000) / (AD_MS + AFTER_MS - CLOCK_MS));
  });

  test('a page of 400 requests goes beyond the 250 entries that a page keeps by itself', async () => {
    await firefox.page.goto(`${server.origin}/many`);
    await recorded(1);
    await firefox.page.waitForFunction(() => performance.getEntriesByType('resource').length >= 250);
    await firefox.page.waitForFunction('window.answered === 400');
    const [load] = await recordedWith(400, ({ type, timing }) => type === 'xmlhttprequest' && timing !== undefined);
    const fetched = (load?.requests ?? []).filter(({ type }) => type === 'xmlhttprequest');
    expect(fetched).toHaveLength(400);
    expect(fetched.filter(({ timing, wire }) => timing && wire)).toHaveLength(400);
  });

  test('a request under way when the network seemed quiet is added, with its times and bytes', async () => {
    await firefox.page.goto(`${server.origin}/slow-fetch`);
    const [before] = await recorded(1);
    expect(before?.observation.ended).toBe('quiet');
    const [load] = await recordedWith(
      1,
      ({ url, timing, wire }) => url.endsWith('/slow.png') && timing !== undefined && wire !== undefined,
    );
    const slow = load?.requests.find(({ url }) => url.endsWith('/slow.png'));
    expect(slow).toMatchObject({ type: 'xmlhttprequest', initiatorType: 'fetch', outcome: { state: 'completed' } });
    expect(slow?.wire?.responseBytes).toBe(server.log.find(({ path }) => path === '/slow.png')?.bytes);
    expect(slow?.timing?.responseEnd).toBeGreaterThan((load?.loadEventEnd ?? Number.NaN) + 1_000);
    expect(load?.requests.filter(({ url }) => url.endsWith('/slow.png'))).toHaveLength(1);
  });

  test('a page that goes on asking after its load does not make the load grow', async () => {
    await firefox.page.goto(`${server.origin}/polling`);
    await recorded(1);
    // A request that ends within a second of the observation's end would be taken; the load is stored after that end.
    const stored = await firefox.page.evaluate('performance.now()');
    await firefox.page.waitForFunction(`performance.now() > ${stored} + 1000`);
    await firefox.page.evaluate('void window.poll()');
    await firefox.page.waitForFunction('window.polls >= 3');
    const [load] = await recorded(1);
    expect(load?.observation.ended).toBe('quiet');
    expect(load?.requests.filter(({ url }) => pathOf({ url }) === storedPath('/image-2?poll'))).toEqual([]);
  });

  test('a page that never fires load is recorded when it is left', async () => {
    await firefox.page.goto(`${server.origin}/endless`, { waitUntil: 'domcontentloaded' });
    await firefox.page.goto(`${server.origin}/page?next`);
    const [load] = await recorded(2);
    expect(load).toMatchObject({ url: `${server.origin}/endless`, observation: { ended: 'page-left' } });
    expect(load).not.toHaveProperty('loadEventEnd');
    expect(withoutFavicon(load?.requests ?? []).at(-1)).toMatchObject({ url: `${server.origin}/never.png`, outcome: { state: 'failed' } });
  });

  test('a tab closed in the middle counts as attempted, and as left where Firefox has taken what its page laid down', async () => {
    const tab = await firefox.browser.newPage();
    await tab.goto(`${server.origin}/endless`, { waitUntil: 'domcontentloaded' });
    await tab.close();
    await firefox.page.goto(`${server.origin}/page?next`);
    await recorded(1);
    // Firefox writes for a page whose tab is gone in some cases only (4 of 6 tries); what it has written is recorded, and then let go of.
    const laidDown = `browser.storage.local.get(${JSON.stringify(LEFT_PAGE_KEYS)}).then((laid) => Object.keys(laid))`;
    await expect.poll(() => firefox.popup.evaluate(laidDown)).toEqual([]);
    const closed = (await firefox.ask({ kind: 'loads-after' })).filter(({ url }) => url === `${server.origin}/endless`);
    for (const load of closed) {
      expect(load).toMatchObject({ observation: { ended: 'page-left' } });
      expect(load).not.toHaveProperty('loadEventEnd');
    }
    // What the page laid down is let go of when its load is stored; the figures of it all come after that.
    const counted = async () => {
      const { loads, navigations } = await firefox.ask({ kind: 'popup-state' });
      return { loads, navigations };
    };
    const known = 1 + closed.length;
    await expect.poll(counted).toEqual({ loads: known, navigations: { attempted: 2, recorded: known, failed: 0 } });
  });

  test('an error page is no load, and counts as failed; about:blank is none and does not count', async () => {
    const closed = await startTestServer(() => undefined);
    await closed.close();
    await firefox.page.goto(`${closed.origin}/`).catch(() => undefined);
    await firefox.page.goto('about:blank');
    await firefox.page.goto(`${server.origin}/page?next`);
    await recorded(1);
    const { loads, navigations } = await firefox.ask({ kind: 'popup-state' });
    expect({ loads, navigations }).toEqual({ loads: 1, navigations: { attempted: 2, recorded: 1, failed: 1 } });
  });

  test('going back to a page that was kept is no load; to one that was not, it is', async () => {
    await firefox.page.goto(`${server.origin}/page?kept`);
    await recorded(1);
    await firefox.page.goto(`${server.origin}/page?next`);
    await recorded(2);
    await firefox.page.goBack();
    await firefox.page.goto(`${server.origin}/page?last`);
    const fetched = server.paths().filter((path) => path.startsWith('/page?'));
    const loads = await recorded(fetched.length);
    expect(loads.map(pathOf)).toEqual(fetched.map(storedPath));
  });
});

test('asking for loads after one answers only later ones; an id that is not there is an error', async () => {
  await firefox.page.goto(`${server.origin}/page?1`);
  const [first] = await recorded(1);
  await firefox.page.goto(`${server.origin}/page?2`);
  await recorded(2);
  const later = await firefox.ask({ kind: 'loads-after', id: first?.id });
  expect(later.map(pathOf)).toEqual([storedPath('/page?2')]);
  expect(await firefox.askRaw({ kind: 'loads-after', id: 'gone' })).toMatchObject({ ok: false, error: { kind: 'bad-input' } });
});

test('the exported report names no page and no host', async () => {
  await firefox.page.goto(`${server.origin}/page?secret-canary`);
  await recorded(1);
  const report = JSON.stringify(await firefox.ask({ kind: 'export-report' }));
  expect(report).toContain('other-pages');
  for (const canary of ['secret-canary', '127.0.0.1', `:${server.port}`, 'http:', 'image-']) expect(report).not.toContain(canary);
});

test('the content script is at most 2.5 kB when compressed with brotli', async () => {
  expect(brotliCompressSync(await readFile('dist/extension-release/content/content.js')).length).toBeLessThanOrEqual(2_500);
});
