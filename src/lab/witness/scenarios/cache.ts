/** Scenarios about what is kept: responses in the caches, and bytes that nobody has read yet. */
import { countingServer } from '../counting-server.ts';
import type { Scenario } from '../scenario.ts';
import { page, picture } from './html.ts';

const KEPT = { 'cache-control': 'max-age=3600' };
const BODY = Buffer.alloc(1_000_000, 'x');

/** A response of 1 MB that may be kept, wanted by two pages one after the other: how often the server is asked for it. */
const wantedTwice = (preferences: NonNullable<Scenario['preferences']>): Scenario => ({
  preferences,
  run: async ({ browser, certificate, label }) => {
    const server = await countingServer({
      certificate,
      respond: ({ path }) => {
        if (path.startsWith('/kept')) return { type: 'text/plain', body: BODY, headers: KEPT };
        return path.startsWith('/page')
          ? page(`<script>fetch('/kept').then(r => r.text()).then(() => fetch('/done' + location.pathname));</script>`)
          : picture;
      },
    });
    const origin = `https://${label}.witness.test:${server.port}`;
    try {
      for (const path of ['/page1', '/page2']) {
        await browser.open(origin + path);
        await server.until(() => server.requests.some((request) => request.path === `/done${path}`), `the end of ${path}`);
      }
      return server.requests.filter(({ path }) => path === '/kept').length;
    } finally {
      await server.close();
    }
  },
});
export const onDisk = wantedTwice({ 'browser.cache.memory.enable': false });
export const onDiskExactly = wantedTwice({ 'browser.cache.memory.enable': false, 'browser.cache.disk.smart_size.enabled': false });
export const inMemory = wantedTwice({ 'browser.cache.disk.enable': false });

/** A response that is stale, and may be used while it is renewed, whose renewal is held back: whether the page gets it meanwhile. */
export const staleResponse: Scenario = {
  run: async ({ browser, certificate, label }) => {
    let asked = 0;
    const server = await countingServer({
      certificate,
      respond: ({ path }) => {
        if (path === '/stale')
          return {
            type: 'text/plain',
            body: 'x',
            hold: asked++ > 0,
            headers: { 'cache-control': 'max-age=0, stale-while-revalidate=600' },
          };
        return path.startsWith('/page')
          ? page(`<script>fetch('/stale').then(r => r.text()).then(() => fetch('/done' + location.pathname));</script>`)
          : picture;
      },
    });
    const origin = `https://${label}.witness.test:${server.port}`;
    try {
      await browser.open(`${origin}/page1`);
      await server.until(() => server.requests.some(({ path }) => path === '/done/page1'), 'the first page');
      await server.quiet(1200);
      await browser.open(`${origin}/page2`);
      await server.until(() => server.requests.filter(({ path }) => path === '/stale').length > 1, 'the renewal');
      const used = () => server.requests.filter(({ path }) => path === '/done/page2').length;
      await server.until(() => used() > 0, 'a stale response', 2000).catch(() => {});
      return used();
    } finally {
      await server.close();
    }
  },
};

/** A dictionary for compression (RFC 9842), then a request that it is for. */
export const dictionary: Scenario = {
  run: async ({ browser, certificate, label }) => {
    const server = await countingServer({
      certificate,
      respond: ({ path }) => {
        if (path === '/words1')
          return { type: 'text/plain', body: 'a'.repeat(5000), headers: { ...KEPT, 'use-as-dictionary': 'match="/words*"' } };
        return path.startsWith('/page')
          ? page(
              `<script>fetch('/words' + location.pathname.at(-1)).then(r => r.text()).then(() => fetch('/done' + location.pathname));</script>`,
            )
          : picture;
      },
    });
    const origin = `https://${label}.witness.test:${server.port}`;
    try {
      for (const path of ['/page1', '/page2']) {
        await browser.open(origin + path);
        await server.until(() => server.requests.some((request) => request.path === `/done${path}`), `the end of ${path}`);
      }
      return server.requests.filter(({ headers }) => headers['available-dictionary'] !== undefined).length;
    } finally {
      await server.close();
    }
  },
};

/** A response without end, read by a channel of the parent process that stops after its first bytes. */
const STALL = `url => {
  const { NetUtil } = ChromeUtils.importESModule('resource://gre/modules/NetUtil.sys.mjs');
  const channel = NetUtil.newChannel({ uri: url, loadUsingSystemPrincipal: true });
  globalThis.stalled = channel;
  channel.asyncOpen({
    onStartRequest() { channel.suspend(); },
    onDataAvailable(request, stream, offset, count) { NetUtil.readInputStreamToString(stream, count); },
    onStopRequest() {},
  });
}`;
const LET_GO = `() => { globalThis.stalled.cancel(Cr.NS_BINDING_ABORTED); globalThis.stalled.resume(); }`;
const CHUNK = Buffer.alloc(65_536);
const LIMIT_BYTES = 96_000_000;

/** Bytes that the server could send although nobody reads them. */
const unreadBytes = (preferences: NonNullable<Scenario['preferences']>): Scenario => ({
  preferences,
  run: async ({ browser }) => {
    let sent = 0;
    let lastMs = 0;
    const server = await countingServer({
      respond: () => ({
        write: (response) => {
          response.writeHead(200, { 'content-type': 'application/octet-stream' });
          const stream = response as NodeJS.WritableStream;
          const more = () => {
            while (sent < LIMIT_BYTES) {
              sent += CHUNK.length;
              lastMs = performance.now();
              if (!stream.write(CHUNK)) return;
            }
          };
          stream.on('drain', more);
          more();
        },
      }),
    });
    try {
      await browser.chrome.run<null>(STALL, `http://127.0.0.1:${server.port}/`);
      await server.until(() => server.requests.length > 0, 'the request');
      while (performance.now() - lastMs < 500 && sent < LIMIT_BYTES) await new Promise((resolve) => setTimeout(resolve, 50));
      return sent;
    } finally {
      await browser.chrome.run<null>(LET_GO, null);
      await server.close();
    }
  },
});
export const unread = unreadBytes({});
