/** Scenarios about order: what Firefox sends first, and what it holds back for the sake of something else. */
import { type CountingServer, countingServer, type SeenRequest } from '../counting-server.ts';
import type { Scenario, ScenarioDeps } from '../scenario.ts';
import type { Preferences } from '../witness-browser.ts';
import { heldPicture, numbered, page, pageInTwo, pictures } from './html.ts';

const QUIET_MS = 800;

/** What makes `tracker.test` and every name below it a tracker. */
const TRACKED: Preferences = {
  'privacy.trackingprotection.annotate_channels': true,
  'urlclassifier.trackingAnnotationTable.testEntries': 'tracker.test',
  'network.dns.localDomains': 'tracker.test',
};

/** A page, and a script of a tracker that it wants before its own last script has come, or after: whether the tracker is asked within `withinMs`. */
const tracker = (options: { readonly withinMs: number; readonly wanted: 'early' | 'late'; readonly quantumMs?: number }): Scenario => ({
  preferences: {
    ...TRACKED,
    ...(options.quantumMs === undefined ? {} : { 'network.http.tailing.delay-quantum': options.quantumMs }),
  },
  run: async ({ browser, label }) => {
    const isTracker = ({ host }: SeenRequest) => host.startsWith('tracker');
    const server: CountingServer = await countingServer({
      respond: ({ path }) => {
        if (path === '/tracked.js') return { type: 'text/javascript', body: '1' };
        if (path !== '/') return heldPicture;
        const last = options.wanted === 'late' ? pictures(['/own/2']) : '<script src="/own/last.js"></script>';
        return page(`${pictures(numbered('/own', 2))}<script async src="http://tracker.test:${server.port}/tracked.js"></script>${last}`);
      },
    });
    try {
      await browser.open(`http://${label}.witness.test:${server.port}/`);
      await server.until(() => server.requests.filter((request) => !isTracker(request)).length === 4, 'the pictures');
      await server.until(() => server.requests.some(isTracker), 'the tracker', options.withinMs).catch(() => {});
      return server.requests.filter(isTracker).length;
    } finally {
      await server.close();
    }
  },
});
export const trackerSoon = tracker({ withinMs: 1500, wanted: 'early' });
export const trackerCapped = tracker({ withinMs: 2500, wanted: 'early', quantumMs: 5000 });
export const trackerAfterContent = tracker({ withinMs: 2500, wanted: 'late', quantumMs: 100 });

/** A page whose style sheet is held back: pictures that are asked for meanwhile. With the script they are six: none waits for a connection. */
export const picturesBesideStyle: Scenario = {
  run: async ({ browser }) => {
    const server: CountingServer = await countingServer({
      respond: ({ path }) => {
        if (path !== '/') return heldPicture;
        return pageInTwo(
          '<link rel=stylesheet href="/style.css"><script src="/script.js"></script>',
          pictures(numbered('/picture', 4)),
          styled,
        );
      },
    });
    const styled = () => server.until(() => server.requests.some(({ path }) => path === '/style.css'), 'the style sheet');
    try {
      await browser.open(`http://127.0.0.1:${server.port}/`);
      await styled();
      const pictured = () => server.requests.filter(({ path }) => path.startsWith('/picture')).length;
      await server.until(() => pictured() === 4, 'the pictures', 2000).catch(() => {});
      return pictured();
    } finally {
      await server.close();
    }
  },
};

/** A tab behind with many pictures and a tab in front with as many, of one server with few connections: of the next served, those in front. */
export const tabInFront: Scenario = {
  preferences: { 'network.http.max-persistent-connections-per-server': 2, 'network.http.pacing.requests.enabled': false },
  run: (deps) => twoTabs(deps),
};

async function twoTabs({ browser }: ScenarioDeps): Promise<number> {
  const server = await countingServer({
    respond: ({ path }) => {
      if (path === '/behind' || path === '/front') return page(pictures(numbered(`${path}/picture`, 12)));
      return heldPicture;
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  try {
    await browser.open(`${origin}/behind`);
    await server.until(() => server.requests.some(({ path }) => path.startsWith('/behind/')), 'the tab behind');
    await server.quiet(QUIET_MS);
    await browser.openTab(`${origin}/front`, { front: true });
    await server.until(() => server.requests.some(({ path }) => path === '/front'), 'the tab in front');
    await server.quiet(QUIET_MS);
    const before = server.requests.length;
    server.release();
    await server.until(() => server.requests.length >= before + 10, 'more pictures');
    return server.requests.slice(before, before + 10).filter(({ path }) => path.startsWith('/front/')).length;
  } finally {
    await server.close();
  }
}

const CHUNK = Buffer.alloc(131_072);
const EVERY_MS = 5;
const MEASURED_MS = 2000;

/** A download in a tab behind, of at most 26 MB a second, while a tab in front waits for a picture: kB that can be sent in 2 s. */
const downloadBehind = (preferences: Preferences, when: 'beside' | 'after' = 'beside'): Scenario => ({
  preferences: { 'network.http.throttle.enable': true, ...preferences },
  run: async ({ browser }) => {
    let sent = 0;
    const timers = new Set<NodeJS.Timeout>();
    const server = await countingServer({
      respond: ({ path }) => {
        if (path === '/behind') return page(`<script>fetch('/download');</script>`);
        if (path === '/front') return page(pictures(['/front/held']));
        if (path !== '/download') return heldPicture;
        return {
          write: (response) => {
            response.writeHead(200, { 'content-type': 'application/octet-stream' });
            const stream = response as NodeJS.WritableStream & { writableNeedDrain: boolean };
            timers.add(
              setInterval(() => {
                if (stream.writableNeedDrain) return;
                stream.write(CHUNK);
                sent += CHUNK.length;
              }, EVERY_MS),
            );
          },
        };
      },
    });
    const origin = `http://127.0.0.1:${server.port}`;
    try {
      await browser.open(`${origin}/behind`);
      await server.until(() => server.requests.some(({ path }) => path === '/download'), 'the download');
      await browser.openTab(`${origin}/front`, { front: true });
      await server.until(() => server.requests.some(({ path }) => path === '/front/held'), 'the tab in front');
      // Long enough for throttling to have begun.
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (when === 'after') server.release();
      const before = sent;
      await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
      return Math.round((sent - before) / 1000);
    } finally {
      for (const timer of timers) clearInterval(timer);
      await server.close();
    }
  },
});
/** Nothing is read for longer than is measured: what buffers take is all that can be sent. */
const SUSPENDED: Preferences = { 'network.http.throttle.suspend-for': 10_000 };
const LASTING: Preferences = { 'network.http.throttle.max-time-ms': 60_000 };
export const throttledDownload = downloadBehind({ ...SUSPENDED, ...LASTING });
export const throttledInTurns = downloadBehind({ ...LASTING, 'network.http.throttle.suspend-for': 500 });
export const throttledForSoLong = downloadBehind({ 'network.http.throttle.suspend-for': 500, 'network.http.throttle.resume-for': 10 });
export const throttledAfterwards = downloadBehind({ ...SUSPENDED, ...LASTING }, 'after');
