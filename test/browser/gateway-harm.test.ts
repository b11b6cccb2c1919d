/** A gateway in everyday use is to do no harm: what it cannot carry as Firefox would, Firefox fetches itself, once more and direct. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROBATION } from '../../src/core/gateway-policy.ts';
import { CONNECT_MS } from '../../src/gateway/origin-pool.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { FORMS } from '../contract/gateway/support/response-forms.ts';
import { buildOnce } from '../support/build-once.ts';
import { type Elsewhere, elsewhere } from '../support/elsewhere.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { installHelperIn } from '../support/installed-helper.ts';
import { allowPermissions } from '../support/optional-permissions.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly head: string;
  readonly socket: Socket;
}

const IS_LONG = process.env.PLUMBFOX_FULL === '1';

let directory: string;
let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let server: Server;
let there: Elsewhere;
let origin: string;
let asked: Asked[] = [];
let onAsked: (asked: Asked) => void;

const whole = (body: string, headers = 'Content-Type: text/plain\r\nCache-Control: no-store\r\n') =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const page = () => whole('<!doctype html><title>t</title>', 'Content-Type: text/html\r\nCache-Control: no-store\r\n');
const plainly = ({ socket, path }: Asked) => void socket.write(path === '/page' ? page() : whole(path));

function serveRaw(socket: Socket): void {
  let pending = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1');
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      const head = pending.slice(0, end);
      pending = pending.slice(end + 4);
      const [method = '', path = ''] = head.split(' ', 2);
      const one = { method, path, head, socket };
      asked.push(one);
      onAsked(one);
    }
  });
}

beforeAll(async () => {
  buildOnce();
  there = await elsewhere();
  server = createServer(serveRaw).listen(0, there.here);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await there.passOn(port);
  origin = `http://${there.address}:${port}`;
  onAsked = plainly;
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-harm-'));
  await installHelperIn(directory);
  firefox = await startExtensionFirefox({ variant: 'release', profile: directory });
  chrome = await chromeContext(firefox.browser);
  await allowPermissions(chrome, ['nativeMessaging', 'proxy', 'webRequestAuthProvider', 'webRequestBlocking']);
  await firefox.ask({ kind: 'gateway-on', profileId: 'c4-d6' });
});

afterAll(async () => {
  await firefox?.stop();
  server?.close();
  await there?.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const state = async () => {
  const facts = await firefox.ask({ kind: 'gateway-state' });
  if (facts.state !== 'on') throw new Error(`The gateway is ${facts.state}`);
  const { requests = Number.NaN, failures = Number.NaN } = facts.counters ?? {};
  return { requests, failures, sites: facts.sites };
};
const direct = async () => (await state()).sites[0]?.direct;

/** Listed as if for the first time, and looked at. */
async function listed(): Promise<void> {
  onAsked = plainly;
  await firefox.ask({ kind: 'gateway-sites', change: { remove: origin } });
  await firefox.ask({ kind: 'gateway-sites', change: { add: origin } });
  await firefox.page.goto(`${origin}/page`);
  // Until the gateway has been told where the site is, it hands back.
  await expect
    .poll(async () => {
      const before = (await state()).requests;
      await fetched('/probe');
      return (await state()).requests - before;
    })
    .toBe(1);
  asked = [];
}

/** What a page has of it in a frame: status, whether under the same address, and text; or that it failed. */
const fetched = (path: string) =>
  firefox.page.evaluate(async (url) => {
    const frame = document.createElement('iframe');
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    frame.src = url;
    document.body.append(frame);
    // An answer without content leaves a frame as it was, and tells nobody.
    await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 3_000))]);
    const shown = frame.contentDocument;
    if (shown === null) return 'failed';
    const [entry] = (frame.contentWindow as Window).performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const text = shown.body?.textContent ?? '';
    frame.remove();
    return `${entry?.responseStatus} ${shown.URL === url} ${text}`;
  }, `${origin}${path}`);

/** It has answered one at a time so often that more is asked of it at once. */
async function proven(): Promise<void> {
  for (let nth = 0; nth < PROBATION.answers; nth += 1) expect(await fetched(`/probation-${nth}`)).toBe(`200 true /probation-${nth}`);
  asked = [];
}

