/**
 * The event page may end between any two events, and nothing may be lost by it: every load and every request that the server saw is recorded,
 * although the page is dead before each load, and dies in the middle of every tenth.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { countBar } from '../support/bar-count.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';

const FULL = process.env.PLUMBFOX_FULL === '1';
const LOADS = FULL ? 200 : 10;
/** Far below the 30 s of a real Firefox, so that the page ends after every load (ext-backgroundPage.js clamps it to 100 ms at least). */
const IDLE_MS = 700;
const IMAGES = 4;
/** Awaited by every tenth load until the event page has ended. */
const LAST_IMAGE = /^\/image-0\?\d+slow$/;

let firefox: ExtensionFirefox;
let server: TestServer;
let release = () => {};
let released: Promise<void>;

beforeAll(async () => {
  const quick = imagePage(IMAGES);
  server = await startTestServer((path) => {
    const resource = quick(path);
    return resource && LAST_IMAGE.test(path) ? { ...resource, until: released } : resource;
  });
  firefox = await startExtensionFirefox({ preferences: { 'extensions.background.idle.timeout': IDLE_MS } });
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

const isWoken = () =>
  firefox.untilEventPageRuns().then(
    () => true,
    () => false,
  );

describe('event page that ends between events', () => {
  test(
    `records ${LOADS} of ${LOADS} loads with every request`,
    async () => {
      let deaths = 0;
      let deathsWithin = 0;
      const asked: string[] = [];
      for (let at = 0; at < LOADS; at++) {
        await firefox.untilEventPageEnds();
        deaths++;
        const slow = at % 10 === 9;
        const url = `${server.origin}/page?${at}${slow ? 'slow' : ''}`;
        asked.push(url);
        if (slow) {
          released = new Promise((done) => {
            release = done;
          });
        }
        const loaded = firefox.page.goto(url, { waitUntil: 'load' });
        if (slow) {
          expect(await isWoken(), `requests of load ${at} have woken the event page`).toBe(true);
          await firefox.untilEventPageEnds();
          deathsWithin++;
          release();
        }
        await loaded;
        expect(await isWoken(), `load ${at} has woken the event page`).toBe(true);
      }
      await firefox.untilEventPageEnds();
      const loads = await firefox.ask({ kind: 'loads-after' });
      expect(deaths).toBe(LOADS);
      expect(deathsWithin).toBe(LOADS / 10);
      expect(loads.map((load) => load.url)).toEqual(asked.map(storedUrl));
      const recorded = loads.flatMap((load) => load.requests.filter((request) => request.wire).map((request) => new URL(request.url)));
      const paths = recorded.map((url) => url.pathname + url.search).filter((path) => !path.startsWith('/favicon'));
      const served = server.paths().map((path) => storedUrl(server.origin + path).slice(server.origin.length));
      expect(paths.toSorted()).toEqual(served.toSorted());
      expect(server.paths()).toHaveLength(LOADS * (IMAGES + 1));
      // A document whose request is not in its load is told of as a page that was not recorded.
      const { navigations } = await firefox.ask({ kind: 'popup-state' });
      expect(navigations).toEqual({ attempted: LOADS, recorded: LOADS, failed: 0 });
      countBar(1, 'loads recorded although the event page had ended', loads.length, LOADS);
      countBar(1, 'requests recorded', paths.length, LOADS * (IMAGES + 1));
    },
    FULL ? 3_600_000 : 240_000,
  );
});