test('an answer of any form reaches the page as without a gateway', async () => {
  const answer = (bytes: string) => {
    onAsked = ({ socket }) => void socket.end(Buffer.from(bytes, 'latin1'));
    return fetched('/form');
  };
  await listed();
  await firefox.ask({ kind: 'gateway-sites', change: { remove: origin } });
  // Each is asked by one page after another, a second each; the contract tests hold all of them at the gateway's own door.
  const forms = Object.entries(FORMS).filter((_, at) => IS_LONG || at % 3 === 0);
  const seen: Record<string, [plain: string, through: string]> = {};
  for (const [form, bytes] of forms) seen[form] = [await answer(bytes), ''];
  for (const [form, bytes] of forms) {
    await listed();
    (seen[form] as string[])[1] = await answer(bytes);
  }
  const other = Object.entries(seen).filter(([, [plain, through]]) => plain !== through);
  expect(other).toEqual([]);
  expect(Object.keys(seen)).toHaveLength(forms.length);
}, 240_000);

test('a site that breaks off in the middle of a pipeline: the page has it all, each GET arrives twice at most, and the site goes direct', async () => {
  await listed();
  await proven();
  // One connection is closed with three outstanding, of which one is answered; the others are answered when that has happened.
  let broken: Socket | undefined;
  const waiting: Asked[] = [];
  onAsked = (one) => {
    waiting.push(one);
    const [first, ...rest] = waiting.filter(({ socket }) => socket === one.socket);
    if (broken === undefined && rest.length === 2) {
      broken = one.socket;
      broken.end(whole(first?.path ?? ''));
    }
    if (broken !== undefined) for (const { socket, path } of waiting.splice(0)) if (socket !== broken) socket.write(whole(path));
  };
  const paths = Array.from({ length: 24 }, (_, at) => `/part-${at}`);
  const parts = await Promise.all(paths.map((path) => fetched(path)));
  expect(parts).toEqual(paths.map((path) => `200 true ${path}`));
  const times = paths.map((path) => asked.filter((one) => one.path === path).length);
  expect([Math.min(...times), Math.max(...times)]).toEqual([1, 2]);
  expect(await direct()).toBe('misbehaved');
});

test('a site that answers more than it was asked, when nobody expects it: its page is fetched anew, direct, and what is said of it', async () => {
  await listed();
  await proven();
  const paths = Array.from({ length: 12 }, (_, at) => `/part-${at}`);
  const waiting: Asked[] = [];
  // Firefox would keep them.
  const keepable = (body: string) => whole(body, 'Content-Type: text/plain\r\nCache-Control: max-age=600\r\n');
  let isSent = false;
  onAsked = (one) => {
    if (isSent || !one.path.startsWith('/part-')) return plainly(one);
    // When three wait on one connection, the first is answered twice, and then all.
    waiting.push(one);
    const [first, ...rest] = waiting.filter(({ socket }) => socket === one.socket);
    if (first === undefined || rest.length < 2) return undefined;
    isSent = true;
    first.socket.write(keepable(first.path) + keepable('EVIL'));
    for (const each of waiting) if (each !== first) each.socket.write(keepable(each.path));
    return undefined;
  };
  const before = await firefox.page.evaluate(() => performance.timeOrigin);
  // The page, and with it what its frames showed, goes before it can tell.
  await Promise.all(paths.map((path) => fetched(path))).catch(() => undefined);
  await expect
    .poll(() =>
      firefox.page
        .evaluate(() => [performance.timeOrigin, (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).type])
        .catch(() => []),
    )
    .toEqual([expect.not.closeTo(before, 0), 'reload']);
  const facts = await firefox.ask({ kind: 'gateway-state' });
  expect(facts).toMatchObject({ sites: [{ direct: 'misbehaved' }], doubt: { reloaded: 1, left: 0 } });
  expect(facts.state === 'on' && facts.doubt?.answers).toBeGreaterThan(0);
  // Nor is any of it kept.
  await firefox.page.goto(`${origin}/page`);
  const again = await Promise.all(paths.map((path) => fetched(path)));
  expect(again).toEqual(paths.map((path) => `200 true ${path}`));
});

test('a handshake that belongs to one connection works, and its site goes direct from the first challenge', async () => {
  await listed();
  // As NTLM: the second message counts on the connection alone that brought the first.
  const began = new Set<Socket>();
  onAsked = ({ socket, path, head }) => {
    const token = /^authorization: Negotiate (\S+)/im.exec(head)?.[1];
    if (token === undefined) {
      socket.write('HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Negotiate\r\nContent-Length: 2\r\n\r\nno');
      return;
    }
    if (began.has(socket)) socket.write(whole(path));
    else {
      began.add(socket);
      socket.write('HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Negotiate bW9yZQ==\r\nContent-Length: 0\r\n\r\n');
    }
  };
  expect(await fetched('/challenged')).toBe('401 true no');
  expect(await direct()).toBe('authentication');
  // No connection of the gateway's was ever shown a password.
  expect(asked.filter(({ path }) => path === '/challenged').length).toBe(2);
});

test('a server that is not there shows what Firefox shows', async () => {
  await listed();
  onAsked = ({ socket }) => socket.resetAndDestroy();
  const failed = await fetched('/gone');
  expect(failed).toBe('failed');
  const shown = await firefox.page.goto(`${origin}/gone`).then(
    () => 'a page',
    (error: Error) => error.message,
  );
  expect(shown).toMatch(/NS_ERROR_NET_(?:RESET|EMPTY_RESPONSE|INTERRUPT)|neterror/i);
});

test('this machine by the address of its own card goes direct for good', async () => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one !== undefined && !one.internal && one.family === 'IPv4')?.address;
  if (own === undefined) throw new Error('This machine has no address but loopback');
  const here = createServer(serveRaw).listen(0, own);
  await once(here, 'listening');
  const at = `http://${own}:${(here.address() as AddressInfo).port}`;
  onAsked = plainly;
  await firefox.ask({ kind: 'gateway-sites', change: { remove: origin } });
  await firefox.ask({ kind: 'gateway-sites', change: { add: at } });
  await firefox.page.goto(`${at}/page`);
  await firefox.page.goto(`${at}/page`);
  expect(await firefox.page.title()).toBe('t');
  expect((await state()).sites).toEqual([{ origin: at, direct: 'this-machine' }]);
  await firefox.ask({ kind: 'gateway-sites', change: { remove: at } });
  here.close();
});

test('the gateway gives up a site that is not there before Firefox gives up the gateway, as it does after a change of network', async () => {
  const silentS = await chrome.run(`async () => Services.prefs.getIntPref('network.http.network-changed.timeout')`, null);
  expect(CONNECT_MS).toBeLessThan(Number(silentS) * 1_000);
});

test('a site that has moved: without a connection to where it was, Firefox has the page from where it is', async () => {
  const before = await elsewhere();
  const { port } = server.address() as AddressInfo;
  const old = createServer(serveRaw).listen(port, before.here);
  try {
    await once(old, 'listening');
    await before.passOn(port);
    const at = `http://moving.test:${port}`;
    const found = (address: string) =>
      chrome.run(
        `async (address) => {
          Services.prefs.setStringPref('network.dns.forceResolve', address);
          Services.dns.clearCache(true);
          Services.obs.notifyObservers(null, 'net:prune-all-connections');
        }`,
        address,
      );
    const silent = (seconds: number) =>
      chrome.run(`async (seconds) => Services.prefs.setIntPref('network.http.network-changed.timeout', seconds)`, seconds);
    const carried = async () => (await state()).requests;
    onAsked = plainly;
    await found(before.address);
    await firefox.ask({ kind: 'gateway-sites', change: { remove: origin } });
    await firefox.ask({ kind: 'gateway-sites', change: { add: at } });
    await firefox.page.goto(`${at}/page`);
    await expect
      .poll(async () => {
        const so = await carried();
        await firefox.page.goto(`${at}/page`);
        return (await carried()) - so;
      })
      .toBe(1);
    // Connections that stand would be used again.
    await Promise.all(asked.splice(0).map(({ socket }) => socket.destroyed || once(socket.destroy(), 'close')));
    await found(there.address);
    await before.vanish();
    // Each virtual card that another test puts up or takes down is a change of network; the long form makes one, and leaves Firefox its 5 s.
    if (!IS_LONG) await silent(60);
    const counted = await carried();
    const going = firefox.page.goto(`${at}/page`);
    going.catch(() => undefined);
    await expect.poll(carried).toBe(counted + 1);
    if (IS_LONG) await chrome.run(`async () => Services.obs.notifyObservers(null, 'network:link-status-changed', 'changed')`, null);
    await going;
    expect(await firefox.page.title()).toBe('t');
    expect(asked.map(({ path }) => path)).toEqual(['/page']);
    // Not known anew by itself: the old address was tried, and given up.
    expect((await state()).failures).toBeGreaterThan(0);
    if (!IS_LONG) await silent(5);
  } finally {
    old.close();
    await before.stop();
  }
});
